"""The map in text: squares and hexes in their grid, regions in the drawing that their author made, or in a list.

A cell shows what stands on it; where nothing does, what a field of the cell says, and else the sign of the
map. In the drawing of regions a sign behind a name says whose it is, and one before it what points there; beneath it
stand the regions that have pieces, with these.
What stands where is `dsl.scene.standing`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.cli.palette import colour_of
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import Member, member_name
from dsl.engine.machine import Machine
from dsl.ir.program import Board
from dsl.ir.types import NONE
from dsl.scene.eyes import of_player
from dsl.scene.geometry import joined
from dsl.scene.standing import Mark, Meaning, Standing

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

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
MORE = "…"
"""Behind what stands in a cell where there is no room for what else does."""
WIDTH = 80
"""Of a list of regions where no width is given."""
_MARGIN = "  "
"""What stands left of a drawing of regions, so that a sign may point at the first name of a line."""
_SPARE = re.compile("  |--")
"""Two signs of a drawing of regions, of which one says the same."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A map as it stands: its lines, and what its signs mean."""

    lines: tuple[Text, ...]
    legend: tuple[Text, ...]


def drawings(
    machine: Machine, state: list[int], viewer: int | None, language: str, width: int | None = None
) -> list[Drawing]:
    """Each map of the game, as a player (none: somebody who sees all) may see it, in a width if one is given."""
    drawers = [
        _Drawer(Standing(machine, state, of_player(viewer), language, board), width)
        for board in machine.program.boards
    ]
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


def _narrowed(between: str, wider: int) -> tuple[str, int]:
    """What stands between two names, without as many signs as it can spare; and by how many the line is still wider."""
    while wider and (spare := _SPARE.search(between)) is not None:
        between, wider = between[: spare.start()] + between[spare.start() + 1 :], wider - 1
    return between, wider


