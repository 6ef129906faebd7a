"""What pictures are made of: shapes and lines of text, in a unit that the picture says, with `y` growing down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, pi, sin
from typing import Literal, assert_never

from dsl.records import record
from dsl.scene.model import Point

Anchor = Literal["start", "middle", "end"]


@record(frozen=True, slots=True)
class Polygon:
    """A closed shape; `fill` and `stroke` are `#rrggbb`, or empty for none."""

    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dashed: bool = False


@record(frozen=True, slots=True)
class Circle:
    """A circle."""

    at: Point
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dashed: bool = False


@record(frozen=True, slots=True)
class Path:
    """An open line through points."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 1.0
    dashed: bool = False
    round: bool = False


@record(frozen=True, slots=True)
class Words:
    """A line of text; `at` is on its baseline."""

    text: str
    at: Point
    size: float
    fill: str = "#1a1a1a"
    anchor: Anchor = "start"
    bold: bool = False


@record(frozen=True, slots=True)
class Drawn:
    """A picture of an author (`dsl.pictures`) in a square, as large as fits; `at` is the least corner of the square."""

    picture: str
    at: Point
    size: float
    ink: str = "#1a1a1a"
    """The colour that the picture calls `currentColor`."""


@record(frozen=True, slots=True)
class Group:
    """Shapes that belong together; `title` is read by whoever points at them, or hears the picture."""

    shapes: tuple[Shape, ...]
    title: str = ""
    kind: str = ""
    """What it is: `cell`, `piece`, `legend`, `panel`, `ruler`."""


Shape = Polygon | Circle | Path | Words | Drawn | Group


@record(frozen=True, slots=True)
class Picture:
    """Shapes on a sheet of a size."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]


def moved(shape: Shape, dx: float, dy: float, scale: float = 1.0) -> Shape:
    """A shape as many times as large, then moved."""

    def at(point: Point) -> Point:
        return point[0] * scale + dx, point[1] * scale + dy

    match shape:
        case Group():
            return Group(tuple(moved(each, dx, dy, scale) for each in shape.shapes), shape.title, shape.kind)
        case Polygon():
            return Polygon(
                tuple(map(at, shape.points)), shape.fill, shape.stroke, shape.width * scale, shape.dashed
            )
        case Circle():
            return Circle(
                at(shape.at),
                shape.radius * scale,
                shape.fill,
                shape.stroke,
                shape.width * scale,
                shape.dashed,
            )
        case Path():
            return Path(
                tuple(map(at, shape.points)), shape.stroke, shape.width * scale, shape.dashed, shape.round
            )
        case Words():
            return Words(shape.text, at(shape.at), shape.size * scale, shape.fill, shape.anchor, shape.bold)
        case Drawn():
            return Drawn(shape.picture, at(shape.at), shape.size * scale, shape.ink)
        case _:
            assert_never(shape)


def flat(shapes: Iterable[Shape]) -> Iterator[Polygon | Circle | Path | Words | Drawn]:
    """All shapes without their groups, the lowest first."""
    for each in shapes:
        if isinstance(each, Group):
            yield from flat(each.shapes)
        else:
            yield each


def box(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def figure(name: str, at: Point, radius: float, fill: str, stroke: str, width: float = 1.0) -> Shape:
    """The figure of an owner around a point."""
    x, y = at
    match name:
        case "triangle":
            return Polygon(_star(x, y + radius * 0.12, radius * 1.2, 3), fill, stroke, width)
        case "square":
            side = radius * 0.88
            return Polygon(box(x - side, y - side, 2 * side, 2 * side), fill, stroke, width)
        case "diamond":
            return Polygon(_star(x, y, radius * 1.2, 4), fill, stroke, width)
        case "star":
            return Polygon(_star(x, y, radius * 1.25, 5, 0.5), fill, stroke, width)
        case _:
            return Circle(at, radius, fill, stroke, width)


def _star(x: float, y: float, radius: float, count: int, inner: float = 0.0) -> tuple[Point, ...]:
    """A regular polygon with a corner on top, or with `inner` a star."""
    steps = count * 2 if inner else count
    found = []
    for n in range(steps):
        reach = radius * (inner if inner and n % 2 else 1)
        turn = 2 * pi * n / steps - pi / 2
        found.append((x + reach * cos(turn), y + reach * sin(turn)))
    return tuple(found)
