"""The map in text: squares and hexes in their grid, regions in the drawing that their author made, or in a list.

A cell shows what stands on it; where nothing does, what a field of the cell says, and else the sign of the
map. In the drawing of regions a sign behind a name says whose it is, and one before it what points there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.cli.ground import areas, laid_over, outlined
from dsl.cli.palette import colour_of
from dsl.cli.signs import SHORT, Signs
from dsl.diagnostics.excerpt import printable
from dsl.engine import layout
from dsl.engine.display import member_name, text_of
from dsl.engine.kinds import kind_seen
from dsl.engine.machine import Machine
from dsl.engine.piles import in_play
from dsl.engine.views import may_see
from dsl.ir.nodes import Lookup
from dsl.ir.program import Board, Domain, Pool, Program, Var
from dsl.ir.types import NONE, Id, Int

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

POINTERS = "▶▷►▹"
CHANGED = "·"
"""What is drawn for a cell that is no longer as any sign of the map says, where nothing shorter tells more."""
ARROWS = {
    "north": "↑",
    "northeast": "↗",
    "east": "→",
    "southeast": "↘",
    "south": "↓",
    "southwest": "↙",
    "west": "←",
    "northwest": "↖",
}
"""How a piece is drawn that faces a direction."""
WIDTH = 80
"""Of a list of regions where no width is given."""
_MARGIN = "  "
"""What stands left of a drawing of regions, so that a sign may point at the first name of a line."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in a cell: a few characters, and a colour."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A map as it stands: its lines, and what its signs mean."""

    lines: tuple[Text, ...]
    legend: tuple[Text, ...]


def drawings(
    machine: Machine, state: list[int], viewer: int | None, language: str, width: int | None = None
) -> list[Drawing]:
    """Each map of the game, as a player (none: somebody who sees all) may see it, in a width if one is given."""
    drawers = [_Drawer(machine, state, viewer, language, board) for board in machine.program.boards]
    for each in drawers:
        each.width = width
    return [each.drawn() for each in drawers]


def show_drawing(console: Console, drawing: Drawing) -> None:
    """A map with its legend, of which no sign is parted from what it means."""
    from rich.text import Text

    for line in drawing.lines:
        console.print(line, soft_wrap=True)
    line = Text()
    for each in drawing.legend:
        if line and line.cell_len + 2 + each.cell_len > console.width:
            console.print(line, soft_wrap=True)
            line = Text()
        line = Text("  ").join([line, each]) if line else each
    if line:
        console.print(line, soft_wrap=True)


class _Drawer:
    """One map on its way to the screen."""

    def __init__(
        self, machine: Machine, state: list[int], viewer: int | None, language: str, board: Board
    ) -> None:
        self.machine = machine
        self.program: Program = machine.program
        self.state = state
        self.viewer = viewer
        self.language = language
        self.board = board
        self.cells: Domain = self.program.domains[board.domain]
        self.width: int | None = None
        self._grounds: dict[int, str] = {}
        self.legend: dict[str, tuple[str, str]] = {}
        """For each sign what it means, and its colour."""
        self.signs = Signs(self.program, (printable(each) for each in board.signs))
        for _, _, kind in self._fields(board.domain):
            self.signs.give(kind.domain, self._use(kind.domain))
        for pool in self.program.pools:
            for _, _, kind in self._fields(pool.domain):
                if self._is_owner(kind.domain):
                    self.signs.give(kind.domain, "owner")
            kinds = self.program.data[pool.kinds].type if pool.kinds is not None else None
            kinds = self.program.vars[pool.kind].type if pool.kind is not None else kinds
            if isinstance(kinds, Id):
                self.signs.give(kinds.domain, "thing")

    def drawn(self) -> Drawing:
        from rich.text import Text

        is_listed = self.board.shape == "regions" and not self.board.drawing.strip()
        regions = self._listed if is_listed else self._regions
        lines = tuple(regions() if self.board.shape == "regions" else self._grid())
        legend = [
            Text(sign, style=style) + Text(f" {printable(meaning)}", style="dim")
            for sign, (meaning, style) in self.legend.items()
        ]
        return Drawing(lines, tuple(legend))

    # ------------------------------------------------------------ reading the state

    def _value(self, index: int, member: int) -> int:
        """A scalar variable of a member; none where this viewer may not see it."""
        var = self.program.vars[index]
        if self.viewer is not None and not may_see(self.machine, self.state, index, member, self.viewer):
            return NONE
        return self.state[var.offset + member * var.width]

    def _fields(self, of: int | None, to: int | None = None) -> Iterator[tuple[int, Var, Id]]:
        """The fields of a domain's members (none: of the game) that hold a member of another domain."""
        for index, var in enumerate(self.program.vars):
            fits = var.of == of and var.role == "field" and isinstance(var.type, Id)
            if fits and isinstance(var.type, Id) and (to is None or var.type.domain == to):
                yield index, var, var.type

    def _is_owner(self, domain: int) -> bool:
        """Is it a domain of players, or one that has them as a part?"""
        declared = self.program.domains[domain]
        return declared.kind in {"player", "side"} or any(map(self._is_owner, declared.parts))

    def _colour(self, domain: int, member: int) -> str:
        """A colour for each that can own something."""
        if not self._is_owner(domain) or member == NONE:
            return ""
        return colour_of(self.program, domain, member)

    # ------------------------------------------------------------ what stands where

    def _marks(self) -> dict[int, list[Mark]]:
        """For each cell its pieces, or else what its fields say."""
        found: dict[int, list[Mark]] = {}
        for pool in self.program.pools:
            for cell, mark in self._pieces(pool):
                found.setdefault(cell, []).append(mark)
        for index, var, kind in self._fields(self.board.domain):
            drawn = self._drawn(var)
            if drawn is not None and not self._is_owner(kind.domain):
                continue  # the ground shows it
            for cell in range(len(self.cells.members)):
                value = self._value(index, cell)
                if value != NONE and cell not in found and (drawn is None or value != drawn[cell]):
                    found[cell] = [self._named(kind.domain, value)]
        for cell, member in laid_over(self.machine, self.state, self.board):
            sign = self.signs.of(*member, "overlay")
            found.setdefault(cell, [Mark(sign)])
            self.legend.setdefault(sign, (member_name(self.program, *member, self.language), ""))
        return found

    def _drawn(self, var: Var) -> tuple[int | tuple[int, ...], ...] | None:
        """What the map's own signs say of a field of cells, if they do."""
        lookup = var.initial
        of_cells = var.of == self.board.domain and var.role == "field" and bool(self.board.signs)
        return (
            tuple(self.program.data[lookup.data].values) if of_cells and isinstance(lookup, Lookup) else None
        )

    def _explain(self, shown: set[str]) -> None:
        """Puts into the legend what the map's own signs say of their cells."""
        for var in self.program.vars:
            values = self._drawn(var)
            usual = next((v for s, v in zip(self.board.signs, values or (), strict=False) if s == "."), NONE)
            for sign, value in zip(self.board.signs, values or (), strict=False):
                if sign not in shown or not isinstance(value, int) or value in {NONE, usual}:
                    continue
                if isinstance(var.type, Id):
                    meaning = member_name(self.program, var.type.domain, value, self.language)
                elif isinstance(var.type, Int) and var.type.truth and value:
                    meaning = self._name(var)
                elif isinstance(var.type, Int) and not var.type.truth:
                    meaning = f"{self._name(var)} {value}"
                else:
                    continue
                before = self.legend.get(printable(sign), ("", ""))[0]
                if meaning not in before.split(", "):
                    self.legend[printable(sign)] = (f"{before}, {meaning}" if before else meaning, "")
        for sign, meaning in areas(self.program, self.board, self.language):
            if sign in shown:
                self.legend.setdefault(printable(sign), (meaning, ""))

    def _pieces(self, pool: Pool) -> Iterator[tuple[int, Mark]]:
        """The pieces on the map, one after another, each in all the cells that it covers."""
        owners = [index for index, _, kind in self._fields(pool.domain) if self._is_owner(kind.domain)]
        for piece, cells in self._standing(pool):
            name, label = self._kind(pool, piece)
            sign, style = name, ""
            outline = outlined(self.machine, self.state, pool, piece, self.viewer)
            for index in owners[:1]:
                owner = self._value(index, piece)
                domain = self.program.vars[index].type
                if owner != NONE and isinstance(domain, Id):
                    style = self._colour(domain.domain, owner)
                    whose = self._named(domain.domain, owner).text
                    if outline is not None and (hollow := self.signs.hollow(whose)):
                        of = member_name(self.program, domain.domain, owner, self.language)
                        why = member_name(self.program, *outline, self.language)
                        before = self.legend.get(hollow, (of, style))[0]
                        told = before if why in before.split(", ")[1:] else f"{before}, {why}"
                        self.legend[hollow] = (told, style)
                        whose, outline = hollow, None
                    sign += whose
            if outline is not None:
                mark = self.signs.of(*outline, "overlay")
                self.legend.setdefault(mark, (member_name(self.program, *outline, self.language), ""))
                sign += mark
            self.legend.setdefault(name, (label, ""))
            sign += self._facing(pool, piece)
            for cell in cells:
                yield cell, Mark(sign, style)

    def _facing(self, pool: Pool, piece: int) -> str:
        """An arrow, if a field of the piece always holds a direction."""
        for index, _, kind in self._fields(pool.domain):
            members = self.program.domains[kind.domain].members
            if not kind.optional and all(member in ARROWS for member in members):
                value = self._value(index, piece)
                return "" if value == NONE else ARROWS[members[value]]
        return ""

    def _standing(self, pool: Pool) -> Iterator[tuple[int, list[int]]]:
        """Each piece that this viewer sees on the map, with the cells it covers: its place is its field `at` alone."""
        covering = dict(self.board.shapes)
        places = [self.board.domain, *covering]
        for at, var, kind in self._fields(pool.domain):
            is_place = var.name == "at" and kind.domain in places
            for piece in in_play(self.program, self.state, pool) if is_place else ():
                place = self._value(at, piece)
                if not 0 <= place < len(self.program.domains[kind.domain].members):
                    continue
                cells = (
                    self.program.data[covering[kind.domain]].values[place] if kind.domain in covering else 0
                )
                mask = cells if isinstance(cells, int) else 0
                yield piece, [each for each in range(len(self.cells.members)) if mask >> each & 1] or [place]

    def _kind(self, pool: Pool, piece: int) -> tuple[str, str]:
        """What kind of piece it is, as far as this viewer sees that: its sign, and in words."""
        kind = kind_seen(self.machine, self.state, pool, piece, self.viewer)
        if kind is not None:
            sign = self.signs.of(*kind, "thing")
            return sign, self._meaning(*kind, sign)
        return pool.name[:SHORT], pool.name

    def _named(self, domain: int, member: int) -> Mark:
        """A member by its own name where that is short, or by a sign that the legend explains."""
        name = self.program.domains[domain].members[member]
        style = self._colour(domain, member)
        if len(name) <= SHORT:
            return Mark(name, style)
        sign = self.signs.of(domain, member, self._use(domain))
        self.legend.setdefault(sign, (self._meaning(domain, member, sign), style))
        return Mark(sign, style)

    def _meaning(self, domain: int, member: int, sign: str) -> str:
        """What a member is called in words: by its name, where its label is its sign."""
        label = member_name(self.program, domain, member, self.language)
        return label if label != sign else self.program.domains[domain].members[member].replace("_", " ")

    def _use(self, domain: int) -> str:
        return "owner" if self._is_owner(domain) else "thing"

    def _name(self, var: Var) -> str:
        return text_of(self.program, var.label, self.language) or var.name.replace("_", " ")

    # ------------------------------------------------------------ squares and hexes

    def _grid(self) -> Iterator[Text]:
        from dsl.cli.grid import laid

        marks = self._marks()
        cells = range(len(self.cells.members))
        shown = {cell: self._shown(cell, marks.get(cell, [])) for cell in cells}
        called = {cell: self._called(cell, marks.get(cell, [])) for cell in cells}
        self._explain({self._ground(cell) for cell in cells if not marks.get(cell)})
        yield from laid(self.board, self.cells.members, shown, called, self.width)

    def _shown(self, cell: int, marks: list[Mark]) -> Text:
        """What stands in a cell, or its sign."""
        from rich.text import Text

        text = Text()
        for mark in marks:
            text.append(mark.text, style=mark.style)
        return text if marks else Text(self._ground(cell), style="dim")

    def _called(self, cell: int, marks: list[Mark]) -> Text:
        """The same behind the cell's name."""
        from rich.text import Text

        name = self.cells.members[cell]
        if not marks:
            ground = self._ground(cell)
            return Text(name + (f":{ground}" if ground != "." else ""), style="dim")
        return Text(f"{name}:", style="dim").append_text(self._shown(cell, marks))

    def _ground(self, cell: int) -> str:
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
        now = [(var, values, self._now(index, var, cell)) for index, var, values in self._told()]
        differ = [each for each in now if each[1][cell] != each[2]]
        if not differ:
            return printable(signs[cell]) or "."
        fits = (n for n in range(len(signs)) if all(values[n] == value for _, values, value in now))
        alike = next(fits, None)
        if alike is not None:
            return printable(signs[alike]) or "."
        for var, _, value in differ:
            number = isinstance(var.type, Int) and not var.type.truth and isinstance(value, int)
            if number and value != NONE and len(str(value)) <= SHORT and str(value) not in signs:
                self.legend.setdefault(str(value), (f"{self._name(var)} {value}", ""))
                return str(value)
        for var, _, value in differ:
            if isinstance(var.type, Id) and isinstance(value, int) and value != NONE:
                return self._named(var.type.domain, value).text
        names = ", ".join(dict.fromkeys(self._name(var) for var, _, _ in differ))
        self.legend.setdefault(CHANGED, (f"{names} {CHANGED}", ""))
        return CHANGED

    def _told(self) -> list[tuple[int, Var, tuple[layout.Plain, ...]]]:
        """The fields of cells that the map's own signs set, each with what they say of every cell."""
        found = ((index, var, self._drawn(var)) for index, var in enumerate(self.program.vars))
        return [(index, var, values) for index, var, values in found if values is not None]

    def _now(self, index: int, var: Var, cell: int) -> layout.Plain:
        """What a field of a cell holds; what the viewer may not see is as the map says."""
        if self.viewer is not None and not may_see(self.machine, self.state, index, cell, self.viewer):
            values = self._drawn(var)
            return values[cell] if values is not None else NONE
        return layout.read(self.program, self.state, var.offset + cell * var.width, var.type)

    # ------------------------------------------------------------ regions

    def _regions(self) -> Iterator[Text]:
        """The drawing, each name in its holder's colour with a sign behind it."""
        from rich.text import Text

        holders, pointers = self._holders(), self._pointers()
        names = {name: cell for cell, name in enumerate(self.cells.members)}
        pattern = re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")\b") if names else None
        for drawn in printable(self.board.drawing).rstrip().strip("\n").splitlines():
            raw = f"{_MARGIN}{drawn}"
            line, at = Text(), 0
            for found in pattern.finditer(raw) if pattern is not None else ():
                cell = names[found[1]]
                pointer, holder = pointers.get(cell), holders.get(cell)
                start = found.start() - (1 if pointer and raw[at : found.start()].endswith(" ") else 0)
                line.append(raw[at:start], style="dim")
                if start < found.start() and pointer is not None:
                    line.append(pointer.text, style=pointer.style)
                line.append(found[1], style=holder.style if holder is not None else "")
                at = found.end()
                if holder is not None and holder.text and raw[at : at + 1] in {"", " "}:
                    line.append(holder.text, style=holder.style)
                    at += 1
            line.append(raw[at:], style="dim")
            yield line

    def _listed(self) -> Iterator[Text]:
        """A list for a map without a drawing: the regions of each holder, then those that something else is told of,
        each with its number.
        """
        from rich.text import Text

        holders, pointers, number, notes = self._holders(), self._pointers(), self._number(), self._notes()
        groups: dict[Mark | None, list[Text]] = {mark: [] for mark in sorted({*holders.values()}, key=repr)}
        for cell in range(len(self.cells.members)):
            count = NONE if number is None else self._value(number, cell)
            holder, pointer = holders.get(cell), pointers.get(cell)
            if holder is None and pointer is None and cell not in notes and count in {NONE, 0}:
                continue
            item = Text(pointer.text, style=pointer.style) if pointer is not None else Text()
            item.append(printable(member_name(self.program, self.board.domain, cell, self.language)))
            if count != NONE:
                item.append(f" {count}", style="bold")
            if cell in notes:
                item.append(f" ({', '.join(notes[cell])})", style="dim")
            groups.setdefault(holder, []).append(item)
        for mark, items in groups.items():
            first = Text(
                f"{_MARGIN}{mark.text if mark is not None else ' '} ", mark.style if mark is not None else ""
            )
            line, margin = first, first.cell_len
            for place, item in enumerate(items):
                comma = "," if place < len(items) - 1 else ""
                gap = " " if place else ""
                if place and line.cell_len + item.cell_len + 2 > (self.width or WIDTH):
                    yield line
                    line, gap = Text(" " * margin), ""
                line = Text.assemble(line, gap, item, comma)
            yield line

    def _notes(self) -> dict[int, list[str]]:
        """What is told of regions by the fields with words that name one: those of players, and of other regions."""
        found: dict[int, list[str]] = {}
        for of in (self.program.players, self.board.domain):
            for index, var, _ in self._fields(of, self.board.domain):
                for member in range(len(self.program.domains[of].members) if var.label is not None else 0):
                    if (there := self._value(index, member)) == NONE:
                        continue
                    about, other = (
                        (there, (of, member)) if of == self.program.players else (member, (of, there))
                    )
                    label = text_of(self.program, var.label, self.language)
                    told = f"{label} {member_name(self.program, *other, self.language)}"
                    found.setdefault(about, []).append(printable(told))
        return found

    def _number(self) -> int | None:
        """The first field of the regions that holds a number and has words for players."""
        return next(
            (
                index
                for index, var in enumerate(self.program.vars)
                if var.of == self.board.domain and var.role == "field" and var.label is not None
                if isinstance(var.type, Int) and not var.type.truth
            ),
            None,
        )

    def _holders(self) -> dict[int, Mark]:
        """Whose each region is: by its first field that names an owner."""
        for index, _, kind in self._fields(self.board.domain):
            if not self._is_owner(kind.domain):
                continue
            common = self._commonest(index)
            found = {}
            for cell in range(len(self.cells.members)):
                value = self._value(index, cell)
                if value not in {NONE, common}:
                    found[cell] = self._sign(kind.domain, value)
            return found
        return {}

    def _commonest(self, index: int) -> int | None:
        """What is no player and most cells say, which then needs no sign."""
        kind = self.program.vars[index].type
        assert isinstance(kind, Id)
        if not self.program.domains[kind.domain].parts:
            return None
        values = [self._value(index, cell) for cell in range(len(self.cells.members))]
        players = len(self.program.domains[self.program.players].members)
        others = [value for value in values if value >= players]
        return max(sorted(set(others)), key=others.count, default=None) if len(set(values)) > 1 else None

    def _sign(self, domain: int, member: int) -> Mark:
        sign, style = self.signs.of(domain, member, "owner"), self._colour(domain, member)
        self.legend.setdefault(sign, (member_name(self.program, domain, member, self.language), style))
        return Mark(sign, style)

    def _pointers(self) -> dict[int, Mark]:
        """The regions that a field of the game points to."""
        found: dict[int, Mark] = {}
        fields = [each for each in self._fields(None, self.board.domain) if each[1].label is not None]
        for number, (index, var, _) in enumerate(fields):
            cell, sign = self._value(index, 0), POINTERS[number % len(POINTERS)]
            if cell != NONE and cell not in found:
                found[cell] = Mark(sign, "bold")
                self.legend[sign] = (text_of(self.program, var.label, self.language), "bold")
        return found
