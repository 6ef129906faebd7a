"""Whole random board games: a map, what its cells hold, values, actions, their offers, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.wasm.programs.asked import KINDS, Scope
from tests.wasm.programs.done import Done, Lines, indented

PARAMS = (
    ("cell",),
    ("cell",),
    *(("cell", "way"),) * 5,
    ("cell", "cell"),
    ("cell", "cell"),
    ("cell", "way", "number"),
    ("cell", "way", "kind"),
    ("cell", "way", "cell"),
    ("cell", "kind"),
    ("cell", "player"),
    ("number",),
    ("way",),
    ("way", "number"),
    (),
)
"""What actions are done with."""
TYPES = {"cell": "Cell", "way": "Direction", "number": "1..7", "kind": "Kind", "player": "Player"}
NAMES = {"cell": "cells", "way": "ways", "number": "numbers", "kind": "kinds", "player": "players"}
"""The names of a scope for each sort."""
LETTERS = {"cell": "c", "way": "d", "number": "i", "kind": "k", "player": "q"}


class Games(Done):
    """Writes games."""

    def text(self) -> str:
        """A whole game."""
        parts = [self.header(), list(self.ground.lines), self.state(), *self.declared(), self.setup()]
        parts += [line for number in range(self.dice.randrange(1, 4)) for line in self.action(f"act{number}")]
        fills = self.deeds(Scope(("c",), players=("p",), depth=1), 2)
        parts.append(["action fill(c: Cell) by p:", *indented(fills)])
        parts += [self.turns(), *self.endings()]
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
        }
        return [
            f"type Kind = {' | '.join(KINDS)}",
            "state of Cell:",
            *indented([sorts[each] for each in sorts if each in self.fields]),
            "state of Player:",
            f"    men: 0..16 = {self.dice.randrange(17)}",
            f"    land: set of Cell = {self.some_cells()}",
            "state:",
            f"    last: Cell?{self.dice.choice(('', f' = {self.dice.choice(self.ground.cells)}'))}",
            f"    zone: set of Cell = {self.some_cells()}",
            f"    turns: 0..{self.dice.choice((9, 30))}",
            "    flag: bool",
        ]

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
            found = ["for c in Cell:", f"    let die = roll 1d{self.dice.choice((2, 3, 4, 5))}"]
            found += [f"    if die is 1: c.man = {first}", f"    if die is 2: c.man = {second}"]
        for _ in range(self.dice.randrange(3)):
            found += self.for_(Scope(players=self.players))
        return ["setup:", *indented(found)]

    # ------------------------------------------------------------ values

    def declared(self) -> list[Lines]:
        """Some of the values that games have, later ones speaking of those before."""
        makers = [
            self.ahead,
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
        return found

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
        condition = self.of_cell(inner) + (f" and {self.of_cell(inner)}" if self.maybe(0.2) else "")
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

    # ------------------------------------------------------------ actions

    def action(self, name: str) -> list[Lines]:
        """An action with its needs, and now and then what forbids it."""
        sorts, theme = self.dice.choice(PARAMS), self.dice.choice(("p", "p", "none", "not none"))
        params = self.named_params(sorts)
        scope = Scope(players=("p",), depth=1)
        for sort, param in zip(sorts, params, strict=True):
            scope = scope.with_(NAMES[sort], param)
        lines, inside = self.needs(scope, theme)
        given = ", ".join(f"{param}: {TYPES[sort]}" for sort, param in zip(sorts, params, strict=True))
        head = f"action {name}({given}) by p:" if params else f"action {name} by p:"
        found = [[head, *indented([*lines, *self.deeds(replace(inside, depth=1), 3)])]]
        if self.maybe(0.2):
            found.append([f"forbid {name} when {self.one(scope)} and {self.one(scope)}"])
        self.actions.append((name, sorts, theme))
        return found

    def named_params(self, sorts: tuple[str, ...]) -> tuple[str, ...]:
        """A letter for each; the second cell is `e`."""
        return tuple(
            "e" if sort == "cell" and "cell" in sorts[:at] else LETTERS[sort] for at, sort in enumerate(sorts)
        )

    def needs(self, scope: Scope, theme: str) -> tuple[Lines, Scope]:
        """Needs, with a `let` before them where there is somewhere to go to; and what is known behind them."""
        found, rest = [], scope
        if scope.cells and self.maybe(0.6):
            found.append(f"need c.man is {theme}{self.words()}")
        if scope.cells and scope.ways and self.maybe(0.85):
            let, known = self.let_to(scope)
            rest = replace(scope, cells=("to", *scope.cells))
            found = [let, *found] if self.maybe(0.8) else [*found, let]
            found += known(rest)
        for _ in range(self.dice.choice((0, 0, 0, 1, 1, 2))):
            found.append(f"need {self.holds(rest)} or {self.one(rest)}{self.words()}")
        return found, rest

    def let_to(self, scope: Scope) -> tuple[str, Callable[[Scope], Lines]]:
        """Where a step or a ray leads, and the needs that make sure of it."""
        c, d = self.cell(scope), self.way(scope)
        n = self.fresh("n")
        condition = self.of_cell(Scope((n,), players=scope.players, depth=0))
        let = self.dice.choice(
            (*(f"let to = step({c}, {d})",) * 4, f"let to = first {n} in {self.ray(c, d)} where {condition}")
        )

        def known(rest: Scope) -> Lines:
            short = Scope(("to",), scope.ways, scope.players, depth=0)
            first = self.dice.choice(
                ("need to is not none", f"need to is not none and {self.of_cell(short)}{self.words()}")
            )
            second = f"need {self.of_cell(short)} or {self.of_way(replace(short, cells=scope.cells))}{self.words()}"
            return [first, second] if self.maybe(0.5) else [first]

        return let, known

    def words(self) -> str:
        return ' "not so"' if self.maybe(0.2) else ""

    # ------------------------------------------------------------ offers

    def line(self, scope: Scope) -> Lines:
        """A line of a menu: an action with what it runs over, in one order or another."""
        name, sorts, theme = self.dice.choice(self.actions)
        arguments: list[str] = []
        free: list[tuple[str, str]] = []
        for sort in sorts:
            if self.maybe(0.12):
                arguments.append(self.constant(sort))
                continue
            variable = self.fresh(LETTERS[sort])
            arguments.append(variable)
            free.append((sort, variable))
        if self.maybe(0.35):
            self.dice.shuffle(free)
        ranges = []
        for sort, variable in free:
            wide = sort == "cell" and not scope.cells and self.maybe(0.75)
            domain = "Cell" if wide else self.domain(sort, scope)
            scope = replace(scope, **{NAMES[sort]: (variable, *getattr(scope, NAMES[sort]))})
            where = f" where {self.condition_of(sort, scope, theme)}" if self.maybe(0.45) else ""
            ranges.append(f"{variable} in {domain}{where}")
        text = f"{name}({', '.join(arguments)})" if arguments else name
        if ranges:
            text += f" for {', '.join(ranges)}"
        if self.maybe(0.2):
            text += f" when {self.holds(scope)}"
        return [f"{text}:", *indented(self.deeds(replace(scope, depth=0), 1))] if self.maybe(0.1) else [text]

    def condition_of(self, sort: str, scope: Scope, theme: str) -> str:
        """A condition on the newest variable."""
        scope = replace(scope, depth=1)
        if sort == "way" and scope.cells and self.maybe(0.7):
            return self.of_way(scope)
        if sort == "cell" and self.maybe(0.6):
            return f"{scope.cells[0]}.man is {theme}"
        return self.holds(scope)

    def constant(self, sort: str) -> str:
        match sort:
            case "cell":
                return self.dice.choice(self.ground.cells)
            case "way":
                return self.dice.choice(self.ground.directions)
            case "number":
                return str(self.dice.randrange(1, 8))
            case "kind":
                return self.some_kind()
            case _:
                return "p"

    def domain(self, sort: str, scope: Scope) -> str:
        match sort:
            case "cell":
                found = ["Cell", "Cell", "last", self.cells(scope)]
                if scope.cells:
                    found += [f"around({scope.cells[0]})"] * 3
                    if scope.ways:
                        found.append(self.ray(scope.cells[0], scope.ways[0]))
                return self.dice.choice(found)
            case "way":
                return self.ways(scope)
            case "number":
                return self.dice.choice(("1..7", "1..7", "2..4", "3..3"))
            case "kind":
                return self.dice.choice(("Kind", "{stone, gold}"))
            case _:
                return self.dice.choice(("Player", "{x, o}"))

    # ------------------------------------------------------------ the round

    def turns(self) -> Lines:
        """What a player is asked in his turn; now and then something happens by chance."""
        inner = self.menu()
        if self.maybe(0.25):
            inner += self.menu()
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

    def menu(self) -> Lines:
        scope = Scope(players=("p",), depth=1)
        if self.maybe(0.1):
            n = self.fresh("n")
            inner = replace(scope, cells=(n,))
            phrase = f"{n} in {self.cells(scope)} where {self.holds(inner)}"
            return [
                f"p may choose {phrase}",
                f"if {n} is not none: {self.on_cell(inner)}",
            ]
        asks = self.dice.choice(("chooses", "chooses", "chooses", "may", "repeatedly may"))
        lines = [line for _ in range(self.dice.choice((1, 2, 2, 3))) for line in self.line(scope)]
        if self.maybe(0.6):
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
            found.append([f"victory p when round > 4 and {self.holds(scope)}"])
        if self.maybe(0.3):
            found.append(["draw when turns is 9"])
        return found
