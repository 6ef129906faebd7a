"""Actions as real games have them, now and then with another condition in the place of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.wasm.programs.actions import FEW, Actions
from tests.wasm.programs.done import Lines, indented
from tests.wasm.programs.things import Scope


class Classics(Actions):
    """Writes the actions of well-known games."""

    def classics(self) -> list[Lines]:
        """One or two of them."""
        known: list[Callable[[], list[Lines]]] = [self.advance] * 3
        known += [self.jump, self.shoot, self.push, self.enclose, self.enclose, self.claim, self.drop]
        if len(self.ground.cells) <= FEW:
            known.append(self.slide)
        found, seen = [], set()
        for _ in range(self.dice.choice((0, 1, 1, 2))):
            make = self.dice.choice(known)
            if make.__name__ not in seen:
                seen.add(make.__name__)
                found += make()
        return found

    def mostly(self, text: str, scope: Scope) -> str:
        """A condition, or another one."""
        return text if self.maybe(0.75) else self.holds(replace(scope, depth=1))

    def classic(self, name: str, sorts: tuple[str, ...], theme: str, lines: Lines) -> list[Lines]:
        """An action with these lines."""
        found = self.declared_action(name, sorts, lines)
        self.actions.append((name, sorts, theme))
        return [found]

    def advance(self) -> list[Lines]:
        """As in breakthrough: a step ahead, and men are taken slantwise."""
        scope = Scope(("c",), ("d",), ("p",))
        there = replace(scope, cells=("to", "c"))
        ways = self.set_of_ways(replace(scope, cells=()))
        lines = [
            "let to = step(c, d)",
            f"need {self.mostly('c.man is p', scope)} and {self.mostly(f'd in {ways}', scope)}",
            f"need to is not none and {self.mostly('to.man is not p', there)}{self.words()}",
            f"need {self.mostly('to.man is none', there)} or {self.mostly(f'd in {self.some_ways()}', there)}",
            f"if to.man is not none: {self.other('p')}.men loses up to 1",
            "to.man = p",
            self.dice.choice(("c.man = none", self.on_cell(there))),
        ]
        return self.classic("advance", ("cell", "way"), "p", self.without(lines))

    def without(self, lines: Lines) -> Lines:
        """The lines without one of the needs, at times, of which no other line needs to know."""
        spare = [each for each in lines if each.startswith("need ") and " is not none" not in each]
        if not spare or self.maybe(0.7):
            return lines
        left = self.dice.choice(spare)
        return [each for each in lines if each is not left]

    def jump(self) -> list[Lines]:
        """As in draughts: over a neighbour."""
        scope = Scope(("over", "c"), ("d",), ("p",))
        there = replace(scope, cells=("to", "over", "c"))
        lines = [
            f"need {self.mostly('c.man is p', replace(scope, cells=('c',)))}",
            "let over = step(c, d)",
            f"need over is not none and {self.mostly('over.man is ' + self.other('p'), scope)}",
            "let to = step(over, d)",
            f"need to is not none and {self.mostly('to.man is none', there)}{self.words()}",
            "to.man = p",
            "over.man = none",
            "c.man = none",
        ]
        return self.classic("jump", ("cell", "way"), "p", lines)

    def push(self) -> list[Lines]:
        """A step into a man, who has to go on or off the board."""
        scope = Scope(("to", "c"), ("d",), ("p",))
        there = self.dice.choice(("step(to, d).man is none", f"step(to, d).man is {self.other('p')}"))
        lines = [
            "let to = step(c, d)",
            f"need to is not none and {self.mostly('to.man is not none', scope)}",
            f"need step(to, d) is none or {there}",
            f"need {self.mostly('c.man is p', scope)}",
            "let beyond = step(to, d)",
            "if beyond is not none: beyond.man = to.man",
            "to.man = p",
            *self.deeds(scope, 1),
        ]
        return self.classic("push", ("cell", "way"), "p", self.without(lines))

    def shoot(self) -> list[Lines]:
        """The first man in sight."""
        scope = Scope(("end", "c"), ("d",), ("p",))
        seen = self.mostly("n.man is not none", Scope(("n",), (), ("p",)))
        lines = [
            f"let end = first n in {self.ray('c', 'd')} where {seen}",
            f"need {self.mostly('c.man is p', replace(scope, cells=('c',)))}",
            f"need end is not none and {self.mostly('end.man is ' + self.other('p'), scope)}",
            self.dice.choice(("end.man = none", "end.man = p", self.on_cell(scope))),
        ]
        return self.classic("shoot", ("cell", "way"), "p", lines)

    def enclose(self) -> list[Lines]:
        """As in reversi: what is closed in is turned."""
        scope = Scope(("c",), (), ("p",))
        value = [] if "closes_in" in self.values else [self.closes_in()]
        if value:
            self.values.append("closes_in")
        beside = f"any n in around(c) where {self.mostly('n.man is ' + self.other('p'), scope.within('n'))}"
        ways = self.ways(replace(scope, cells=()))
        lines = [
            f"need {self.mostly('c.man is none', scope)}",
            f"need {beside}",
            f"need any d in {ways} where {self.mostly('closes_in(c, d, p)', scope.with_('ways', 'd'))}{self.words()}",
            f"for d in {ways} where closes_in(c, d, p):",
            f"    for n in {self.ray('c', 'd')}:",
            *(["        if n.man is p: stop"] if self.maybe(0.8) else []),
            "        n.man = p",
            "c.man = p",
        ]
        return [*value, *self.classic("enclose", ("cell",), "none", self.without(lines))]

    def claim(self) -> list[Lines]:
        """As in hex: stones that hang together."""
        scope = Scope(("c",), (), ("p",))
        value: list[Lines] = []
        if "chain" not in self.values:
            value = [["value chain(c: Cell, p: Player) -> set of Cell = all n in around(c) where n.man is p"]]
            self.values.append("chain")
        beside = self.mostly("n.man is p and n in zone", scope.within("n"))
        lines = [
            f"need {self.mostly('c.man is none', scope)}{self.words()}",
            "c.man = p",
            f"if {self.holds(scope)} or any n in around(c) where {beside}:",
            f"    for n in reached(c, chain(p)): {self.on_cell(replace(scope, cells=('n',)))}",
            *self.deeds(scope, 1),
        ]
        return [*value, *self.classic("claim", ("cell",), "none", lines)]

    def drop(self) -> list[Lines]:
        """As in connect four: into a column."""
        scope = Scope(("n",), (), ("p",), ("i",))
        place = self.dice.choice(("column", "row"))
        stop = self.mostly("n.man is none", Scope(("n",), depth=0))
        value = [f"value landing(i: 1..7) = first n in Cell where {place}(n) is i and {stop}"]
        lines = [
            f"need any n in {self.cells(Scope())} where {place}(n) is i and {self.mostly('n.man is none', scope)}",
            "for n in landing(i):",
            *indented([self.on_cell(scope), "n.man = p", "last = n"]),
        ]
        return [value, *self.classic("drop", ("number",), "none", lines)]

    def slide(self) -> list[Lines]:
        """Straight to another cell, with nothing between."""
        scope = Scope(("e", "c"), (), ("p",))
        way = replace(scope, ways=("way",))
        lines = [
            "let way = direction(c, e)",
            f"need {self.mostly('c.man is p', scope)} and {self.mostly('e.man is not p', scope)}",
            f"need way is not none and {self.mostly(f'way in {self.some_ways()}', way)}",
            f"need no n in between(c, e) where {self.mostly('n.man is not none', scope.within('n'))}",
            "e.man = p",
            "c.man = none",
        ]
        return self.classic("slide", ("cell", "cell"), "p", lines)
