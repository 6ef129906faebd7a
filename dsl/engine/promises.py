"""Promises (`always` in the language): are they kept where a game stands?

    watch = Watch(machine)
    broken = watch.broken(game.state)

A promise is read line by line; the lines of all promises are numbered through. Each has the steps of a stretch of play
for itself. A line in which a rule fails is broken too.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from dsl.engine.failure import RuleFailure
from dsl.engine.machine import Function, Machine
from dsl.engine.runtime import Run
from dsl.ir.program import Held, Program, Promise

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

    def broken(self, state: Sequence[int], but: Set[int] = NONE_YET) -> list[Broken]:
        """The lines that do not hold in a state, in their order, without some."""
        state = list(state)
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
