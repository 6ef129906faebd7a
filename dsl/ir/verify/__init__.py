"""The verifier: what a program from anywhere has to be before it is played."""
