"""Sets of the fields of a board as words of 64 bits: what is known beforehand is worked out, the rest is code.

A set is a constant and some locals, of all of which it is the intersection. So a set and what lies outside of it meet
in nothing at all, which is known without running: that is how a condition is seen to ask nothing of what is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dsl.wasm.text import both, get, i64, put

WORD = (1 << 64) - 1

Entry = int | tuple[int, ...]
Column = tuple[Entry, ...]
"""A value that is known beforehand for each field."""


@dataclass(frozen=True, slots=True)
class Bits:
    """The fields in `mask` that are in each local of `within` and in none of `without`."""

    mask: int
    within: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

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
        self.all = Bits((1 << size) - 1)
        self.lines = lines
        self._temp = temp

    def beside(self, size: int) -> Board:
        """Another board in the same code."""
        return Board(size, self.lines, self._temp)

    def kept(self, code: str, mask: int = WORD) -> Bits:
        """What an expression yields, in a local."""
        name = self._temp("i64")
        self.lines.append(put(name, code))
        return Bits(self.all.mask & mask, frozenset({name}))

    def all_if(self, truth: str) -> Bits:
        """All fields or none."""
        return self.kept(f"(i64.sub (i64.const 0) (i64.extend_i32_u {truth}))")

    def code(self, one: Bits) -> str:
        """A set as an expression."""
        if not one.mask:
            return i64(0)
        inside = [get(name) for name in sorted(one.within)]
        outside = [f"(i64.xor {get(name)} (i64.const -1))" for name in sorted(one.without)]
        mask = [] if one.mask == WORD and not one.constant else [i64(one.mask)]
        return both("i64.and", [*inside, *outside, *mask])

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
        return self.kept(f"(i64.or {self.code(one)} {self.code(other)})", one.mask | other.mask)

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
        (name,) = self.kept(self.code(one)).within
        return Bits(mask, frozenset(), frozenset({name}))

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
        op = "shr_u" if by > 0 else "shl"
        return self.kept(f"(i64.{op} {self.code(target)} {i64(abs(by))})", mask)


# ------------------------------------------------------------ what is known beforehand


def mask_of(truths: Iterable[bool]) -> int:
    """A set from a truth for each field."""
    return sum(1 << field for field, truth in enumerate(truths) if truth)


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
