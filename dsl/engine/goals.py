"""What endings ask for: the comparisons that say how far a player has come, and what the settings of a game decide."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.ir import nodes as ir
from dsl.ir.program import Ending, Program
from dsl.ir.types import Int
from dsl.ir.walk import inside

KINDS = ("victory", "defeat")
NEAR = {"ge": 0, "gt": 1, "eq": 0, "le": 0, "lt": -1}
"""Comparisons, and what is added to the right side for what first fulfils them."""


def comparisons(ending: Ending) -> Iterator[ir.Op]:
    """Those of two numbers that must hold: where an ending is of every player, those about him."""
    for each in all_of(ending.condition):
        if not isinstance(each, ir.Op) or each.op not in NEAR:
            continue
        if not all(isinstance(arg.type, Int) and not arg.type.truth for arg in each.args):
            continue
        if ending.who is None and not any(
            isinstance(part, ir.Local) and not part.index for part in inside(each)
        ):
            continue  # it is the same for all players
        yield each


def all_of(condition: ir.Expr) -> Iterator[ir.Expr]:
    """What must all hold."""
    if isinstance(condition, ir.Op) and condition.op == "and":
        for each in condition.args:
            yield from all_of(each)
    else:
        yield condition


def settled(program: Program, expr: ir.Expr) -> bool:
    """Do the settings of the game decide it?"""
    return all(
        isinstance(each, ir.Const | ir.Op)
        or (isinstance(each, ir.Load) and program.vars[each.var].role == "option")
        for each in inside(expr)
    )


def shown(now: int, aim: int, op: str, *, fixed: bool) -> str:
    """How far it has come: `3 / 12` of what has to reach a number, `3 → 0` of what has to fall to one, `3 : 5` of what
    is compared with what may change (it is not `fixed`).
    """
    if not fixed:
        return f"{now} : {aim}"
    aim += NEAR[op]
    falls = op in {"le", "lt"} or (op == "eq" and now > aim)
    return f"{now} → {aim}" if falls else f"{now} / {aim}"
