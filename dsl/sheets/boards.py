"""Boards to scale, over as many pages as they take: neighbours overlap, and are cut and glued along the marks."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from dsl.scene.colours import INK
from dsl.scene.model import NOBODY, Board, Point, Scene
from dsl.scene.picture import board_shapes, picture_of
from dsl.scene.shapes import Path, Shape, moved
from dsl.sheets.page import MARGIN, MM, Page, Window, corner_marks, foot, touching

CELL = 22.0
"""Millimetres of a board unit on squares and hexes; a unit of regions is half as much again."""
OVERLAP = 8 * MM
"""What two neighbouring pages both show."""
EDGE = 4 * MM
"""Around a board, for its rulers and the width of its lines."""
SHARES = (1.0, 0.97, 0.94, 0.9)
"""How much smaller a board may be made, where that saves a page."""
MOST_PAGES = 60


class TooLarge(Exception):
    """A board takes more pages than `MOST_PAGES`; the message says so."""


def boards_of(scene: Scene, paper: Point, cell: float) -> list[Page]:
    """The boards of a scene without what stands on them; `cell` is the length of a board unit in millimetres."""
    found = []
    for board in scene.boards:
        bare = _bare(board)
        unit = cell * MM * (1.5 if board.shape == "regions" else 1.0)
        found += _pages(replace(scene, boards=(bare,)), bare, paper, _sized(bare, paper, unit))
    return found


def _sized(board: Board, paper: Point, unit: float) -> float:
    """The unit, or as little smaller as saves a page."""
    return min((unit * share for share in SHARES), key=lambda each: (_count_of(board, paper, each), -each))


def _count_of(board: Board, paper: Point, unit: float) -> int:
    across, down, _ = _layout(*_size(board, unit), paper)
    return across * down


def _size(board: Board, unit: float) -> Point:
    """How large a board is, with its rulers."""
    more = 2 * EDGE + _beside(board, unit)
    return board.width * unit + more, board.height * unit + more


def setup_of(scene: Scene, paper: Point) -> list[Page]:
    """The picture of a scene, as large as a page holds."""
    if not any(_is_set(board) for board in scene.boards):
        return []
    picture = picture_of(scene)
    width, height = paper if picture.width <= picture.height else (paper[1], paper[0])
    inner = width - 2 * MARGIN, height - 2 * MARGIN
    scale = min(inner[0] / picture.width, inner[1] / picture.height, 0.75)
    left = MARGIN + (inner[0] - picture.width * scale) / 2
    shapes = tuple(moved(each, left, MARGIN, scale) for each in picture.shapes)
    return [Page(width, height, shapes)]


def _is_set(board: Board) -> bool:
    """Does anything stand on a board?"""
    return bool(board.pieces) or any(
        each.owner != NOBODY or each.number or each.notes or each.pointer for each in board.cells
    )


def _bare(board: Board) -> Board:
    """A board as it lies in its box."""
    cells = tuple(
        replace(each, owner=NOBODY, number=None, notes=(), pointer="", overlay="") for each in board.cells
    )
    return replace(board, cells=cells, pieces=(), highlights=())


def _pages(scene: Scene, board: Board, paper: Point, unit: float) -> list[Page]:
    shapes = [moved(each, EDGE + _beside(board, unit), EDGE) for each in board_shapes(scene, board, unit)]
    width, height = _size(board, unit)
    across, down, sheet = _layout(width, height, paper)
    if across * down > MOST_PAGES:
        raise TooLarge(f"{across * down} > {MOST_PAGES}")
    inner = sheet[0] - 2 * MARGIN, sheet[1] - 2 * MARGIN
    tiles = [
        _tile(board.name, shapes, (width, height), sheet, inner, (column, row), (across, down))
        for row in range(down)
        for column in range(across)
    ]
    return [each for each in tiles if each.windows[0].shapes]


def _beside(board: Board, unit: float) -> float:
    """The room for the letters and numbers of squares."""
    return unit * 0.5 if board.rulers else 0.0


def _layout(width: float, height: float, paper: Point) -> tuple[int, int, Point]:
    """How many pages across and down, upright or lying, whichever are fewer."""
    found = []
    for sheet in (paper, (paper[1], paper[0])):
        across = _count(width, sheet[0] - 2 * MARGIN)
        down = _count(height, sheet[1] - 2 * MARGIN)
        found.append((across * down, across, down, sheet))
    _, across, down, sheet = min(found, key=lambda each: each[0])
    return across, down, sheet


def _count(length: float, inner: float) -> int:
    return 1 if length <= inner else ceil((length - OVERLAP) / (inner - OVERLAP))


def _tile(
    name: str,
    shapes: list[Shape],
    whole: Point,
    sheet: Point,
    inner: Point,
    at: tuple[int, int],
    count: tuple[int, int],
) -> Page:
    """One page of a board, with marks where it is cut, and its place among the others at its foot."""
    x, y = at[0] * (inner[0] - OVERLAP), at[1] * (inner[1] - OVERLAP)
    wide, high = min(inner[0], whole[0] - x), min(inner[1], whole[1] - y)
    seen = touching(shapes, x, y, wide, high)
    window = Window(MARGIN, MARGIN, wide, high, tuple(moved(each, MARGIN - x, MARGIN - y) for each in seen))
    marks: list[Shape] = corner_marks(MARGIN, MARGIN, wide, high)
    if at[0] < count[0] - 1:
        marks.append(_glue(MARGIN + wide - OVERLAP, MARGIN, 0, high))
    if at[1] < count[1] - 1:
        marks.append(_glue(MARGIN, MARGIN + high - OVERLAP, wide, 0))
    where = f"{name} {chr(65 + at[1] % 26)}{at[0] + 1}  ({count[0]} × {count[1]})"
    return Page(sheet[0], sheet[1], (*marks, foot(sheet[0], sheet[1], where)), (window,))


def _glue(x: float, y: float, width: float, height: float) -> Shape:
    """The line up to which the next page is laid."""
    return Path(((x, y), (x + width, y + height)), INK, 0.5, dashed=True)
