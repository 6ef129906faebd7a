"""Notes on comparisons of numbers, read when all bodies are elaborated.

A body may be elaborated several times, with parameters of other types. What is noted of a comparison is what holds
each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.ir import nodes as ir
from dsl.ir.types import Int
from dsl.source import Span
from dsl.syntax import ast

COMPARED = frozenset({"is", "is-not", "<", "<=", ">", ">=", "in", "not-in"})


@dataclass(frozen=True, slots=True)
class Decided:
    """A comparison that the ranges of its sides decide: what it comes to, and the sides as they were seen first."""

    tree: ast.Binary
    holds: bool
    left: Int
    right: Int


@dataclass(frozen=True, slots=True)
class Joined:
    """A condition of several parts, `and` or `or` between them, in which two parts speak of one thing: the parts, each
    time that it was elaborated.
    """

    op: str
    parts: list[list[tuple[Span, ir.Expr]]]


def parts_of(tree: ast.Expr, op: str) -> list[ast.Expr]:
    """What stands between the `and`s (or `or`s) of a condition."""
    if isinstance(tree, ast.Binary) and tree.op == op:
        return [*parts_of(tree.left, op), *parts_of(tree.right, op)]
    return [tree]


def speak_of_one(parts: Sequence[ast.Expr]) -> bool:
    """Is one thing asked about in two parts of a condition?"""
    asked: set[str] = set()
    for each in parts:
        part = each
        while isinstance(part, ast.Unary):
            part = part.operand
        sides = (part.left, part.right) if isinstance(part, ast.Binary) and part.op in COMPARED else (part,)
        about = {side.span.text for side in sides if not isinstance(side, ast.Number | ast.NoneExpr)}
        if not asked.isdisjoint(about):
            return True
        asked |= about
    return False


def decide(op: str, left: Int, right: Int) -> bool | None:
    """What a comparison of two ranges always comes to; None where that depends on the numbers, or on none.

    `op` is one of `is`, `is-not`, `<`, `<=`, `>`, `>=`. A side that may be none makes all but `is-not` false, and is
    the same as another that is none.
    """
    if op == "is-not":
        same = decide("is", left, right)
        return None if same is None else not same
    if op in {">", ">="}:
        return decide(op.replace(">", "<"), right, left)
    never = {
        "is": left.high < right.low or right.high < left.low,
        "<": left.low >= right.high,
        "<=": left.low > right.high,
    }[op]
    if never:
        return None if op == "is" and left.optional and right.optional else False
    surely = {"is": False, "<": left.high < right.low, "<=": left.high <= right.low}[op]
    return True if surely and not (left.optional or right.optional) else None
