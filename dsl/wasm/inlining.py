"""Small judgements and values, written out where they are asked: a call less, and a condition that can be seen."""

from __future__ import annotations

from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import TRUTH, Id, Int
from dsl.ir.walk import inside

FEW = 16
"""Nodes of what is written out."""


def opened(program: Program, e: ir.Expr) -> ir.Expr:
    """What an expression comes down to: itself, unless it asks for something small, with arguments that are plain."""
    match e:
        case ir.Judge() if all(map(_plain, e.args)):
            clauses = program.actions[e.action].prohibitions
            if any(
                each.overruled_by or each.kind == "allow" or not _small(each.condition) for each in clauses
            ):
                return e
            parts = tuple(
                ir.Op(TRUTH, "not", (opened(program, _with(each.condition, e.args)),)) for each in clauses
            )
            if not parts:
                return ir.Const(TRUTH, 1)
            return parts[0] if len(parts) == 1 else ir.Op(TRUTH, "and", parts)
        case ir.Ask() if all(map(_plain, e.args)):
            value = program.values[e.value]
            if value.clauses or value.base.type != value.result or e.type != value.result:
                return e
            return opened(program, _with(value.base, e.args)) if _small(value.base) else e
        case _:
            return e


def _plain(e: ir.Expr) -> bool:
    scalar = isinstance(e.type, Int | Id)
    return scalar and (isinstance(e, ir.Local | ir.Const) or (isinstance(e, ir.Load) and e.owner is None))


def _small(e: ir.Expr) -> bool:
    """Is it short, without anything that binds a local or depends on who calls?"""
    found = list(inside(e))
    return len(found) <= FEW and not any(
        isinstance(each, ir.LetIn | ir.Fold | ir.Scan | ir.Reach | ir.Trial | ir.Occurrences)
        for each in found
    )


def _with(e: ir.Expr, args: tuple[ir.Expr, ...]) -> ir.Expr:
    """The expression with arguments in place of its locals."""
    match e:
        case ir.Local():
            return args[e.index]
        case ir.Const():
            return e
        case ir.Load():
            return e if e.owner is None else replace(e, owner=_with(e.owner, args))
        case ir.LoadItem():
            owner = None if e.owner is None else _with(e.owner, args)
            return replace(e, owner=owner, item=_with(e.item, args))
        case ir.Lookup():
            return replace(e, indices=tuple(_with(each, args) for each in e.indices))
        case ir.Op() | ir.Ask() | ir.Judge():
            return replace(e, args=tuple(_with(each, args) for each in e.args))
        case _:
            raise ValueError("what binds a local is not small")
