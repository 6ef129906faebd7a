"""Tables: the rows of the game's kinds, what is looked up, and what dice bring about, in as many pages as they take."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dsl.authoring.printed import text_columns
from dsl.authoring.sections import Section
from dsl.authoring.survey import kinds
from dsl.catalogue import N_, nearest, told
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import title_in
from dsl.ir.program import Program
from dsl.scene.colours import INK
from dsl.scene.lettering import width_of, wrapped
from dsl.scene.model import Point
from dsl.scene.shapes import Path, Polygon, Shape, Words, box
from dsl.sheets.page import FAINT, FOOT, MARGIN, MM, Page, foot, of_the_book

KINDS = frozenset({"kinds", "lookup", "effects"})
SIZES, HEAD = (7.5, 6.5, 5.5, 4.5), 11.0
"""Of the text, the first in which every word of a table fits, and of its heading."""
PAD = 3.0
STRIPE = "#f1efe8"
MOST_ROWS = 2000
LEAST_ROWS = 4
"""So many rows of a table that takes more than a page stand below its heading at least."""
BETWEEN = 8 * MM
"""What is left between two columns of narrow tables."""
FORMS = ("upright", "half", "lying")
NAME = "name"


def tables_of(
    program: Program, found: Sequence[Section], paper: Point, apart: frozenset[str], language: str
) -> list[Page]:
    """All tables but those whose rows are printed elsewhere, as cards: those that are as wide as a page, then narrow
    ones in two columns, and on lying pages those that are wider.
    """
    sheets = _Sheets(paper, title_in(program, language))
    fitting = [
        _Fitted(program, section, paper, language)
        for section in found
        if section.kind in KINDS and section.name not in apart and _tells(section)
    ]
    for form in FORMS:
        own = [each for each in fitting if each.form == form]
        if own:
            sheets.begin(form)
        for each in own:
            sheets.table(each)
    return sheets.finished()


class _Fitted:
    """A table with what of it is printed, how wide its columns are, and how it lies."""

    def __init__(self, program: Program, section: Section, paper: Point, language: str) -> None:
        columns = [n for n, name in enumerate(section.columns) if not _is_left_out(section, n)]
        self.heads = [_heading(program, section, n, language) for n in columns]
        self.rows = [
            [printable(row.cells[n]) if n < len(row.cells) else "" for n in columns]
            for row in section.rows[:MOST_ROWS]
        ]
        source = of_the_book(section.source)
        name = section.title or _titled(section.name)
        title = printable(" ".join(each for each in (name[:1].upper() + name[1:], source) if each))
        natural, least = self._extents(lambda text: [text]), self._extents(str.split)
        upright, lying = paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN
        half = (upright - BETWEEN) / 2
        self.text = SIZES[0]
        if sum(natural) * self.text <= half:
            self.form, room = "half", half
        elif sum(least) * self.text <= upright and sum(natural) * self.text <= 2 * upright:
            self.form, room = "upright", upright
        else:
            self.form, room = "lying", lying
            fits = [size for size in SIZES if sum(least) * size <= lying]
            self.text = next(iter(fits), SIZES[-1])
        sized = [each * self.text for each in natural], [each * self.text for each in least], room
        self.widths = min((_widths(*sized), _widths(*sized, is_even=True)), key=self._high)
        self.title = wrapped(title, room, HEAD, bold=True)

    def _extents(self, parts: Callable[[str], list[str]]) -> list[float]:
        """How wide each column is at the size 1, if the parts of its texts stand below each other."""
        found = []
        for n, head in enumerate(self.heads):
            bold = [width_of(each, 1, bold=True) for each in parts(head)]
            plain = [width_of(each, 1) for row in self.rows for each in parts(row[n])]
            found.append(max([*bold, *plain, 0.5]) + 2 * PAD / SIZES[-1] + 0.05)
        return found

    def _high(self, widths: Sequence[float]) -> float:
        """How high all rows are with columns of these widths."""
        return sum(self.height(row, widths=widths) for row in self.rows)

    def height(
        self, row: Sequence[str], *, bold: bool = False, widths: Sequence[float] | None = None
    ) -> float:
        """How high a row is."""
        cells = zip(row, self.widths if widths is None else widths, strict=True)
        lines = max(len(wrapped(cell, wide - 2 * PAD, self.text, bold=bold)) for cell, wide in cells)
        return lines * self.text * 1.25 + PAD


def _is_left_out(section: Section, column: int) -> bool:
    """The name that rules have for a row that players call otherwise, and a column in which nothing stands."""
    if section.columns[column] == "id" and len(section.columns) > 1 and section.columns[1] == NAME:
        return True
    if section.kind == "effects" and section.columns[column] == "effect":
        return True  # that is the rules' own; players read its words
    return all(column >= len(row.cells) or row.cells[column] in {"", "-"} for row in section.rows)


class _Sheets:
    """Tables below each other, on pages and in columns of them."""

    def __init__(self, paper: Point, title: str) -> None:
        self.paper = paper
        self.title = title
        self.pages: list[Page] = []
        self.size = paper
        self.form = ""
        self._shapes: list[Shape] = []
        self._x, self._y, self._top = MARGIN, MARGIN, MARGIN

    def begin(self, form: str) -> None:
        """Begins tables of another form, below what stands on the page if they may."""
        lies = form == "lying"
        if self._shapes and lies:
            self._close()
        self.form = form
        self.size = (self.paper[1], self.paper[0]) if lies else self.paper
        self._x, self._top = MARGIN, self._y

    def table(self, table: _Fitted) -> None:
        title = len(table.title) * HEAD * 1.25 + HEAD * 0.25
        heads = title + table.height(table.heads, bold=True)
        heights = [table.height(row) for row in table.rows]
        whole, start = heads + sum(heights), heads + sum(heights[:LEAST_ROWS])
        self._room(whole if whole <= self.size[1] - 2 * MARGIN - FOOT else start)
        for n, line in enumerate(table.title):
            at = self._x, self._y + (n + 1) * HEAD * 1.25 - 2
            self._shapes.append(Words(line, at, HEAD, INK, bold=True))
        self._y += title
        self._line(table, table.heads, bold=True, striped=False)
        for number, (row, height) in enumerate(zip(table.rows, heights, strict=True)):
            if self._y + height > self._end:
                self._next()
                self._line(table, table.heads, bold=True, striped=False)
            self._line(table, row, bold=False, striped=number % 2 == 1)
        self._y += HEAD

    @property
    def _end(self) -> float:
        return self.size[1] - MARGIN - FOOT

    def finished(self) -> list[Page]:
        if self._shapes:
            self._close()
        return self.pages

    def _room(self, height: float) -> None:
        """Goes on in the next column or on the next page unless so much is left."""
        while self._y + height > self._end and self._y > MARGIN:
            if self._y == self._top:
                self._close()
            else:
                self._next()

    def _next(self) -> None:
        if self.form == "half" and self._x == MARGIN:
            self._x, self._y = MARGIN + (self.size[0] - 2 * MARGIN + BETWEEN) / 2, self._top
        else:
            self._close()

    def _line(self, table: _Fitted, row: Sequence[str], *, bold: bool, striped: bool) -> None:
        widths, size = table.widths, table.text
        cells = [
            wrapped(cell, wide - 2 * PAD, size, bold=bold) for cell, wide in zip(row, widths, strict=True)
        ]
        height = max(map(len, cells)) * size * 1.25 + PAD
        if striped:
            self._shapes.append(Polygon(box(self._x, self._y, sum(widths), height), STRIPE))
        x = self._x
        for lines, wide in zip(cells, widths, strict=True):
            for n, text in enumerate(lines):
                at = x + PAD, self._y + (n + 1) * size * 1.25 - 1
                self._shapes.append(Words(text, at, size, INK, bold=bold))
            x += wide
        self._y += height
        if bold:
            self._shapes.append(Path(((self._x, self._y), (x, self._y)), FAINT, 0.6))

    def _close(self) -> None:
        width, height = self.size
        told = foot(width, height, f"{self.title} · {len(self.pages) + 1}")
        self.pages.append(Page(width, height, (*self._shapes, told)))
        self._shapes, self._x, self._y, self._top = [], MARGIN, MARGIN, MARGIN


def _heading(program: Program, section: Section, column: int, language: str) -> str:
    """What heads a column: what players call it. Texts speak for themselves, and so does what a table is read by."""
    name = section.columns[column]
    if name == NAME:
        return told(N_("Name"), nearest(language or program.language))
    if section.kind == "lookup":
        return "" if name == "value" else name
    if section.kind == "effects" or column == 0 or name in text_columns(program, section.name):
        return ""
    return printable(name.replace("_", " "))


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


def _widths(
    natural: Sequence[float], least: Sequence[float], room: float, *, is_even: bool = False
) -> list[float]:
    """As wide as each column would be; where that is too much, as its longest word, and more as there is room: first
    for columns that want little, as the others have lines to break anyway, or (`is_even`) for all by what they want.
    """
    if sum(natural) <= room:
        return list(natural)
    spare = max(0.0, room - sum(least))
    found = list(least)
    wanted = [max(0.0, each - word) for each, word in zip(natural, least, strict=True)]
    if is_even:
        return [each + spare * more / (sum(wanted) or 1.0) for each, more in zip(least, wanted, strict=True)]
    for place, column in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        more = min(wanted[column], spare / (len(wanted) - place))
        found[column] += more
        spare -= more
    return found


def in_words(program: Program, found: Sequence[Section], language: str) -> list[Section]:
    """Sections in which tables of kinds call things and columns as players do, and have no columns but those that
    players are shown.
    """
    players = {each.name: _spaced(program, each) for each in kinds(program, language)}
    return [players.get(each.name, each) if each.kind == "kinds" else each for each in found]


def _spaced(program: Program, section: Section) -> Section:
    """A table in which names that have no words for players stand with spaces; texts are as they are."""
    texts = text_columns(program, section.name)
    rows = (
        replace(
            row,
            cells=tuple(
                cell if column in texts else cell.replace("_", " ")
                for column, cell in zip(section.columns, row.cells, strict=False)
            ),
        )
        for row in section.rows
    )
    return replace(section, rows=tuple(rows))
