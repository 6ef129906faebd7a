"""What players play for: by which endings they win and lose, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import text_of
from dsl.engine.failure import RuleFailure
from dsl.engine.machine import Machine
from dsl.engine.runtime import Run
from dsl.ir import nodes as ir
from dsl.ir.walk import inside, parts

KINDS = ("victory", "defeat")


def goals(machine: Machine, state: Sequence[int], player: int | None, language: str) -> Iterator[str]:
    """A line for what wins and one for what loses, where endings have words; without those of other players, and
    without those that the mode and the options of this game rule out.
    """
    program = machine.program
    for kind in KINDS:
        told = [
            printable(text_of(program, each.label, language))
            for each in program.endings
            if each.kind == kind and each.who in {None, player} and _open(machine, state, each.condition)
        ]
        if names := list(dict.fromkeys(each for each in told if each)):
            spoken = language or program.language
            yield word("so", spoken, what=word(kind, spoken), result=" · ".join(names))


def _open(machine: Machine, state: Sequence[int], condition: ir.Expr) -> bool:
    """Can a condition hold, as far as the settings of the game decide it?"""
    if isinstance(condition, ir.Op) and condition.op == "and":
        return all(_open(machine, state, each) for each in parts(condition))
    if isinstance(condition, ir.Op) and condition.op == "or":
        return any(_open(machine, state, each) for each in parts(condition))
    settled = all(
        isinstance(each, ir.Const | ir.Op)
        or (isinstance(each, ir.Load) and machine.program.vars[each.var].role == "option")
        for each in inside(condition)
    )
    if not settled:
        return True
    function = machine.function(("expr", condition, ()), (condition,), ())
    try:
        return bool(function(list(state), Run.aside(machine), 0)[0])
    except RuleFailure:
        return True
