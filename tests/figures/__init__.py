"""The figures that the documentation shows, and the commands that print them: `python -m tests.figures`."""
