"""What players play for: by which endings they win and lose, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import text_of
from dsl.engine.failure import RuleFailure
from dsl.engine.goals import (
    KINDS,
    comparison,
    comparisons,
    counted,
    fixed,
    is_round,
    settled,
    shown,
    until_round,
)
from dsl.engine.machine import Machine
from dsl.engine.runtime import Run
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.program import Ending
from dsl.ir.types import NONE
from dsl.ir.walk import parts


def goals(machine: Machine, state: Sequence[int], player: int | None, language: str) -> Iterator[str]:
    """A line for what wins and one for what loses, where endings have words, each with how far the player has come;
    without those of other players, and without those that the mode, the options or the round of this game rule out.
    """
    program = machine.program
    for kind in KINDS:
        told: dict[str, str] = {}
        for each in program.endings:
            label = printable(text_of(program, each.label, language))
            fits = each.kind == kind and each.who in {None, player} and label
            if fits and _open(machine, state, each.condition):
                told[label] = told.get(label) or progress(machine, state, player, each, language)
        if told:
            spoken = language or program.language
            named = (f"{label} ({far})" if far else label for label, far in told.items())
            yield word("so", spoken, what=word(kind, spoken), result=" · ".join(named))


def progress(
    machine: Machine, state: Sequence[int], player: int | None, ending: Ending, language: str = ""
) -> str:
    """How far a player has come, where an ending asks of numbers that he may know, with the words for what is counted,
    if it has some; empty of others.
    """
    if player is None:
        return ""
    program = machine.program
    sight = Sight(machine, list(state), player)
    who = {0: player}
    for each in comparisons(ending):
        if not all(sight.sees(arg, who) for arg in each.args):
            continue
        try:
            now, aim = (sight.evaluated(arg, who) for arg in each.args)
        except RuleFailure:
            continue
        if not isinstance(now, int) or not isinstance(aim, int) or NONE in {now, aim}:
            continue
        op = comparison(each)
        if op == "gone" and now == aim:
            continue
        far = shown(
            now, aim, op, constant=fixed(program, each.args[1]), rises=is_round(program, each.args[0])
        )
        if is_round(program, each.args[0]):
            return word("round", language or program.language, round=far)
        return f"{printable(counted(program, each.args[0], language))} {far}".lstrip()
    return ""


def _open(machine: Machine, state: Sequence[int], condition: ir.Expr) -> bool:
    """Can a condition hold, as far as the settings of the game and its round decide it?"""
    if isinstance(condition, ir.Op) and condition.op == "and":
        return all(_open(machine, state, each) for each in parts(condition))
    if isinstance(condition, ir.Op) and condition.op == "or":
        return any(_open(machine, state, each) for each in parts(condition))
    timely = until_round(machine.program, condition)
    if timely is None and not settled(machine.program, condition):
        return True
    condition = timely or condition
    function = machine.function(("expr", condition, ()), (condition,), ())
    try:
        return bool(function(list(state), Run.aside(machine), 0)[0])
    except RuleFailure:
        return True
