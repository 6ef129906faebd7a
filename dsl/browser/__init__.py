"""A game as a page that any browser plays: one file, with the module, the texts and the script inside."""
