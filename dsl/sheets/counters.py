"""Counters, front and back: a square for each piece that stands on a board, or for each stone or man that fields of
cells speak of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name, text_of
from dsl.engine.kinds import kinds_at_first
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id
from dsl.looks import PLAIN
from dsl.records import record
from dsl.scene.colours import INK, PAPER, ink_on, mixed
from dsl.scene.eyes import Eyes
from dsl.scene.lettering import fitted, wrapped
from dsl.scene.model import NOBODY, Owner, Point, Scene
from dsl.scene.shapes import Circle, Drawn, Group, Path, Polygon, Shape, Words, box, figure
from dsl.scene.signs import Signs, look_at
from dsl.sheets.page import MARGIN, MM, Page, foot, spaced

SIDE, GAP, BLEED = 19 * MM, 3 * MM, 1.0 * MM
MOST = 600
"""So many counters are made at most."""
MOST_STONES = 60
"""Of each player's stones."""
BLANK = "#e9e4d4"


@record(frozen=True, slots=True)
class Counter:
    """What is printed on a counter: on its back stands whose it is, and of what type."""

    sign: str
    label: str
    owner: int
    back: str
    picture: str = ""
    fill: str = ""


def counters_of(
    machine: Machine, begun: Scene, state: Sequence[int], paper: Point, language: str
) -> list[Page]:
    """The pages of all counters, each with that of their backs behind it; `begun` is the scene before the first
    decision, `state` that in which nothing has been done.
    """
    return _pages(_all(machine, begun, state, language)[:MOST], begun.owners, paper)


def counters_left_out(machine: Machine, begun: Scene, state: Sequence[int], language: str) -> int:
    """How many counters a game has beyond those that are made."""
    return max(0, len(_all(machine, begun, state, language)) - MOST)


def _all(machine: Machine, begun: Scene, state: Sequence[int], language: str) -> list[Counter]:
    return [*_pieces(machine, begun, list(state), language)] or [*_stones(begun)]


def _pieces(machine: Machine, scene: Scene, state: list[int], language: str) -> Iterator[Counter]:
    program: Program = machine.program
    places = {board.domain for board in program.boards}
    places |= {shape for board in program.boards for shape, _ in board.shapes}
    signs = Signs(program, ())
    eyes = Eyes(machine, state, None)
    for pool in program.pools:
        at = [var for var in program.vars if var.of == pool.domain and var.name == "at"]
        if not any(isinstance(var.type, Id) and var.type.domain in places for var in at):
            continue
        data = kinds_at_first(program, pool)
        count = len(program.domains[pool.domain].members)
        owners = [eyes.owner_of(pool, piece) for piece in range(count)]
        differ = len(set(owners)) > 1
        back = printable(text_of(program, program.domains[pool.domain].label, language))
        names = {each.name: number for number, each in enumerate(scene.owners)}
        for piece in range(count):
            sign, label, look = pool.name[:2], pool.name, PLAIN
            if data is not None and isinstance(data.type, Id):
                kind = data.values[piece]
                if isinstance(kind, int) and kind != NONE:
                    sign = signs.of(data.type.domain, kind, "thing")
                    label = member_name(program, data.type.domain, kind, language)
                    look = look_at(program, data.type.domain, kind)
            whose = owners[piece] if differ else None
            owner = names.get(program.domains[whose[0]].members[whose[1]], NOBODY) if whose else NOBODY
            yield Counter(
                printable(sign), printable(label.replace("_", " ")), owner, back, look.picture, look.fill
            )


