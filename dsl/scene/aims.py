"""What players play for: by which endings they win and lose, in the words of the game, and how far each has come, as
some viewers may know it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.catalogue import N_, nearest, told, tr
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
from dsl.scene.eyes import Viewers

ROUND = N_("Round {round}")


def aims(
    machine: Machine,
    state: Sequence[int],
    viewers: Viewers,
    player: int | None,
    language: str,
    *,
    compared: bool = True,
) -> Iterator[tuple[str, dict[str, str]]]:
    """For what wins a player and what loses, its kind and the labels of its endings, each with how far he has come, or
    nothing; without those of other players, and without those that the mode, the options or the round of this game rule
    out. Without `compared` it is not told how far one has come in what is compared with what may change.
    """
    program = machine.program
    for kind in KINDS:
        found: dict[str, str] = {}
        for each in program.endings:
            label = printable(text_of(program, each.label, language))
            fits = each.kind == kind and each.who in {None, player} and label
            if fits and _open(machine, state, each.condition):
                far = found.get(label) or _progress(
                    machine, state, viewers, player, each, language, compared=compared
                )
                found[label] = far
        if found:
            yield kind, found


def _progress(
    machine: Machine,
    state: Sequence[int],
    viewers: Viewers,
    player: int | None,
    ending: Ending,
    language: str,
    *,
    compared: bool,
) -> str:
    """How far a player has come, where an ending asks of numbers that all viewers may know, with the words for what is
    counted, if it has some; empty of others.
    """
    if player is None:
        return ""
    program = machine.program
    sights = [Sight(machine, list(state), each) for each in (viewers if viewers is not None else (None,))]
    who = {0: player}
    for each in comparisons(ending):
        constant = fixed(program, each.args[1])
        if not constant and not compared:
            continue
        if not all(sight.sees(arg, who) for sight in sights for arg in each.args):
            continue
        try:
            now, aim = (sights[0].evaluated(arg, who) for arg in each.args)
        except RuleFailure:
            continue
        if not isinstance(now, int) or not isinstance(aim, int) or NONE in {now, aim}:
            continue
        op = comparison(each)
        if op == "gone" and now == aim:
            continue
        rises = is_round(program, each.args[0])
        far = shown(now, aim, op, constant=constant, rises=rises)
        if rises:
            return told(tr(ROUND, round=far), nearest(language or program.language))
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
