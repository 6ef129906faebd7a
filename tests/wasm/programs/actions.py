"""The actions of a random board game, and the lines of menus that offer them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.wasm.programs.done import Lines, indented
from tests.wasm.programs.things import Action, Scope
from tests.wasm.programs.values import Values

PARAMS = (
    ("cell",),
    ("cell",),
    *(("cell", "way"),) * 5,
    ("cell", "cell"),
    ("cell", "cell"),
    *(("cell", "way", "number"), ("cell", "way", "kind"), ("cell", "way", "cell")) * 2,
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


FEW = 30
"""Cells of a board on which any two may be chosen at once."""


class Actions(Values):
    """Writes actions and offers."""

    def action(self, name: str) -> list[Lines]:
        """An action with its needs, and now and then what forbids it."""
        sorts, theme = self.dice.choice(PARAMS), self.dice.choice(("p", "p", "none", "not none"))
        params = self.named_params(sorts)
        scope = Scope(players=("p",), depth=1)
        for sort, param in zip(sorts, params, strict=True):
            scope = scope.with_(NAMES[sort], param)
        lines, inside = self.needs(scope, theme)
        found = [self.declared_action(name, sorts, [*lines, *self.deeds(replace(inside, depth=1), 3)])]
        if self.maybe(0.2):
            found.append([f"forbid {name} when {self.one(scope)} and {self.one(scope)}"])
        found += self.reaction(name, scope)
        self.actions.append((name, sorts, theme))
        return found

    def reaction(self, name: str, scope: Scope) -> list[Lines]:
        """What happens before, after or instead of an action, at times."""
        if self.maybe(0.85):
            return []
        word = self.dice.choice(("before", "after", "instead of"))
        return [
            [f"{word} {name} when {self.holds(scope)}:", *indented(self.deeds(replace(scope, depth=0), 1))]
        ]

    def settle(self) -> list[Lines]:
        """An action that is not offered: others call it."""
        scope = Scope(("c",), players=("p",), depth=0)
        needs = [f"need {self.of_cell(scope)}"] if self.maybe(0.5) else []
        lines = [
            "action settle(c: Cell, p: Player):",
            *indented([*needs, self.on_cell(scope), self.on_cell(scope)]),
        ]
        self.settled = True
        return [lines]

    def declared_action(self, name: str, sorts: tuple[str, ...], lines: Lines) -> Lines:
        """An action with these lines."""
        params = zip(sorts, self.named_params(sorts), strict=True)
        given = ", ".join(f"{param}: {TYPES[sort]}" for sort, param in params)
        return [f"action {name}({given}) by p:" if given else f"action {name} by p:", *indented(lines)]

    def named_params(self, sorts: tuple[str, ...]) -> tuple[str, ...]:
        """A letter for each; the second cell is `e`."""
        return tuple(
            "e" if sort == "cell" and "cell" in sorts[:at] else LETTERS[sort] for at, sort in enumerate(sorts)
        )

    def needs(self, scope: Scope, theme: str) -> tuple[Lines, Scope]:
        """Needs, with a `let` before them where there is somewhere to go to; and what is known behind them."""
        if scope.cells and self.maybe(0.35):
            return self.simple_needs(scope)
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

    def simple_needs(self, scope: Scope) -> tuple[Lines, Scope]:
        """Needs that can be asked of all cells at once, each in its own way."""
        found, rest = [], scope
        if scope.ways and self.maybe(0.8):
            rest = replace(scope, cells=("to", *scope.cells))
            there = [
                f"to is not none and {self.simple(rest)}",
                f"{self.simple(rest)} or {self.by_way(scope)}",
            ]
            found = [
                "let to = step(c, d)",
                f"need {there[0]}",
                *([f"need {there[1]}"] if self.maybe(0.5) else []),
            ]
        n = self.fresh("n")
        beside = f"{n} in around(c) where {self.simple(scope.within(n))}"
        more = [
            self.simple(replace(scope, cells=("c",))),
            f"{self.dice.choice(('any', 'no'))} {beside}",
            self.by_way(scope)
            if scope.ways
            else f"(count {beside}) {self.compared()} {self.dice.randrange(3)}",
        ]
        found += [f"need {each}{self.words()}" for each in more if self.maybe(0.5)]
        return found, rest

    def by_way(self, scope: Scope) -> str:
        """A condition on the direction alone."""
        return f"{self.way(scope)} in {self.set_of_ways(replace(scope, cells=()))}"

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

    def line(self, scope: Scope, action: Action | None = None) -> Lines:
        """A line of a menu: an action with what it runs over, in one order or another."""
        name, sorts, theme = action or self.dice.choice(self.actions)
        plain = action is not None or self.maybe(0.5)
        arguments: list[str] = []
        free: list[tuple[str, str]] = []
        for sort in sorts:
            if self.maybe(0.03 if plain else 0.12):
                arguments.append(self.constant(sort))
                continue
            variable = self.fresh(LETTERS[sort])
            arguments.append(variable)
            free.append((sort, variable))
        if self.maybe(0.35):
            self.dice.shuffle(free)
        ranges = []
        for sort, variable in free:
            again = sort == "cell" and scope.cells and len(self.ground.cells) > FEW
            domain = self.plain_domain(sort) if plain and not again else self.domain(sort, scope)
            scope = replace(scope, **{NAMES[sort]: (variable, *getattr(scope, NAMES[sort]))})
            asked = (
                f" where {self.condition_of(sort, scope, theme)}" if self.maybe(0.2 if plain else 0.5) else ""
            )
            first = plain and sort == "cell" and variable == arguments[0]
            where = f" where {variable}.man is {theme}" if first and self.maybe(0.8) else asked
            ranges.append(f"{variable} in {domain}{where}")
        text = f"{name}({', '.join(arguments)})" if arguments else name
        if ranges:
            text += f" for {', '.join(ranges)}"
        if self.maybe(0.1 if plain else 0.25):
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

    def plain_domain(self, sort: str) -> str:
        """What games mostly run over."""
        known = {"cell": "Cell", "number": "1..7", "kind": "Kind", "player": "Player"}
        ways = self.dice.choice(("Direction", "ahead(p)" if "ahead" in self.values else self.some_ways()))
        return known.get(sort, ways)

    def domain(self, sort: str, scope: Scope) -> str:
        match sort:
            case "cell":
                found = ["Cell", "Cell", "last", self.cells(scope)]
                if scope.cells and len(self.ground.cells) > FEW:
                    found = [self.set_of_cells(scope)]
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
