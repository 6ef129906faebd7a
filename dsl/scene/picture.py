"""The picture of a scene: its boards with their legends, and a panel for each player below, in points of the screen.

Nothing is told by colour alone: owners have figures, grounds and pieces signs, and the legend says what they mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, cos, floor, radians, sin, sqrt

from dsl.scene.colours import EDGE, INK, PAPER, ink_on, mixed
from dsl.scene.lettering import cut, filling, fitted, paired, width_of, wrapped
from dsl.scene.model import NOBODY, Board, Cell, Owner, Panel, Piece, Point, Scene, Sign, Zone
from dsl.scene.shapes import Circle, Drawn, Group, Path, Picture, Polygon, Shape, Words, box, figure, moved
from dsl.scene.signs import HOLDERS

UNIT = 64.0
"""Points for a board unit on squares and hexes."""
UNIT_OF_REGIONS = 96.0
MARGIN = 24.0
GAP = 10.0
SMALL, TEXT, HEAD = 11.0, 13.0, 20.0
"""Sizes of text: the least one, the usual one, the title."""
LEAST_WIDTH = 440.0
FAINT = "#6b6b63"
MARKED = "#0b57d0"
"""Around cells that options name."""
BARE = "#dcdcd4"
"""Of a piece that is nobody's."""
PANEL = 270.0
"""The least width of a panel."""
MOST_CARDS = 30
"""So many cards of a pile are named."""
MOST_LINES = 3
"""So many lines has what a sign means."""


def picture_of(scene: Scene, *, subtitle: str = "") -> Picture:
    """All of a scene on one sheet."""
    return _Sheet(scene, subtitle).picture()


def board_shapes(scene: Scene, board: Board, unit: float) -> list[Shape]:
    """A board with all that stands on it, its least corner at (0, 0); `unit` is the length of a board unit."""
    return list(_Drawer(scene, board, unit).shapes())


def legend_shapes(scene: Scene, board: Board, width: float) -> tuple[list[Shape], float]:
    """What is drawn on a board and what it means, in columns in a width, and how high that is; nothing where there is
    nothing to be said.
    """
    sheet = _Sheet(scene, "")
    sheet.inner, sheet.y = width, 0.0
    sheet.legend(board)
    return [moved(each, -MARGIN, 0) for each in sheet.shapes], sheet.y


def legend_width(scene: Scene, board: Board) -> float:
    """The least width of a legend in which no word is broken."""
    lines = [*_owners_on(scene, board), *_legend_of(scene, board)]
    return max((width_of(word, TEXT) for each in lines for word in each.meaning.split()), default=0.0) + 40


STRIP_WIDTH = 340.0
"""How wide each board of a strip is, and high at most."""


def strip_of(parts: Sequence[tuple[str, Scene]]) -> Picture:
    """The boards of several moments beside each other, each below its words, with the title above and one legend. Where
    there are no boards, what each player has.
    """
    columns = min(4, max(1, len(parts)))
    width = 2 * MARGIN + columns * (STRIP_WIDTH + GAP) - GAP
    title = cut(parts[-1][1].title, width - 2 * MARGIN, HEAD, bold=True)
    shapes: list[Shape] = [Words(title, (MARGIN, MARGIN + HEAD * 0.8), HEAD, INK, bold=True)]
    y, tall = MARGIN + HEAD * 0.8 + GAP * 1.5, 0.0
    for number, (words, scene) in enumerate(parts):
        if number and number % columns == 0:
            y, tall = y + tall + GAP, 0.0
        x = MARGIN + number % columns * (STRIP_WIDTH + GAP)
        shapes.append(Words(words, (x, y + TEXT), TEXT, INK, bold=True))
        below = y + TEXT * 1.6
        for board in scene.boards:
            wide, high = (
                board.width + (0.6 if board.rulers else 0),
                board.height + (0.6 if board.rulers else 0),
            )
            unit = STRIP_WIDTH / max(wide, high)
            left = x + (0.6 * unit if board.rulers else 0)
            shapes += [moved(each, left, below) for each in board_shapes(scene, board, unit)]
            below += high * unit + GAP
        if not scene.boards:
            panels = _Sheet(scene, "")
            panels.width, panels.inner, panels.y = STRIP_WIDTH + 2 * MARGIN, STRIP_WIDTH, 0.0
            panels._panels()
            shapes += [moved(each, x - MARGIN, below) for each in panels.shapes]
            below += panels.y
        tall = max(tall, below - y)
    sheet = _Sheet(parts[-1][1], "")
    sheet.width, sheet.inner, sheet.y = width, width - 2 * MARGIN, y + tall + GAP
    for at in range(len(parts[-1][1].boards)):
        sheet.legend(_all_of([scene.boards[at] for _, scene in parts]))
    height = sheet.y + MARGIN - GAP
    paper = Polygon(box(0, 0, width, height), PAPER)
    return Picture(width, height, parts[-1][1].title, (paper, *shapes, *sheet.shapes))


