"""Runs the tests that authors write in the language, beside the rules they test, and measures what those
tests cover: rules never exercised, and mutations of rules that no test notices.
"""
