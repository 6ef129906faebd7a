"""Maps: squares and hexes, of few cells and of more than one word has bits, drawn with holes or not."""

from __future__ import annotations

import random
from dataclasses import dataclass

SQUARE = ("north", "east", "south", "west")
CORNERS = ("northeast", "southeast", "southwest", "northwest")
POINTY = ("northeast", "east", "southeast", "southwest", "west", "northwest")
FLAT = ("north", "northeast", "southeast", "south", "southwest", "northwest")
SIZES = ((1, 4), (2, 3), (3, 3), (4, 2), (4, 4), (5, 3), (3, 6), (5, 5), (6, 5))
LARGER = ((7, 6), (8, 8), (6, 8))
LARGEST = ((9, 8), (5, 13), (11, 9), (13, 10))


@dataclass(frozen=True, slots=True)
class Ground:
    """A map: how it is declared, the names of its cells and directions, and how large it is."""

    lines: tuple[str, ...]
    cells: tuple[str, ...]
    directions: tuple[str, ...]
    columns: int
    rows: int
    corners: bool = False

    @property
    def sets(self) -> tuple[str, ...]:
        """The sets of directions that have a name."""
        if self.directions[:4] != SQUARE:
            return ()
        return ("orthogonal", "diagonal") if self.corners else ("orthogonal",)


def ground(dice: random.Random) -> Ground:
    """A map by chance."""
    columns, rows = dice.choice(dice.choices((SIZES, LARGER, LARGEST), (6, 3, 2))[0])
    match dice.randrange(6):
        case 0 | 1 | 2:
            return _squares(dice, columns, rows)
        case 3:
            shape = f"hexes({columns}, {rows}, pointy, rhombus)"
            return Ground((f"map board on {shape}",), _names(columns, rows), POINTY, columns, rows)
        case _:
            return _drawn(dice, columns, rows)


def _squares(dice: random.Random, columns: int, rows: int) -> Ground:
    corners = dice.random() < 0.5
    more = (", diagonal" if corners else "") + (", from_top" if dice.random() < 0.3 else "")
    ways = (*SQUARE, *CORNERS) if corners else SQUARE
    line = f"map board on squares({columns}, {rows}{more})"
    return Ground((line,), _names(columns, rows), ways, columns, rows, corners)


def _drawn(dice: random.Random, columns: int, rows: int) -> Ground:
    """With holes; the upper left corner and the lower right one are cells."""
    shape, ways = dice.choice((("squares", SQUARE), ("hexes(pointy)", POINTY), ("hexes(flat)", FLAT)))
    corners = shape == "squares" and dice.random() < 0.5
    if corners:
        shape, ways = "squares(diagonal)", (*SQUARE, *CORNERS)
    holes = {
        (x, y)
        for x in range(columns)
        for y in range(rows)
        if dice.random() < 0.12 and (x, y) not in {(0, 0), (columns - 1, rows - 1)}
    }
    lines = [f"map board on {shape}:", '    """']
    for y in range(rows):
        signs = " ".join("_" if (x, y) in holes else "." for x in range(columns))
        shoved = " " if shape == "hexes(pointy)" and y % 2 else ""
        lines.append(f"    {shoved}{signs}")
    cells = [
        name
        for name, (x, y) in zip(_names(columns, rows), _places(columns, rows), strict=True)
        if (x, rows - 1 - y) not in holes
    ]
    return Ground((*lines, '    """'), tuple(cells), ways, columns, rows, corners)


def _places(columns: int, rows: int) -> list[tuple[int, int]]:
    return [(x, y) for y in range(rows) for x in range(columns)]


def _names(columns: int, rows: int) -> tuple[str, ...]:
    return tuple(f"{chr(ord('a') + x)}{y + 1}" for x, y in _places(columns, rows))
