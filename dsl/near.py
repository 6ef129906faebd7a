"""The names that a misspelt one was likely meant to be ("did you mean"), found at a bounded price.

`difflib.get_close_matches` compares a word with every name, and takes a time that grows with the square of their
lengths: a file with a thousand faults among a thousand long names would keep it busy for minutes. Here only the first
`LONGEST` characters of a name are compared, and what one compilation may spend is bounded (`allowance`): the first
faults have their hints, and where nothing is left the later ones go without. What is spent follows from the names
alone, so equal sources have equal messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import SequenceMatcher
from heapq import nlargest

LONGEST = 60
"""Characters of a name that are compared."""
ALLOWANCE = 6_000_000
"""What one compilation may spend, in pairs of characters compared: about two seconds at the most."""
LOOK = 10
"""What it costs to look at a name that is not alike at first sight."""

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


@contextmanager
def allowance(most: int = ALLOWANCE) -> Iterator[None]:
    """What is looked for in here costs at most so much together, apart from what may be spent around it."""
    token = _left.set([most])
    try:
        yield
    finally:
        _left.reset(token)


@contextmanager
def half() -> Iterator[None]:
    """What is looked for in here spends at most half of what is left: warnings leave something to errors."""
    outer = _left.get() or [ALLOWANCE]
    given = outer[0] // 2
    with allowance(given):
        inner = _left.get()
        yield
        outer[0] -= given - max(inner[0], 0) if inner else 0


def spend(cost: int) -> bool:
    """Takes something from what may be spent; false once nothing is left."""
    purse = _left.get()
    if purse is None:
        return True
    purse[0] -= cost
    return purse[0] > 0


def nearest(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The one of some names that another was likely meant to be, whatever its case; empty where none is near."""
    lowered: dict[str, str] = {}
    for each in names:
        lowered.setdefault(each.lower(), each)
    close = close_matches(word.lower(), lowered, n=1, cutoff=cutoff) if len(word) > 1 else []
    return lowered[close[0]] if close and lowered[close[0]] != word else ""


def close_matches(word: str, names: Iterable[str], n: int = 3, cutoff: float = 0.6) -> list[str]:
    """At most `n` of some names, the nearest first, as in `difflib`; none once the allowance is spent."""
    purse = _left.get() or [ALLOWANCE]
    matcher = SequenceMatcher()
    short = word[:LONGEST]
    matcher.set_seq2(short)
    found = []
    for name in names:
        if purse[0] <= 0:
            return []
        purse[0] -= LOOK
        compared = name[:LONGEST]
        matcher.set_seq1(compared)
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff:
            purse[0] -= len(compared) * len(short)
            if (alike := matcher.ratio()) >= cutoff:
                found.append((alike, name))
    return [name for _, name in nlargest(n, found)]
