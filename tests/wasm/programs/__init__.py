"""Random programs of two sorts, by turns: small ones made of nodes, and board games written in the language."""

from __future__ import annotations

from dsl.ir.program import Program
from tests.wasm.programs.boards import random_board
from tests.wasm.programs.small import small_program


def random_program(seed: int) -> Program:
    """The program of a seed: a board game where it is odd."""
    return random_board(seed) if seed % 2 else small_program(seed)