def _stones(scene: Scene) -> Iterator[Counter]:
    """What stands on the boards; where nothing does, a stone of each player for his share of the cells."""
    for board in scene.boards:
        if board.shape == "regions":
            continue
        for piece in board.pieces:
            picture = scene.pictures[piece.picture] if piece.picture != NOBODY else ""
            yield Counter(piece.sign, piece.label, piece.owner, "", picture, piece.fill)
        players = [panel.owner for panel in scene.panels if panel.owner != NOBODY]
        if not board.pieces:
            for player in players:
                for _ in range(min(MOST_STONES, -(-len(board.cells) // max(1, len(players))))):
                    yield Counter("", "", player, "")


def _pages(counters: Sequence[Counter], owners: Sequence[Owner], paper: Point) -> list[Page]:
    width, height = paper
    across, left = spaced(width - 2 * MARGIN, SIDE, GAP)
    down, top = spaced(height - 2 * MARGIN, SIDE, GAP)
    left, top = left + MARGIN, top + MARGIN
    pages = []
    for first in range(0, len(counters), across * down):
        front: list[Shape] = []
        back: list[Shape] = []
        marks: list[Shape] = []
        lot = counters[first : first + across * down]
        rows = -(-len(lot) // across)
        end = top + rows * SIDE + (rows - 1) * GAP
        for n, counter in enumerate(lot):
            column, y = n % across, top + n // across * (SIDE + GAP)
            x = left + column * (SIDE + GAP)
            owner = owners[counter.owner] if counter.owner != NOBODY else None
            front.append(Group(tuple(_front(counter, owner, x, y)), counter.label, "counter"))
            back += _back(counter, owner, left + (across - 1 - column) * (SIDE + GAP), y)
        for column in range(across):
            for x in (left + column * (SIDE + GAP), left + column * (SIDE + GAP) + SIDE):
                marks += [
                    Path(((x, top - 1 * MM), (x, top - 4 * MM)), INK, 0.4),
                    Path(((x, end + 1 * MM), (x, end + 4 * MM)), INK, 0.4),
                ]
        for row in range(rows):
            for y in (top + row * (SIDE + GAP), top + row * (SIDE + GAP) + SIDE):
                marks += [
                    Path(((left - 1 * MM, y), (left - 4 * MM, y)), INK, 0.4),
                    Path(((width - left + 1 * MM, y), (width - left + 4 * MM, y)), INK, 0.4),
                ]
        number = first // (across * down) + 1
        pages.append(Page(width, height, (*front, *marks, foot(width, height, f"{number}"))))
        if any(isinstance(each, Words) for each in back):
            pages.append(Page(width, height, (*back, *marks, foot(width, height, f"{number} ←"))))
    return pages


def _front(counter: Counter, owner: Owner | None, x: float, y: float) -> Iterator[Shape]:
    fill, ink = (owner.fill, owner.ink) if owner is not None else (PAPER, INK)
    if owner is None and counter.fill:
        fill, ink = counter.fill, ink_on(counter.fill)
    ground = mixed(PAPER, owner.fill, 0.25) if owner is not None else BLANK
    yield Polygon(box(x - BLEED, y - BLEED, SIDE + 2 * BLEED, SIDE + 2 * BLEED), ground)
    has_label = bool(counter.label)
    middle = x + SIDE / 2, y + SIDE * (0.4 if has_label else 0.5)
    radius = SIDE * (0.28 if has_label else 0.36)
    yield Circle(middle, radius, fill, INK, 0.8)
    if counter.picture:
        size = radius * 1.34
        yield Drawn(counter.picture, (middle[0] - size / 2, middle[1] - size / 2), size, ink)
    elif counter.sign:
        size = fitted(counter.sign, radius * 1.5, radius * 1.0, least=5, bold=True)
        yield Words(counter.sign, (middle[0], middle[1] + size * 0.36), size, ink, "middle", True)
    elif owner is not None:
        yield figure(owner.figure, middle, radius * 0.4, "", ink, 0.8)
    if owner is not None and counter.sign:
        yield figure(owner.figure, (x + SIDE - 2.6 * MM, y + 2.6 * MM), 1.4 * MM, owner.fill, INK, 0.5)
    size = 6.0
    lines = wrapped(counter.label, SIDE - 2 * MM, size, most=2) if has_label else []
    for n, line in enumerate(lines):
        at = y + SIDE - 1.4 * MM - (len(lines) - 1 - n) * size * 1.05
        yield Words(line, (x + SIDE / 2, at), size, INK, "middle")


def _back(counter: Counter, owner: Owner | None, x: float, y: float) -> Iterator[Shape]:
    fill = owner.fill if owner is not None else BLANK
    ink = owner.ink if owner is not None else INK
    yield Polygon(box(x - BLEED, y - BLEED, SIDE + 2 * BLEED, SIDE + 2 * BLEED), fill)
    if owner is not None:
        yield figure(owner.figure, (x + SIDE / 2, y + SIDE * 0.45), SIDE * 0.2, "", ink, 1.2)
    text = owner.label if owner is not None else counter.back
    if not text:
        return
    size = fitted(text, SIDE - 2 * MM, 7, least=4.5)
    yield Words(text, (x + SIDE / 2, y + SIDE * (0.85 if owner is not None else 0.55)), size, ink, "middle")
