"""A game as a page that any browser plays: one file, with the module, the texts and the script inside."""

MARK = "scenarii-page 1"
"""By which a page is known, near its beginning."""
