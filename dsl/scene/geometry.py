"""Where the cells of a board lie: a polygon for each, in board units (see `model`).

Squares have a side of 1. Hexes have their centres 1 apart, so that opposite sides are 1 apart too and a corner lies
1/√3 from the centre; their axial coordinates (q, r) are those of `dsl.ir.program.Board`, see Patel, *Hexagonal Grids*,
2013. Regions are boxes, as wide and high as `places.BOX` says.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from dsl.engine.bits import bits
from dsl.ir.program import Board
from dsl.records import record
from dsl.scene.model import Point
from dsl.scene.places import BOX, places

ANGLES = {
    "squares": {
        "north": 0, "northeast": 45, "east": 90, "southeast": 135,
        "south": 180, "southwest": 225, "west": 270, "northwest": 315,
    },
    "hexes_pointy": {
        "northeast": 30, "east": 90, "southeast": 150, "southwest": 210, "west": 270, "northwest": 330,
    },
    "hexes_flat": {
        "north": 0, "northeast": 60, "southeast": 120, "south": 180, "southwest": 240, "northwest": 300,
    },
}  # fmt: skip
"""Where each direction leads on boards of each shape, in degrees clockwise from straight up."""
_DIGITS = 4


@record(frozen=True, slots=True)
class Geometry:
    """The cells of a board: their centres and corners, and how large the whole is."""

    centres: tuple[Point, ...]
    outlines: tuple[tuple[Point, ...], ...]
    width: float
    height: float
    links: tuple[tuple[int, int], ...]


def geometry(board: Board, names: tuple[str, ...], shown: tuple[bool, ...] | None = None) -> Geometry:
    """Where the cells of a board lie; of regions without a drawing those alone that `shown` says, if it is given.

    A region that is not shown has its centre at (0, 0) and no corners.
    """
    count = len(names)
    links = _links(board) if board.shape == "regions" else ()
    kept = shown if shown is not None and board.shape == "regions" else (True,) * count
    centres, corners = _centres(board, names, kept), _corners(board.shape)
    outlines = [[(x + dx, y + dy) for dx, dy in corners] for x, y in centres]
    used = [each for each, is_kept in zip(outlines, kept, strict=True) if is_kept]
    left = min((x for each in used for x, _ in each), default=0.0)
    top = min((y for each in used for _, y in each), default=0.0)
    right = max((x for each in used for x, _ in each), default=0.0)
    bottom = max((y for each in used for _, y in each), default=0.0)

    def moved(x: float, y: float) -> Point:
        return round(x - left, _DIGITS), round(y - top, _DIGITS)

    return Geometry(
        tuple(moved(*each) if is_kept else (0.0, 0.0) for each, is_kept in zip(centres, kept, strict=True)),
        tuple(
            tuple(moved(*point) for point in each) if is_kept else ()
            for each, is_kept in zip(outlines, kept, strict=True)
        ),
        round(right - left, _DIGITS),
        round(bottom - top, _DIGITS),
        tuple((a, b) for a, b in links if kept[a] and kept[b]),
    )


def _centres(board: Board, names: tuple[str, ...], kept: tuple[bool, ...]) -> list[Point]:
    match board.shape:
        case "hexes_pointy":
            return [(q + r / 2, r * sqrt(3) / 2) for q, r in zip(board.x, board.y, strict=True)]
        case "hexes_flat":
            return [(q * sqrt(3) / 2, r + q / 2) for q, r in zip(board.x, board.y, strict=True)]
        case "squares":
            return [(float(x), float(-y)) for x, y in zip(board.x, board.y, strict=True)]
        case _:
            return places(board, names, kept)


def _corners(shape: str) -> list[Point]:
    """The corners of a cell around its centre, clockwise."""
    match shape:
        case "squares":
            return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
        case "hexes_pointy" | "hexes_flat":
            first = -pi / 2 if shape == "hexes_pointy" else -pi / 3
            turns = [first + n * pi / 3 for n in range(6)]
            return [(cos(turn) / sqrt(3), sin(turn) / sqrt(3)) for turn in turns]
        case _:
            width, height = BOX
            return [
                (-width / 2, -height / 2),
                (width / 2, -height / 2),
                (width / 2, height / 2),
                (-width / 2, height / 2),
            ]


def _links(board: Board) -> tuple[tuple[int, int], ...]:
    """Which regions are neighbours, each pair once."""
    return tuple((a, b) for a, mask in enumerate(board.neighbours) for b in bits(mask) if a < b)


def joined(board: Board) -> list[set[int]]:
    """The parts of a map that no border joins, each as its cells; the first cells first."""
    left, found = set(range(len(board.neighbours))), list[set[int]]()
    while left:
        reached, ahead = {min(left)}, [min(left)]
        while ahead:
            near = set(bits(board.neighbours[ahead.pop()])) - reached
            reached |= near
            ahead += near
        left -= reached
        found.append(reached)
    return found
