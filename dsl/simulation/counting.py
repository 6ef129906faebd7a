"""What is chosen in games, and how those fare who choose it: without a line by the author.

A choice counts under its action and each piece, row or other thing with a name that it is about; places do not count.
`recruit Lancer` is counted once for a player and game, and how often. Whether he won then is the figure: it says what
goes together, not what causes it. Who is winning anyway may buy more of everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl.engine.decision import Decision
from dsl.engine.display import member_name
from dsl.engine.layout import Plain
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, Id

COUNTED = frozenset({"piece", "row"})
"""The kinds of domains whose members count: neither places nor players."""
MOST_NAMES = 4
"""A choice about more things counts under its first ones."""

Key = tuple[str, str]
"""An action, and what it is about (empty: the action itself)."""


@dataclass(slots=True)
class Chosen:
    """How often something was chosen, and what came of it. All but `times` counts players of games, once each."""

    times: int = 0
    games: int = 0
    won: int = 0
    """By a player who won, alone or with others."""
    decided: int = 0
    """In a game that somebody won."""

    def merge(self, other: Chosen) -> None:
        self.times += other.times
        self.games += other.games
        self.won += other.won
        self.decided += other.decided


@dataclass(slots=True)
class Counts:
    """What was chosen in some games."""

    chosen: dict[Key, Chosen] = field(default_factory=dict)

    def add(self, made: dict[int, Counter[Key]], winners: int, *, alone: bool = False) -> None:
        """Counts a game: for each player how often he chose what. Who plays `alone` has lost where he has not won."""
        for player, keys in made.items():
            for key, times in keys.items():
                won = bool(winners >> player & 1)
                self._of(key).merge(Chosen(times, 1, int(won), int(alone or winners != 0)))

    def merge(self, other: Counts) -> None:
        """Counts the games of others too."""
        for key, found in other.chosen.items():
            self._of(key).merge(found)

    def _of(self, key: Key) -> Chosen:
        return self.chosen.setdefault(key, Chosen())


def keys_of(decision: Decision, number: int) -> set[Key]:
    """Under what an option counts."""
    offer, values = decision.raw[number]
    declared = decision.end.offers[offer]
    if declared.action is None:
        return set()
    name = decision.machine.program.actions[declared.action].name
    names = dict.fromkeys(_names(decision, offer, declared, values))
    return {(name, ""), *((name, each) for each in list(names)[:MOST_NAMES])}


def _names(decision: Decision, offer: int, declared: ir.Offer, values: tuple[Plain, ...]) -> Iterator[str]:
    program = decision.machine.program
    args = decision.values_of(offer, "args", declared.args, values) or ()
    for each, value in zip(declared.args, args, strict=False):
        if not isinstance(each.type, Id) or not isinstance(value, int) or value == NONE:
            continue
        domain = program.domains[each.type.domain]
        if domain.kind in COUNTED:
            yield member_name(program, each.type.domain, value)
