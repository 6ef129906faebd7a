"""What follows from the map and the tables alone is computed when a game is first played."""
