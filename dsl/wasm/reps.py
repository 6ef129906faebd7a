"""How values of the IR become WebAssembly values.

| type                       | values                                                                              |
|----------------------------|-------------------------------------------------------------------------------------|
| `Int` within 32 bits, `Id` | one i32 (`NONE` is the least)                                                       |
| other `Int`                | one i64                                                                             |
| `SetOf`                    | an i64 for each 64 elements, the lowest first                                       |
| `Record`                   | one for each field                                                                  |
| `BagOf`, `ListOf`          | an i32: the address of its slots, which lie in memory as they would in the state    |
"""

from __future__ import annotations

from typing import assert_never

from dsl.engine.failure import Unplayable
from dsl.engine.layout import bounds, extent, slots
from dsl.ir.program import Program
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf, Type

CHUNK = 64
LEAST, MOST = -(2**31), 2**31 - 1


def chunks(program: Program, kind: SetOf) -> int:
    """How many i64 hold a set."""
    return max(1, -(-extent(program, kind) // CHUNK))


def scalar_rep(kind: Type) -> str:
    """The WebAssembly type of a scalar."""
    return "i64" if isinstance(kind, Int) and (kind.low < LEAST or kind.high > MOST) else "i32"


def is_pointer(kind: Type) -> bool:
    """Does a value of the type stand in memory?"""
    return isinstance(kind, BagOf | ListOf)


def reps(program: Program, kind: Type) -> tuple[str, ...]:
    """The WebAssembly types of a value."""
    match kind:
        case Int() | Id():
            return (scalar_rep(kind),)
        case SetOf():
            if scalar_rep(kind.of) == "i64":
                raise Unplayable("a set of numbers beyond 32 bits")
            return ("i64",) * chunks(program, kind)
        case Record():
            return tuple(scalar_rep(each) for each in kind.types)
        case BagOf() | ListOf():
            in_memory(kind)
            return ("i32",)
        case _:
            assert_never(kind)


def in_memory(kind: Type) -> None:
    """Refuses elements that do not fit into slots."""
    of = kind.of if isinstance(kind, ListOf) else None
    if of is not None and scalar_rep(of) == "i64":
        raise Unplayable("a list of numbers beyond 32 bits")


def size_of(program: Program, kind: Type) -> int:
    """The bytes of a value in memory."""
    if isinstance(kind, Int) and scalar_rep(kind) == "i64":
        return 8
    return 4 * slots(program, kind)


def fits_in(program: Program, kind: Type, low: int, high: int) -> bool:
    """Does every value of a scalar type, none too, lie in a range?"""
    if not isinstance(kind, Int | Id) or kind.optional:
        return False
    least, most = bounds(program, kind)
    return low <= least and most <= high


def optional(kind: Type) -> bool:
    """Can a value of the type be none?"""
    return isinstance(kind, Int | Id) and kind.optional
