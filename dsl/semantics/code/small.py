"""Small expressions of the IR that all passes write: plain numbers, truths, and one value under another type."""

from __future__ import annotations

from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Int, Type

TRUE = ir.Const(TRUTH, 1)
FALSE = ir.Const(TRUTH, 0)


def number(value: int) -> ir.Const:
    """A plain number."""
    return ir.Const(Int(value, value), value)


def conjunction(parts: list[ir.Expr]) -> ir.Expr:
    """All of some truths; constants fall out."""
    kept = [part for part in parts if part != TRUE]
    if FALSE in kept:
        return FALSE
    if not kept:
        return TRUE
    result = kept[0]
    for part in kept[1:]:
        result = ir.Op(TRUTH, "and", (result, part))
    return result


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
