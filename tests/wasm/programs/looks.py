"""What a random board game writes down of its board in each turn, so that each phrase is seen to give the same."""

from __future__ import annotations

from dataclasses import replace

from tests.wasm.programs.asked import Asked
from tests.wasm.programs.things import Scope

TYPES = {"any": "bool", "every": "bool", "count": "0..999", "all": "set of Cell", "first": "Cell?"}


class Looks(Asked):
    """Writes phrases over the whole board, over rays and over lines, and the fields that hold what they give."""

    def looks(self) -> tuple[list[str], list[str]]:
        """Fields and statements; `p` is whose turn it is."""
        fields, lines = [], []
        for number in range(self.dice.randrange(1, 6)):
            kind, phrase = self.look()
            fields.append(f"    seen{number}: {TYPES[kind]}")
            lines.append(f"seen{number} = {phrase}")
        return fields, lines

    def look(self) -> tuple[str, str]:
        """A phrase, and what kind of phrase it is."""
        scope = Scope(players=("p",), depth=1)
        match self.dice.randrange(7):
            case 0 | 6:
                li, n = self.fresh("l"), self.fresh("n")
                return self.folded(li, self.lines(scope), f"({self.within_line(li, n, scope)})", lines=True)
            case 1:
                n = self.fresh("n")
                ray = f"ray({self.dice.choice(self.ground.cells)}, {self.way(scope)})"
                return "first", f"first {n} in {ray} where {self.simple(replace(scope, cells=(n,)))}"
            case 2 | 3:
                n, m = self.fresh("n"), self.fresh("n")
                domain = self.dice.choice((f"around({n})", f"around({n})", "Cell", "zone"))
                asked = self.simple(replace(scope, cells=(m, n)))
                every = f"every {m} in {domain} satisfies {asked}"
                beside = every if self.maybe(0.3) else f"any {m} in {domain} where {asked}"
                more = self.dice.choice(("", f"{self.simple(replace(scope, cells=(n,)))} and "))
                return self.folded(n, "Cell", f"{more}({beside})")
            case _:
                n = self.fresh("n")
                domain = "Cell" if self.maybe(0.6) else self.set_of_cells(scope)
                return self.folded(n, domain, self.simple(replace(scope, cells=(n,))))

    def folded(self, n: str, domain: str, condition: str, *, lines: bool = False) -> tuple[str, str]:
        """A phrase of any kind, or of those that lines can be asked in."""
        kind = self.dice.choice(("any", "every", "count") if lines else tuple(TYPES))
        if kind == "every":
            return kind, f"every {n} in {domain} satisfies {condition}"
        return kind, f"{kind} {n} in {domain} where {condition}"
