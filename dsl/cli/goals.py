"""What players play for: by which endings they win and lose, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import text_of
from dsl.engine.failure import RuleFailure
from dsl.engine.machine import Machine
from dsl.engine.runtime import Run
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.program import Ending
from dsl.ir.types import NONE, Int
from dsl.ir.walk import inside, parts

KINDS = ("victory", "defeat")
NEAR = {"ge": 0, "gt": 1, "eq": 0, "le": 0, "lt": -1}
"""Comparisons, and what is added to the right side for what first fulfils them."""


def goals(machine: Machine, state: Sequence[int], player: int | None, language: str) -> Iterator[str]:
    """A line for what wins and one for what loses, where endings have words, each with how far the player has come;
    without those of other players, and without those that the mode and the options of this game rule out.
    """
    program = machine.program
    for kind in KINDS:
        told: dict[str, str] = {}
        for each in program.endings:
            label = printable(text_of(program, each.label, language))
            fits = each.kind == kind and each.who in {None, player} and label
            if fits and _open(machine, state, each.condition):
                told[label] = told.get(label) or progress(machine, state, player, each)
        if told:
            spoken = language or program.language
            named = (f"{label} ({far})" if far else label for label, far in told.items())
            yield word("so", spoken, what=word(kind, spoken), result=" · ".join(named))


def progress(machine: Machine, state: Sequence[int], player: int | None, ending: Ending) -> str:
    """How far a player has come, where an ending asks of numbers that he may know: `3 / 12` of what has to reach a
    number, `3 → 0` of what has to fall to one, `3 : 5` of what is compared with what may change; empty of others.
    """
    if player is None:
        return ""
    sight = Sight(machine, list(state), player)
    who = {0: player}
    for each in _all(ending.condition):
        if not isinstance(each, ir.Op) or each.op not in NEAR:
            continue
        if ending.who is None and not any(
            isinstance(part, ir.Local) and not part.index for part in inside(each)
        ):
            continue  # it is the same for all players
        if not all(
            isinstance(arg.type, Int) and not arg.type.truth and sight.sees(arg, who) for arg in each.args
        ):
            continue
        try:
            now, aim = (sight.evaluated(arg, who) for arg in each.args)
        except RuleFailure:
            continue
        if not isinstance(now, int) or not isinstance(aim, int) or NONE in {now, aim}:
            continue
        if not _settled(machine, each.args[1]):
            return f"{now} : {aim}"
        aim += NEAR[each.op]
        falls = each.op in {"le", "lt"} or (each.op == "eq" and now > aim)
        return f"{now} → {aim}" if falls else f"{now} / {aim}"
    return ""


def _all(condition: ir.Expr) -> Iterator[ir.Expr]:
    """What must all hold."""
    if isinstance(condition, ir.Op) and condition.op == "and":
        for each in condition.args:
            yield from _all(each)
    else:
        yield condition


def _settled(machine: Machine, expr: ir.Expr) -> bool:
    """Do the settings of the game decide it?"""
    return all(
        isinstance(each, ir.Const | ir.Op)
        or (isinstance(each, ir.Load) and machine.program.vars[each.var].role == "option")
        for each in inside(expr)
    )


def _open(machine: Machine, state: Sequence[int], condition: ir.Expr) -> bool:
    """Can a condition hold, as far as the settings of the game decide it?"""
    if isinstance(condition, ir.Op) and condition.op == "and":
        return all(_open(machine, state, each) for each in parts(condition))
    if isinstance(condition, ir.Op) and condition.op == "or":
        return any(_open(machine, state, each) for each in parts(condition))
    if not _settled(machine, condition):
        return True
    function = machine.function(("expr", condition, ()), (condition,), ())
    try:
        return bool(function(list(state), Run.aside(machine), 0)[0])
    except RuleFailure:
        return True
