"""What each run of the tests tries in part, and the long one, `python -m tests --soak`, as a whole.

A run is to end within a quarter of an hour. Where many cases try one thing, it takes some of them, always the same.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

VARIABLE = "SCENARII_SOAK"
SOAK = bool(os.environ.get(VARIABLE))

T = TypeVar("T")


def fewer(few: int, many: int) -> int:
    """How many there are of something in this run: in each, and in the long one."""
    return many if SOAK else few


def some(cases: Sequence[T], each: int) -> Sequence[T]:
    """One case of so many, the first among them; all in the long run."""
    return cases if SOAK else cases[::each]


def only_when_long(*values: Any) -> Any:
    """A case of `parametrize` that only the long run takes."""
    return pytest.param(*values, marks=long)


NEXT = 8


def resumed_until(number: int, decisions: int) -> int:
    """Up to which decision a game goes on that is resumed at one: from each eighth, and in the long run from all, to
    its end; from the others for eight more, to where another is resumed.
    """
    return decisions if SOAK or number % NEXT == 0 else min(number + NEXT, decisions)


LARGEST = "command_and_conquer"
"""The game of the library that takes longest to compile."""


def without_largest(cases: Sequence[str | Path]) -> list[Any]:
    """Games, by name or folder, of which only the long run takes the largest."""
    return [only_when_long(each) if Path(each).name == LARGEST else each for each in cases]


long = pytest.mark.skipif(not SOAK, reason="python -m tests --soak")
"""A test that only the long run takes."""