def _all_of(boards: Sequence[Board]) -> Board:
    """What stood on a board at any of some moments, for one legend."""
    legend = {each.sign: each for board in boards for each in board.legend}
    pieces = tuple(each for board in boards for each in board.pieces)
    cells = tuple(each for board in boards for each in board.cells)
    return replace(boards[-1], cells=cells, pieces=pieces, legend=tuple(legend.values()))


class _Sheet:
    """A scene on its way to a picture, from top to bottom."""

    def __init__(self, scene: Scene, subtitle: str) -> None:
        self.scene = scene
        self.subtitle = subtitle
        self.units = [UNIT_OF_REGIONS if board.shape == "regions" else UNIT for board in scene.boards]
        widths = [board.width * unit for board, unit in zip(scene.boards, self.units, strict=True)]
        self.width = max(LEAST_WIDTH, *widths, 0.0) + 2 * MARGIN + (20 if self._has_rulers() else 0)
        self.inner = self.width - 2 * MARGIN
        self.shapes: list[Shape] = []
        self.y = MARGIN

    def _has_rulers(self) -> bool:
        return any(board.rulers for board in self.scene.boards)

    def picture(self) -> Picture:
        self._head()
        for board, unit in zip(self.scene.boards, self.units, strict=True):
            self._board(board, unit)
        self._panels()
        height = self.y + MARGIN - GAP
        paper = Polygon(box(0, 0, self.width, height), PAPER)
        return Picture(self.width, height, self.scene.title, (paper, *self.shapes))

    def _head(self) -> None:
        scene = self.scene
        self.y += HEAD * 0.8
        title = cut(scene.title, self.inner, HEAD, bold=True)
        self.shapes.append(Words(title, (MARGIN, self.y), HEAD, INK, bold=True))
        asked = ""
        if scene.chooser != NOBODY:
            asked = scene.owners[scene.chooser].label
            asked = paired(asked, scene.prompt, scene.language) if scene.prompt else asked
        for line in (self.subtitle, scene.outcome or asked):
            for each in wrapped(line, self.inner, TEXT, most=2) if line else ():
                self.y += TEXT * 1.4
                self.shapes.append(Words(each, (MARGIN, self.y), TEXT, FAINT))
        self.y += GAP * 1.5

    # ------------------------------------------------------------ a board

    def _board(self, board: Board, unit: float) -> None:
        left = MARGIN + (20 if board.rulers else 0)
        left += max(0.0, (self.inner - (left - MARGIN) - board.width * unit) / 2)
        self.shapes += [moved(each, left, self.y) for each in board_shapes(self.scene, board, unit)]
        self.y += board.height * unit + (28 if board.rulers else 0) + GAP
        self.legend(board)

    def legend(self, board: Board) -> None:
        """What is drawn, in columns as wide as the longest line; in a single one, lines that are longer are broken."""
        lines = [*_owners_on(self.scene, board), *_legend_of(self.scene, board)]
        if not lines:
            return
        texts = [each.meaning for each in lines]
        widest = max(width_of(each, TEXT) for each in texts) + 44
        columns = max(1, min(4, int(self.inner // min(widest, self.inner))))
        wide = self.inner / columns
        rows = ceil(len(lines) / columns)
        for at, sign in enumerate(lines):
            x = MARGIN + at // rows * wide
            y = self.y + at % rows * 22
            key = _key(self.scene, board, sign, (x + 13, y + 10))
            broken = wrapped(sign.meaning, wide - 40, TEXT, most=MOST_LINES)
            words = (Words(each, (x + 32, y + 14.5 + n * TEXT * 1.3), TEXT) for n, each in enumerate(broken))
            self.shapes.append(Group((*key, *words), sign.meaning, "legend"))
            self.y += (len(broken) - 1) * TEXT * 1.3
        self.y += rows * 22 + GAP

    # ------------------------------------------------------------ panels

    def _panels(self) -> None:
        panels = [each for each in self.scene.panels if each.values or any(z.count for z in each.zones)]
        if not panels:
            return
        columns = max(1, min(len(panels), int((self.inner + GAP) // (PANEL + GAP))))
        wide = (self.inner + GAP) / columns - GAP
        for first in range(0, len(panels), columns):
            row = [self._panel(each, wide) for each in panels[first : first + columns]]
            tall = max(height for _, height in row)
            for at, (shapes, _) in enumerate(row):
                x = MARGIN + at * (wide + GAP)
                edge = Polygon(box(0, 0, wide, tall), "", EDGE)
                self.shapes += [moved(each, x, self.y) for each in (*shapes, edge)]
            self.y += tall + GAP

    def _panel(self, panel: Panel, wide: float) -> tuple[list[Shape], float]:
        """The shapes of a panel, and how high it is."""
        shapes: list[Shape] = []
        y = 8.0
        if panel.owner != NOBODY:
            owner = self.scene.owners[panel.owner]
            shapes.append(Polygon(box(0, 0, wide, 26), mixed(PAPER, owner.fill, 0.35)))
            shapes.append(figure(owner.figure, (16, 13), 8, owner.fill, INK))
            name = cut(owner.label, wide - 40, TEXT, bold=True)
            shapes.append(Words(name, (32, 17.5), TEXT, INK, bold=True))
            y = 34.0
        for name, value in panel.values:
            told = paired(name, value, self.scene.language) if value else name
            for n, line in enumerate(wrapped(told, wide - 20, TEXT)):
                y += TEXT * 1.35
                shapes.append(Words(line, (10 + (10 if n else 0), y - 4), TEXT))
        for zone in panel.zones:
            if zone.count:
                y = self._zone(shapes, zone, y, wide)
        return [Group(tuple(shapes), "", "panel")], y + 8

    def _zone(self, shapes: list[Shape], zone: Zone, y: float, wide: float) -> float:
        """A pile: how many cards it has, and the names of those that are seen, the same ones counted."""
        y += TEXT * 1.5
        head = paired(zone.label, str(zone.count), self.scene.language)
        shapes.append(Words(cut(head, wide - 20, TEXT, bold=True), (10, y - 4), TEXT, INK, bold=True))
        counted: dict[str, int] = {}
        for card in zone.cards:
            counted[card.label] = counted.get(card.label, 0) + 1
        names = [f"{count} × {name}" if count > 1 else name for name, count in counted.items()]
        if len(names) > MOST_CARDS:
            names = [*names[:MOST_CARDS], "…"]
        for line in wrapped(", ".join(names), wide - 30, SMALL) if names else ():
            y += SMALL * 1.35
            shapes.append(Words(line, (20, y - 4), SMALL, FAINT))
        return y


# ---------------------------------------------------------------- the legend


def _owners_on(scene: Scene, board: Board) -> list[Sign]:
    """Those who have something on a board; of players all."""
    seen = {each.owner for each in board.pieces} | {each.owner for each in board.cells}
    return [
        Sign(owner.sign, owner.label, number) for number, owner in enumerate(scene.owners) if number in seen
    ]


def _legend_of(scene: Scene, board: Board) -> list[Sign]:
    """What the signs mean, but those of owners, which have lines of their own, and those that nothing shows. Where
    several mean the same, those of one owner's pieces alone say whose they are.
    """
    shown = {each.sign for each in board.pieces} | {each.sign for each in board.cells}
    shown |= {each.pointer for each in board.cells} | {each.overlay for each in board.cells}
    told = [each for each in board.legend if each.owner == NOBODY and each.sign in shown]
    badge = badge_of(board)
    meanings = [each.meaning for each in told]
    for at, each in enumerate(told):
        whose = {piece.owner for piece in board.pieces if piece.sign == each.sign}
        if meanings.count(each.meaning) > 1 and len(whose) == 1 and NOBODY not in whose:
            told[at] = replace(each, meaning=f"{each.meaning} ({scene.owners[whose.pop()].label})")
    return [*told, *([Sign(BADGE, badge)] if badge else [])]


BADGE = "1"
GROUND = 0.72
"""How large the picture of a ground is, of a board unit."""


def badge_of(board: Board) -> str:
    """The name of the number that most pieces have, which is drawn at each of them."""
    counts: dict[str, int] = {}
    for piece in board.pieces:
        for name, value in piece.values:
            if value.isdecimal():
                counts[name] = counts.get(name, 0) + 1
    return max(sorted(counts), key=lambda each: counts[each], default="")


def _key(scene: Scene, board: Board, sign: Sign, at: Point) -> list[Shape]:
    """What stands before a line of the legend: as it is drawn on the board."""
    x, y = at
    if sign.owner != NOBODY:
        owner = scene.owners[sign.owner]
        return [_mark(scene, owner, at, 9)]
    shown = next((each for each in board.pieces if each.sign == sign.sign), None)
    if shown is not None and shown.picture != NOBODY:
        fill = shown.fill if shown.owner == NOBODY and shown.fill else "#ececec"
        return [
            Circle(at, 10, fill, EDGE),
            Drawn(scene.pictures[shown.picture], (x - 7, y - 7), 14, ink_on(fill)),
        ]
    if shown is not None:
        return [
            Circle(at, 10, "#ececec", EDGE),
            Words(
                sign.sign, (x, y + 4), fitted(sign.sign, 16, SMALL, least=8, bold=True), INK, "middle", True
            ),
        ]
    if sign.sign == BADGE and sign.meaning == badge_of(board):
        return _badge(BADGE, at, 8)
    cell = next((each for each in board.cells if each.sign == sign.sign), None)
    fill = cell.fill if cell is not None else PAPER
    if cell is not None and cell.picture != NOBODY:
        return [
            Polygon(box(x - 10, y - 9, 20, 18), fill, EDGE),
            Drawn(scene.pictures[cell.picture], (x - 7, y - 7), 14, FAINT),
        ]
    return [
        Polygon(box(x - 10, y - 9, 20, 18), fill, EDGE),
        Words(sign.sign, (x, y + 4.5), TEXT, INK, "middle"),
    ]


def _mark(scene: Scene, owner: Owner, at: Point, radius: float) -> Shape:
    """The figure of an owner; a disc with the name of whoever has a short one."""
    if owner.sign and owner.sign not in HOLDERS:
        size = fitted(owner.sign, radius * 1.5, radius * 1.3, least=radius * 0.7, bold=True)
        disc = Circle(at, radius * 1.1, owner.fill, INK, max(0.8, radius / 12))
        text = Words(owner.sign, (at[0], at[1] + size * 0.36), size, owner.ink, "middle", True)
        return Group((disc, text))
    return figure(owner.figure if _needs_figure(scene) else "circle", at, radius, owner.fill, INK)


def _needs_figure(scene: Scene) -> bool:
    """Are colours not enough? Two that are black and white are told apart by anybody."""
    return not {each.fill for each in scene.owners} <= {"#ffffff", "#222222"}


def _badge(text: str, at: Point, radius: float) -> list[Shape]:
    size = fitted(text, radius * 1.7, radius * 1.5, least=6)
    return [
        Circle(at, radius, PAPER, INK, max(0.8, radius / 9)),
        Words(text, (at[0], at[1] + size * 0.36), size, INK, "middle", True),
    ]


# ---------------------------------------------------------------- a board


class _Drawer:
    """A board on its way to shapes, from the ground up."""

    def __init__(self, scene: Scene, board: Board, unit: float) -> None:
        self.scene = scene
        self.board = board
        self.unit = unit
        self.badge = badge_of(board)
        self.crowd = self._crowds()
        self.is_checkered = board.shape == "squares" and len({each.fill for each in board.cells}) == 1
        """Where no ground differs, every other square is a little darker, so that rows and columns can be followed."""

    def shapes(self) -> Iterator[Shape]:
        board = self.board
        if board.shape == "regions":
            for one, other in board.links:
                points = self._at(board.cells[one].centre), self._at(board.cells[other].centre)
                yield Path(points, EDGE, self.unit / 40)
        marked = set(board.highlights)
        for number, cell in enumerate(board.cells):
            if cell.outline:
                yield self._cell(cell, number in marked)
        for ruler in board.rulers:
            x, y = self._at(ruler.at)
            size = max(SMALL, self.unit * 0.2) if self.unit >= UNIT / 2 else self.unit * 0.25
            yield Group((Words(ruler.text, (x, y + size * 0.36), size, FAINT, "middle"),), "", "ruler")
        for piece in board.pieces:
            yield self._piece(piece)

    def _at(self, point: Point) -> Point:
        return point[0] * self.unit, point[1] * self.unit

    # ------------------------------------------------------------ cells

    def _cell(self, cell: Cell, marked: bool) -> Shape:
        owner = self.scene.owners[cell.owner] if cell.owner != NOBODY else None
        title = ", ".join(
            each
            for each in (
                cell.label,
                cell.ground,
                owner.label if owner is not None else "",
                "" if cell.number is None else str(cell.number),
                *cell.notes,
            )
            if each
        )
        shapes = list(self._region(cell, owner) if self.board.shape == "regions" else self._field(cell))
        if marked:
            corners = tuple(self._at(self._drawn_in(cell, each, 0.9)) for each in cell.outline)
            shapes.append(Polygon(corners, "", MARKED, self.unit / 26))
        return Group(tuple(shapes), title, "cell")

    def _drawn_in(self, cell: Cell, point: Point, share: float) -> Point:
        (x, y), (a, b) = cell.centre, point
        return x + (a - x) * share, y + (b - y) * share

    def _field(self, cell: Cell) -> Iterator[Shape]:
        """A square or a hex."""
        unit = self.unit
        x, y = self._at(cell.centre)
        fill = cell.fill
        if self.is_checkered and sum(map(floor, cell.centre)) % 2:
            fill = mixed(fill, INK, 0.09)
        yield Polygon(tuple(map(self._at, cell.outline)), fill, EDGE, unit / 64)
        sign = cell.overlay or cell.sign
        if cell.picture != NOBODY:
            size = unit * GROUND
            yield Drawn(self.scene.pictures[cell.picture], (x - size / 2, y - size / 2), size, FAINT)
            sign = cell.overlay
        if sign:
            size = unit * 0.3
            yield Words(sign, (x, y + size * 0.36), size, FAINT, "middle")
        if self.board.shape != "squares":
            size = unit * 0.155
            yield Words(cell.name, (x, y + unit * 0.46), size, FAINT, "middle")

    def _region(self, cell: Cell, owner: Owner | None) -> Iterator[Shape]:
        """A box with the name, whose it is, and how many stand there."""
        unit = self.unit
        (left, top), (right, bottom) = self._at(cell.outline[0]), self._at(cell.outline[2])
        width = right - left
        fill = mixed(PAPER, owner.fill, 0.28) if owner is not None else cell.fill
        stroke = owner.fill if owner is not None else EDGE
        yield Polygon(tuple(map(self._at, cell.outline)), fill, EDGE if owner is None else INK, unit / 80)
        yield Polygon(box(left, top, width, unit * 0.07), stroke)
        size, small = unit * 0.135, unit * 0.115
        lines = wrapped(cell.label, width - unit * 0.12, size, bold=True, most=2)
        y = top + unit * 0.24
        for line in lines:
            yield Words(line, ((left + right) / 2, y), size, INK, "middle", True)
            y += size * 1.15
        aside = left + unit * 0.1
        if owner is not None:
            yield _mark(self.scene, owner, (left + unit * 0.16, bottom - unit * 0.16), unit * 0.09)
            aside = left + unit * 0.31
        if cell.pointer:
            yield Words(cell.pointer, (aside, bottom - unit * 0.09), unit * 0.2, INK)
            aside += unit * 0.22
        if cell.number is not None:
            big = unit * 0.24
            text = str(cell.number)
            yield Words(text, (right - unit * 0.09, bottom - unit * 0.09), big, INK, "end", True)
            right -= width_of(text, big, bold=True) + unit * 0.1
        room = right - aside - unit * 0.06
        if cell.notes and room > unit * 0.3:
            above = y - size * 0.75  # where the name ends
            high = bottom - unit * 0.06 - above
            told, small = filling(", ".join(cell.notes), room, high, small, least=small * 0.7)
            for n, line in enumerate(reversed(told)):
                yield Words(line, (aside, bottom - unit * 0.08 - n * small * 1.15), small, INK)

    # ------------------------------------------------------------ pieces

    def _crowds(self) -> dict[int, list[int]]:
        """The pieces of one cell that share it."""
        found: dict[int, list[int]] = {}
        for number, piece in enumerate(self.board.pieces):
            if len(piece.cells) == 1:
                found.setdefault(piece.cells[0], []).append(number)
        return found

    def _place(self, piece: Piece) -> tuple[Point, float]:
        """Where a piece is drawn, and its radius: those that share a cell stand beside each other."""
        if len(piece.cells) > 1:
            return self._free_cell(piece), 0.26
        crowd = self.crowd[piece.cells[0]]
        if self.board.shape == "regions":
            return self._in_region(piece, crowd)
        x, y = piece.at
        if self.board.shape != "squares":
            y -= 0.07  # below it stands the name of the hex
        if len(crowd) == 1:
            return (x, y), 0.34 if self.board.shape == "squares" else 0.32
        at = next(n for n, number in enumerate(crowd) if self.board.pieces[number] is piece)
        across = ceil(sqrt(len(crowd)))
        rows = ceil(len(crowd) / across)
        step = 0.84 / max(across, rows) if len(crowd) > 2 else 0.46
        x += (at % across - (across - 1) / 2) * step
        y += (at // across - (rows - 1) / 2) * step
        return (x, y), step * 0.47

    def _in_region(self, piece: Piece, crowd: Sequence[int]) -> tuple[Point, float]:
        """Along the lower edge of a region's box."""
        at = next(n for n, number in enumerate(crowd) if self.board.pieces[number] is piece)
        step = min(0.34, 1.4 / len(crowd))
        x = piece.at[0] + (at - (len(crowd) - 1) / 2) * step
        return (x, piece.at[1] + 0.2), step * 0.47

    def _free_cell(self, piece: Piece) -> Point:
        """The middle of a piece, or a cell of it, where no other one stands."""
        others = [each.at for each in self.board.pieces if each is not piece]
        places = (piece.at, *(self.board.cells[cell].centre for cell in piece.cells))
        return next(
            (
                place
                for place in places
                if all(abs(place[0] - x) + abs(place[1] - y) > 0.55 for x, y in others)
            ),
            piece.at,
        )

    def _piece(self, piece: Piece) -> Shape:
        unit = self.unit
        owner = self.scene.owners[piece.owner] if piece.owner != NOBODY else None
        fill, ink = (owner.fill, owner.ink) if owner is not None else (piece.fill or BARE, INK)
        if owner is None and piece.fill:
            ink = ink_on(piece.fill)
        told = [f"{name} {value}".strip() for name, value in piece.values]
        parts = (piece.label, owner.label if owner is not None else "", piece.facing, piece.why, *told)
        title = ", ".join(each for each in parts if each)
        place, radius = self._place(piece)
        at, r = self._at(place), radius * unit
        shapes: list[Shape] = []
        if len(piece.cells) > 1:
            shapes += self._footprint(piece, fill)
        if piece.angle is not None:
            shapes.append(self._arrow(at, r, piece.angle))
        if piece.hollow:
            shapes.append(Circle(at, r, PAPER, mixed(fill, INK, 0.25), r / 6, dashed=True))
            ink = INK
        else:
            shapes.append(Circle(at, r, fill, INK, unit / 50))
        if piece.hidden:
            shapes.append(Circle(at, r * 0.84, "", ink, unit / 60, dashed=True))
        shapes += self._signed(piece, owner, at, r, ink)
        badge = next((value for name, value in piece.values if name == self.badge), "")
        if badge:
            shapes += _badge(badge, (at[0] + r * 0.92, at[1] - r * 0.86), r * 0.4)
        return Group(tuple(shapes), title, "piece")

    def _signed(self, piece: Piece, owner: Owner | None, at: Point, r: float, ink: str) -> Iterator[Shape]:
        """The sign of a piece with the figure of its owner below, or that figure alone."""
        x, y = at
        figured = owner is not None and _needs_figure(self.scene)
        if piece.picture != NOBODY:
            size = r * (1.18 if figured else 1.34)
            at = x - size / 2, y - size / 2 - (r * 0.24 if figured else 0)
            yield Drawn(self.scene.pictures[piece.picture], at, size, ink)
            if owner is not None and figured:
                yield figure(owner.figure, (x, y + r * 0.66), r * 0.21, ink, ink, r / 20)
            return
        if not piece.sign:
            if owner is not None and owner.sign and owner.sign not in HOLDERS:
                size = r * 1.1
                yield Words(owner.sign, (x, y + size * 0.36), size, ink, "middle", True)
            elif owner is not None and figured:
                yield figure(owner.figure, at, r * 0.38, "", ink, max(1.0, r / 9))
            return
        lift = r * 0.2 if figured else 0.0
        size = fitted(piece.sign, r * 1.5, r * (0.95 if figured else 1.15), least=r * 0.4, bold=True)
        yield Words(piece.sign, (x, y - lift + size * 0.36), size, ink, "middle", True)
        if owner is not None and figured:
            yield figure(owner.figure, (x, y + r * 0.58), r * 0.21, ink, ink, r / 20)

    def _footprint(self, piece: Piece, fill: str) -> Iterator[Shape]:
        """All cells that a piece covers, joined where they touch."""
        cells = [self.board.cells[each] for each in piece.cells]
        base = PAPER if piece.hollow else mixed(PAPER, fill, 0.6)
        edge = mixed(fill, INK, 0.3)
        for cell in cells:
            corners = tuple(self._at(self._drawn_in(cell, each, 0.86)) for each in cell.outline)
            yield Polygon(corners, base, edge, self.unit / 20, dashed=piece.hollow)
        for n, one in enumerate(cells):
            for other in cells[:n]:
                (x, y), (a, b) = one.centre, other.centre
                if (x - a) ** 2 + (y - b) ** 2 < 1.1:
                    yield Path((self._at((x, y)), self._at((a, b))), base, self.unit * 0.42)

    def _arrow(self, at: Point, r: float, angle: float) -> Shape:
        """A point beside a piece that shows where it faces."""
        turn = radians(angle)

        def point(forward: float, aside: float) -> Point:
            dx, dy = sin(turn), -cos(turn)
            return at[0] + dx * forward - dy * aside, at[1] + dy * forward + dx * aside

        corners = point(r * 1.42, 0), point(r * 0.85, r * 0.55), point(r * 0.85, -r * 0.55)
        return Polygon(corners, INK)
