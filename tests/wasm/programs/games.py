"""Whole random board games: a map, what its cells hold, values, actions, their offers, and how it ends."""

from __future__ import annotations

from dataclasses import replace

from tests.wasm.programs.classics import Classics
from tests.wasm.programs.done import Lines, indented
from tests.wasm.programs.things import KINDS, Scope


class Games(Classics):
    """Writes games."""

    def text(self) -> str:
        """A whole game."""
        fields, looks = self.looks() if self.maybe(0.6) else ([], [])
        parts = [
            self.header(),
            list(self.ground.lines),
            [*self.state(), *fields],
            *self.declared(),
            self.setup(),
        ]
        parts += self.settle() if self.maybe(0.25) else []
        parts += self.classics()
        least = 0 if self.actions else 1
        parts += [
            each for number in range(self.dice.randrange(least, 3)) for each in self.action(f"act{number}")
        ]
        fills = self.deeds(Scope(("c",), players=("p",), depth=1), 2)
        parts.append(["action fill(c: Cell) by p:", *indented(fills)])
        parts += [self.turns(looks), *self.endings()]
        return "\n\n".join("\n".join(each) for each in parts if each) + "\n"

    def header(self) -> Lines:
        return [
            "game boards:",
            f"    players {', '.join(self.players)}",
            f"    rounds {self.dice.choice((6, 20, 40))}",
        ]

    def state(self) -> Lines:
        sorts = {
            "man": "man: Player?",
            "kind": f"kind: Kind = {self.dice.choice(KINDS)}",
            "heat": f"heat: 0..{self.hottest}",
            "many": f"many: 0..40 = {self.dice.randrange(41)}",
            "mark": f"mark: {self.dice.choice(('bool', 'bool = true'))}",
            "link": "link: Cell?",
            "face": f"face: Direction?{self.dice.choice(('', f' = {self.way(Scope())}'))}",
        }
        return [
            *self.kinds(),
            "state of Cell:",
            *indented([sorts[each] for each in sorts if each in self.fields]),
            "state of Player:",
            f"    men: 0..16 = {self.dice.randrange(17)}",
            f"    land: set of Cell = {self.some_cells()}",
            "    at: Cell?",
            "state:",
            f"    last: Cell?{self.dice.choice(('', f' = {self.dice.choice(self.ground.cells)}'))}",
            f"    zone: set of Cell = {self.some_cells()}",
            f"    turns: 0..{self.dice.choice((9, 30))}",
            "    flag: bool",
        ]

    def kinds(self) -> Lines:
        """The kinds: names, or the rows of a table."""
        if not self.printed:
            return [f"type Kind = {' | '.join(KINDS)}"]
        rows = [f"    | {each} | {self.dice.randrange(10)} | {self.some_ways()[1:-1]} |" for each in KINDS]
        return ["table Kind:", "    | id | worth: 0..9 | reach: set of Direction |", *rows]

    # ------------------------------------------------------------ the round

    def turns(self, looks: Lines) -> Lines:
        """What a player is asked in his turn; now and then something happens by chance."""
        inner = [*looks, *self.menu()]
        if self.maybe(0.2):
            inner += self.menu()
        if self.maybe(0.15):
            inner = [*self.choice(), *inner]
        if self.maybe(0.2):
            n = self.fresh("n")
            inner += [f"random {n} in Cell", self.on_cell(Scope((n,), players=("p",), depth=0))]
        if self.maybe(0.5):
            return [
                "phase turn(p: Player):",
                *indented(inner),
                "round:",
                "    for p in order of play: turn(p)",
            ]
        return ["round:", "    for p in order of play:", *indented(indented(inner))]

    def choice(self) -> Lines:
        """A cell or several, chosen as such."""
        scope, n = Scope(players=("p",), depth=1), self.fresh("n")
        inner = replace(scope, cells=(n,))
        phrase = f"{n} in {self.cells(scope)} where {self.holds(inner)}"
        if self.maybe(0.5):
            return [f"p may choose {phrase}", f"if {n} is not none: {self.on_cell(inner)}"]
        one = self.fresh("n")
        deed = self.on_cell(replace(scope, cells=(one,)))
        return [f"p chooses up to 2 {phrase}", f"for {one} in {n}: {deed}"]

    def menu(self) -> Lines:
        """What a player may do, line by line."""
        scope = Scope(players=("p",), depth=1)
        asks = self.dice.choice(("chooses", "chooses", "chooses", "may", "repeatedly may"))
        lines = [line for _ in range(self.dice.choice((1, 2, 2, 3))) for line in self.line(scope)]
        several = [each for each in self.actions if len(each[1]) > 1]
        if several and self.maybe(0.7):
            lines = [*self.line(scope, self.dice.choice(several)), *lines]
        if self.maybe(0.75):
            n, man = self.fresh("c"), self.dice.choice(("none", "none", "p", "not none"))
            lines.insert(
                self.dice.choice((0, len(lines))), f"fill({n}) for {n} in Cell where {n}.man is {man}"
            )
        found = [f"p {asks}:", *indented(lines)]
        if asks == "chooses" and self.maybe(0.85):
            found += ["otherwise:", *indented(self.deeds(replace(scope, depth=0), 1))]
        return found

    def endings(self) -> list[Lines]:
        scope = Scope(players=("p",), depth=1)
        found = []
        if self.maybe(0.5):
            n = self.fresh("n")
            most = self.dice.choice((1, self.ground.rows))
            more = self.holds(replace(scope, cells=(n,)))
            there = f"any {n} in Cell where row({n}) is {most} and {n}.man is p and {more}"
            found.append([f"victory p when round > 3 and {there}"])
        if self.maybe(0.3):
            found.append([f"victory p when {self.late()} and {self.holds(scope)}{self.at_once()}"])
        if self.maybe(0.3):
            found.append([f"victory p when {self.late()} and ({self.whole(scope)})"])
        if self.maybe(0.15):
            most = self.dice.choice(("p.men is 0", f"{self.late()} and {self.holds(scope)}"))
            found.append([f"defeat p when {most}{self.at_once()}"])
        if self.maybe(0.3):
            found.append(
                [
                    self.dice.choice(
                        ("draw when turns is 9", f"draw when round > 5 and ({self.whole(Scope())})")
                    )
                ]
            )
        return found

    def late(self) -> str:
        """A condition that keeps a game from ending too soon."""
        return self.dice.choice(("round > 4", "round > 6", "turns > 5", "size(zone) > 5"))

    def at_once(self) -> str:
        return ", at once" if self.maybe(0.2) else ""

    def whole(self, scope: Scope) -> str:
        """A condition on the whole board, as endings have."""
        n = self.fresh("n")
        simple = self.simple(replace(scope, cells=(n,)))
        if self.maybe(0.3):
            return f"(count {n} in Cell where {simple}) > {self.number(scope)}"
        return f"{self.dice.choice(('any', 'no'))} {n} in {self.cells(scope)} where {simple}"
