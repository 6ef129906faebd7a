"""Tables: the rows of the game's kinds, what is looked up, and what dice bring about, in as many pages as they take."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dsl.authoring.printed import text_columns
from dsl.authoring.sections import Section
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name
from dsl.ir.program import Program
from dsl.scene.colours import INK
from dsl.scene.lettering import width_of, wrapped
from dsl.scene.model import Point
from dsl.scene.shapes import Path, Polygon, Shape, Words, box
from dsl.sheets.page import FAINT, MARGIN, Page, foot

KINDS = frozenset({"kinds", "lookup", "effects"})
SIZES, HEAD = (7.5, 6.5, 5.5, 4.5), 11.0
"""Of the text, the first in which every word of a table fits, and of its heading."""
PAD = 3.0
STRIPE = "#f1efe8"
MOST_ROWS = 2000


def tables_of(found: Sequence[Section], paper: Point, apart: frozenset[str]) -> list[Page]:
    """All tables but those whose rows are printed elsewhere, as cards."""
    sheets = _Sheets(paper)
    for section in found:
        if section.kind in KINDS and section.name not in apart and _tells(section):
            sheets.table(section)
    return sheets.finished()


class _Sheets:
    """Tables below each other; one that is too wide for an upright page stands on lying ones."""

    def __init__(self, paper: Point) -> None:
        self.paper = paper
        self.pages: list[Page] = []
        self.size = paper
        self._shapes: list[Shape] = []
        self._y = MARGIN
        self.text = SIZES[0]

    def table(self, section: Section) -> None:
        columns = [n for n, name in enumerate(section.columns) if not self._is_left_out(section, n)]
        heads = [printable(section.columns[n].replace("_", " ")) for n in columns]
        rows = [
            [printable(row.cells[n]) if n < len(row.cells) else "" for n in columns]
            for row in section.rows[:MOST_ROWS]
        ]
        natural = self._extents(heads, rows, lambda text: [text])
        least = self._extents(heads, rows, str.split)
        upright, lying = self.paper[0] - 2 * MARGIN, self.paper[1] - 2 * MARGIN
        fits = [size for size in SIZES if sum(least) * size <= lying]
        is_upright = sum(least) * SIZES[0] <= upright and sum(natural) * SIZES[0] <= 2 * upright
        self._turn(self.paper if is_upright else (self.paper[1], self.paper[0]))
        self.text = SIZES[0] if is_upright else next(iter(fits), SIZES[-1])
        widths = _widths(
            [each * self.text for each in natural],
            [each * self.text for each in least],
            upright if is_upright else lying,
        )
        self._room(HEAD * 2 + self.text * 6)
        self._y += HEAD * 1.5
        title = " ".join(each for each in (section.title or _titled(section.name), section.source) if each)
        self._shapes.append(Words(printable(title), (MARGIN, self._y - 4), HEAD, INK, bold=True))
        self._line(heads, widths, bold=True, striped=False)
        for number, row in enumerate(rows):
            height = self._height(row, widths)
            if self._y + height > self.size[1] - MARGIN - self.text:
                self._close()
                self._line(heads, widths, bold=True, striped=False)
            self._line(row, widths, bold=False, striped=number % 2 == 1)
        self._y += HEAD

    def _extents(
        self, heads: Sequence[str], rows: Sequence[Sequence[str]], parts: Callable[[str], list[str]]
    ) -> list[float]:
        """How wide each column is at the size 1, if the parts of its texts stand below each other."""
        found = []
        for n, head in enumerate(heads):
            bold = [width_of(each, 1, bold=True) for each in parts(head)]
            plain = [width_of(each, 1) for row in rows for each in parts(row[n])]
            found.append(max([*bold, *plain, 0.5]) + 2 * PAD / SIZES[-1] + 0.05)
        return found

    def finished(self) -> list[Page]:
        if self._shapes:
            self._close()
        return self.pages

    def _is_left_out(self, section: Section, column: int) -> bool:
        """The name that rules have for a row that players call otherwise, and a column in which nothing stands."""
        if section.columns[column] == "id" and "name" in section.columns:
            return True
        if section.kind == "effects" and section.columns[column] == "effect":
            return True  # that is the rules' own; players read its words
        return all(column >= len(row.cells) or row.cells[column] in {"", "-"} for row in section.rows)

    def _turn(self, size: Point) -> None:
        if size != self.size:
            if self._shapes:
                self._close()
            self.size = size

    def _room(self, height: float) -> None:
        if self._y + height > self.size[1] - MARGIN:
            self._close()

    def _height(self, row: Sequence[str], widths: Sequence[float]) -> float:
        lines = max(
            len(wrapped(cell, wide - 2 * PAD, self.text)) for cell, wide in zip(row, widths, strict=True)
        )
        return lines * self.text * 1.25 + PAD

    def _line(self, row: Sequence[str], widths: Sequence[float], *, bold: bool, striped: bool) -> None:
        cells = [
            wrapped(cell, wide - 2 * PAD, self.text, bold=bold)
            for cell, wide in zip(row, widths, strict=True)
        ]
        height = max(map(len, cells)) * self.text * 1.25 + PAD
        if striped:
            self._shapes.append(Polygon(box(MARGIN, self._y, sum(widths), height), STRIPE))
        x = MARGIN
        for lines, wide in zip(cells, widths, strict=True):
            for n, text in enumerate(lines):
                at = x + PAD, self._y + (n + 1) * self.text * 1.25 - 1
                self._shapes.append(Words(text, at, self.text, INK, bold=bold))
            x += wide
        self._y += height
        if bold:
            self._shapes.append(Path(((MARGIN, self._y), (x, self._y)), FAINT, 0.6))

    def _close(self) -> None:
        width, height = self.size
        number = foot(width, height, str(len(self.pages) + 1))
        self.pages.append(Page(width, height, (*self._shapes, number)))
        self._shapes, self._y = [], MARGIN


def _titled(name: str) -> str:
    """The name of a table in words: `UnitKind` is `Unit kind`."""
    words = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])", " ", name.replace("_", " "))
    return words[:1].upper() + words[1:].lower() if words != words.upper() else words


def _tells(section: Section) -> bool:
    """Is there anything in a table for players: names that they know, or numbers?"""
    if section.kind == "effects" and "name" not in section.columns:
        return False  # only rules read it
    if section.kind != "kinds" or "name" in section.columns:
        return bool(section.rows)
    return any(any(each.isdigit() for each in cell) for row in section.rows for cell in row.cells[1:])


def _widths(natural: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """As wide as each column would be; where that is too much, as its longest word, and more as there is room."""
    if sum(natural) <= room:
        return list(natural)
    spare = max(0.0, room - sum(least))
    wanted = [max(0.0, each - word) for each, word in zip(natural, least, strict=True)]
    whole = sum(wanted) or 1.0
    return [word + spare * more / whole for word, more in zip(least, wanted, strict=True)]


def in_words(program: Program, found: Sequence[Section], language: str) -> list[Section]:
    """Sections whose cells call things as players do, where all things of one name have the same label; columns by what
    players call them, and of a table that says so of some the others left out, as where it has texts and others say so.
    """
    labels: dict[str, set[str]] = {}
    for number, domain in enumerate(program.domains):
        for member, name in enumerate(domain.members):
            labels.setdefault(name, set()).add(member_name(program, number, member, language))
    known = {name: next(iter(each)) for name, each in labels.items() if len(each) == 1}

    def called(cell: str) -> str:
        return ", ".join(known.get(each, each).replace("_", " ") for each in cell.split(", "))

    return [
        _captioned(program, _reworded(section, text_columns(program, section.name), called), language)
        for section in found
    ]


def _captioned(program: Program, section: Section, language: str) -> Section:
    """A table with the columns that have words for players, under these, and its names and texts."""
    words = {
        each.name.partition(".")[2]: dict(each.called)
        for each in program.data
        if each.name.startswith(f"{section.name}.") and each.called
    }
    texts = text_columns(program, section.name)
    alone = texts and any(each.called for each in program.data)
    if section.kind != "kinds" or not (words or alone):
        return section
    kept = {"id", "name", "copies", *words, *texts}
    at = [number for number, column in enumerate(section.columns) if column in kept]
    own = {name: printable(each.get(language) or each.get("") or name) for name, each in words.items()}
    return replace(
        section,
        columns=tuple(own.get(section.columns[number], section.columns[number]) for number in at),
        rows=tuple(
            replace(row, cells=tuple(row.cells[n] if n < len(row.cells) else "" for n in at))
            for row in section.rows
        ),
    )


def _reworded(section: Section, apart: Sequence[str], called: Callable[[str], str]) -> Section:
    """A table of kinds with other words in its cells, but in the columns that stand apart."""
    if section.kind != "kinds":
        return section
    rows = tuple(
        replace(
            row,
            cells=tuple(
                cell if column in apart else called(cell)
                for column, cell in zip(section.columns, row.cells, strict=False)
            ),
        )
        for row in section.rows
    )
    return replace(section, rows=rows)
