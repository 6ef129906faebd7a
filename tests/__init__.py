"""The tests; `python -m tests` runs them and every other check."""
