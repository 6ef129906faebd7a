"""Truths, and the choice between values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from dsl.ir import nodes as ir
from dsl.ir.kinds import Kinds
from dsl.ir.operators.declaration import Bounds, Fails, Operator, some, wrong
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf, Type


def _truths(least: int, most: int | None) -> Callable[[Kinds, ir.Op, tuple[Type, ...]], Type | None]:
    def rule(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
        enough = least <= len(args) and (most is None or len(args) <= most)
        return TRUTH if enough and all(kinds.fits(arg, TRUTH) for arg in args) else None

    return rule


def _equal(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    if len(args) != 2 or not kinds.family(*args):
        return None
    if isinstance(args[0], SetOf):
        kinds.near(*args)
    return TRUTH


def _ordered(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if len(args) == 2 and isinstance(args[0], Int | Id) and kinds.family(*args) else None


def _equality(name: str, sign: str, code: str, compare: Callable[[Any, Any], bool]) -> Operator:
    return Operator(
        name,
        "a, b",
        f"is a {'' if name == 'eq' else 'not '}b? Of scalars, none too, sets, bags, lists or records",
        _equal,
        lambda a, b: int(compare(a, b)),
        aligned="lowest",
        none=True,
        python=f"({{0}} {code} {{1}})",
        wasm=f"({{rep}}.{name} {{0}} {{1}})",
        small=True,
        sign=sign,
    )


def _comparison(name: str, sign: str, words: str, compare: Callable[[int, int], bool]) -> Operator:
    return Operator(
        name,
        "a, b",
        f"is a {words} b? Never where one of them is none",
        _ordered,
        lambda a, b: int(NONE not in {a, b} and compare(a, b)),
        none=True,
        wasm=f"({{rep}}.{name}_s {{0}} {{1}})",
        small=True,
        sign=sign,
    )


TRUTHS = (
    Operator(
        "and",
        "a, b, ...",
        "do all hold? The first that does not is the last that is evaluated",
        _truths(2, None),
        small=True,
        sign="and",
    ),
    Operator(
        "or",
        "a, b, ...",
        "does one hold? The first that does is the last that is evaluated",
        _truths(2, None),
        small=True,
        sign="or",
    ),
    Operator(
        "not",
        "a",
        "does it not hold?",
        _truths(1, 1),
        lambda a: 1 - a,
        python="(not {0})",
        wasm="(i32.eqz {0})",
        small=True,
        written="not {0}",
    ),
    _equality("eq", "is", "==", operator.eq),
    _equality("ne", "is not", "!=", operator.ne),
    _comparison("lt", "<", "less than", operator.lt),
    _comparison("le", "<=", "at most", operator.le),
    _comparison("gt", ">", "greater than", operator.gt),
    _comparison("ge", ">=", "at least", operator.ge),
)


# ---------------------------------------------------------------- choices


def _both(kinds: Kinds, op: ir.Op, a: Type, b: Type) -> Type:
    if not kinds.fits(a, op.type) or not kinds.fits(b, op.type):
        raise wrong(op.op, (a, b))
    return op.type


def _if(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (condition, a, b) if kinds.fits(condition, TRUTH):
            return _both(kinds, op, a, b)
        case _:
            return None


def _else(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (Int() | Id() as a, b):
            return _both(kinds, op, some(a), b)
        case _:
            return None


def _is_none(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if len(args) == 1 and isinstance(args[0], Int | Id) else None


def _some(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return some(args[0]) if len(args) == 1 and isinstance(args[0], Int | Id) else None


def _there(a: int) -> int:
    if a == NONE:
        raise Fails("E0604")
    return a


def _never_none(bounds: Bounds, op: ir.Op) -> bool:
    kind = op.args[0].type
    return isinstance(kind, Int | Id) and not kind.optional


CHOICES = (
    Operator("if", "condition, a, b", "a where the condition holds, else b; the other is not evaluated", _if),
    Operator(
        "else_",
        "a, b",
        "a, or b where a is none; b is evaluated only then",
        _else,
        none=True,
        written="({0} or {1})",
    ),
    Operator(
        "is_none",
        "a",
        "is it none?",
        _is_none,
        lambda a: int(a == NONE),
        none=True,
        python=f"({{0}} == {NONE})",
        wasm="({rep}.eq {0} {none})",
        small=True,
        written="{0} is none",
    ),
    Operator(
        "some",
        "a",
        "a, which the program knows to be there",
        _some,
        _there,
        none=True,
        fails="E0604",
        sure=_never_none,
        written="{0}",
    ),
)
