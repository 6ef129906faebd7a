"""Promises (`always` in the language): are they kept where a game stands?

    watch = Watch(machine)
    broken = watch.broken(game)

A promise is read line by line; the lines of all promises are numbered through. Each has the steps of a stretch of play
for itself. A line in which a rule fails is broken too.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Function, Machine
from dsl.engine.runtime import Run
from dsl.ir.nodes import Block, Op, Return
from dsl.ir.program import Held, Procedure, Program, Promise, Routine
from dsl.testing import told

NONE_YET: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that does not hold; `code` is the error of the rule that failed while it was read, if one did."""

    line: int
    code: str = ""


class Watch:
    """Looks at games of a machine wherever they stop."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.lines = lines_of(machine.program)

    def broken(self, game: Game, but: Set[int] = NONE_YET) -> list[Broken]:
        """The lines that do not hold where a game stands, in their order, without some."""
        state = list(game.state)
        try:
            kept = self._all(state, Run(self.machine), 0)
        except RuleFailure:
            found = [self._one(number, state) for number in range(len(self.lines))]
        else:
            found = [None if holds else Broken(number) for number, holds in enumerate(kept)]
        return [each for each in found if each is not None and each.line not in but]

    def _one(self, number: int, state: list[int]) -> Broken | None:
        _, line = self.lines[number]
        function = self.machine.function(("promise", number), (line.condition,))
        try:
            (holds,) = function(state, Run(self.machine), 0)
        except RuleFailure as failure:
            return Broken(number, failure.code)
        return None if holds else Broken(number)

    @cached_property
    def _all(self) -> Function:
        return self.machine.function(("promises",), tuple(line.condition for _, line in self.lines))


def lines_of(program: Program) -> tuple[tuple[Promise, Held], ...]:
    """The lines of all promises, as they are numbered."""
    return tuple((promise, line) for promise in program.promises for line in promise.lines)


def unkept(game: Game, broken: Broken) -> str:
    """What is told of a line that does not hold: which promise, its words, and for what it does not hold."""
    promise, line = lines_of(game.machine.program)[broken.line]
    condition = line.condition
    if isinstance(condition, Op) and condition.op == "or":  # unless its `when` is met
        condition = condition.args[-1]
    why = f"{broken.code} where it is read" if broken.code else told.unmet(game, condition)
    return f'always "{promise.title}" is broken: {line.text}{f": {why}" if why else ""}'


def without_tests(program: Program) -> Program:
    """The program with its promises and without its tests, nor what only they run."""
    given = {step.index for test in program.tests for step in test.steps if step.kind == "given"}
    run = {step.index for test in program.tests for step in test.steps if step.kind == "run"}
    procedures = (
        Procedure("given", 0, (), None, ()) if number in given else each
        for number, each in enumerate(program.procedures)
    )
    idle = (Block((), Return(None)),)
    routines = (
        Routine("run", 0, (), (), 3, None, idle) if number in run else each
        for number, each in enumerate(program.routines)
    )
    return replace(program, tests=(), procedures=tuple(procedures), routines=tuple(routines))


def options_of(program: Program, chosen: Mapping[str, int]) -> dict[str, str]:
    """Options that are chosen otherwise than by default, by the names of their choices."""
    found = {}
    for option in program.options:
        value = chosen.get(option.name, option.default)
        if value != option.default:
            found[option.name] = option.choices[value] if option.choices else str(value)
    return found
