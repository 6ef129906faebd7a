"""What follows from the map and the tables alone is computed when the game is compiled."""
