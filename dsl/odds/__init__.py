"""The exact distribution of what an action comes to, over all that chance can give."""
