"""Boards to scale, over as many pages as they take: neighbours overlap, and are cut and glued along the marks.

The boards that a map of regions names stand on sheets of their own, and its groups have colours, with their names in
the regions and below the board. Where pages meet, as few cells are cut as can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from dsl.authoring.sections import Section
from dsl.catalogue import N_, nearest, told
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import column_name, member_name
from dsl.ir.program import Board as Drawn
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id
from dsl.records import record
from dsl.scene.colours import EDGE as LINE
from dsl.scene.colours import INK, ground_fills
from dsl.scene.geometry import geometry
from dsl.scene.lettering import cut, width_of
from dsl.scene.model import NOBODY, Board, Point, Scene
from dsl.scene.picture import board_shapes, legend_shapes, legend_width, picture_of
from dsl.scene.shapes import Group, Path, Polygon, Shape, Words, box, moved
from dsl.sheets.page import FOOT, MARGIN, MARK, MM, Page, Window, corner_marks, foot, touching

CELL = 22.0
"""Millimetres of a board unit on squares and hexes; a unit of regions is half as much again."""
OF_REGIONS = 1.5
OVERLAP = 8 * MM
"""What two neighbouring pages both show."""
EDGE = 4 * MM
"""Around a board, for its rulers and the width of its lines."""
SHARES = (1.0, 0.97, 0.94, 0.9)
"""How much smaller a board may be made, where that saves a page, or cells from being cut."""
SHARES_OF_REGIONS = (*SHARES, 0.85, 0.8, 0.75, 0.7)
"""The same for regions, in which no counters have to find room side by side."""
MOST_PAGES = 60
KEY, KEY_TEXT = 20.0, 9.0
"""How high a line of the legend of groups is, and the size of its text."""
LEAST = 45 * MM
"""The least width of a legend in a corner of a board, or beside one with groups."""
NARROW = 30 * MM
"""The least width of any other legend beside a board."""
LEGENDS = (0.75, 0.55)
"""How large the legend of signs is, of its size on the screen: the second where that saves a page."""


FIRST = N_("As it stands when the first decision is to be made")


class TooLarge(Exception):
    """A board takes more pages than `MOST_PAGES`; the message says so."""


@record(frozen=True, slots=True)
class Sheet:
    """A board on sheets of its own: its title, nothing where it is all of the map, and what the colours mean."""

    title: str
    board: Board
    groups: tuple[tuple[str, str], ...] = ()
    """Of each group its name and its colour."""


def boards_of(
    program: Program, found: Sequence[Section], scene: Scene, paper: Point, cell: float, language: str
) -> list[Page]:
    """The boards of a scene without what stands on them; `cell` is the length of a board unit in millimetres."""
    pages = []
    for drawn, board in zip(program.boards, scene.boards, strict=True):
        for each in _sheets(program, found, drawn, _bare(board), language):
            pages += _pages(scene, each, paper, unit_of(each.board, paper, cell))
    return pages


def unit_of(board: Board, paper: Point, cell: float) -> float:
    """The length of a board unit on paper in points, or as little less as saves a page."""
    is_region = board.shape == "regions"
    unit = cell * MM * (OF_REGIONS if is_region else 1.0)
    shares = SHARES_OF_REGIONS if is_region else SHARES
    return min((unit * share for share in shares), key=lambda each: (*_cost_of(board, paper, each), -each))


def _cost_of(board: Board, paper: Point, unit: float) -> tuple[int, int]:
    """How many pages a board takes, and how many of its cells are cut where they meet."""
    size = _size(board, unit)
    across, down, sheet = _layout(*size, paper)
    if across * down > MOST_PAGES:
        return across * down, 0
    cut = 0
    for n, count in enumerate((across, down)):
        spans = _spans(board, unit, n)
        for place in cuts(size[n], sheet[n] - 2 * MARGIN, count, spans)[1:]:
            cut += _cut_at(place, spans)
    return across * down, cut


def _spans(board: Board, unit: float, axis: int) -> list[tuple[float, float]]:
    """Where each cell begins and ends on paper, across (0) or down (1)."""
    begins = (EDGE + _beside(board, unit), EDGE)[axis]
    reaches = ([point[axis] * unit + begins for point in each.outline] for each in board.cells)
    return [(min(each), max(each)) for each in reaches if each]


def _cut_at(place: float, spans: Sequence[tuple[float, float]]) -> int:
    """How many cells a line cuts."""
    return sum(low + 0.5 < place < high - 0.5 for low, high in spans)


def _size(board: Board, unit: float) -> Point:
    """How large a board is, with its rulers."""
    more = 2 * EDGE + _beside(board, unit)
    return board.width * unit + more, board.height * unit + more


def setup_of(scene: Scene, paper: Point) -> list[Page]:
    """The picture of a scene at the first decision, as large as a page holds. What is to be decided stands on it, as a
    game may ask while it is still being set up.
    """
    if not any(_is_set(board) for board in scene.boards):
        return []
    words = told(FIRST, nearest(scene.language)) if scene.chooser != NOBODY else ""
    calm = replace(scene, boards=tuple(replace(each, highlights=()) for each in scene.boards))
    picture = picture_of(calm, subtitle=words)
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


# ---------------------------------------------------------------- the boards of a map of regions


def _sheets(
    program: Program, found: Sequence[Section], drawn: Drawn, board: Board, language: str
) -> list[Sheet]:
    """A map, or each of the boards that it names; regions in the colours of their groups."""
    if board.shape != "regions" or not drawn.groups:
        return [Sheet("", board)]
    grouping = drawn.groups[0]
    names = [
        printable(member_name(program, grouping.domain, each, language))
        for each in range(len(program.domains[grouping.domain].members))
    ]
    fills = ground_fills(names)
    cells = tuple(
        each if group == NONE else replace(each, fill=fills[group], notes=(names[group],))
        for each, group in zip(board.cells, grouping.members, strict=True)
    )
    board = replace(board, cells=cells)
    own = drawn.groups[1] if len(drawn.groups) > 1 else None
    lying = own.members if own is not None else (NONE,) * len(cells)
    told = _told(program, found, grouping.domain, names, own.domain if own is not None else NONE, language)
    sheets = []
    for each in dict.fromkeys(lying):
        kept = tuple(where == each for where in lying)
        there = [group for group, is_kept in zip(grouping.members, kept, strict=True) if is_kept]
        title = "" if own is None or each == NONE else member_name(program, own.domain, each, language)
        groups = [(told[group], fills[group]) for group in dict.fromkeys(there) if group != NONE]
        sheets.append(Sheet(printable(title), _part(program, drawn, board, kept), tuple(groups)))
    return sheets


def _part(program: Program, drawn: Drawn, board: Board, kept: tuple[bool, ...]) -> Board:
    """The regions of a board that are kept, laid as if there were no others."""
    if all(kept):
        return board
    where = geometry(drawn, program.domains[drawn.domain].members, kept)
    cells = tuple(
        replace(each, centre=centre, outline=outline)
        for each, centre, outline in zip(board.cells, where.centres, where.outlines, strict=True)
    )
    return replace(board, cells=cells, width=where.width, height=where.height, links=where.links)


def _told(
    program: Program,
    found: Sequence[Section],
    domain: int,
    names: Sequence[str],
    apart: int,
    language: str,
) -> list[str]:
    """The names of groups, each with what its row prints, but the board that it is on."""
    table = program.domains[domain].name
    section = next((each for each in found if each.kind == "kinds" and each.name == table), None)
    if section is None or len(section.rows) != len(names):
        return list(names)
    on_boards = {
        column_name(program, number, language) or each.name.partition(".")[2]
        for number, each in enumerate(program.data)
        if each.name.startswith(f"{table}.") and isinstance(each.type, Id) and each.type.domain == apart
    }
    told = []
    for name, row in zip(names, section.rows, strict=True):
        parts = [
            f"{column.replace('_', ' ')} {cell}"
            for column, cell in zip(section.columns, row.cells, strict=False)
            if column not in {"id", "name", *on_boards} and cell not in {"", "-"}
        ]
        told.append(printable(f"{name} ({', '.join(parts)})" if parts else name))
    return told


# ---------------------------------------------------------------- pages


def _pages(scene: Scene, sheet: Sheet, paper: Point, unit: float) -> list[Page]:
    board = sheet.board
    whole = replace(scene, boards=(board,))
    shapes = [moved(each, EDGE + _beside(board, unit), EDGE) for each in board_shapes(whole, board, unit)]
    width, height = _size(board, unit)
    across, down, paper = _layout(width, height, paper)
    if across * down > MOST_PAGES:
        raise TooLarge(f"{across * down} > {MOST_PAGES}")
    inner = paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN
    columns = cuts(width, inner[0], across, _spans(board, unit, 0))
    rows = cuts(height, inner[1], down, _spans(board, unit, 1))
    name = " · ".join(each for each in (scene.title, sheet.title) if each)
    tiles = [
        _tile(name, shapes, (width, height), paper, (columns, rows), (column, row))
        for row in range(down)
        for column in range(across)
    ]
    tiles = [each for each in tiles if each.windows[0].shapes]
    return _explained(tiles, whole, sheet, name)


def cuts(length: float, inner: float, count: int, cells: Sequence[tuple[float, float]]) -> list[float]:
    """Where pages begin along a length, of which each shows `inner` at most and its neighbour overlaps it: where they
    cut the fewest cells, and else so that all pages show alike much.
    """
    found = [0.0]
    step = inner - OVERLAP
    edges = sorted({edge for each in cells for edge in each})
    for number in range(1, count):
        least = max(found[-1] + 1, length - inner - (count - 1 - number) * step)
        most = found[-1] + step
        even = min(max(number * length / count, least), most)
        places = [even, *(edge for edge in edges if least <= edge <= most)]

        def cost(place: float, even: float = even) -> tuple[int, float]:
            return _cut_at(place, cells), abs(place - even)

        found.append(min(places, key=cost))
    return found


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
    paper: Point,
    begins: tuple[list[float], list[float]],
    at: tuple[int, int],
) -> Page:
    """One page of a board, with marks where it is cut, and its place among the others at its foot."""
    (x, wide), (y, high) = (
        (start[n], (start[n + 1] + OVERLAP if n + 1 < len(start) else length) - start[n])
        for start, n, length in zip(begins, at, whole, strict=True)
    )
    seen = touching(shapes, x, y, wide, high)
    window = Window(MARGIN, MARGIN, wide, high, tuple(moved(each, MARGIN - x, MARGIN - y) for each in seen))
    marks: list[Shape] = corner_marks(MARGIN, MARGIN, wide, high)
    across, down = map(len, begins)
    if at[0] < across - 1:
        marks.append(_glue(MARGIN + wide - OVERLAP, MARGIN, 0, high))
    if at[1] < down - 1:
        marks.append(_glue(MARGIN, MARGIN + high - OVERLAP, wide, 0))
    where = f"{name} · {chr(65 + at[1] % 26)}{at[0] + 1}  ({across} × {down})" if across * down > 1 else name
    return Page(paper[0], paper[1], (*marks, foot(paper[0], paper[1], where)), (window,))


def _glue(x: float, y: float, width: float, height: float) -> Shape:
    """The line up to which the next page is laid."""
    return Path(((x, y), (x + width, y + height)), INK, 0.5, dashed=True)


# ---------------------------------------------------------------- what signs and colours mean


def _explained(tiles: list[Page], scene: Scene, sheet: Sheet, name: str) -> list[Page]:
    """The pages of a board with its legend, where one has room below or beside what it shows, or in a corner of it;
    else on one more page.
    """
    places = [(number, page, scale) for scale in LEGENDS for number, page in reversed([*enumerate(tiles)])]
    least = legend_width(scene, sheet.board)
    groups = max((width_of(each, KEY_TEXT) + KEY * 1.5 + 1 for each, _ in sheet.groups), default=0.0)
    for number, page, scale in places:
        window = page.windows[0]
        inside = _corners(window, max(LEAST, groups))
        for x, y, wide, high in (*_around(window, page, LEAST if sheet.groups else NARROW), *inside):
            if wide < max(least * scale, groups):
                continue
            shapes, taken = _legend(scene, sheet, wide, scale)
            if not shapes:
                return tiles
            is_inside = (x, y, wide, high) in inside
            if taken <= high and not (is_inside and touching(window.shapes, x, y, wide, taken)):
                more = tuple(moved(each, x, y) for each in shapes)
                return [*tiles[:number], replace(page, shapes=(*page.shapes, *more)), *tiles[number + 1 :]]
    width, height = tiles[-1].width, tiles[-1].height
    shapes, _ = _legend(scene, sheet, width - 2 * MARGIN, LEGENDS[0])
    more = tuple(moved(each, MARGIN, MARGIN) for each in shapes)
    return [*tiles, Page(width, height, (*more, foot(width, height, name)))] if shapes else tiles


Room = tuple[float, float, float, float]
"""Left, top, width and height."""


def _around(window: Window, page: Page, least: float) -> list[Room]:
    """The room below what a page shows, and beside it where that is so wide."""
    below = window.y + window.height + MARK + 2 * MM
    beside = window.x + window.width + MARK + 2 * MM
    end = page.height - MARGIN - FOOT
    rooms = [(MARGIN, below, page.width - 2 * MARGIN, end - below)]
    if page.width - MARGIN - beside >= least:
        rooms.append((beside, MARGIN, page.width - MARGIN - beside, end - MARGIN))
    return rooms


def _corners(window: Window, wide: float) -> list[Room]:
    """Room so wide in the upper corners of what a page shows."""
    high = window.height - 2 * EDGE
    lefts = window.x + EDGE, window.x + window.width - EDGE - wide
    return [(left, window.y + EDGE, wide, high) for left in lefts if window.width > 2 * (EDGE + wide)]


def _legend(scene: Scene, sheet: Sheet, wide: float, scale: float) -> tuple[list[Shape], float]:
    """What the signs and colours of a board mean, in a width, and how high that is."""
    found, high = legend_shapes(scene, sheet.board, wide / scale)
    shapes = [moved(each, 0, 0, scale) for each in found]
    high *= scale
    if not sheet.groups:
        return shapes, high
    widest = max(width_of(name, KEY_TEXT) for name, _ in sheet.groups) + 2 * KEY
    columns = max(1, int(wide // widest))
    rows = ceil(len(sheet.groups) / columns)
    for number, (name, fill) in enumerate(sheet.groups):
        x, y = number // rows * (wide / columns), high + number % rows * KEY
        text = cut(name, wide / columns - KEY * 1.5, KEY_TEXT)
        key = Polygon(box(x, y + 2, KEY, KEY - 6), fill, LINE, 0.6)
        shapes.append(Group((key, Words(text, (x + KEY * 1.4, y + KEY - 8), KEY_TEXT)), name, "legend"))
    return shapes, high + rows * KEY
