"""What a watch is shown: a game where it stands, how it came there, and its variables by their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from dsl.engine import layout
from dsl.engine.game import Game
from dsl.engine.layout import Plain
from dsl.ir.program import Program


@dataclass(frozen=True, slots=True)
class Stop:
    """A game where it stands, and how it came there: what was chosen, and what took effect since then."""

    game: Game
    state: tuple[int, ...]
    chosen: str = ""
    """The action that was chosen to come here; empty at the start, and where no action was."""
    values: tuple[Plain, ...] = ()
    """What was chosen for the variables of the option."""
    deeds: tuple[str, ...] = ()
    """The phases and actions that took place, in order."""


class Watch(Protocol):
    """Follows one game from its start."""

    def at(self, stop: Stop) -> Iterator[str]:
        """What does not hold at a stop."""
        ...


class Reader:
    """The variables, tables and domains of a program, by name."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._vars = {each.name: each for each in program.vars}
        self._data = {each.name: each for each in program.data}
        self._domains = {each.name: each for each in program.domains}
        self._known: list[tuple[tuple[int, ...], dict[str, tuple[int, ...]]]] = []

    def value(self, state: tuple[int, ...], name: str) -> int:
        """A variable that is one number."""
        return state[self._vars[name].offset]

    def plain(self, state: tuple[int, ...], name: str) -> Plain:
        """A variable that belongs to no domain."""
        var = self._vars[name]
        return layout.read(self.program, list(state), var.offset, var.type)

    def numbers(self, state: tuple[int, ...], name: str) -> tuple[int, ...]:
        """One number for each member of a variable's domain."""
        known = self._of(state)
        if name not in known:
            var = self._vars[name]
            assert var.of is not None
            assert var.width == 1
            known[name] = state[var.offset : var.offset + len(self.program.domains[var.of].members)]
        return known[name]

    def _of(self, state: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        """What was read of a state before; of this stop and the one before only."""
        for kept, known in self._known:
            if kept is state:
                return known
        self._known = [*self._known[-1:], (state, {})]
        return self._known[-1][1]

    def bag(self, state: tuple[int, ...], name: str, member: int = 0) -> tuple[int, ...]:
        """How many of each kind a bag holds."""
        var = self._vars[name]
        at = var.offset + member * var.width
        return state[at : at + var.width]

    def column(self, name: str) -> tuple[int | tuple[int, ...], ...]:
        """The values of a table's column, `Table.column`, row by row."""
        return self._data[name].values

    def members(self, domain: str) -> tuple[str, ...]:
        return self._domains[domain].members
