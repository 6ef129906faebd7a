"""How values lie in the vector: how many slots a type fills, what range it has, and reading and writing it.

The vector is a list of signed 32-bit integers. In an engine a scalar and a set are one `int`, a bag, a
record and a list are tuples. The words of a set are stored as signed numbers with the same bits; bits behind
its last element, and slots behind the end of a list, are 0.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import assert_never

from dsl.ir import nodes as ir
from dsl.ir.program import FRAME_HEAD, Program, Routine
from dsl.ir.types import NONE, WORD, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type

Plain = int | tuple[int, ...]
"""A value as an engine holds it."""

_MASK = 0xFFFFFFFF


def members(program: Program, domain: int) -> int:
    """How many members a domain has."""
    return len(program.domains[domain].members)


def bounds(program: Program, kind: Scalar) -> tuple[int, int]:
    """The least and the greatest value of a scalar type, apart from none."""
    if isinstance(kind, Int):
        return kind.low, kind.high
    return 0, members(program, kind.domain) - 1


def extent(program: Program, kind: SetOf) -> int:
    """How many elements a set can have."""
    low, high = bounds(program, kind.of)
    return max(0, high - low + 1)


def whole(program: Program, kind: SetOf) -> int:
    """The set of all elements there can be, a bit for each."""
    return (1 << extent(program, kind)) - 1


def is_whole(program: Program, e: ir.Expr) -> bool:
    """Is an expression a constant set with everything in it that there can be?"""
    kind = e.type
    return isinstance(e, ir.Const) and isinstance(kind, SetOf) and e.value == whole(program, kind)


def low_of(program: Program, kind: SetOf) -> int:
    """The value that bit 0 stands for."""
    return bounds(program, kind.of)[0]


def slots(program: Program, kind: Type) -> int:
    """How many slots a value of a type fills."""
    match kind:
        case Int() | Id():
            return 1
        case SetOf():
            return -(-extent(program, kind) // WORD)
        case BagOf():
            return members(program, kind.domain)
        case ListOf():
            return 1 + kind.limit * slots(program, kind.of)
        case Record():
            return len(kind.types)
        case _:
            assert_never(kind)


def frame_size(program: Program, routine: Routine) -> int:
    """How many slots a frame of a routine fills, with its head."""
    ends = (at + slots(program, kind) for at, kind in zip(routine.offsets, routine.locals, strict=True))
    return FRAME_HEAD + max(ends, default=0)


def empty(program: Program, kind: Type) -> Plain:
    """What slots that are all 0 mean."""
    match kind:
        case Int() | Id() | SetOf():
            return 0
        case BagOf() | Record():
            return (0,) * slots(program, kind)
        case ListOf():
            return ()
        case _:
            assert_never(kind)


def get_set(state: list[int], at: int, words: int) -> int:
    """The set in `words` slots from `at`."""
    result = 0
    for k in range(words - 1, -1, -1):
        result = result << WORD | state[at + k] & _MASK
    return result


def put_set(state: list[int], at: int, words: int, value: int) -> None:
    """Writes a set into `words` slots from `at`."""
    for k in range(at, at + words):
        state[k] = ((value & _MASK) ^ 0x80000000) - 0x80000000
        value >>= WORD


def read(program: Program, state: list[int], at: int, kind: Type) -> Plain:
    """The value of a type that begins at a slot."""
    match kind:
        case Int() | Id():
            return state[at]
        case SetOf():
            return get_set(state, at, slots(program, kind))
        case BagOf() | Record():
            return tuple(state[at : at + slots(program, kind)])
        case ListOf():
            each = slots(program, kind.of)
            if not isinstance(kind.of, SetOf):
                return tuple(state[at + 1 : at + 1 + state[at]])
            return tuple(get_set(state, at + 1 + k * each, each) for k in range(state[at]))
        case _:
            assert_never(kind)


def words(program: Program, kind: Type, value: Plain) -> list[int]:
    """The slots of a value."""
    match kind:
        case Int() | Id():
            return [_scalar(value)]
        case SetOf():
            result = [0] * slots(program, kind)
            put_set(result, 0, len(result), _scalar(value))
            return result
        case BagOf() | Record():
            return list(_several(value))
        case ListOf():
            elements = _several(value)
            inside = [word for element in elements for word in words(program, kind.of, element)]
            padding = slots(program, kind) - 1 - len(inside)
            return [len(elements), *inside, *[0] * padding]
        case _:
            assert_never(kind)


def write(program: Program, state: list[int], at: int, kind: Type, value: Plain) -> None:
    """Puts a value that fits its type."""
    state[at : at + slots(program, kind)] = words(program, kind, value)


def fits(program: Program, state: list[int], at: int, kind: Type) -> bool:
    """Do the slots from `at` hold a value of the type, in its one form?"""
    match kind:
        case Int() | Id():
            return _scalar_fits(program, kind, state[at])
        case SetOf():
            return get_set(state, at, slots(program, kind)) >> extent(program, kind) == 0
        case BagOf():
            return all(0 <= n <= kind.limit for n in state[at : at + slots(program, kind)])
        case Record():
            return all(_scalar_fits(program, each, state[at + k]) for k, each in enumerate(kind.types))
        case ListOf():
            length, each = state[at], slots(program, kind.of)
            if not 0 <= length <= kind.limit:
                return False
            start, end = at + 1 + length * each, at + slots(program, kind)
            filled = all(fits(program, state, at + 1 + k * each, kind.of) for k in range(length))
            return filled and not any(state[start:end])
        case _:
            assert_never(kind)


def all_fit(program: Program, state: list[int], at: int, kind: Type, count: int) -> bool:
    """Does a value of the type stand in each of `count` places in a row?"""
    if isinstance(kind, Int | Id):
        low, high = bounds(program, kind)
        found = set(state[at : at + count])
        if kind.optional:
            found.discard(NONE)
        return not found or (low <= min(found) and max(found) <= high)
    width = slots(program, kind)
    return all(fits(program, state, at + n * width, kind) for n in range(count))


def _scalar_fits(program: Program, kind: Scalar, value: int) -> bool:
    low, high = bounds(program, kind)
    return low <= value <= high or (kind.optional and value == NONE)


def _scalar(value: Plain) -> int:
    assert isinstance(value, int)
    return value


def _several(value: Plain) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value


def get_list(state: list[int], at: int, each: int) -> tuple[int, ...]:
    """A list whose elements are sets of `each` slots."""
    return tuple(get_set(state, at + 1 + k * each, each) for k in range(state[at]))


def put_list(state: list[int], at: int, each: int, limit: int, value: tuple[int, ...]) -> None:
    """Writes a list whose elements are sets of `each` slots."""
    state[at] = len(value)
    for k in range(limit):
        put_set(state, at + 1 + k * each, each, value[k] if k < len(value) else 0)


def pack(state: Sequence[int]) -> bytes:
    """The vector as bytes: each slot little-endian."""
    return struct.pack(f"<{len(state)}i", *state)
