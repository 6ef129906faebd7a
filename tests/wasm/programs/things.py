"""The things of a random board game: what it has, which names are known at a place, and what can be named there."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from tests.wasm.programs.ground import Ground, ground

KINDS = ("stone", "wood", "gold")
FIELDS = ("kind", "heat", "mark", "many", "link", "face")
"""What cells hold beside `man`, in some games."""

Action = tuple[str, tuple[str, ...], str]
"""An action: its name, the sorts of things that it is done with, and who stands on the first cell."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that are known at a place, by what they stand for."""

    cells: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    depth: int = 2

    def with_(self, sort: str, name: str) -> Scope:
        """One more name of a sort."""
        names: tuple[str, ...] = getattr(self, sort)
        return replace(self, **{sort: (*names, name)})

    def within(self, name: str) -> Scope:
        """Inside a phrase over cells: another cell, which is what is asked about, and less depth."""
        return replace(self, cells=(name, *self.cells), depth=self.depth - 1)


class Things:
    """Writes names of things. What the game declares is settled at the beginning."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.ground: Ground = ground(dice)
        self.players = ("x", "o") if dice.random() < 0.85 else ("x", "o", "z")
        self.fields = {"man", *dice.sample(FIELDS, dice.randrange(1, 5))}
        self.printed = dice.random() < 0.5
        """Are the kinds rows of a table, with columns?"""
        self.hottest = dice.choice((1, 3, 5, 7, 8))
        self.values: list[str] = []
        """The names of the values that may be asked by now."""
        self.actions: list[Action] = []
        self.settled = False
        """Is there the action `settle`, which others call?"""
        self.named = 0

    # ------------------------------------------------------------ by chance

    def maybe(self, share: float) -> bool:
        return self.dice.random() < share

    def fresh(self, letter: str) -> str:
        """A name that nothing else has."""
        self.named += 1
        return f"{letter}{letter}{self.named}"

    # ------------------------------------------------------------ things

    def cell(self, scope: Scope) -> str:
        """A cell at hand, mostly the newest."""
        if not scope.cells or self.maybe(0.05):
            return self.dice.choice(self.ground.cells)
        return scope.cells[0] if self.maybe(0.6) else self.dice.choice(scope.cells)

    def way(self, scope: Scope) -> str:
        if not scope.ways or self.maybe(0.1):
            return self.dice.choice(self.ground.directions)
        way = self.dice.choice(scope.ways)
        return f"{self.dice.choice(('opposite', 'left_of', 'right_of'))}({way})" if self.maybe(0.15) else way

    def player(self, scope: Scope) -> str:
        if not scope.players or self.maybe(0.1):
            return self.dice.choice(self.players)
        player = self.dice.choice(scope.players)
        return self.other(player) if self.maybe(0.25) else player

    def other(self, player: str) -> str:
        return f"opponent({player})" if len(self.players) == 2 else f"next_player({player})"

    def kind(self, scope: Scope) -> str:
        return self.dice.choice((*scope.kinds, *KINDS))

    def number(self, scope: Scope) -> str:
        """A small number."""
        found = [str(self.dice.randrange(4)), "turns", *scope.numbers, *scope.numbers]
        if scope.players and "score" in self.values:
            found.append(f"score({self.player(scope)})")
        if scope.players and "power" in self.values:
            found.append(f"power({self.player(scope)})")
        if "many" in self.fields and scope.cells:
            found.append(f"{self.cell(scope)}.many")
        if "heat" in self.fields and scope.cells:
            found.append(f"{self.cell(scope)}.heat")
        if self.printed:
            found.append(f"{self.dice.choice((*scope.kinds, self.printed_kind(scope)))}.worth")
        if scope.depth > 0 and self.maybe(0.3):
            found.append(self.total(scope))
        return self.dice.choice(found)

    def printed_kind(self, scope: Scope) -> str:
        """A row: that of a cell, or one that is named."""
        return (
            f"{self.cell(scope)}.kind" if "kind" in self.fields and scope.cells else self.dice.choice(KINDS)
        )

    def total(self, scope: Scope) -> str:
        """A number that many cells make."""
        n = self.fresh("n")
        inner = replace(scope, cells=(n,), depth=0)
        counted, domain = self.number(inner), self.cells(scope)
        match self.dice.randrange(3):
            case 0:
                return f"(sum {counted} for {n} in {domain} where {self.of_cell(inner)})"
            case 1:
                return f"((highest {n} in {domain} where {self.of_cell(inner)} by {counted}) or 0)"
            case _:
                return f"size(least {n} in {domain} by {counted})"

    def ways(self, scope: Scope) -> str:
        """What ranges over directions."""
        return self.dice.choice(("Direction", *(self.set_of_ways(scope) for _ in range(4))))

    def set_of_ways(self, scope: Scope) -> str:
        """A set of directions."""
        found = [*self.ground.sets, self.some_ways(), self.some_ways()]
        if "ahead" in self.values and scope.players:
            found += [f"ahead({self.player(scope)})"] * 3
        if scope.cells:
            found.append(f"toward({self.cell(scope)}, {self.dice.choice(self.ground.cells)})")
        if self.printed:
            found.append(f"{self.printed_kind(scope)}.reach")
        return self.dice.choice(found)

    def some_ways(self) -> str:
        count = min(len(self.ground.directions), self.dice.randrange(1, 5))
        return f"{{{', '.join(self.dice.sample(self.ground.directions, count))}}}"

    def some_cells(self) -> str:
        count = min(len(self.ground.cells), self.dice.randrange(1, 5))
        return f"{{{', '.join(self.dice.sample(self.ground.cells, count))}}}"

    def cells(self, scope: Scope) -> str:
        """What ranges over cells."""
        return self.dice.choice(("Cell", *(self.set_of_cells(scope) for _ in range(4))))

    def set_of_cells(self, scope: Scope) -> str:
        """A set of cells that is no phrase."""
        found = ["zone", self.some_cells(), *(["field"] if "field" in self.values else [])]
        if scope.cells:
            found += [f"around({self.cell(scope)})"] * 3
            if "chain" in self.values and scope.players:
                found.append(f"chain({self.cell(scope)}, {self.player(scope)})")
                if self.maybe(0.5):
                    found.append(f"reached({self.cell(scope)}, chain({self.player(scope)}))")
        if scope.players:
            found.append(f"{self.player(scope)}.land")
            found += [f"goal({self.player(scope)})"] * ("goal" in self.values)
        return self.dice.choice(found)
