"""Sets of the fields of a board as words of 64 bits: what is known beforehand is worked out, the rest is code.

A set is a constant and some sets that are in locals, one for each word, of all of which it is the intersection. So a
set and what lies outside of it meet in nothing at all, which is known without running: that is how a condition is seen
to ask nothing of what is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dsl.wasm.reps import CHUNK
from dsl.wasm.text import both, get, i64, put

WORD = (1 << CHUNK) - 1
NO_BITS = i64(0)

Names = tuple[str, ...]
"""The locals of a set, the lowest word first. Where a word has no fields of the set, its local is not used."""
Entry = int | tuple[int, ...]
Column = tuple[Entry, ...]
"""A value that is known beforehand for each field."""


@dataclass(frozen=True, slots=True)
class Bits:
    """The fields in `mask` that are in each set of `within` and in none of `without`, which are in locals."""

    mask: int
    within: frozenset[Names] = frozenset()
    without: frozenset[Names] = frozenset()

    @property
    def constant(self) -> bool:
        """Is it known beforehand?"""
        return not self.within and not self.without

    def lies_in(self, other: Bits) -> bool:
        """Is it a part of another set, whatever the locals hold?"""
        narrower = other.within <= self.within and other.without <= self.without
        return not self.mask or (self.mask & ~other.mask == 0 and narrower)


NOTHING = Bits(0)


class Board:
    """Operations on sets of `size` fields. What they take is written into `lines`."""

    def __init__(self, size: int, lines: list[str], temp: Callable[[str], str]) -> None:
        self.size = size
        self.words = max(1, -(-size // CHUNK))
        self.all = Bits((1 << size) - 1)
        self.lines = lines
        self._temp = temp

    def beside(self, size: int) -> Board:
        """Another board in the same code."""
        return Board(size, self.lines, self._temp)

    def kept(self, codes: Sequence[str], mask: int | None = None) -> Bits:
        """A set whose words are expressions, in locals; `mask` are the fields that can be in it."""
        mask = self.all.mask if mask is None else mask & self.all.mask
        names = []
        for code, word in zip(codes, self._parts(mask), strict=True):
            names.append(self._temp("i64") if word else "")
            if word:
                self.lines.append(put(names[-1], code))
        return Bits(mask, frozenset({tuple(names)}))

    def all_if(self, truth: str) -> Bits:
        """All fields or none."""
        name = self._temp("i64")
        self.lines.append(put(name, f"(i64.sub (i64.const 0) (i64.extend_i32_u {truth}))"))
        return Bits(self.all.mask, frozenset({(name,) * self.words}))

    def codes(self, one: Bits) -> tuple[str, ...]:
        """A set as an expression for each word."""
        return tuple(self._code(one, k, word) for k, word in enumerate(self._parts(one.mask)))

    def _code(self, one: Bits, k: int, word: int) -> str:
        """Word `k` of a set, of which only some bits can be in it."""
        if not word:
            return NO_BITS
        inside = [get(names[k]) for names in sorted(one.within)]
        outside = [f"(i64.xor {get(names[k])} (i64.const -1))" for names in sorted(one.without)]
        mask = [] if word == WORD and not one.constant else [i64(word)]
        return both("i64.and", [*inside, *outside, *mask])

    def _parts(self, mask: int) -> list[int]:
        """The words of a set that is known beforehand."""
        return [mask >> CHUNK * k & WORD for k in range(self.words)]

    def meet(self, one: Bits, other: Bits) -> Bits:
        """What is in both."""
        within, without = one.within | other.within, one.without | other.without
        mask = one.mask & other.mask
        return NOTHING if within & without or not mask else Bits(mask, within, without)

    def join(self, one: Bits, other: Bits) -> Bits:
        """What is in one of them."""
        if one.lies_in(other):
            return other
        if other.lies_in(one):
            return one
        if (one.within, one.without) == (other.within, other.without):
            return Bits(one.mask | other.mask, one.within, one.without)
        pairs = zip(self.codes(one), self.codes(other), strict=True)
        return self.kept([_joined(*pair) for pair in pairs], one.mask | other.mask)

    def join_all(self, parts: Iterable[Bits]) -> Bits:
        """What is in any of them."""
        found = NOTHING
        for each in parts:
            found = self.join(found, each)
        return found

    def rest(self, one: Bits) -> Bits:
        """What is not in it."""
        mask = self.all.mask
        if one.constant:
            return Bits(mask & ~one.mask)
        if one.mask == mask and len(one.within) + len(one.without) == 1:
            return Bits(mask, one.without, one.within)
        (names,) = self.kept(self.codes(one)).within
        return Bits(mask, frozenset(), frozenset({names}))

    def from_there(self, target: Bits, way: dict[int, int]) -> Bits:
        """The fields from which one comes into a set; `way` has, for each distance of numbers, the fields it is gone
        from.
        """
        return self.join_all(self._stepped(target, by, mask) for by, mask in sorted(way.items()))

    def _stepped(self, target: Bits, by: int, mask: int) -> Bits:
        if target.constant:
            return Bits(mask & (target.mask >> by if by >= 0 else target.mask << -by))
        if by == 0:
            return Bits(mask & target.mask, target.within, target.without)
        codes = self.beside(CHUNK * len(next(iter(target.within | target.without)))).codes(target)
        far, near = divmod(by, CHUNK)
        return self.kept([_shifted(codes, k + far, near) for k in range(self.words)], mask)


def _shifted(codes: tuple[str, ...], first: int, by: int) -> str:
    """The 64 bits of a set that begin at bit `by` of its word `first`."""
    here = codes[first] if 0 <= first < len(codes) else NO_BITS
    if by == 0:
        return here
    above = codes[first + 1] if 0 <= first + 1 < len(codes) else NO_BITS
    low = NO_BITS if here == NO_BITS else f"(i64.shr_u {here} {i64(by)})"
    high = NO_BITS if above == NO_BITS else f"(i64.shl {above} {i64(CHUNK - by)})"
    return _joined(low, high)


def _joined(one: str, other: str) -> str:
    """What is in one of two words."""
    if NO_BITS in {one, other}:
        return other if one == NO_BITS else one
    return f"(i64.or {one} {other})"


# ------------------------------------------------------------ what is known beforehand


def mask_of(truths: Iterable[bool]) -> int:
    """A set from a truth for each field."""
    return sum(1 << field for field, truth in enumerate(truths) if truth)


def holds_in(entry: Entry, element: Entry, low: int) -> bool:
    """Is an element in a constant set, whose bits begin with element `low`?"""
    if isinstance(entry, tuple):
        return element in entry
    return isinstance(element, int) and element >= low and bool(entry >> element - low & 1)


def members_of(entry: Entry, low: int = 0) -> tuple[int, ...]:
    """The elements of a constant set or list of members."""
    if isinstance(entry, tuple):
        return entry
    return tuple(low + bit for bit in range(entry.bit_length()) if entry >> bit & 1)


def way_of(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Where one comes to from fields: for each distance of numbers, the fields it is gone from."""
    way: dict[int, int] = {}
    for field, other in pairs:
        way[other - field] = way.get(other - field, 0) | 1 << field
    return way
