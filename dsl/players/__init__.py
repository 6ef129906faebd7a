"""Those who choose: each player is a function from a decision, as its side may see it, to an option."""
