"""A base-building game of any size, written as an author would: `write(folder, kinds, columns, rows)`.

Four players gather ore, build on the ground beside what they have, train units, and fight in a fog: where a unit is,
its owner knows and whoever has it in sight. Rocks stop movement and sight. Three fifths of the kinds are units, the
others are buildings of one, two (turned as one likes) and four cells. Nothing is taken from chance: the same size
is the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

NAME = "outposts"
PLAYERS = ("north", "east", "south", "west")
COPIES = 3
"""How many pieces there are of each kind."""
FOOTPRINTS = ("block", "single", "double", "block")
"""What the kinds of buildings cover, in turn."""
LETTERS = ("a", "e", "i", "o", "u")


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is: kinds of piece, and the columns and rows of the map."""

    kinds: int
    columns: int
    rows: int

    @property
    def cells(self) -> int:
        return self.columns * self.rows

    def __str__(self) -> str:
        return f"{self.kinds} kinds, {self.columns} × {self.rows}"


def write(folder: Path, size: Size) -> Path:
    """Writes the game of a size into a folder of its name; yields that folder."""
    home = folder / NAME
    home.mkdir(parents=True, exist_ok=True)
    texts = {
        NAME: Path(__file__).with_suffix(".scn").read_text(encoding="utf-8"),
        "kinds": _kinds(size.kinds),
        "setups": _setups(size.kinds),
        "field": _field(size),
    }
    for name, text in texts.items():
        (home / f"{name}.scn").write_text(text, encoding="utf-8")
    return home


# ---------------------------------------------------------------- what there is


def _name(number: int) -> str:
    """A word for a number, each its own: `bade`, `bafe`, ..."""
    consonants = "bdfgklmnprst"
    first, rest = number % len(consonants), number // len(consonants)
    second, third = rest % len(consonants), rest // len(consonants)
    return (
        consonants[first] + LETTERS[first % 5] + consonants[second] + LETTERS[second % 5] + LETTERS[third % 5]
    )


def _kinds(kinds: int) -> str:
    """The tables: three fifths of the kinds are units; of the others each footprint has as many."""
    units = _units(kinds)
    unit_rows = [(2 + n % 8, 1 + n % 9, 2 + n % 4, 4 + n % 5, 1 + n % 6, 1 + n % 4) for n in range(units)]
    rows = [
        (1 + n % 7, 3 + n % 7, 3 + n % 6, n % 4, FOOTPRINTS[n % len(FOOTPRINTS)])
        for n in range(kinds - units)
    ]
    header = ("cost: 1..9", "life: 1..9", "move: 1..6", "sight: 1..9", "reach: 1..9", "blow: 1..5")
    return "\n".join(
        [
            "# What can be trained and built.\n",
            _table("UnitKind", header, unit_rows, 0),
            _table(
                "BuildingKind",
                ("cost: 1..9", "life: 1..9", "sight: 1..9", "yields: 0..3", "ground"),
                rows,
                units,
            ),
        ]
    )


def _units(kinds: int) -> int:
    return kinds * 3 // 5


def _table(name: str, header: tuple[str, ...], rows: Sequence[tuple[int | str, ...]], first: int) -> str:
    header = ("id", "name en", *header)
    named = [
        (_name(number), _name(number).capitalize(), *map(str, row)) for number, row in enumerate(rows, first)
    ]
    widths = [max(len(line[at]) for line in (header, *named)) for at in range(len(header))]
    lines = [
        "    | "
        + " | ".join(
            (cell.rjust(width) if cell.isdigit() else cell.ljust(width))
            for cell, width in zip(line, widths, strict=True)
        )
        + " |"
        for line in (header, *named)
    ]
    return f"table {name}:\n" + "\n".join(lines) + "\n"


# ---------------------------------------------------------------- where it happens


def _field(size: Size) -> str:
    """The map: a base in each corner, ore and rocks strewn over the rest."""
    bases = {
        "N": (1, 1),
        "E": (size.columns - 3, 1),
        "S": (size.columns - 3, size.rows - 3),
        "W": (1, size.rows - 3),
    }
    lines = []
    for y in range(size.rows):
        signs = []
        for x in range(size.columns):
            base = next(
                (sign for sign, (left, top) in bases.items() if 0 <= x - left < 2 and 0 <= y - top < 2), ""
            )
            near = any(-3 < x - left < 4 and -3 < y - top < 4 for left, top in bases.values())
            strewn = (x * 7 + y * 11 + x * y * 3) % 13
            signs.append(base or ("o" if strewn == 4 else "#" if strewn == 7 and not near else "."))
        lines.append("    " + " ".join(signs))
    drawn = "\n".join(lines)
    return f'''# Where it happens: a base in each corner, ore and rocks.
state of Cell:
    rock: bool
    ore: 0..9

area base of Player

map field on squares(diagonal):
    legend:
        "#" = rock
        "o" = ore = 6
        "N" = base of north
        "E" = base of east
        "S" = base of south
        "W" = base of west
    """
{drawn}
    """
'''


def _setups(kinds: int) -> str:
    """Each player begins with a building of four cells and two units."""
    units = _units(kinds)
    large = [n for n in range(kinds - units) if FOOTPRINTS[n % len(FOOTPRINTS)] == "block"]
    setups = [
        f"setup {player}:\n"
        f"    place {_name(units + large[n % len(large)])} at base\n"
        f"    place {_name(n)} beside base\n"
        f"    place {_name(n + 1)} beside base"
        for n, player in enumerate(PLAYERS)
    ]
    return "# What stands where.\n" + "\n\n".join(setups) + "\n"
