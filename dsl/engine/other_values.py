"""Other values than one that a player does not see: one for all, those next to it, and one by chance.

Nobody knows how much is in a hidden set, bag or list, unless rules say so where no engine can read it. As what a player
sees of the same field is the best that he has to go by, seven of eight values that are drawn hold as much as one of
those, and the others anything up to a little more than twice the most of them. Where he sees none, lists are mostly
full: rules that read the second item want two. `dsl/browser/page/other_values.js` does alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import assert_never

from dsl.engine import layout
from dsl.engine.chance import Generator
from dsl.ir.program import Program
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type

MOST = 256
"""How much is drawn into a bag at most."""


def least(program: Program, kind: Type) -> layout.Plain:
    """The value of a type that stands for all others: the least, none or nothing."""
    match kind:
        case Int() | Id():
            return NONE if kind.optional else layout.bounds(program, kind)[0]
        case SetOf():
            return 0
        case BagOf(domain=domain):
            return (0,) * layout.members(program, domain)
        case ListOf():
            return ()
        case Record(types=types):
            return tuple(NONE if each.optional else layout.bounds(program, each)[0] for each in types)
        case _:
            assert_never(kind)


def size(kind: Type, value: layout.Plain) -> int:
    """How much is in a set, bag or list."""
    match kind, value:
        case SetOf(), int():
            return value.bit_count()
        case BagOf(), tuple():
            return sum(value)
        case _, tuple():
            return len(value)
        case _:
            return 1


# ------------------------------------------------------------ those next to it


def neighbours(program: Program, kind: Type, value: layout.Plain) -> Iterator[layout.Plain]:
    """All other values of a scalar; the set with one member more or less; the bag with another count of one; the list
    with another item, without its last one, or with one more; the record with another part.
    """
    match kind, value:
        case Int() | Id(), int():
            yield from _others(program, kind, value)
        case SetOf(), int():
            yield from (value ^ 1 << n for n in range(layout.extent(program, kind)))
        case BagOf(limit=limit), tuple():
            for n, count in enumerate(value):
                yield from (_with(value, n, other) for other in range(limit + 1) if other != count)
        case Record(types=types), tuple():
            for n, each in enumerate(types):
                yield from (_with(value, n, other) for other in _others(program, each, value[n]))
        case ListOf(limit=limit, of=Int() | Id() as of), tuple():
            for n, item in enumerate(value):
                yield from (_with(value, n, other) for other in _others(program, of, item))
            if value:
                yield value[:-1]
            if len(value) < limit:
                low, high = layout.bounds(program, of)
                yield from ((*value, other) for other in range(low, high + 1))
        case _:  # lists of sets are constants
            return


def _others(program: Program, kind: Scalar, value: int) -> Iterator[int]:
    low, high = layout.bounds(program, kind)
    if kind.optional and value != NONE:
        yield NONE
    yield from (other for other in range(low, high + 1) if other != value)


def _with(value: tuple[int, ...], n: int, other: int) -> tuple[int, ...]:
    return (*value[:n], other, *value[n + 1 :])


# ------------------------------------------------------------ all of them


def every(program: Program, kind: Type, most: int) -> list[layout.Plain] | None:
    """All values of a type, where they are no more than `most`; of lists never."""
    match kind:
        case Int() | Id():
            low, high = layout.bounds(program, kind)
            found = [*([NONE] if kind.optional else []), *range(low, min(high, low + most) + 1)]
            return [*found] if len(found) <= most else None
        case SetOf():
            extent = layout.extent(program, kind)
            return [*range(1 << extent)] if extent < most.bit_length() else None
        case BagOf(domain=domain, limit=limit):
            return _together([[*range(limit + 1)]] * layout.members(program, domain), most)
        case Record(types=types):
            scalars = [every(program, each, most) for each in types]
            return _together(scalars, most)
        case ListOf():
            return None
        case _:
            assert_never(kind)


def _together(parts: Sequence[Sequence[layout.Plain] | None], most: int) -> list[layout.Plain] | None:
    known = [each for each in parts if each is not None]
    if len(known) < len(parts) or number_of(known) > most:
        return None
    return [tuple(n for n in each if isinstance(n, int)) for each in product(*known)]


def number_of(parts: Sequence[Sequence[layout.Plain]]) -> int:
    """In how many ways one can be taken of each."""
    return prod(map(len, parts))


# ------------------------------------------------------------ one by chance


def drawn(program: Program, kind: Type, sizes: tuple[int, ...], chance: Generator) -> layout.Plain:
    """A value of a type by chance; `sizes` is how much is in those that the player sees."""
    match kind:
        case Int() | Id():
            return _scalar(program, kind, chance)
        case Record(types=types):
            return tuple(_scalar(program, each, chance) for each in types)
        case SetOf():
            extent = layout.extent(program, kind)
            members = list(range(extent))
            much = _much(sizes, extent, chance)
            for n in range(much):
                other = n + chance.below(extent - n)
                members[n], members[other] = members[other], members[n]
            return sum(1 << member for member in members[:much])
        case BagOf(domain=domain, limit=limit):
            counts = [0] * layout.members(program, domain)
            for _ in range(_much(sizes, min(MOST, limit * len(counts)), chance)):
                member = chance.below(len(counts))
                while counts[member] == limit:
                    member = (member + 1) % len(counts)
                counts[member] += 1
            return tuple(counts)
        case ListOf(limit=limit, of=Int() | Id() as of):
            return tuple(_scalar(program, of, chance) for _ in range(_much(sizes or (limit,), limit, chance)))
        case ListOf():
            return ()
        case _:
            assert_never(kind)


def _scalar(program: Program, kind: Scalar, chance: Generator) -> int:
    low, high = layout.bounds(program, kind)
    if kind.optional and not chance.below(high - low + 2):
        return NONE
    return low + chance.below(high - low + 1)


def _much(sizes: tuple[int, ...], most: int, chance: Generator) -> int:
    """How much is in a value, `most` at most."""
    if sizes and chance.below(8):
        return min(most, sizes[chance.below(len(sizes))])
    return chance.below(min(most, 2 * max(sizes) + 2 if sizes else most) + 1)
