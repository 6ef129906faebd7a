"""Code between tree and program: statements that may suspend, walks over the IR, and the cut into blocks."""
