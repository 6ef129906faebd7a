"""Random board games: small texts in the language, with the shapes that real games have, compiled as theirs are."""

from __future__ import annotations

import random
import tempfile
from itertools import count
from pathlib import Path

from dsl.compiler import Compiled, compile_game
from dsl.ir.program import Program
from tests.wasm.programs.games import Games


def random_board(seed: int) -> Program:
    """The game of a seed."""
    return accepted(seed)[1]


def accepted(seed: int) -> tuple[str, Program]:
    """The first text of a seed that the compiler takes, and its program."""
    for attempt in count():
        text = random_text(seed, attempt)
        found = compiled(text).program
        if found is not None:
            return text, found
    raise AssertionError("there is always another attempt")


def random_text(seed: int, attempt: int = 0) -> str:
    """The text of an attempt, which the compiler may refuse."""
    return Games(random.Random(f"{seed} {attempt}")).text()


def compiled(text: str) -> Compiled:
    """A text on its own, compiled."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.scn"
        path.write_text(text, encoding="utf-8")
        return compile_game(str(path))
