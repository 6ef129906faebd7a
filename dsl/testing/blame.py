"""Which lines of mods had a part in a test of the game that fails with them."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine.failure import RuleFailure, StartError
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Clause, Test, TestStep
from dsl.ir.walk import inside
from dsl.testing.runner import Playing


def mods_at_work(machine: Machine, test: Test) -> list[Clause]:
    """The clauses of mods that took effect up to where a test fails, or that bear on what its failing line asks; none
    for a test of a mod itself.
    """
    program = machine.program
    mods = {each.name for each in program.mods}
    if not mods or test.place.file.partition("/")[0] in mods:
        return []
    try:
        playing = Playing(machine, test, covering=True)
    except (RuleFailure, StartError):
        return []
    playing.through()
    found = set(playing.game.hits)
    if playing.step is not None:
        found |= set(_bearing(machine, playing.step))
    ours: dict[tuple[str, int], Clause] = {}
    for each in (program.clauses[number] for number in sorted(found)):
        if each.place.file.partition("/")[0] in mods:
            ours.setdefault((each.place.file, each.place.line), each)
    return list(ours.values())


def _bearing(machine: Machine, step: TestStep) -> Iterator[int]:
    """The clauses of what a line of a test asks: of values, of the values that they ask, and of what may refuse."""
    program = machine.program
    waiting: list[ir.Expr] = [*step.args]
    if step.action is not None:
        for each in program.actions[step.action].prohibitions:
            yield each.clause
            waiting.append(each.condition)
    seen: set[int] = set()
    while waiting:
        for expr in inside(waiting.pop()):
            if isinstance(expr, ir.Ask) and expr.value not in seen:
                seen.add(expr.value)
                value = program.values[expr.value]
                yield from (each.clause for each in value.clauses)
                waiting += [value.base, *(each.condition for each in value.clauses)]
