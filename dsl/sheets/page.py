"""Pages of paper: lengths are in points, 72 to the inch, from the upper left corner."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import assert_never

from dsl.catalogue import nearest, told, tr
from dsl.records import record
from dsl.scene.colours import INK
from dsl.scene.lettering import wrapped
from dsl.scene.model import Point
from dsl.scene.shapes import Circle, Drawn, Group, Path, Polygon, Shape, Words, flat

MM = 72 / 25.4
PAPERS: dict[str, Point] = {"a4": (210 * MM, 297 * MM), "letter": (8.5 * 72, 11 * 72)}
"""Width and height, upright."""
MARGIN = 10 * MM
"""What printers leave white."""
MARK = 4 * MM
"""The length of a mark to cut along."""
FINE = 0.4
"""The width of such a line."""
FOOT = 7.0
"""The size of what is written at the foot of a page."""
FAINT = "#6b6b63"
WHOLE = 3
"""Paragraphs of so many lines stand in one column."""


@record(frozen=True, slots=True)
class Window:
    """Shapes of which only what lies in a rectangle is seen."""

    x: float
    y: float
    width: float
    height: float
    shapes: tuple[Shape, ...]


@record(frozen=True, slots=True)
class Page:
    """A page with its windows below its shapes."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    windows: tuple[Window, ...] = ()


def foot(width: float, height: float, text: str) -> Words:
    """What a page is, at its foot."""
    return Words(text, (MARGIN, height - MARGIN * 0.45), FOOT, FAINT)


def behind_of(title: str, number: int, language: str) -> str:
    """What a page of backs is, at its foot."""
    return f"{title} · " + told(
        tr("{number}, the backs: turn the page over its left edge", number=number), nearest(language)
    )


def of_the_book(source: str) -> str:
    """A citation, `[CA-041, house, powder]`, as players read it: the rules of the book alone."""
    ids = [each for each in source.strip("[]").split(", ") if "-" in each]
    return f"[{', '.join(ids)}]" if ids else ""


def corner_marks(x: float, y: float, width: float, height: float, bleed: float = 0.0) -> list[Shape]:
    """Two short lines at each corner of a rectangle, outside of it and of its bleed."""
    found: list[Shape] = []
    gap = bleed + 0.5
    for at, outwards in ((x, -1), (x + width, 1)):
        for to, down in ((y, -1), (y + height, 1)):
            found.append(Path(((at + outwards * gap, to), (at + outwards * (gap + MARK), to)), INK, FINE))
            found.append(Path(((at, to + down * gap), (at, to + down * (gap + MARK))), INK, FINE))
    return found


def touching(shapes: Iterable[Shape], x: float, y: float, width: float, height: float) -> tuple[Shape, ...]:
    """The shapes, without groups, that reach into a rectangle."""
    found = []
    for each in flat(shapes):
        left, top, right, bottom = extent(each)
        if left <= x + width and right >= x and top <= y + height and bottom >= y:
            found.append(each)
    return tuple(found)


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a shape; of text as wide as it can be."""
    match shape:
        case Polygon() | Path():
            xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
            edge = shape.width / 2
            return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge
        case Circle():
            reach = shape.radius + shape.width / 2
            x, y = shape.at
            return x - reach, y - reach, x + reach, y + reach
        case Words():
            reach = len(shape.text) * shape.size
            x, y = shape.at
            return x - reach, y - shape.size, x + reach, y + shape.size * 0.3
        case Drawn():
            x, y = shape.at
            return x, y, x + shape.size, y + shape.size
        case Group():
            parts = [extent(each) for each in shape.shapes] or [(inf, inf, -inf, -inf)]
            lefts, tops, rights, bottoms = zip(*parts, strict=True)
            return min(lefts), min(tops), max(rights), max(bottoms)
        case _:
            assert_never(shape)


class Flow:
    """Paragraphs that fill columns from top to bottom, and then pages."""

    def __init__(self, paper: Point, title: str, columns: int = 2) -> None:
        self.width, self.height = paper
        self.title = title
        self.columns = columns
        self.gap = 6 * MM
        self.wide = (self.width - 2 * MARGIN - (columns - 1) * self.gap) / columns
        self.pages: list[Page] = []
        self._shapes: list[Shape] = []
        self._column = 0
        self._y = MARGIN
        self._end = self.height - MARGIN - FOOT

    def room(self, height: float) -> None:
        """Goes on in the next column unless so much is left in this one."""
        if self._y + height <= self._end or self._y == MARGIN:
            return
        self._column, self._y = self._column + 1, MARGIN
        if self._column == self.columns:
            self._close()

    def say(
        self,
        text: str,
        size: float,
        *,
        bold: bool = False,
        indent: float = 0.0,
        after: float = 0.0,
        keep: float = 0.0,
        fill: str = INK,
    ) -> None:
        """A paragraph; `keep` is the room that has to be left behind its first line. Short ones are not broken."""
        lines = wrapped(text, self.wide - indent, size, bold=bold)
        whole = len(lines) if len(lines) <= WHOLE else 1
        for number, line in enumerate(lines):
            self.room(size * 1.3 + (max(keep, (whole - 1) * size * 1.3) if not number else 0.0))
            self._y += size * 1.3
            x = MARGIN + self._column * (self.wide + self.gap) + indent
            self._shapes.append(Words(line, (x, self._y - size * 0.3), size, fill, bold=bold))
        self._y += after

    def finished(self) -> list[Page]:
        """All pages."""
        if self._shapes:
            self._close()
        return self.pages

    def _close(self) -> None:
        told = f"{self.title} · {len(self.pages) + 1}"
        self.pages.append(Page(self.width, self.height, (*self._shapes, foot(self.width, self.height, told))))
        self._shapes, self._column, self._y = [], 0, MARGIN


def spaced(length: float, item: float, gap: float) -> tuple[int, float]:
    """How many items fit into a length with a gap between two, and where the first begins so that they stand in its
    middle.
    """
    count = max(1, int((length + gap) // (item + gap)))
    return count, (length - count * item - (count - 1) * gap) / 2
