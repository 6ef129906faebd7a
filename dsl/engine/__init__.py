"""Plays any IR: a state that is one vector of integers, pure evaluation over it, decisions as the only stops,
one generator for chance, and what each player may see.
"""
