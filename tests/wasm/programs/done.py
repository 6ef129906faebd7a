"""What is done in a random board game: the effects of its actions."""

from __future__ import annotations

from dataclasses import replace

from tests.wasm.programs.looks import Looks
from tests.wasm.programs.things import KINDS, Scope

Lines = list[str]


def indented(lines: Lines) -> Lines:
    """A block."""
    return [f"    {each}" for each in lines]


class Done(Looks):
    """Writes statements, each as its lines."""

    def deeds(self, scope: Scope, most: int) -> Lines:
        """Some statements."""
        return [line for _ in range(self.dice.randrange(1, most + 1)) for line in self.deed(scope)]

    def deed(self, scope: Scope) -> Lines:
        if scope.depth > 0 and self.maybe(0.3):
            return self.dice.choice((self.if_, self.for_, self.along, self.order))(
                replace(scope, depth=scope.depth - 1)
            )
        if scope.cells and self.maybe(0.75):
            return [self.on_cell(scope)]
        return [self.on_game(scope)]

    def on_cell(self, scope: Scope) -> str:
        """Changes what a cell holds."""
        c = self.cell(scope)
        value = self.dice.choice(("none", self.player(scope), self.player(scope)))
        fields = [f"{c}.man = {value}"] * 3
        if "kind" in self.fields:
            fields.append(f"{c}.kind = {self.kind(scope)}")
        if "heat" in self.fields:
            fields += [f"{c}.heat {self.gains()} 1", f"{c}.heat = {self.dice.randrange(2)}"]
        if "many" in self.fields:
            fields += [
                f"{c}.many {self.gains()} {self.dice.randrange(1, 9)}",
                f"{c}.many = {self.dice.randrange(41)}",
            ]
        if "mark" in self.fields:
            fields.append(f"{c}.mark = {self.truth(scope)}")
        if "link" in self.fields:
            fields.append(f"{c}.link = {self.dice.choice(('none', self.cell(scope)))}")
        if "face" in self.fields:
            fields.append(f"{c}.face = {self.dice.choice(('none', self.way(scope)))}")
        return self.dice.choice(fields)

    def on_game(self, scope: Scope) -> str:
        """Changes what the game or a player remembers."""
        p = self.player(scope)
        found = [f"turns {self.gains()} 1", f"flag = {self.truth(scope)}", f"{p}.men {self.gains()} 1"]
        if scope.cells:
            c = self.cell(scope)
            found += [f"last = {c}", f"last = {c}", f"{p}.at = {c}"]
            found += [f"zone gains {c}", f"zone loses {c}", f"{p}.land gains {c}"]
        found += [f"zone = {self.set_of_cells(scope)}", f"{p}.land = {self.some_cells()}", "last = none"]
        n = self.fresh("n")
        found.append(f"zone = all {n} in Cell where {self.holds(replace(scope, cells=(n,), depth=1))}")
        return self.dice.choice(found)

    def gains(self) -> str:
        """By what a number changes: now and then beyond its range, which fails."""
        return self.dice.choice(("gains up to", "gains up to", "loses up to", "loses up to", "gains"))

    def truth(self, scope: Scope) -> str:
        return self.dice.choice(("true", "false", self.one(replace(scope, depth=0))))

    # ------------------------------------------------------------ blocks

    def if_(self, scope: Scope) -> Lines:
        found = [f"if {self.holds(scope)}:", *indented(self.deeds(scope, 2))]
        if self.maybe(0.3):
            found += ["else:", *indented(self.deeds(scope, 1))]
        return found

    def for_(self, scope: Scope) -> Lines:
        """For some cells."""
        n = self.fresh("n")
        inner = replace(scope, cells=(n, *scope.cells))
        where = f" where {self.holds(inner)}" if self.maybe(0.7) else ""
        return [f"for {n} in {self.cells(scope)}{where}:", *indented([self.on_cell(inner)])]

    def order(self, scope: Scope) -> Lines:
        """Another action, or several of them at one instant."""
        if not self.settled or not scope.cells:
            return self.for_(scope)
        n, c = self.fresh("n"), self.cell(scope)
        inner = replace(scope, cells=(n, *scope.cells))
        calls = [
            f"for {n} in {self.cells(scope)} where {self.of_cell(inner)}: settle({n}, {self.player(scope)})"
        ]
        if self.maybe(0.5):
            calls.append(f"settle({c}, {self.player(scope)})")
        return ["together:", *indented(calls)] if self.maybe(0.6) else calls

    def along(self, scope: Scope) -> Lines:
        """Along a ray, or into each of some directions."""
        if not scope.cells:
            return self.for_(scope)
        n, c, d = self.fresh("n"), self.cell(scope), self.way(scope)
        inner = replace(scope, cells=(n, *scope.cells))
        if self.maybe(0.5):
            stop = [f"if {self.of_cell(inner)}: stop"] if self.maybe(0.6) else []
            return [f"for {n} in {self.ray(c, d)}:", *indented([*stop, self.on_cell(inner)])]
        d = self.fresh("d")
        with_way = scope.with_("ways", d)
        where = f" where {self.of_way(with_way)}" if self.maybe(0.5) else ""
        step = [
            f"let {n} = step({c}, {d})",
            f"if {n} is not none: {self.on_cell(replace(inner, ways=with_way.ways))}",
        ]
        return [f"for {d} in {self.ways(scope)}{where}:", *indented(step)]

    def ray(self, c: str, d: str) -> str:
        return f"ray({c}, {d}{self.dice.choice(('', '', ', at most 1', ', at most 2', ', at most 3'))})"

    def some_kind(self) -> str:
        return self.dice.choice(KINDS)
