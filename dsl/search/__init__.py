"""Players that think: what to choose at a decision, found by playing on from it."""
