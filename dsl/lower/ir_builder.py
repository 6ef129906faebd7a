"""Small expressions of the IR that all passes write: plain numbers, truths, and one value under another type."""

from __future__ import annotations

from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir.conditions import FALSE, TRUE, conjunction
from dsl.ir.types import TRUTH, Int, Type

__all__ = ["FALSE", "TRUE", "conjunction", "negation", "number", "replace_type"]


def number(value: int) -> ir.Const:
    """A plain number."""
    return ir.Const(Int(value, value), value)


def negation(part: ir.Expr) -> ir.Expr:
    """The contrary of a truth."""
    if part == TRUE:
        return FALSE
    if part == FALSE:
        return TRUE
    if isinstance(part, ir.Op) and part.op == "not":
        return part.args[0]
    return ir.Op(TRUTH, "not", (part,))


def replace_type(expr: ir.Expr, type_: Type) -> ir.Expr:
    """The same value, known under another type that holds it."""
    return expr if expr.type == type_ else replace(expr, type=type_)
