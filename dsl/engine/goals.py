"""What endings ask for: the comparisons that say how far a player has come, and what the settings of a game decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dsl.engine.display import text_of
from dsl.engine.value_words import value_words
from dsl.ir import nodes as ir
from dsl.ir.conditions import conjuncts
from dsl.ir.program import Ending, Program
from dsl.ir.types import Int
from dsl.ir.walk import inside

KINDS = ("victory", "defeat")
NEAR = {"ge": 0, "gt": 1, "eq": 0, "le": 0, "lt": -1, "gone": 0}
"""Comparisons, and what is added to the right side for what first fulfils them; `gone` is that with the least that a
number can be, `x is 0`, which says nothing once it holds.
"""


def comparisons(ending: Ending) -> Iterator[ir.Op]:
    """Those of two numbers that must hold: where an ending is of every player, those about him."""
    for each in conjuncts(ending.condition):
        if not isinstance(each, ir.Op) or each.op not in NEAR:
            continue
        if not all(isinstance(arg.type, Int) and not arg.type.truth for arg in each.args):
            continue
        if ending.who is None and not any(
            isinstance(part, ir.Local) and not part.index for part in inside(each)
        ):
            continue  # it is the same for all players
        yield each


def comparison(each: ir.Op) -> str:
    """What is compared, a key of `NEAR`."""
    left, right = each.args
    least = left.type.low if isinstance(left.type, Int) else None
    return "gone" if each.op == "eq" and isinstance(right, ir.Const) and right.value == least else each.op


def settled(program: Program, expr: ir.Expr) -> bool:
    """Do the settings of the game decide it?"""
    return all(isinstance(each, ir.Const | ir.Op) or _chosen(program, each) for each in inside(expr))


def _chosen(program: Program, expr: ir.Expr) -> bool:
    """Is it an option, chosen when the game starts?"""
    return isinstance(expr, ir.Load) and program.vars[expr.var].role == "option"


def fixed(program: Program, expr: ir.Expr, asked: frozenset[int] = frozenset()) -> bool:
    """Do the settings of the game decide it for each player? Values are followed, but those that ask themselves."""
    for each in inside(expr):
        if isinstance(each, ir.Ask):
            if each.value in asked:
                return False
            value, known = program.values[each.value], asked | {each.value}
            terms = [part for one in value.clauses for part in (one.condition, one.operand, one.divisor)]
            if not all(fixed(program, part, known) for part in (value.base, *terms) if part is not None):
                return False
        elif not isinstance(each, ir.Const | ir.Op | ir.Local) and not _chosen(program, each):
            return False
    return True


def is_round(program: Program, expr: ir.Expr) -> bool:
    """Is it the number of the round, which only rises?"""
    return isinstance(expr, ir.Load) and program.vars[expr.var].role == "round"


def until_round(program: Program, condition: ir.Expr) -> ir.Op | None:
    """Of a condition that holds up to a round, or in one, that the round is not over; none of any other, or where the
    round may change.
    """
    if not isinstance(condition, ir.Op) or condition.op not in {"le", "lt", "eq"}:
        return None
    if not is_round(program, condition.args[0]) or not settled(program, condition.args[1]):
        return None
    return replace(condition, op="le") if condition.op == "eq" else condition


def counted(program: Program, expr: ir.Expr, language: str) -> str:
    """What players call a number, where it is a field or value with words; else empty."""
    match expr:
        case ir.Load(var=var):
            return text_of(program, program.vars[var].label, language)
        case ir.Ask(value=value):
            return value_words(program, language).get(value, "")
        case _:
            return ""


def shown(now: int, aim: int, op: str, *, constant: bool, rises: bool = False) -> str:
    """How far it has come: `3 / 12` of what has to reach a number, or rises to it in any case, `3 → 0` of what has to
    fall to one, `3 : 5` of what is compared with what may change (it is not `constant`).
    """
    if not constant:
        return f"{now} : {aim}"
    aim += NEAR[op]
    falls = not rises and (op in {"le", "lt", "gone"} or (op == "eq" and now > aim))
    return f"{now} → {aim}" if falls else f"{now} / {aim}"
