"""Which values are sums: numbers of which there is something to tell, how they come about."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.ir import nodes as ir
from dsl.ir.program import Program, Value
from dsl.ir.types import Int
from dsl.ir.walk import parts


def is_sum(value: Value) -> bool:
    """Is there anything to tell of how this value comes about?"""
    number = isinstance(value.result, Int) and not value.result.truth
    return number and (bool(value.clauses) or _adds(value.base))


def asks(program: Program, expr: ir.Expr) -> Iterator[ir.Ask]:
    """The sums that an expression asks for, wherever it does so itself: not for each element of something."""
    if isinstance(expr, ir.Fold | ir.LetIn | ir.Scan):
        return
    for part in parts(expr):
        yield from asks(program, part)
    if isinstance(expr, ir.Ask) and is_sum(program.values[expr.value]):
        yield expr


def _adds(expr: ir.Expr) -> bool:
    """Is an expression put together from several numbers, or another value's?"""
    match expr:
        case (
            ir.Fold(kind="sum")
            | ir.Ask()
            | ir.Op(op="add" | "sub" | "mul" | "div_down" | "div_up" | "div_zero")
        ):
            return True
        case ir.Op(op="narrow" | "cast" | "some" | "neg" | "if" | "else_", args=args):
            return any(_adds(each) for each in args)
        case ir.LetIn(body=body):
            return _adds(body)
        case _:
            return False
