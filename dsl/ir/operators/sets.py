"""Sets of numbers or members. Those that are joined or compared need not have the same range."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_

from dsl.ir import nodes as ir
from dsl.ir.kinds import Kinds
from dsl.ir.operators.declaration import Bounds, Fails, Operator, lies_within, maybe, some
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf, Type


def within(kinds: Kinds, value: Type, place: Type) -> bool:
    """Has every element of a set a place in a set of another type?"""
    if not isinstance(value, SetOf) or not isinstance(place, SetOf):
        return False
    return kinds.akin(value.of, place.of) and kinds.within(value.of, place.of)


def _union(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return op.type if len(args) >= 2 and all(within(kinds, arg, op.type) for arg in args) else None


def _meet(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    if len(args) < 2 or not all(kinds.near(arg, op.type) for arg in args):
        return None
    return op.type if any(within(kinds, arg, op.type) for arg in args) else None


def _minus(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    if len(args) != 2 or not within(kinds, args[0], op.type):
        return None
    return op.type if kinds.near(args[1], op.type) else None


def _has(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (SetOf(of), Int() | Id() as element) if kinds.akin(of, element):
            return TRUTH
        case _:
            return None


def _holds(mask: int, element: int, *, low: int) -> int:
    return int(element != NONE and element >= low and bool(mask >> element - low & 1))


def _size(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return Int(0, kinds.extent(args[0])) if len(args) == 1 and isinstance(args[0], SetOf) else None


def _single(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (Int() | Id() as element,) if isinstance(op.type, SetOf) and kinds.akin(element, op.type.of):
            return op.type
        case _:
            return None


def _alone(element: int, *, least: int, most: int) -> int:
    if element == NONE:
        return 0
    if not least <= element <= most:
        raise Fails("E0601")
    return 1 << element - least


def _has_place(bounds: Bounds, op: ir.Op) -> bool:
    kind = op.args[0].type
    if not isinstance(op.type, SetOf) or not isinstance(kind, Int | Id):
        return False
    return lies_within(some(kind), *bounds(op.type.of), bounds)


def _subset(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if len(args) == 2 and kinds.near(*args) else None


def _next(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (SetOf(of), Int() | Id() as element) if kinds.akin(of, element):
            return maybe(of)
        case _:
            return None


def _after(mask: int, element: int, *, low: int) -> int:
    if element != NONE and element >= low:
        mask = mask >> element - low + 1 << element - low + 1
    return _least(mask, low=low)


def _only(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return maybe(args[0].of) if len(args) == 1 and isinstance(args[0], SetOf) else None


def _least(mask: int, *, low: int) -> int:
    return (mask & -mask).bit_length() - 1 + low if mask else NONE


SETS = (
    Operator(
        "union",
        "S, T, ...",
        "all that are in one of them",
        _union,
        lambda *sets: reduce(or_, sets),
        aligned="result",
        many=True,
        python="({union})",
        wasm="(i64.or {0} {1})",
        sign="+",
    ),
    Operator(
        "meet",
        "S, T, ...",
        "those that are in all of them",
        _meet,
        lambda *sets: reduce(and_, sets),
        aligned="result",
        many=True,
        python="({meet})",
        wasm="(i64.and {0} {1})",
    ),
    Operator(
        "minus",
        "S, T",
        "those of S that are not in T",
        _minus,
        lambda one, two: one & ~two,
        aligned="result",
        python="({0} & ~{1})",
        wasm="(i64.and {0} (i64.xor {1} (i64.const -1)))",
        sign="-",
    ),
    Operator(
        "has",
        "S, a",
        "is a in S? None is in no set",
        _has,
        _holds,
        needs=("low",),
        none=True,
        small=True,
        written="{1} in {0}",
    ),
    Operator(
        "size",
        "S",
        "how many elements it has",
        _size,
        int.bit_count,
        python="({0}).bit_count()",
        small=True,
        written="size({0})",
    ),
    Operator(
        "single",
        "a",
        "the set of a alone; of none, the empty one",
        _single,
        _alone,
        needs=("least", "most"),
        none=True,
        fails="E0601",
        sure=_has_place,
        written="{0}",
    ),
    Operator(
        "subset",
        "S, T",
        "is all of S in T?",
        _subset,
        lambda one, two: int(not one & ~two),
        aligned="lowest",
        folded=False,
        python="(not {0} & ~{1})",
        small=True,
    ),
    Operator(
        "next",
        "S, a",
        "the least of S that is greater than a, or none; of all where a is none",
        _next,
        _after,
        needs=("low",),
        none=True,
        folded=False,
        python="after({0}, {low}, {1})",
        written="next({0}, {1})",
    ),
    Operator(
        "only",
        "S",
        "the least of S, or none",
        _only,
        _least,
        needs=("low",),
        folded=False,
        python="least({0}, {low})",
    ),
)
