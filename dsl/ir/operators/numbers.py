"""Arithmetic. The result is the interval that follows from those of the operands; that it lies within the type which
the node promises, and that this type stays within 64 bits, is what keeps every intermediate there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad, Kinds
from dsl.ir.operators.declaration import Bounds, Fails, Operator, interval
from dsl.ir.types import Int, Type

Ends = tuple[int, int]


def _number(
    name: str,
    takes: str,
    says: str,
    count: int | None,
    range_of: Callable[..., Ends],
    value: Callable[..., int],
    **others: Any,
) -> Operator:
    """An operator on so many numbers, two or more where no count is given, and the range of its results by theirs."""

    def rule(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
        ranges = [interval(name, arg) for arg in args]
        right = len(args) == count if count is not None else len(args) >= 2
        return Int(*range_of(*ranges)) if right else None

    return Operator(name, takes, says, rule, value, range=range_of, **others)


def _product(one: Ends, two: Ends) -> Ends:
    corners = [x * y for x, y in product(one, two)]
    return min(corners), max(corners)


def _least(*ranges: Ends) -> Ends:
    return min(low for low, _ in ranges), min(high for _, high in ranges)


def _greatest(*ranges: Ends) -> Ends:
    return max(low for low, _ in ranges), max(high for _, high in ranges)


# ---------------------------------------------------------------- divisions


def down(number: int, divisor: int) -> int:
    """The quotient rounded down."""
    return number // divisor


def up(number: int, divisor: int) -> int:
    """The quotient rounded up."""
    return -(-number // divisor)


def zero(number: int, divisor: int) -> int:
    """The quotient rounded toward zero."""
    size = abs(number) // abs(divisor)
    return size if (number < 0) == (divisor < 0) else -size


def _division(direction: str, words: str, rounded: Callable[[int, int], int]) -> Operator:
    name = f"div_{direction}"

    def ends(dividend: Ends, divisor: Ends) -> Ends:
        low, high = divisor
        divisors = [each for each in (low, high, -1, 1) if low <= each <= high and each != 0]
        if not divisors:
            raise Bad(f"`{name}` always divides by 0")
        found = [rounded(x, y) for x, y in product(dividend, divisors)]
        return min(found), max(found)

    def value(number: int, divisor: int) -> int:
        if not divisor:
            raise Fails("E0609")
        return rounded(number, divisor)

    def sure(bounds: Bounds, op: ir.Op) -> bool:
        divisor = op.args[1].type
        return isinstance(divisor, Int) and not divisor.low <= 0 <= divisor.high

    return _number(
        name,
        "a, b",
        f"`a / b`, rounded {words}",
        2,
        ends,
        value,
        folded=False,
        fails="E0609",
        sure=sure,
        python=f"{direction}({{0}}, {{1}})",
        checked=(direction,),
        wasm=f"(call ${name} {{0}} {{1}})",
    )


NUMBERS = (
    _number(
        "add",
        "a, b",
        "the sum",
        2,
        lambda one, two: (one[0] + two[0], one[1] + two[1]),
        operator.add,
        python="({0} + {1})",
        wasm="({rep}.add {0} {1})",
        sign="+",
    ),
    _number(
        "sub",
        "a, b",
        "the difference",
        2,
        lambda one, two: (one[0] - two[1], one[1] - two[0]),
        operator.sub,
        python="({0} - {1})",
        wasm="({rep}.sub {0} {1})",
        sign="-",
    ),
    _number(
        "mul",
        "a, b",
        "the product",
        2,
        _product,
        operator.mul,
        python="({0} * {1})",
        wasm="({rep}.mul {0} {1})",
        sign="*",
    ),
    _number(
        "neg",
        "a",
        "the number with the other sign",
        1,
        lambda one: (-one[1], -one[0]),
        operator.neg,
        python="(-{0})",
        wasm="({rep}.sub ({rep}.const 0) {0})",
    ),
    _number(
        "min",
        "a, b, ...",
        "the least of two or more numbers",
        None,
        _least,
        min,
        many=True,
        python="min({all})",
        wasm="(select {0} {1} ({rep}.lt_s {0} {1}))",
        written="min({all})",
    ),
    _number(
        "max",
        "a, b, ...",
        "the greatest of two or more numbers",
        None,
        _greatest,
        max,
        many=True,
        python="max({all})",
        wasm="(select {0} {1} ({rep}.gt_s {0} {1}))",
        written="max({all})",
    ),
    _number(
        "abs",
        "a",
        "the number without its sign",
        1,
        lambda one: (max(one[0], -one[1], 0), max(one[1], -one[0])),
        abs,
        python="abs({0})",
        wasm="(select ({rep}.sub ({rep}.const 0) {0}) {0} ({rep}.lt_s {0} ({rep}.const 0)))",
        written="abs({0})",
    ),
    _division("down", "down", down),
    _division("up", "up", up),
    _division("zero", "toward 0", zero),
)
