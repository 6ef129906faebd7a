"""A number for each thing that can ever be chosen in a game, the same in every game of the program.

The decisions of a program follow each other as they stand in it, in each its offers, and in each offer the values that
its variables can have: like the digits of a number, the first variable counting most. So an option has one number
wherever it is offered, numbers fill the range from 0 without a gap, and a number says what is chosen. Which of them are
offered now is what a mask says. A decision that chooses a set of twenty cells alone has a million of them; `size` says
how many there are, and who needs a small range looks at it first.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.api.values import how_many, ordinal
from dsl.engine.layout import Plain
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import Type


@dataclass(frozen=True, slots=True)
class _Offered:
    """The numbers of one offer: the first of them, and the types of its variables."""

    first: int
    types: tuple[Type, ...]


class Numbering:
    """The numbers of a program's options."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._offers: dict[tuple[int, int, int], _Offered] = {}
        first = 0
        for r, routine in enumerate(program.routines):
            for b, block in enumerate(routine.blocks):
                if not isinstance(block.end, ir.Decide):
                    continue
                for n, offer in enumerate(block.end.offers):
                    types = tuple(routine.locals[each.index] for each in offer.variables)
                    self._offers[r, b, n] = _Offered(first, types)
                    count = 1
                    for kind in types:
                        count *= how_many(program, kind)
                    first += count
        self.size = first
        """How many numbers there are: they go from 0 to one less."""

    def number(self, where: tuple[int, int], offer: int, values: tuple[Plain, ...]) -> int:
        """The number of an option: its decision, its offer there, and the values of the offer's variables."""
        found = self._offers[(*where, offer)]
        place = 0
        for kind, value in zip(found.types, values, strict=True):
            place = place * how_many(self._program, kind) + ordinal(self._program, kind, value)
        return found.first + place
