"""The values of a random board game, and how its board stands at the beginning."""

from __future__ import annotations

from tests.wasm.programs.done import Done, Lines, indented
from tests.wasm.programs.things import Scope


class Values(Done):
    """Writes declarations of values, and setups."""

    def setup(self) -> Lines:
        """Men on the board: for each cell by chance, or in rows."""
        first, second = self.dice.sample(self.players, 2)
        if self.maybe(0.3):
            place = self.dice.choice(("row", "column"))
            most = self.ground.rows if place == "row" else self.ground.columns
            found = [
                f"for c in Cell where {place}(c) < {self.dice.choice((2, 3))}: c.man = {first}",
                f"for c in Cell where {place}(c) > {most - self.dice.choice((1, 2))}: c.man = {second}",
            ]
        else:
            found = ["for c in Cell:", f"    let die = roll 1d{self.dice.choice((2, 3, 4, 4, 5))}"]
            found += [f"    if die is 1: c.man = {first}", f"    if die is 2: c.man = {second}"]
        for _ in range(self.dice.randrange(3)):
            found += self.for_(Scope(players=self.players))
        return ["setup:", *indented(found)]

    def declared(self) -> list[Lines]:
        """Some of the values that games have, later ones speaking of those before."""
        makers = [
            self.ahead,
            self.goal,
            self.own,
            self.free,
            self.field,
            self.chain,
            self.closes_in,
            self.score,
            self.lined,
        ]
        found = []
        for make in makers:
            if self.maybe(0.6):
                lines = make()
                self.values.append(make.__name__)
                found.append(lines)
        if self.maybe(0.3):
            found.append(self.modified())
            self.values.append("power")
        return found

    def modified(self) -> Lines:
        """Clauses that change what a value gives."""
        scope = Scope(players=("p",), depth=1)
        return [
            f"value power(p: Player) -> -99..99 = {self.number(scope)}",
            f"modify power: {self.dice.choice(('+2', '-1', 'becomes 5', 'at most 3'))} when {self.holds(scope)}",
            *([f"modify power: +{self.number(scope)} when {self.holds(scope)}"] if self.maybe(0.5) else []),
        ]

    def goal(self) -> Lines:
        """The cells of a player."""
        cells = [self.some_cells() for _ in self.players]
        text = cells[-1]
        for player, some in zip(self.players, cells[:-1], strict=False):
            text = f"{some} if p is {player} else {text}"
        return [f"value goal(p: Player) -> set of Cell = {text}"]

    def ahead(self) -> Lines:
        ways = [self.some_ways() for _ in self.players]
        text = ways[-1]
        for player, way in zip(self.players, ways[:-1], strict=False):
            text = f"{way} if p is {player} else {text}"
        return [f"value ahead(p: Player) = {text}"]

    def own(self) -> Lines:
        scope = Scope(("c",), players=("p",), depth=1)
        return [f"value own(c: Cell, p: Player) -> bool = {self.of_cell(scope)} and {self.holds(scope)}"]

    def free(self) -> Lines:
        return [f"value free(c: Cell) -> bool = {self.holds(Scope(('c',), depth=1))}"]

    def field(self) -> Lines:
        place = self.dice.choice(("row(c)", "column(c)", "row(c) + column(c)"))
        condition = f"{place} {self.compared()} {self.dice.randrange(2, 6)}"
        return [f"value field -> set of Cell = all c in Cell where {condition}"]

    def chain(self) -> Lines:
        scope = Scope(("n", "c"), players=("p",), depth=0)
        condition = " and ".join(self.of_cell(scope) for _ in range(self.dice.choice((1, 2))))
        return [f"value chain(c: Cell, p: Player) -> set of Cell = all n in around(c) where {condition}"]

    def closes_in(self) -> Lines:
        """As in reversi: what stands at the end of a ray."""
        inner = Scope(("n",), players=("p",), depth=0)
        end = Scope(("end",), ("d",), ("p",), depth=1)
        ends = (end, end.with_("cells", "c"))
        more = "".join(f" and {self.one(self.dice.choice(ends))}" for _ in range(self.dice.randrange(3)))
        start = Scope(("c",), players=("p",), depth=0)
        man = f"n.man {self.dice.choice(('is', 'is not'))} {self.dice.choice(('none', 'p', self.other('p')))}"
        first = man if self.maybe(0.6) else self.of_cell(inner)
        condition = first + (f" and {self.of_cell(inner)}" if self.maybe(0.2) else "")
        return [
            "value closes_in(c: Cell, d: Direction, p: Player) -> bool:",
            f"    let end = first n in {self.ray('c', 'd')} where {condition}",
            *([f"    if {self.of_cell(start)}: return false"] if self.maybe(0.2) else []),
            f"    return end is not none{more}",
        ]

    def score(self) -> Lines:
        scope = Scope(("c",), players=("p",), depth=0)
        return [f"value score(p: Player) -> 0..200 = count c in Cell where {self.of_cell(scope)}"]

    def lined(self) -> Lines:
        return [f"value lined(p: Player) -> bool = {self.of_lines(Scope(players=('p',), depth=0))}"]
