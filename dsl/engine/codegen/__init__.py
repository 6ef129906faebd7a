"""Python, generated from a verified program."""
