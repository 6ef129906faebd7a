"""How fast random games are played, beside OpenSpiel's; and that they are the same games by the rules."""
