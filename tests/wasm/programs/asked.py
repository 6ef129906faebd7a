"""What is asked in a random board game: conditions on cells, directions and players that are at hand."""

from __future__ import annotations

from dataclasses import replace

from tests.wasm.programs.things import Scope, Things


class Asked(Things):
    """Writes conditions."""

    def holds(self, scope: Scope) -> str:
        """A condition: one that stands alone, or two or three joined."""
        if scope.cells and self.maybe(0.2):
            return self.simple(scope)
        if scope.depth > 0 and self.maybe(0.3):
            word = self.dice.choice((" and ", " or "))
            parts = [
                self.one(replace(scope, depth=scope.depth - 1)) for _ in range(self.dice.choice((2, 2, 3)))
            ]
            return f"({word.join(parts)})"
        return self.one(scope)

    def one(self, scope: Scope) -> str:
        if self.maybe(0.1):
            return f"not ({self.holds(replace(scope, depth=min(scope.depth, 1)))})"
        asked = [self.of_cell] * 7 if scope.cells else [self.of_game]
        asked += [self.of_game]
        if scope.ways:
            asked += [self.of_way] * 3
        if scope.depth > 0:
            asked += [self.phrase, self.phrase, self.of_value]
        return self.dice.choice(asked)(scope)

    def simple(self, scope: Scope, depth: int = 2) -> str:
        """What stands on the newest cell, in forms that can be asked of all cells at once, joined in any way."""
        if depth and self.maybe(0.25):
            return f"not ({self.simple(scope, depth - 1)})"
        if depth and self.maybe(0.4):
            word = self.dice.choice((" and ", " or "))
            return f"({self.simple(scope, depth - 1)}{word}{self.simple(scope, depth - 1)})"
        c = scope.cells[0]
        if self.maybe(0.55):
            return f"{c}.man {self.dice.choice(('is', 'is not'))} {self.dice.choice(('none', self.player(scope)))}"
        if self.maybe(0.2):
            return f"{self.dice.choice(('row', 'column'))}({c}) is {self.dice.randrange(1, 6)}"
        return self.of_field(c, replace(scope, depth=0))

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
        word, others = self.dice.choice(("is", "is not")), [each for each in scope.cells if each != c]
        if others and self.maybe(0.3):
            other, field = self.dice.choice(others), self.dice.choice(sorted(self.fields - {"mark"}))
            return f"{c}.{field} {word} {other}.{field}"
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
        match self.dice.randrange(5):
            case 0:
                return f"adjacent({c}, {e})"
            case 4:
                return self.straight(c, e, scope)
            case 1:
                return f"distance({c}, {e}) {self.compared()} {self.dice.randrange(1, 4)}"
            case 2:
                return f"{c} {self.dice.choice(('is', 'is not'))} {e}"
            case _:
                where = self.dice.choice(("last", f"{self.player(scope)}.at"))
                return f"{where} {self.dice.choice(('is', 'is not'))} {c}"

    def straight(self, c: str, e: str, scope: Scope) -> str:
        """The line between two cells, and what stands on it."""
        end = self.dice.choice(self.ground.cells)
        spot = f"cell(column({c}), {self.dice.choice(('row', 'column'))}({end}))"
        match self.dice.randrange(4):
            case 0:
                return f"{c} in line({e}, {end})"
            case 1:
                return f"size(line({c}, {e})) {self.compared()} {self.dice.randrange(4)}"
            case 2 if "free" in self.values:
                return f"sight({c}, {spot} or {e}, free)"
            case _:
                stops = f"all {(n := self.fresh('n'))} in around({end}) where {n}.man is not none"
                return f"sight({c}, {e}, {stops})"

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
        """Lines of cells, in which each cell or some cell is asked."""
        li, n = self.fresh("l"), self.fresh("n")
        lines, inner = self.lines(scope), self.within_line(li, n, scope)
        if self.maybe(0.2):
            return f"(every {li} in {lines} satisfies ({inner}))"
        if self.maybe(0.2):
            return f"(count {li} in {lines} where {inner}) {self.compared()} {self.dice.randrange(3)}"
        return f"({self.dice.choice(('any', 'any', 'no'))} {li} in {lines} where {inner})"

    def lines(self, scope: Scope) -> str:
        """All lines, or those through a cell; where there are many of them, these alone."""
        length = self.dice.choice((2, 3, 3, 4))
        if len(self.ground.cells) > 64 or (scope.cells and self.maybe(0.5)):
            return f"lines({length}, {self.cell(scope)})"
        return f"lines({length})"

    def within_line(self, li: str, n: str, scope: Scope) -> str:
        """What is asked of the cells of a line."""
        inside = replace(scope, cells=(n, *scope.cells))
        condition = self.simple(inside) if self.maybe(0.5) else self.of_cell(inside)
        return self.dice.choice(
            (f"every {n} in {li} satisfies {condition}", f"any {n} in {li} where {condition}")
        )

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
