"""Squares and hexes on the screen: each cell in its place, in a width.

Squares have rulers: the numbers of the rows at the side, the letters of the columns below. Hexes are called by their
names, each in its cell; where that is too wide they are drawn by their signs alone, with the numbers of the rows at the
side and the letters of the columns above. Where names are not made like that (cells below each other with other
letters, as in a rhombus) the name of the first cell of each line stands at its side, from which the others are counted.
What is still too wide is drawn in parts of like width, from left to right, each with its letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dsl.ir.program import Board

if TYPE_CHECKING:
    from rich.text import Text

Texts = Mapping[int, "Text"]
"""What stands in each cell."""


def laid(
    board: Board, names: tuple[str, ...], shown: Texts, called: Texts, width: int | None, wide: int
) -> Iterator[Text]:
    """The lines of a grid: `shown` is what stands in each cell, in `wide` characters (of hexes perhaps one more, which
    stands in the gap between them), `called` the same with the cell's name before it.
    """
    if board.shape == "squares":
        yield from _Grid(board, names, shown, wide).lines(width)
        return
    named = _Grid(board, names, called, max(map(len, names), default=0) + 1 + wide, ruled=False)
    if width is None or named.width <= width:
        yield from named.lines(None)
    else:
        yield from _Grid(board, names, shown, wide).lines(width)


class _Grid:
    """Cells in their places: `x` is where one begins in its line, the leftmost at 0."""

    def __init__(
        self, board: Board, names: tuple[str, ...], texts: Texts, wide: int, *, ruled: bool = True
    ) -> None:
        self.board = board
        self.names = names
        self.texts = texts
        self.step = wide + 1
        if board.shape == "squares":  # the letters of columns behind the 26th are two
            self.step = max(self.step, 1 + max((len(_letters(names[each])) for each in texts), default=0))
        places = {cell: self._place(cell) for cell in texts}
        left = min((x for x, _ in places.values()), default=0)
        self.rows: dict[int, list[tuple[int, int]]] = {}
        for cell, (x, y) in places.items():
            self.rows.setdefault(y, []).append((x - left, cell))
        self.squares = board.shape == "squares"
        self.pitch = self.step if self.squares else self.step + 1
        self.margin = 4 if self.squares else 2
        self.ruled = ruled
        self.heads: dict[int, str] = {}
        """The letters of each column of hexes, where names are made of those and of a row's number."""
        if ruled and not self.squares:
            self.heads = self._heads()
            longest = max((len(_number(each) if self.heads else each) for each in names), default=0)
            self.margin = longest + 3
        self.extent = max((x + self.step for row in self.rows.values() for x, _ in row), default=0)

    @property
    def width(self) -> int:
        """How many columns of the screen it takes."""
        return self.margin + self.extent - 1

    def _place(self, cell: int) -> tuple[int, int]:
        """Where a cell begins on the screen: axial coordinates become half steps aside or down."""
        x, y = self.board.x[cell], self.board.y[cell]
        match self.board.shape:
            case "hexes_pointy":
                return (2 * x + y) * (self.step + 1) // 2, y
            case "hexes_flat":
                return x * (self.step + 1), 2 * y + x
            case _:
                return x * self.step, -y

    def _heads(self) -> dict[int, str]:
        """What stands above each column; nothing where names are not made of letters for each and a number for each
        line, or where letters have no room.
        """
        heads: dict[int, set[str]] = {}
        for row in self.rows.values():
            if len({_number(self.names[cell]) for _, cell in row}) > 1:
                return {}
            for x, cell in row:
                heads.setdefault(x // self.pitch, set()).add(_letters(self.names[cell]))
        found = {column: min(each) for column, each in heads.items() if len(each) == 1}
        distinct = len(set(found.values())) == len(heads)
        room = all(0 < len(each) < self.pitch for each in found.values())
        return found if distinct and room else {}

    def lines(self, width: int | None) -> Iterator[Text]:
        """All lines, in as few parts of like width as there is room for, an empty line between them."""
        from rich.text import Text

        starts = [x for row in self.rows.values() for x, _ in row]
        columns = max(starts, default=0) // self.pitch + 1
        wide = columns
        if width is not None:
            aside = max((x % self.pitch for x in starts), default=0)
            room = max(1, (width - self.margin - aside - self.step + 1) // self.pitch + 1)
            parts = -(-columns // room)
            wide = -(-columns // parts)
        for start in range(0, columns, wide):
            if start:
                yield Text("")
            yield from self._part(start * self.pitch, (start + wide) * self.pitch)

    def _part(self, start: int, end: int) -> Iterator[Text]:
        """The lines between two columns."""
        from rich.text import Text

        if self.heads:
            head = Text(style="dim")
            for column in sorted(self.heads):
                if start <= column * self.pitch < end:
                    head.append(" " * (self.margin + column * self.pitch - start - head.cell_len))
                    head.append(self.heads[column])
            yield head
        for y in range(min(self.rows, default=0), max(self.rows, default=-1) + 1):
            row = [(x - start, cell) for x, cell in sorted(self.rows.get(y, [])) if start <= x < end]
            if not row and y in self.rows:
                continue
            line = Text(self._ruler(y, row), style="dim")
            for x, cell in row:
                line.append(" " * (self.margin + x - line.cell_len))
                line.append_text(self.texts[cell])
            yield line
        if self.squares:
            columns = {x: cell for row in self.rows.values() for x, cell in row if start <= x < end}
            heads = "".join(f"{_letters(self.names[columns[x]]):<{self.step}}" for x in sorted(columns))
            yield Text(" " * self.margin + heads.rstrip(), style="dim")

    def _ruler(self, y: int, row: list[tuple[int, int]]) -> str:
        """What stands at the side of a line."""
        if not row or not self.ruled:
            return " " * self.margin
        if self.heads:
            return f"{_number(self.names[row[0][1]]):>{self.margin - 1}} "
        if not self.squares:
            return f"  {self.names[row[0][1]]:<{self.margin - 2}}"
        cells = [cell for _, cell in self.rows[y]]
        return f"{self.names[cells[0]].lstrip('abcdefghijklmnopqrstuvwxyz'):>3} "


def _number(name: str) -> str:
    """The number that the name of a cell ends with."""
    found = re.search(r"\d+$", name)
    return found[0] if found is not None else ""


def _letters(name: str) -> str:
    """The letters that the name of a cell begins with."""
    return re.sub(r"\d+$", "", name)
