"""The scene: what some viewers see of a game at one moment, as data that anything can draw.

Lengths are in board units: the side of a square is 1, and the centres of neighbouring hexes are 1 apart. `x` grows to
the right and `y` down; the least of both on a board is 0. Angles are in degrees, clockwise from straight up. Colours
are `#rrggbb`. References are indices: `owner` into `Scene.owners`, whose first are the players in their order, `cells`
into `Board.cells`, and `picture` into `Scene.pictures`; -1 stands for nobody, and for none. All texts are in the
language of the scene, and plain: whoever writes them into markup escapes them.

`data` gives the scene as JSON has it: objects with the names of the fields below, points as pairs of numbers.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from dsl.records import record

VERSION = 1
"""Of the form in JSON."""
NOBODY = -1
Point = tuple[float, float]


@record(frozen=True, slots=True)
class Owner:
    """Somebody to whom things can belong: a player, a side.

    `figure` tells owners apart without colour: circle, triangle, square, diamond, star, or plain where there is none.
    """

    name: str
    """As the rules call it."""
    label: str
    sign: str
    """As the terminal draws it."""
    figure: str
    fill: str
    ink: str
    """The colour of what is written on `fill`."""


@record(frozen=True, slots=True)
class Cell:
    """A square, a hex, or a region."""

    name: str
    label: str
    """What players call it; the name of a square or hex."""
    centre: Point
    outline: tuple[Point, ...]
    """The corners of its polygon, clockwise."""
    sign: str
    """What the map draws there; empty where it is the usual one, or a piece covers it and its ground has no picture."""
    ground: str
    """What lies there in words: the ground, and the areas that the cell is in."""
    fill: str
    owner: int = NOBODY
    """Who holds it."""
    number: int | None = None
    """The first number that the cell tells players, such as how many troops stand there."""
    notes: tuple[str, ...] = ()
    """What else is told of it."""
    pointer: str = ""
    """The sign of what points at it."""
    overlay: str = ""
    """The sign of what the game lays over it."""
    picture: int = NOBODY
    """Of the ground."""


@record(frozen=True, slots=True)
class Piece:
    """Something that stands on a board: a piece, or what a field of a cell says."""

    name: str
    """As the rules call it; empty where it is face down, or no piece of its own."""
    sign: str
    label: str
    """Its kind in words; of a piece that is face down that of its type."""
    owner: int
    cells: tuple[int, ...]
    """All cells that it covers."""
    at: Point
    """The middle of what it covers."""
    stack: int = 0
    """Its place among the pieces with the same cells, the lowest first, from 0."""
    stacked: int = 1
    """How many those are."""
    facing: str = ""
    angle: float | None = None
    """Where it faces."""
    hidden: bool = False
    """Is it face down for one of the viewers?"""
    hollow: bool = False
    """Is only its outline drawn?"""
    why: str = ""
    """Why it is."""
    values: tuple[tuple[str, str], ...] = ()
    """What is told of it: a name and a value; of a truth the name alone."""
    picture: int = NOBODY
    """Of its kind."""
    fill: str = ""
    """The colour of its kind, for a piece that is nobody's."""


@record(frozen=True, slots=True)
class Sign:
    """A line of the legend."""

    sign: str
    meaning: str
    owner: int = NOBODY


@record(frozen=True, slots=True)
class Ruler:
    """A letter or number beside the board."""

    text: str
    at: Point


@record(frozen=True, slots=True)
class Board:
    """A map with all that stands on it."""

    name: str
    shape: str
    """`squares`, `hexes_pointy`, `hexes_flat` or `regions`."""
    width: float
    height: float
    cells: tuple[Cell, ...]
    links: tuple[tuple[int, int], ...]
    """Of regions: which are neighbours, each pair once."""
    pieces: tuple[Piece, ...]
    rulers: tuple[Ruler, ...]
    legend: tuple[Sign, ...]
    highlights: tuple[int, ...] = ()
    """The cells that the options of the decision at hand name."""


@record(frozen=True, slots=True)
class Card:
    """A card that the viewers see."""

    name: str
    """As the rules call its kind."""
    label: str
    picture: int = NOBODY


@record(frozen=True, slots=True)
class Zone:
    """A pile: how many cards it has, and those that the viewers see, the top one first."""

    name: str
    label: str
    count: int
    cards: tuple[Card, ...]


@record(frozen=True, slots=True)
class Panel:
    """What belongs to a player, or with `owner` -1 to the whole table."""

    owner: int
    values: tuple[tuple[str, str], ...]
    zones: tuple[Zone, ...]


@record(frozen=True, slots=True)
class Scene:
    """All of it."""

    game: str
    title: str
    language: str
    viewer: int
    """The owner who looks; -1 for what everybody may see."""
    turn: int
    """How many decisions have been made."""
    chooser: int
    """The owner who is to choose; -1 when the game has ended, or nobody is asked."""
    prompt: str
    outcome: str
    owners: tuple[Owner, ...]
    boards: tuple[Board, ...]
    panels: tuple[Panel, ...]
    pictures: tuple[str, ...] = ()
    """Those that rows of tables have, as SVG of shapes and colours alone (`dsl.pictures`), without a namespace."""
    version: int = VERSION


def data(scene: Any) -> Any:
    """A scene, or a part of one, as JSON has it."""
    if is_dataclass(scene) and not isinstance(scene, type):
        return {each.name: data(getattr(scene, each.name)) for each in fields(scene)}
    if isinstance(scene, tuple):
        return [data(each) for each in scene]
    return scene
