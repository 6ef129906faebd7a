"""Lowering: statements that may suspend, walks over the IR, and the cut of routines into basic blocks."""
