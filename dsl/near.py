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
from unicodedata import combining, normalize

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


def is_clear(word: str, names: Iterable[str]) -> bool:
    """Whether a misspelt word can stand for only one of some names: no other comes near."""
    folded = {each.lower() for each in names}
    near = close_matches(word.lower(), folded, n=2, cutoff=0.75) if len(word) > 2 else []
    return len(near) == 1 or near[:1] == [word.lower()]


def is_one_slip(one: str, two: str) -> bool:
    """Do two words differ in one sign, in one too many, or in two that are swapped?"""
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    if len(longer) - len(shorter) > 1 or one == two:
        return False
    at = _alike(longer, shorter)
    if len(longer) > len(shorter):
        return longer[at + 1 :] == shorter[at:]
    if one[at + 1 :] == two[at + 1 :]:
        return not one[at].isdigit()
    swapped = two[at + 1 : at + 2] + two[at : at + 1]
    if one[at : at + 2] == swapped and one[at + 2 :] == two[at + 2 :]:
        return True
    rest = at + 1 + _alike(one[at + 1 :], two[at + 1 :])
    return one[rest + 1 :] == two[rest + 1 :] and (one[at], one[rest]) == (two[rest], two[at])


def _alike(one: str, two: str) -> int:
    """How many signs two words begin with in common."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one.startswith(two[:middle]) else (low, middle - 1)
    return low


def plain(text: str) -> str:
    """A text as it is compared with what was typed: without capitals and accents, apostrophes and hyphens plain."""
    text = text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{MINUS SIGN}", "-")
    return "".join(each for each in normalize("NFD", text) if not combining(each))


def singular(word: str) -> str:
    """A word without the sign of a plural, in the languages that have one at its end."""
    return word[:-1] if len(word) > 3 and word[-1] in "sx" else word
