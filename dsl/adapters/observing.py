"""What a player sees, as a row of whole numbers of fixed length.

A number for each slot of each field, in the order of `Program.fields` and, within a field, of its owners: a number or
truth as it is, a member by its place in its kind, a set as words of 32 bits, a bag as a count for each member, a list
as its length and its elements. `NONE` stands for none, and `UNSEEN` for each slot of what the player may not see. Last
comes 1 where it is he who must choose, else 0.
"""

from __future__ import annotations

from dsl.api.game import Game
from dsl.api.program import Program
from dsl.engine import layout
from dsl.engine.views import may_see
from dsl.ir.types import NONE

UNSEEN = NONE + 1
"""What stands in each slot of what a player may not see; no value of a game reaches it."""


class Observer:
    """Makes the rows of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        rules = program._rules
        self._parts: list[tuple[int, int, int, int, bool]] = []
        size = 1
        for each in program.fields.values():
            var = rules.vars[each.number]
            members = len(each.owners) if each.owners is not None else 1
            slots = layout.slots(rules, var.type)
            is_open = var.audience is None and var.role != "order"
            self._parts.append((each.number, members, var.width if var.of is not None else 0, slots, is_open))
            size += members * slots
        self.size = size
        """How many numbers a row has."""

    def row(self, game: Game, player: str) -> list[int]:
        """What a player sees now. Raises KeyError for a player that there is not."""
        rules, machine, state = self._program._rules, self._program._machine, list(game._inner.state)
        number, found = game.program._player(player), list[int]()
        for index, members, width, slots, is_open in self._parts:
            first = rules.vars[index].offset
            for member in range(members):
                at = first + member * width
                if is_open or may_see(machine, state, index, member, number):
                    found += state[at : at + slots]
                else:
                    found += [UNSEEN] * slots
        decision = game.decision
        found.append(int(decision is not None and decision.player == player))
        return found
