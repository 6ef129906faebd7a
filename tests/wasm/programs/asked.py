"""What is asked in a random board game: conditions on cells, directions and players that are at hand."""

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


class Asked:
    """Writes conditions. What the game declares is settled at the beginning."""

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

    # ------------------------------------------------------------ conditions

    def holds(self, scope: Scope) -> str:
        """A condition: one that stands alone, or two or three joined."""
        if scope.depth > 0 and self.maybe(0.3):
            word = self.dice.choice((" and ", " or "))
            parts = [
                self.one(replace(scope, depth=scope.depth - 1)) for _ in range(self.dice.choice((2, 2, 3)))
            ]
            return f"({word.join(parts)})"
        return self.one(scope)

    def one(self, scope: Scope) -> str:
        if self.maybe(0.1):
            return f"not ({self.one(scope)})"
        asked = [self.of_cell] * 7 if scope.cells else [self.of_game]
        asked += [self.of_game]
        if scope.ways:
            asked += [self.of_way] * 3
        if scope.depth > 0:
            asked += [self.phrase, self.phrase, self.of_value]
        return self.dice.choice(asked)(scope)

    def of_cell(self, scope: Scope) -> str:
        """What stands on a cell, or where it lies."""
        c = self.cell(scope)
        match self.dice.randrange(12):
            case 0 | 1 | 2:
                return f"{c}.man {self.dice.choice(('is', 'is', 'is not'))} {self.player(scope)}"
            case 3 | 4:
                return f"{c}.man is {self.dice.choice(('none', 'none', 'not none'))}"
            case 5 | 6 | 7:
                return self.of_field(c, scope)
            case 8:
                return f"{c} {self.dice.choice(('in', 'not in'))} {self.set_of_cells(scope)}"
            case 9:
                return f"{self.dice.choice(('row', 'column'))}({c}) {self.compared()} {self.dice.randrange(1, 6)}"
            case 10:
                return f"(last is not none and {self.dice.choice(('', 'not '))}adjacent({c}, last))"
            case _:
                return self.between(c, scope)

    def of_field(self, c: str, scope: Scope) -> str:
        """One of the fields that this game has beside `man`."""
        word = self.dice.choice(("is", "is not"))
        match self.dice.choice(sorted(self.fields - {"man"})):
            case "kind":
                return (
                    f"{c}.kind {word} {self.kind(scope)}"
                    if self.maybe(0.7)
                    else f"{c}.kind in {{stone, gold}}"
                )
            case "heat":
                return f"{c}.heat {self.compared()} {self.number(scope)}"
            case "many":
                return f"{c}.many {self.compared()} {self.number(scope)}"
            case "mark":
                return f"{c}.mark"
            case "face":
                return f"{c}.face {word} {self.dice.choice(('none', self.way(scope), self.way(scope)))}"
            case _:
                return f"{c}.link {word} {self.dice.choice(('none', self.cell(scope)))}"

    def between(self, c: str, scope: Scope) -> str:
        """Two cells."""
        others = [each for each in scope.cells if each != c]
        e = self.dice.choice(others or self.ground.cells)
        match self.dice.randrange(4):
            case 0:
                return f"adjacent({c}, {e})"
            case 1:
                return f"distance({c}, {e}) {self.compared()} {self.dice.randrange(1, 4)}"
            case 2:
                return f"{c} {self.dice.choice(('is', 'is not'))} {e}"
            case _:
                where = self.dice.choice(("last", f"{self.player(scope)}.at"))
                return f"{where} {self.dice.choice(('is', 'is not'))} {c}"

    def compared(self) -> str:
        return self.dice.choice(("is", "is not", "<", "<=", ">", ">="))

    def of_way(self, scope: Scope) -> str:
        """A direction, alone or from a cell."""
        d = self.way(scope)
        if not scope.cells or self.maybe(0.4):
            return f"{d} {self.dice.choice(('in', 'not in'))} {self.set_of_ways(scope)}"
        c, to = self.cell(scope), f"step({self.cell(scope)}, {d})"
        match self.dice.randrange(6):
            case 0:
                return f"{to} is {self.dice.choice(('none', 'not none'))}"
            case 4:
                return f"({to} is none or {self.of_cell(Scope((to,), players=scope.players, depth=0))})"
            case 5:
                return f"({to} is not none and {self.of_cell(Scope((to,), players=scope.players, depth=0))})"
            case 1:
                return f"({to} or {c}).man is {self.dice.choice(('none', 'not none', self.player(scope)))}"
            case 2 if "closes_in" in self.values:
                return f"closes_in({c}, {d}, {self.player(scope)})"
            case _:
                found = (
                    f"(first {(n := self.fresh('n'))} in ray({c}, {d}) where {self.of_cell(scope.within(n))})"
                )
                return f"{found} is {self.dice.choice(('none', 'not none'))}"

    def of_game(self, scope: Scope) -> str:
        """The game as a whole."""
        match self.dice.randrange(6):
            case 0:
                return f"turns {self.compared()} {self.dice.randrange(12)}"
            case 1:
                return "flag"
            case 2:
                return f"size(zone) {self.compared()} {self.dice.randrange(4)}"
            case 3:
                return f"last is {self.dice.choice(('none', 'not none'))}"
            case 4 if scope.players:
                p = self.player(scope)
                return f"{p}.men {self.compared()} {self.dice.randrange(8)}"
            case _:
                return f"round {self.compared()} {self.dice.randrange(1, 9)}"

    def phrase(self, scope: Scope) -> str:
        """A phrase over cells, directions or lines, in parentheses."""
        n = self.fresh("n")
        inner = scope.within(n)
        condition = self.holds(inner)
        match self.dice.randrange(9):
            case 0 | 1 | 2:
                return f"({self.dice.choice(('any', 'no'))} {n} in {self.cells(scope)} where {condition})"
            case 3:
                count = f"(count {n} in {self.cells(scope)} where {condition})"
                return f"{count} {self.compared()} {self.dice.randrange(4)}"
            case 4:
                return f"(every {n} in {self.cells(scope)} satisfies {condition})"
            case 5:
                first = f"(first {n} in {self.cells(scope)} where {condition})"
                return f"{first} is {self.dice.choice(('none', 'not none'))}"
            case 6:
                return self.of_lines(scope)
            case _:
                d = self.fresh("d")
                asked = self.of_way(replace(scope.with_("ways", d), ways=(d,), depth=scope.depth - 1))
                return f"({self.dice.choice(('any', 'any', 'no'))} {d} in {self.ways(scope)} where {asked})"

    def of_lines(self, scope: Scope) -> str:
        """Lines of cells, all of them or those through a cell."""
        li, n = self.fresh("l"), self.fresh("n")
        length = self.dice.choice((2, 3, 3, 4))
        lines = (
            f"lines({length}, {self.cell(scope)})" if scope.cells and self.maybe(0.5) else f"lines({length})"
        )
        if len(self.ground.cells) > 64 and "," not in lines:
            lines = f"lines({length}, {self.dice.choice(self.ground.cells)})"
        condition = self.of_cell(replace(scope, cells=(n,)))
        inner = self.dice.choice(
            (f"every {n} in {li} satisfies {condition}", f"any {n} in {li} where {condition}")
        )
        return f"({self.dice.choice(('any', 'any', 'no'))} {li} in {lines} where {inner})"

    def of_value(self, scope: Scope) -> str:
        """A truth that the game declares, or whether an action would be allowed."""
        found = []
        if "own" in self.values and scope.cells:
            found.append(f"own({self.cell(scope)}, {self.player(scope)})")
        if "free" in self.values and scope.cells:
            found.append(f"free({self.cell(scope)})")
        given = {"cell": scope.cells, "way": scope.ways}
        for name, sorts, _ in self.actions:
            if all(given.get(sort) for sort in sorts):
                names = (self.cell(scope) if sort == "cell" else self.way(scope) for sort in sorts)
                found.append(f"legal {name}({', '.join(names)})" if sorts else f"legal {name}")
        if "lined" in self.values:
            found.append(f"lined({self.player(scope)})")
        if "closes_in" in self.values and scope.cells and scope.ways:
            found += [f"closes_in({self.cell(scope)}, {self.way(scope)}, {self.player(scope)})"] * 3
        return self.dice.choice(found) if found else self.of_game(scope)
