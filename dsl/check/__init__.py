"""What only the whole program tells: termination, effects, secrets, bounds, and what may be a slip."""
