"""Options as they lie in memory, and as the Python engine has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dsl.engine.layout import Plain, read, slots
from dsl.engine.machine import Choice
from dsl.ir import nodes as ir
from dsl.ir.program import TOP, Program
from dsl.ir.types import Type


class Slots(Protocol):
    """A vector, or a view of one."""

    def __getitem__(self, slot: int, /) -> int: ...


class Shapes:
    """For each decision of a program the types of what its offers bind."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[tuple[int, int], list[tuple[tuple[Type, int], ...]]] = {}

    def offers(self, routine: int, block: int) -> list[tuple[tuple[Type, int], ...]]:
        """For each offer of a decision the types of its variables, and where each begins among the words."""
        key = routine, block
        if key not in self._known:
            declared = self.program.routines[routine]
            end = declared.blocks[block].end
            assert isinstance(end, ir.Decide)
            found = []
            for offer in end.offers:
                at, places = 1, []
                for var in offer.variables:
                    kind = declared.locals[var.index]
                    places.append((kind, at))
                    at += slots(self.program, kind)
                found.append(tuple(places))
            self._known[key] = found
        return self._known[key]

    def choice(self, state: Slots, words: Sequence[int]) -> Choice:
        """An option of the decision at which a state stands."""
        frame = state[TOP]
        places = self.offers(state[frame], state[frame + 1])[words[0]]
        held = list(words)
        values: tuple[Plain, ...] = tuple(read(self.program, held, at, kind) for kind, at in places)
        return words[0], values
