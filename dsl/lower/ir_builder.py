"""Small expressions of the IR that all passes write: plain numbers, truths, and one value under another type."""

from __future__ import annotations

from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir.conditions import FALSE, TRUE, conjunction
from dsl.ir.types import TRUTH, Int, Type

__all__ = ["FALSE", "TRUE", "conjunction", "counting", "is_counting", "negation", "number", "replace_type"]


def number(value: int) -> ir.Const:
    """A plain number."""
    return ir.Const(Int(value, value), value)


def counting(chosen: ir.Local, most: int) -> ir.Op:
    """Which choice comes now, counted from 1, where several are made. How many, everybody has seen."""
    return ir.Op(Int(1, most + 1), "add", (ir.Op(Int(0, most), "size", (chosen,)), number(1)))


def is_counting(expr: ir.Expr) -> bool:
    """Is it that?"""
    match expr:
        case ir.Op(op="add", args=(ir.Op(op="size", args=(ir.Local(),)), ir.Const(value=1))):
            return True
        case _:
            return False


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
