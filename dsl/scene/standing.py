"""What stands on a map, as its viewers may see it: the facts that every way of drawing it shares.

The terminal's map and the pictures are both made of a `Standing`: which pieces are where, what fields of cells say,
whose a region is, which sign each thing has, and what the signs mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from dsl.diagnostics.excerpt import printable
from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.display import Member, column_name, fraction, member_name, text_of, worded
from dsl.engine.machine import Machine
from dsl.engine.piles import in_play
from dsl.ir.nodes import Const, Lookup
from dsl.ir.program import Board, Data, Domain, Pool, Program, Var
from dsl.ir.types import NONE, Id, Int
from dsl.scene.eyes import Eyes, Viewers
from dsl.scene.ground import areas, laid_over, outlined
from dsl.scene.lettering import paired
from dsl.scene.signs import SHORT, Signs

POINTERS = "▶▷►▹"
CHANGED = "·"
"""What is drawn for a cell that is no longer as any sign of the map says, where nothing shorter tells more."""
COMPASS = {
    "north": 0,
    "northeast": 45,
    "east": 90,
    "southeast": 135,
    "south": 180,
    "southwest": 225,
    "west": 270,
    "northwest": 315,
}
"""The directions that a piece may face, in degrees clockwise from north (on squares)."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in a cell: a few characters, and whose it is."""

    text: str
    owner: Member | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a sign means: words, whose it is, and whether it is to stand out."""

    text: str
    owner: Member | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """A piece on the map."""

    pool: Pool
    piece: int
    cells: tuple[int, ...]
    """All cells that it covers; the first one stands where its sign does."""
    kind: Member | None
    """None where its type has no kinds, or it is face down."""
    owner: Member | None
    facing: str
    """The name of the direction that it faces, or nothing."""
    outline: Member | None
    """The reason why only its outline is drawn."""


def faces_of(program: Program, pool: Pool) -> tuple[int, Id] | None:
    """The field that says where each piece of a type faces: the first that always holds a direction."""
    for index, var in enumerate(program.vars):
        kind = var.type
        if var.of != pool.domain or var.role != "field" or not var.drawn or not isinstance(kind, Id):
            continue
        members = program.domains[kind.domain].members
        if not kind.optional and members and all(member in COMPASS for member in members):
            return index, kind
    return None


class Standing:
    """One map of a game at one moment. Reading it fills `legend`: for each sign that was drawn what it means."""

    def __init__(
        self, machine: Machine, state: list[int], viewers: Viewers, language: str, board: Board
    ) -> None:
        self.machine = machine
        self.program: Program = machine.program
        self.state = state
        self.eyes = Eyes(machine, state, viewers)
        self.language = language
        self.board = board
        self.cells: Domain = self.program.domains[board.domain]
        self.legend: dict[str, Meaning] = {}
        self._grounds: dict[int, str] = {}
        self._changed: dict[str, None] = {}
        """What cells hold that has no sign of its own: the meaning of `CHANGED`."""
        self.signs = Signs(self.program, (printable(each) for each in board.signs))
        for _, _, kind in self.fields(board.domain):
            self.signs.give(kind.domain, self.use(kind.domain))
        for pool in self.program.pools:
            for _, _, kind in self.fields(pool.domain):
                if self.eyes.owns(kind.domain):
                    self.signs.give(kind.domain, "owner")
            kinds = self.program.data[pool.kinds].type if pool.kinds is not None else None
            kinds = self.program.vars[pool.kind].type if pool.kind is not None else kinds
            if isinstance(kinds, Id):
                self.signs.give(kinds.domain, "thing")
        for _, var, kind in self.fields(board.domain):
            if self.eyes.owns(kind.domain) and var.label is not None:
                self.signs.of_field(var.name)

    # ------------------------------------------------------------ reading the state

    def fields(self, of: int | None, to: int | None = None) -> Iterator[tuple[int, Var, Id]]:
        """The fields of a domain's members (none: of the game) that hold a member of another domain."""
        for index, var in enumerate(self.program.vars):
            fits = var.of == of and var.role == "field" and var.drawn and isinstance(var.type, Id)
            if fits and isinstance(var.type, Id) and (to is None or var.type.domain == to):
                yield index, var, var.type

    def of_cells(self) -> list[tuple[int, Var, Id]]:
        """The fields of cells that say what lies there: where some have words for players, those without are the rules'
        own, but for what the map itself tells.
        """
        found = list(self.fields(self.board.domain))
        if all(var.label is None for _, var, _ in found):
            return found
        return [each for each in found if each[1].label is not None or self.drawn(each[1]) is not None]

    def holder_field(self) -> int | None:
        """The field that says whose a cell is: the first with words for players, if there are any, else the first."""
        found = [
            (index, var) for index, var, kind in self.fields(self.board.domain) if self.eyes.owns(kind.domain)
        ]
        called = [index for index, var in found if var.label is not None]
        return next((index for index in called or [index for index, _ in found]), None)

    def use(self, domain: int) -> str:
        """What signs of a domain's members are for: `owner` or `thing`."""
        return "owner" if self.eyes.owns(domain) else "thing"

    def name(self, var: Var) -> str:
        """What a field is called in words."""
        return text_of(self.program, var.label, self.language) or var.name.replace("_", " ")

    def meaning(self, domain: int, member: int, sign: str) -> str:
        """What a member is called in words: by its name, where its label is its sign."""
        label = member_name(self.program, domain, member, self.language)
        return label if label != sign else self.program.domains[domain].members[member].replace("_", " ")

    def named(self, domain: int, member: int) -> Mark:
        """A member by its own name where that is short, or by a sign that the legend explains."""
        name = self.program.domains[domain].members[member]
        owner = (domain, member) if self.eyes.owns(domain) else None
        if len(name) <= SHORT:
            return Mark(name, owner)
        sign = self.signs.of(domain, member, self.use(domain))
        self.legend.setdefault(sign, Meaning(self.meaning(domain, member, sign), owner))
        return Mark(sign, owner)

    # ------------------------------------------------------------ what the map's own signs say

    def drawn(self, var: Var) -> tuple[layout.Plain, ...] | None:
        """What the map's own signs say of a field of cells, if they do."""
        lookup = var.initial
        of_cells = (
            var.of == self.board.domain and var.role == "field" and bool(self.board.signs) and var.drawn
        )
        return (
            tuple(self.program.data[lookup.data].values) if of_cells and isinstance(lookup, Lookup) else None
        )

    @cached_property
    def told(self) -> list[tuple[int, Var, tuple[layout.Plain, ...]]]:
        """The fields of cells that the map's own signs set, each with what they say of every cell."""
        found = ((index, var, self.drawn(var)) for index, var in enumerate(self.program.vars))
        return [(index, var, values) for index, var, values in found if values is not None]

    def now(self, index: int, var: Var, cell: int) -> layout.Plain:
        """What a field of a cell holds; what the viewers may not see is as the map says."""
        if not self.eyes.see(index, cell):
            values = self.drawn(var)
            return values[cell] if values is not None else NONE
        return self.eyes.value(index, cell)

    def alike(self, cell: int) -> str | None:
        """The map's sign of a cell as it is now: its own as long as all that it says holds, else another cell's."""
        signs = self.board.signs
        if cell >= len(signs):
            return None
        now = [(values, self.now(index, var, cell)) for index, var, values in self.told]
        if all(values[cell] == value for values, value in now):
            return printable(signs[cell]) or "."
        fits = (n for n in range(len(signs)) if all(values[n] == value for values, value in now))
        found = next(fits, None)
        return None if found is None else printable(signs[found]) or "."

    def ground(self, cell: int) -> str:
        """The sign of an empty cell: that of the map as long as all that it says holds, then that of a cell of which it
        would; else the number that has changed.
        """
        if cell not in self._grounds:
            self._grounds[cell] = self._live(cell)
        return self._grounds[cell]

    def _live(self, cell: int) -> str:
        signs = self.board.signs
        if cell >= len(signs):
            return "."
        if (alike := self.alike(cell)) is not None:
            return alike
        now = [(var, values, self.now(index, var, cell)) for index, var, values in self.told]
        differ = [each for each in now if each[1][cell] != each[2]]
        for var, _, value in differ:
            number = isinstance(var.type, Int) and not var.type.truth and isinstance(value, int)
            if number and value != NONE and len(str(value)) <= SHORT and str(value) not in signs:
                self.legend.setdefault(str(value), Meaning(f"{self.name(var)} {value}"))
                return str(value)
        for var, _, value in differ:
            if isinstance(var.type, Id) and isinstance(value, int) and value != NONE:
                return self.named(var.type.domain, value).text
        spoken = self.language or self.program.language
        held = [
            paired(self.name(var), worded(self.program, var.type, value, self.language), spoken)
            for var, _, value in differ
        ]
        self._changed |= dict.fromkeys(held)
        self.legend[CHANGED] = Meaning(", ".join(self._changed))
        return CHANGED

    def explain(self, shown: set[str]) -> None:
        """Puts into the legend what the map's own signs say of their cells."""
        for var in self.program.vars:
            values = self.drawn(var)
            usual = next((v for s, v in zip(self.board.signs, values or (), strict=False) if s == "."), NONE)
            for sign, value in zip(self.board.signs, values or (), strict=False):
                if sign not in shown or not isinstance(value, int) or value in {NONE, usual}:
                    continue
                if isinstance(var.type, Id):
                    meaning = member_name(self.program, var.type.domain, value, self.language)
                elif isinstance(var.type, Int) and var.type.truth and value:
                    meaning = self.name(var)
                elif isinstance(var.type, Int) and not var.type.truth:
                    meaning = f"{self.name(var)} {value}"
                else:
                    continue
                known = self.legend.get(printable(sign))
                before = known.text if known is not None else ""
                if meaning not in before.split(", "):
                    self.legend[printable(sign)] = Meaning(f"{before}, {meaning}" if before else meaning)
        for sign, meaning in areas(self.program, self.board, self.language):
            if sign in shown:
                self.legend.setdefault(printable(sign), Meaning(meaning))

    # ------------------------------------------------------------ what stands on the cells

    @cached_property
    def pieces(self) -> list[Seen]:
        """The pieces on the map, one after another: the place of each is its field `at` alone."""
        found = []
        covering = dict(self.board.shapes)
        places = [self.board.domain, *covering]
        for pool in self.program.pools:
            for at, var, kind in self.fields(pool.domain):
                is_place = var.name == "at" and kind.domain in places
                for piece in in_play(self.program, self.state, pool) if is_place else ():
                    place = self.eyes.scalar(at, piece)
                    if not 0 <= place < len(self.program.domains[kind.domain].members):
                        continue
                    covers = kind.domain in covering
                    mask = self.program.data[covering[kind.domain]].values[place] if covers else 0
                    cells = tuple(bits(mask if isinstance(mask, int) else 0, 0)) or (place,)
                    found.append(
                        Seen(
                            pool,
                            piece,
                            cells,
                            self.eyes.kind(pool, piece),
                            self.eyes.owner_of(pool, piece),
                            self._facing(pool, piece),
                            outlined(self.eyes, pool, piece),
                        )
                    )
        return found

    def _facing(self, pool: Pool, piece: int) -> str:
        """The direction in a field of the piece that always holds one."""
        found = faces_of(self.program, pool)
        if found is None:
            return ""
        index, kind = found
        value = self.eyes.scalar(index, piece)
        return "" if value == NONE else self.program.domains[kind.domain].members[value]

    def kind_sign(self, seen: Seen) -> tuple[str, str]:
        """The sign of a piece's kind, as far as the viewers see that, and in words."""
        if seen.kind is not None:
            sign = self.signs.of(*seen.kind, "thing")
            return sign, self.meaning(*seen.kind, sign)
        return seen.pool.name[:SHORT], seen.pool.name

    def owner_sign(self, seen: Seen) -> tuple[str, bool]:
        """The figure of a piece's owner, and whether it is the hollow one; with what it means put into the legend."""
        if seen.owner is None:
            return "", False
        whose = self.named(*seen.owner).text
        if seen.outline is None or not (hollow := self.signs.hollow(whose)):
            return whose, False
        known = self.legend.get(hollow)
        before = known.text if known is not None else member_name(self.program, *seen.owner, self.language)
        why = member_name(self.program, *seen.outline, self.language)
        told = before if why in before.split(", ")[1:] else f"{before}, {why}"
        self.legend[hollow] = Meaning(told, seen.owner)
        return hollow, True

    def outline_sign(self, outline: Member) -> str:
        """The sign beside a piece that is outlined and whose owner has no hollow figure."""
        mark = self.signs.of(*outline, "overlay")
        self.legend.setdefault(mark, Meaning(member_name(self.program, *outline, self.language)))
        return mark

    @cached_property
    def widest(self) -> int:
        """How many characters one thing on a cell has at most, whatever comes to stand there."""
        found = [1, *(len(printable(each)) for each in self.board.signs)]
        places = {self.board.domain, *dict(self.board.shapes)}
        for pool in self.program.pools:
            fields = list(self.fields(pool.domain))
            if not any(var.name == "at" and kind.domain in places for _, var, kind in fields):
                continue
            kinds = self.program.data[pool.kinds].type if pool.kinds is not None else None
            kinds = self.program.vars[pool.kind].type if pool.kind is not None else kinds
            wide = self._most(kinds.domain) if isinstance(kinds, Id) else len(pool.name[:SHORT])
            owner = next((kind.domain for _, _, kind in fields if self.eyes.owns(kind.domain)), None)
            wide += 0 if owner is None else self._most(owner)
            found.append(wide + (faces_of(self.program, pool) is not None))
        for _, var, kind in self.of_cells():
            if self.drawn(var) is None or self.eyes.owns(kind.domain):
                found.append(self._most(kind.domain) + (SHORT if self._signed(var, kind.domain) else 0))
        return max(found)

    def _most(self, domain: int) -> int:
        """How many characters the sign of a member has at most."""
        use = self.use(domain)
        names = enumerate(self.program.domains[domain].members)
        return max(
            (len(name if len(name) <= SHORT else self.signs.of(domain, each, use)) for each, name in names),
            default=0,
        )

    def held(self, occupied: set[int]) -> Iterator[tuple[int, int, Member]]:
        """For each cell without a piece its first field that holds something, and what; not what the map shows."""
        found = set(occupied)
        for index, var, kind in self.of_cells():
            drawn = self.drawn(var)
            if drawn is not None and not self.eyes.owns(kind.domain):
                continue  # the ground shows it
            for cell in range(len(self.cells.members)):
                value = self.eyes.scalar(index, cell)
                if value == NONE or cell in found:
                    continue
                if drawn is not None and (value == drawn[cell] or self.alike(cell) is not None):
                    continue
                found.add(cell)
                yield cell, index, (kind.domain, value)

    def said_of_cell(self, index: int, member: Member) -> Mark:
        """What a field of a cell holds. Where it has words for players, and the figure of an owner would be that of a
        piece of his, a sign of the field stands before it.
        """
        var, mark = self.program.vars[index], self.named(*member)
        if not self._signed(var, member[0]):
            return mark
        sign = self.signs.of_field(var.name)
        self.legend.setdefault(sign, Meaning(self.name(var)))
        return Mark(sign + mark.text, mark.owner)

    def _signed(self, var: Var, domain: int) -> bool:
        """Does a sign of a field of cells stand before what it holds?"""
        of_pieces = any(
            kind.domain == domain for pool in self.program.pools for _, _, kind in self.fields(pool.domain)
        )
        return self.eyes.owns(domain) and var.label is not None and of_pieces

    def overlay(self) -> Iterator[tuple[int, Member]]:
        """What the game's value `overlay` lays over cells."""
        yield from laid_over(self.machine, self.state, self.board)

    def overlay_sign(self, member: Member) -> str:
        """The sign of what is laid over a cell, put into the legend."""
        sign = self.signs.of(*member, "overlay")
        self.legend[sign] = Meaning(member_name(self.program, *member, self.language))
        return sign

    # ------------------------------------------------------------ regions

    def groups(self) -> list[tuple[str, list[int]]]:
        """The regions in groups, each with what players call it and its figures that have words for players: by the
        first column of their table that names rows of another one; none where there is no such column.
        """
        for data in self.program.data:
            table, _, column = data.name.partition(".")
            kind = data.type
            if not column or table != self.cells.name or not isinstance(kind, Id) or len(data.dims) != 1:
                continue
            if kind.domain == self.board.domain or self.program.domains[kind.domain].kind != "row":
                continue
            found: dict[int, list[int]] = {}
            for cell, group in enumerate(data.values):
                if isinstance(group, int) and group != NONE:
                    found.setdefault(group, []).append(cell)
            if sum(map(len, found.values())) < len(self.cells.members):
                continue  # a group for each region, or none
            return [(self._group(kind.domain, each), cells) for each, cells in found.items()]
        return []

    def _group(self, domain: int, member: int) -> str:
        """A group of regions, with its figures where they have words for players: `Grip (Bonus 3)`."""
        name = member_name(self.program, domain, member, self.language)
        table = self.program.domains[domain].name
        figures = [
            f"{called} {fraction(value, data.denominator)}"
            for number, data in enumerate(self.program.data)
            if data.name.partition(".")[0] == table
            and isinstance(data.type, Int)
            and not data.type.truth
            and len(data.dims) == 1
            and (called := column_name(self.program, number, self.language))
            and isinstance(value := self._entry(data, member), int)
            and value != NONE
        ]
        return f"{name} ({', '.join(figures)})" if figures else name

    @staticmethod
    def _entry(data: Data, member: int) -> object:
        """What a column has of a row."""
        at = member - data.dims[0][0]
        return data.values[at] if isinstance(data.values, tuple) and 0 <= at < len(data.values) else None

    def notes(self) -> dict[int, list[str]]:
        """What is told of regions by the fields with words that name one: those of players, and of other regions."""
        found: dict[int, list[str]] = {}
        for of in (self.program.players, self.board.domain):
            for index, var, _ in self.fields(of, self.board.domain):
                for member in range(len(self.program.domains[of].members) if var.label is not None else 0):
                    if (there := self.eyes.scalar(index, member)) == NONE:
                        continue
                    about, other = (
                        (there, (of, member)) if of == self.program.players else (member, (of, there))
                    )
                    label = text_of(self.program, var.label, self.language)
                    told = f"{label} {member_name(self.program, *other, self.language)}"
                    found.setdefault(about, []).append(printable(told))
        return found

    def number(self) -> int | None:
        """The first field of the cells that holds a number and has words for players."""
        return next(
            (
                index
                for index, var in enumerate(self.program.vars)
                if var.of == self.board.domain and var.role == "field" and var.label is not None and var.drawn
                if isinstance(var.type, Int) and not var.type.truth
            ),
            None,
        )

    def holders(self) -> dict[int, Member]:
        """Whose each region is."""
        index = self.holder_field()
        if index is None:
            return {}
        kind, bare = self.program.vars[index].type, self.unclaimed(index)
        assert isinstance(kind, Id)
        values = {cell: self.eyes.scalar(index, cell) for cell in range(len(self.cells.members))}
        return {cell: (kind.domain, value) for cell, value in values.items() if value not in {NONE, bare}}

    def unclaimed(self, index: int) -> int | None:
        """What is no player and most cells say before the game begins: it needs no sign, whatever comes of it later."""
        var = self.program.vars[index]
        assert isinstance(var.type, Id)
        if not self.program.domains[var.type.domain].parts:
            return None
        first = var.initial
        values = self.program.data[first.data].values if isinstance(first, Lookup) else ()
        values = (first.value,) if isinstance(first, Const) else values
        players = len(self.program.domains[self.program.players].members)
        counts = Counter(value for value in values if isinstance(value, int) and value >= players)
        return min(counts, key=lambda value: (-counts[value], value), default=None)

    def holder_mark(self, owner: Member) -> Mark:
        """The figure of who holds a region, put into the legend."""
        sign = self.signs.of(*owner, "owner")
        self.legend.setdefault(sign, Meaning(member_name(self.program, *owner, self.language), owner))
        return Mark(sign, owner)

    def pointers(self) -> dict[int, str]:
        """The sign of each region that a field of the game points to."""
        found: dict[int, str] = {}
        fields = [each for each in self.fields(None, self.board.domain) if each[1].label is not None]
        for number, (index, var, _) in enumerate(fields):
            cell, sign = self.eyes.scalar(index, 0), POINTERS[number % len(POINTERS)]
            if cell != NONE and cell not in found:
                found[cell] = sign
                self.legend[sign] = Meaning(text_of(self.program, var.label, self.language), strong=True)
        return found
