"""What stands in a hole of a label where its value cannot be computed: the names that the rules have there."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.program import Program

UNNAMED = "…"


def source_form(program: Program, expr: ir.Expr) -> str:
    """An expression by the names in it, in braces: `{heavy(…)}`, `{gold}`, `{…}`."""
    return "{" + _form(program, expr) + "}"


def _form(program: Program, expr: ir.Expr) -> str:
    match expr:
        case ir.Op(op="cast" | "some" | "narrow", args=(inner, *_)):
            return _form(program, inner)
        case ir.Ask(value=value, args=args):
            asked = ", ".join(_form(program, each) for each in args)
            return program.values[value].name + (f"({asked})" if args else "")
        case ir.Load(var=var, owner=owner) | ir.LoadItem(var=var, owner=owner):
            name = program.vars[var].name
            return name if owner is None else f"{_form(program, owner)}.{name}"
        case ir.Const(value=int(value)):
            return str(value)
        case _:
            return UNNAMED
