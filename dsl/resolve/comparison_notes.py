"""Notes on comparisons of numbers, read when all bodies are elaborated.

A body may be elaborated several times, with parameters of other types. What is noted of a comparison is what holds
each time.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.ir.types import Int
from dsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Decided:
    """A comparison that the ranges of its sides decide: what it comes to, and the sides as they were seen first."""

    tree: ast.Binary
    holds: bool
    left: Int
    right: Int


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
