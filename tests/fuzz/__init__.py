"""Mutated programs through the whole pipeline: no traceback, no endless run, no swelling, whatever the text."""
