"""What one player may see of a game: what is public or declared to be seen by him, and nothing else.

The generator is in no view. Of piles everybody sees how many cards they have; in what order they lie is seen
only where the order's own audience says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from dsl.engine import layout
from dsl.engine.decision import Option
from dsl.engine.layout import Plain
from dsl.engine.log import Entry
from dsl.engine.outcome import Outcome
from dsl.engine.piles import cards_in
from dsl.engine.runtime import Run, sees
from dsl.ir.program import Program, Var

if TYPE_CHECKING:
    from dsl.engine.machine import Machine


class Hidden(Enum):
    """What stands in a view in place of what the player may not see."""

    HIDDEN = "hidden"


HIDDEN = Hidden.HIDDEN
Seen = Plain | Hidden


@dataclass(frozen=True, slots=True)
class View:
    """A game as a player sees it.

    `values` has each variable; one that belongs to a domain is a mapping by member.
    """

    player: int
    values: Mapping[str, Seen | Mapping[str, Seen]]
    piles: Mapping[str, Mapping[str, int]]
    chooser: int | None
    """Who must choose now."""
    options: tuple[Option, ...]
    """His own options, where he must choose."""
    log: tuple[Entry, ...]
    outcome: Outcome | None

    def told(self, language: str = "") -> list[str]:
        """The log in words, with `?` for what he may not see."""
        return [entry.text(language) for entry in self.log]


def values_seen(machine: Machine, state: list[int], player: int) -> dict[str, Seen | Mapping[str, Seen]]:
    """Each variable as a player may see it."""
    program, found = machine.program, dict[str, Seen | Mapping[str, Seen]]()
    for index, var in enumerate(program.vars):
        if var.of is None:
            found[var.name] = _seen(machine, state, index, 0, player)
        else:
            names = program.domains[var.of].members
            found[var.name] = {
                name: _seen(machine, state, index, member, player) for member, name in enumerate(names)
            }
    return found


def pile_counts(program: Program, state: list[int]) -> dict[str, dict[str, int]]:
    """How many cards lie in each pile."""
    return {
        pool.name: {name: len(cards_in(program, state, pool, pile)) for pile, name in enumerate(pool.piles)}
        for pool in program.pools
        if pool.pile is not None and pool.order is not None
    }


def may_see(machine: Machine, state: list[int], index: int, member: int, player: int) -> bool:
    """May a player see a variable of a member?"""
    var: Var = machine.program.vars[index]
    if var.audience is None:
        return var.role != "order"
    return sees(state, Run.aside(machine), index, member, player)


def _seen(machine: Machine, state: list[int], index: int, member: int, player: int) -> Seen:
    if not may_see(machine, state, index, member, player):
        return HIDDEN
    var = machine.program.vars[index]
    return layout.read(machine.program, state, var.offset + member * var.width, var.type)
