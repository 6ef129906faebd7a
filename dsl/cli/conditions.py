"""A condition of a program as its author would write it, for what no quoted line of the rules holds.

What was asked about stands in it by its name: `apple.owner is ann`. What has no short form stands as `…`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from dsl.engine.bits import bits
from dsl.engine.layout import Plain, low_of
from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id, Int, SetOf, Type

OPEN = "…"
_TURNED = {"eq": "ne", "ne": "eq"}


def written(program: Program, expr: ir.Expr, known: Mapping[int, Plain]) -> str:
    """The text of an expression, its locals by what they are bound to."""
    match expr:
        case ir.Const():
            return _value(program, expr.type, expr.value)
        case ir.Local():
            if expr.index in known:
                return _value(program, expr.type, known[expr.index])
            return program.domains[expr.type.domain].name if isinstance(expr.type, Id) else OPEN
        case ir.Load(var=var, owner=owner):
            name = program.vars[var].name.rpartition(".")[2]
            return name if owner is None else f"{written(program, owner, known)}.{name}"
        case ir.Lookup(data=data, indices=(piece,)) if any(each.kinds == data for each in program.pools):
            return written(program, piece, known)
        case ir.Lookup(data=data, indices=indices):
            return _looked_up(program, program.data[data].name, indices, known)
        case ir.Ask(value=value, args=args):
            return _call(program, program.values[value].name, args, known)
        case ir.Op():
            return _operation(program, expr, known)
        case _:
            return OPEN


def _operation(program: Program, expr: ir.Op, known: Mapping[int, Plain]) -> str:
    args = [written(program, each, known) for each in expr.args]
    match expr:
        case ir.Op(op="and", args=(ir.Op(op="ge", args=(one, low)), ir.Op(op="le", args=(same, high)))) if (
            one == same
        ):
            low_text, high_text = written(program, low, known), written(program, high, known)
            return f"{written(program, one, known)} in {low_text}..{high_text}"
        case ir.Op(op="not", args=(ir.Op(op=op) as inner,)) if op in _TURNED:
            return _operation(program, ir.Op(inner.type, _TURNED[op], inner.args), known)
        case ir.Op(op="not", args=(ir.Op(op="is_none", args=(inner,)),)):
            return f"{written(program, inner, known)} is not none"
        case ir.Op(op="not", args=(ir.Op(op="has", args=(whole, part)),)):
            return f"{written(program, part, known)} not in {written(program, whole, known)}"
        case ir.Op(op=op):
            declared = OPERATORS[op]
            if declared.sign and len(args) == 2:
                return f"{args[0]} {declared.sign} {args[1]}"
            return declared.written.format(*args, all=", ".join(args)) or OPEN
        case _:
            assert_never(expr)


def _looked_up(program: Program, name: str, indices: tuple[ir.Expr, ...], known: Mapping[int, Plain]) -> str:
    """A printed cell as a field of its row, what is known of the board as a call."""
    _, dot, column = name.rpartition(".")
    if dot and len(indices) == 1:
        return f"{written(program, indices[0], known)}.{column}"
    return _call(program, name, indices, known) if name.isidentifier() else OPEN


def _call(program: Program, name: str, args: tuple[ir.Expr, ...], known: Mapping[int, Plain]) -> str:
    shown = ", ".join(written(program, each, known) for each in args)
    return f"{name}({shown})" if args else name


def _value(program: Program, kind: Type, value: Plain) -> str:
    match kind, value:
        case _, int() if value == NONE and isinstance(kind, Int | Id) and kind.optional:
            return "none"
        case Id(domain=domain), int() if 0 <= value < len(program.domains[domain].members):
            return program.domains[domain].members[value]
        case Int(truth=truth), int():
            return str(bool(value)).lower() if truth else str(value)
        case SetOf(of=of), int():
            low = low_of(program, kind)
            if not value:
                return "empty"
            return "{" + ", ".join(_value(program, of, each) for each in bits(value, low)) + "}"
        case _:
            return OPEN
