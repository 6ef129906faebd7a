"""Distances of a board: how many borders lie between two cells, found when they are first asked for.

A table of all of them would have as many entries as there are pairs of cells: 2.56 million on a map of 40 × 40. So a
program says only that the entries *follow* from the neighbours of its board, and each row is found by breadth-first
search when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, overload

if TYPE_CHECKING:
    from dsl.ir.program import Board

Row: TypeAlias = "bytes | tuple[int, ...]"


class Rows(dict[int, Row]):
    """For each cell the distances to all others: as many as there are cells where there is no way."""

    def __init__(self, neighbours: tuple[int, ...]) -> None:
        super().__init__()
        self.neighbours = neighbours
        self._lists: list[list[int]] = []

    def __missing__(self, start: int) -> Row:
        if not self._lists:
            self._lists = [list(bits(each)) for each in self.neighbours]
        lists, far = self._lists, len(self.neighbours)
        row = [far] * far
        row[start], steps, front = 0, 0, [start]
        while front:
            steps += 1
            following = []
            for here in front:
                for near in lists[here]:
                    if row[near] == far:
                        row[near] = steps
                        following.append(near)
            front = following
        row[start] = 0
        found: Row = bytes(row) if max(row) < 256 else tuple(row)
        self[start] = found
        return found


class Distances(Sequence[int]):
    """The entries of the table of distances, in row-major order, one for each pair of cells."""

    __slots__ = ("rows",)

    def __init__(self, neighbours: tuple[int, ...]) -> None:
        self.rows = Rows(neighbours)

    @property
    def cells(self) -> int:
        return len(self.rows.neighbours)

    def __len__(self) -> int:
        return self.cells**2

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(self))))
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.rows[index // self.cells][index % self.cells]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distances):
            return NotImplemented
        return self.rows.neighbours == other.rows.neighbours

    def __hash__(self) -> int:
        return hash(self.rows.neighbours)


def bits(mask: int) -> list[int]:
    """The elements of a set, in ascending order."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


# ---------------------------------------------------------------- as the crow flies

SQUARE, DIAGONAL, HEX = "square", "diagonal", "hex"


def straight(board: Board) -> str | None:
    """How distances follow from the places of cells alone: `square` (columns and lines apart, added up), `diagonal`
    (the greater of the two) or `hex` (the greatest of q, r and both together). None where holes make ways longer, or
    where cells have no places.
    """
    at = list(zip(board.x, board.y, strict=True))
    if not at or len(at) != len(board.neighbours) or board.shape == "regions":
        return None
    places = {place: cell for cell, place in enumerate(at)}
    kinds = (HEX,) if board.shape.startswith("hexes") else (SQUARE, DIAGONAL)
    for kind in kinds:
        if len(places) == len(at) and all(
            _near(places, kind, x, y) == near for (x, y), near in zip(at, board.neighbours, strict=True)
        ):
            whole = _rectangle(board) or _followed(Distances(board.neighbours), kind, at)
            return kind if whole else None
    return None


def apart(kind: str, dx: int, dy: int) -> int:
    """The distance of two places by that rule."""
    if kind == SQUARE:
        return abs(dx) + abs(dy)
    return max(abs(dx), abs(dy), abs(dx + dy) if kind == HEX else 0)


_AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def _near(places: dict[tuple[int, int], int], kind: str, x: int, y: int) -> int:
    found = [
        places[x + dx, y + dy]
        for dx, dy in _AROUND
        if apart(kind, dx, dy) == 1 and (x + dx, y + dy) in places
    ]
    return sum(1 << each for each in found)


def _rectangle(board: Board) -> bool:
    """Do the cells fill a rectangle of columns and lines (or a rhombus)? There the straight way never leaves it."""
    at = list(zip(board.x, board.y, strict=True))
    drawn = {
        "hexes_flat": [(x, y + (x - (x & 1)) // 2) for x, y in at],
        "hexes_pointy": [(x + (y - (y & 1)) // 2, y) for x, y in at],
    }
    for spots in (at, drawn.get(board.shape, at)):
        xs, ys = {x for x, _ in spots}, {y for _, y in spots}
        if len(spots) == (max(xs) - min(xs) + 1) * (max(ys) - min(ys) + 1):
            return True
    return False


def _followed(distances: Distances, kind: str, at: list[tuple[int, int]]) -> bool:
    """Is each distance as the rule has it?"""
    return all(
        distances.rows[cell][other] == apart(kind, x - u, y - v)
        for cell, (x, y) in enumerate(at)
        for other, (u, v) in enumerate(at)
    )
