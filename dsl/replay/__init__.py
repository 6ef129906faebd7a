"""Plays a record again: by its own rules, and beside another version of the game, to find where they part."""