class _Drawer:
    """One map on its way to the screen."""

    def __init__(self, standing: Standing, width: int | None) -> None:
        self.standing = standing
        self.board: Board = standing.board
        self.names = standing.cells.members
        self.width = width

    def drawn(self) -> Drawing:
        from rich.text import Text

        is_listed = self.board.shape == "regions" and not self.board.drawing.strip()
        regions = self._listed if is_listed else self._regions
        lines = tuple(regions() if self.board.shape == "regions" else self._grid())
        legend = [
            Text(sign, style=self._styled(meaning)) + Text(f" {printable(meaning.text)}", style="dim")
            for sign, meaning in self.standing.legend.items()
        ]
        return Drawing(lines, tuple(legend))

    def _styled(self, meaning: Meaning) -> str:
        return "bold" if meaning.strong else self._colour(meaning.owner)

    def _colour(self, owner: Member | None) -> str:
        return "" if owner is None else colour_of(self.standing.program, *owner)

    # ------------------------------------------------------------ what stands where

    def _marks(self) -> dict[int, list[Mark]]:
        """For each cell its pieces, or else what its fields say."""
        standing, found = self.standing, self._pieces()
        for cell, index, member in standing.held(set(found)):
            found[cell] = [standing.said_of_cell(index, member)]
        for cell, member in standing.overlay():
            found.setdefault(cell, [Mark(standing.overlay_sign(member))])
        return found

    def _pieces(self) -> dict[int, list[Mark]]:
        """For each cell its pieces."""
        standing = self.standing
        found: dict[int, list[Mark]] = {}
        for seen in standing.pieces:
            name, label = standing.kind_sign(seen)
            whose, is_hollow = standing.owner_sign(seen)
            sign = name + whose
            if seen.outline is not None and not is_hollow:
                sign += standing.outline_sign(seen.outline)
            standing.legend.setdefault(name, Meaning(label))
            sign += ARROWS.get(seen.facing, "")
            for cell in seen.cells:
                found.setdefault(cell, []).append(Mark(sign, seen.owner))
        return found

    # ------------------------------------------------------------ squares and hexes

    def _grid(self) -> Iterator[Text]:
        from rich.text import Text

        from dsl.cli.grid import laid

        marks = self._marks()
        cells = range(len(self.names))
        alone = [Text(marks[cell][0].text if cell in marks else self.standing.ground(cell)) for cell in cells]
        wide = max(self.standing.widest, *(each.cell_len for each in alone))
        room = wide + (self.board.shape != "squares")
        shown = {cell: self._shown(cell, marks.get(cell, []), room) for cell in cells}
        called = {cell: self._called(cell, marks.get(cell, []), shown[cell]) for cell in cells}
        self.standing.explain({self.standing.ground(cell) for cell in cells if not marks.get(cell)})
        yield from laid(self.board, self.names, shown, called, self.width, wide)

    def _shown(self, cell: int, marks: list[Mark], room: int) -> Text:
        """What stands in a cell, or its sign. Of several things for which there is no room only the first."""
        from rich.text import Text

        text = Text()
        for mark in marks:
            text.append(mark.text, style=self._colour(mark.owner))
        if len(marks) > 1 and text.cell_len > room:
            self.standing.legend.setdefault(
                MORE, Meaning(word("more there", self.standing.language or self.standing.program.language))
            )
            first = Text(marks[0].text, style=self._colour(marks[0].owner))
            return Text.assemble(first[: room - 1], MORE)
        return text if marks else Text(self.standing.ground(cell), style="dim")

    def _called(self, cell: int, marks: list[Mark], shown: Text) -> Text:
        """The same behind the cell's name."""
        from rich.text import Text

        name = self.names[cell]
        if not marks:
            ground = self.standing.ground(cell)
            return Text(name + (f":{ground}" if ground != "." else ""), style="dim")
        return Text(f"{name}:", style="dim").append_text(shown)

    # ------------------------------------------------------------ regions

    def _regions(self) -> Iterator[Text]:
        """The drawing, each name in its holder's colour with a sign behind it.

        A sign stands in place of a space; where there is none, the line grows by it, up to where there is room.
        """
        from rich.text import Text

        holders = {cell: self.standing.holder_mark(owner) for cell, owner in self.standing.holders().items()}
        pointers = self.standing.pointers()
        names = {name: cell for cell, name in enumerate(self.names)}
        pattern = re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")\b") if names else None
        for drawn in printable(self.board.drawing).rstrip().strip("\n").splitlines():
            raw = f"{_MARGIN}{drawn}"
            line, at, wider = Text(), 0, 0
            for found in pattern.finditer(raw) if pattern is not None else ():
                cell = names[found[1]]
                pointer, holder = pointers.get(cell), holders.get(cell)
                between, wider = _narrowed(raw[at : found.start()], wider)
                if pointer is not None:
                    wider += not between.endswith(" ")
                    between = between.removesuffix(" ")
                line.append(between, style="dim")
                if pointer is not None:
                    line.append(pointer, style="bold")
                line.append(found[1], style=self._colour(holder.owner) if holder is not None else "")
                at = found.end()
                if holder is not None and holder.text:
                    line.append(holder.text, style=self._colour(holder.owner))
                    is_room = raw[at : at + 1] in {"", " "}
                    at, wider = (at + 1, wider) if is_room else (at, wider + 1)
            line.append(_narrowed(raw[at:], wider)[0], style="dim")
            yield line
        pieces = self._pieces()
        if pieces:
            items = [
                Text(self.names[cell]).append_text(self._together(pieces[cell])) for cell in sorted(pieces)
            ]
            yield from self._folded(Text(_MARGIN), items)

    def _together(self, marks: list[Mark]) -> Text:
        """Behind the name of a region what stands there, of several alike how many."""
        from rich.text import Text

        text = Text()
        for mark, count in Counter(marks).items():
            text.append(f" {count}" if count > 1 else "")
            text.append(f" {mark.text}", style=self._colour(mark.owner))
        return text

    def _listed(self) -> Iterator[Text]:
        """A list for a map without a drawing, each region with its number and its pieces: where regions are in groups,
        those groups to which one comes from where anything stands (all, where nothing does anywhere), with the sign of
        who holds each region before it; else the regions of each holder, then those that something else is told of.
        """
        from rich.text import Text

        standing = self.standing
        holders = {cell: standing.holder_mark(owner) for cell, owner in standing.holders().items()}
        pointers, number, notes = standing.pointers(), standing.number(), standing.notes()
        pieces = self._pieces()
        items: dict[int, Text] = {}
        told: list[int] = []
        for cell in range(len(self.names)):
            count = NONE if number is None else standing.eyes.scalar(number, cell)
            pointer = pointers.get(cell)
            known = cell in holders or pointer is not None or cell in notes or cell in pieces
            if known or count not in {NONE, 0}:
                told.append(cell)
            item = Text(pointer, style="bold") if pointer is not None else Text()
            label = member_name(standing.program, self.board.domain, cell, standing.language)
            item.append(printable(label))
            if count != NONE:
                item.append(f" {count}", style="bold")
            item.append_text(self._together(pieces.get(cell, [])))
            if cell in notes:
                item.append(f" ({', '.join(notes[cell])})", style="dim")
            items[cell] = item
        grouped = standing.groups()
        if not grouped:
            by_holder: dict[Mark | None, list[Text]] = {
                mark: [] for mark in sorted({*holders.values()}, key=repr)
            }
            for cell in told:
                by_holder.setdefault(holders.get(cell), []).append(items[cell])
            for mark, each in by_holder.items():
                sign = f"{_MARGIN}{mark.text if mark is not None else ' '} "
                yield from self._folded(
                    Text(sign, self._colour(mark.owner) if mark is not None else ""), each
                )
            return
        shown = {cell for part in joined(self.board) if part & set(told) for cell in part}
        for name, cells in grouped:
            if told and not shown & set(cells):
                continue
            signed = []
            for cell in cells:
                owner = holders.get(cell)
                marked = Text(owner.text, self._colour(owner.owner)) if owner is not None else Text()
                signed.append(marked.append_text(items[cell]))
            yield from self._folded(Text(f"{_MARGIN}{printable(name)}: "), signed, 2 * len(_MARGIN))

    def _folded(self, first: Text, items: list[Text], margin: int | None = None) -> Iterator[Text]:
        """A list behind its heading, in as many lines as it needs."""
        from rich.text import Text

        line, margin = first, first.cell_len if margin is None else margin
        for place, item in enumerate(items):
            comma = "," if place < len(items) - 1 else ""
            gap = " " if place else ""
            if place and line.cell_len + item.cell_len + 2 > (self.width or WIDTH):
                yield line
                line, gap = Text(" " * margin), ""
            line = Text.assemble(line, gap, item, comma)
        yield line
