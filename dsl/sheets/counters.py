"""Counters, front and back: a square for each piece that stands on a board, or for each stone or man that fields of
cells speak of, and for those who hold regions.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence

from dsl.diagnostics.excerpt import printable
from dsl.engine.bits import bits
from dsl.engine.display import member_name, text_of
from dsl.engine.failure import RuleFailure, StartError, Unplayable
from dsl.engine.game import Game
from dsl.engine.kinds import kinds_at_first
from dsl.engine.machine import Machine
from dsl.ir.program import Data, Program, Var
from dsl.ir.types import NONE, Id
from dsl.looks import PLAIN
from dsl.players.random_player import RandomPlayer
from dsl.records import record
from dsl.scene.colours import INK, PAPER, ground_fills, ink_on, mixed
from dsl.scene.eyes import Eyes, everybody
from dsl.scene.geometry import geometry
from dsl.scene.lettering import LINE, filling, fitted
from dsl.scene.model import NOBODY, Owner, Point, Scene
from dsl.scene.reading import scene_of
from dsl.scene.shapes import Circle, Drawn, Group, Path, Polygon, Shape, Words, box, figure
from dsl.scene.signs import Signs, look_at
from dsl.scene.standing import faces_of
from dsl.sheets.boards import unit_of
from dsl.sheets.page import MARGIN, MM, Page, behind_of, foot, spaced

SIDE, GAP, BLEED = 19 * MM, 3 * MM, 1.0 * MM
"""How wide a counter is where no board says it, what is left between two, and how far their colour goes beyond."""
SHARES = {"squares": 0.86, "hexes_pointy": 0.7, "hexes_flat": 0.7, "regions": 0.55}
"""How wide a counter is, of a board unit: so that it lies within a square, a hex, or a region below its name."""
MOST = 600
"""So many counters are made at most."""
MOST_STONES = 60
"""Of each player's stones."""
BLANK = "#e9e4d4"
MOST_GROUPS = 6
GAMES, MOST_DECISIONS, BETWEEN = 4, 200, 6
"""How many games by chance show what comes to stand on a board, how many decisions are made in each at most, and how
many between two looks.
"""
LARGER = 1.4
"""How much larger what stands on a counter is that covers several cells."""
LABEL = 0.3
"""How much of a counter's height its label has."""


SHAPE = "Shape"
"""The type of a column that names shapes."""
Cells = tuple[tuple[Point, ...], ...]
"""The corners of each of some cells, in board units."""


@record(frozen=True, slots=True)
class Counter:
    """What is printed on a counter: on its back stands whose it is, and of what type."""

    sign: str
    label: str
    owner: int
    back: str
    picture: str = ""
    fill: str = ""
    group: str = ""
    """What its kind is of, where kinds are of several, such as factions."""
    ground: str = BLANK
    faces: bool = False
    """Does it face a direction?"""
    cells: Cells = ()
    """The corners of the cells that it covers, in board units, if these are several; the least of both is 0."""


def counters_of(
    machine: Machine,
    begun: Scene,
    state: Sequence[int],
    paper: Point,
    language: str,
    sides: tuple[float, float] = (SIDE, SIDE),
) -> list[Page]:
    """The pages of all counters, each with that of their backs behind it; `begun` is the scene before the first
    decision, `state` that in which nothing has been done, `sides` what `sides_of` gives.
    """
    counters = _all(machine, begun, state, language)[:MOST]
    sheet = _Sheet(begun.owners, paper, sides, begun.title, language or machine.program.language)
    for cells in dict.fromkeys(each.cells for each in counters):
        sheet.add([each for each in counters if each.cells == cells], cells)
    return sheet.pages


def sides_of(scene: Scene, paper: Point, cell: float) -> tuple[float, float]:
    """How wide a counter is that lies in a cell of each board of a scene, printed with such cells in millimetres, and
    how long a unit of the boards is.
    """
    boards = [(board.shape, unit_of(board, paper, cell)) for board in scene.boards if board.cells]
    if not boards:
        return SIDE, SIDE
    return min(SHARES[shape] * unit for shape, unit in boards), min(unit for _, unit in boards)


def counters_left_out(machine: Machine, begun: Scene, state: Sequence[int], language: str) -> int:
    """How many counters a game has beyond those that are made."""
    return max(0, len(_all(machine, begun, state, language)) - MOST)


def _all(machine: Machine, begun: Scene, state: Sequence[int], language: str) -> list[Counter]:
    return [*_pieces(machine, begun, list(state), language)] or [*_stones(machine, begun, language)]


def _pieces(machine: Machine, scene: Scene, state: list[int], language: str) -> Iterator[Counter]:
    program: Program = machine.program
    places = {board.domain for board in program.boards}
    places |= {shape for board in program.boards for shape, _ in board.shapes}
    signs = Signs(program, ())
    eyes = Eyes(machine, state, None)
    names = {each.name: number for number, each in enumerate(scene.owners)}
    for pool in program.pools:
        at = [var for var in program.vars if var.of == pool.domain and var.name == "at"]
        if not any(isinstance(var.type, Id) and var.type.domain in places for var in at):
            continue
        data = kinds_at_first(program, pool)
        count = len(program.domains[pool.domain].members)
        owners = [eyes.owner_of(pool, piece) for piece in range(count)]
        differ = len(set(owners)) > 1
        back = printable(text_of(program, program.domains[pool.domain].label, language))
        groups = _groups(program, data, language)
        faces = faces_of(program, pool)
        covers = {
            each: _footprint(program, at, data, each)
            for each in {*(data.values if data else ()), NONE}
            if isinstance(each, int)
        }
        for piece in range(count):
            sign, label, look = pool.name[:2], pool.name, PLAIN
            group, ground, cells = "", BLANK, covers[NONE]
            if data is not None and isinstance(data.type, Id):
                kind = data.values[piece]
                if isinstance(kind, int) and kind != NONE:
                    sign = signs.of(data.type.domain, kind, "thing")
                    label = member_name(program, data.type.domain, kind, language)
                    look = look_at(program, data.type.domain, kind)
                    group, ground = groups.get(kind, ("", BLANK))
                    cells = covers[kind]
            whose = owners[piece] if differ else None
            owner = names.get(program.domains[whose[0]].members[whose[1]], NOBODY) if whose else NOBODY
            label = printable(label.replace("_", " "))
            yield Counter(
                printable(sign),
                label,
                owner,
                back,
                look.picture,
                look.fill,
                group,
                ground,
                bool(faces),
                cells,
            )


def _footprint(program: Program, at: Sequence[Var], kinds: Data | None, kind: int) -> Cells:
    """The cells that pieces of a kind cover, as they first fit on the board; nothing where they cover one. Of
    several shapes those alone are known that are types of places of their own.
    """
    for board in program.boards:
        tables = dict(board.shapes)
        place = next((v.type.domain for v in at if isinstance(v.type, Id) and v.type.domain in tables), None)
        if place is None:
            continue
        shape = _shape(program, kinds, kind)
        if shape is not None:
            names, member = shape
            own = next((of for of in tables if program.domains[of].name == names[member]), None)
            if own is None and len(names) > 1:
                continue
            place = own if own is not None else place
        masks = [each for each in program.data[tables[place]].values if isinstance(each, int)]
        if len({each.bit_count() for each in masks}) != 1 or masks[0].bit_count() < 2:
            continue
        where = geometry(board, program.domains[board.domain].members)
        found = [where.outlines[each] for each in bits(masks[0])]
        left = min(x for each in found for x, _ in each)
        top = min(y for each in found for _, y in each)
        return tuple(tuple((x - left, y - top) for x, y in each) for each in found)
    return ()


def _shape(program: Program, kinds: Data | None, kind: int) -> tuple[tuple[str, ...], int] | None:
    """The names of all shapes, and which of them a kind of pieces has by the first column that says it."""
    if kinds is None or not isinstance(kinds.type, Id):
        return None
    table = program.domains[kinds.type.domain].name
    for data in program.data:
        if data.name.startswith(f"{table}.") and isinstance(data.type, Id):
            declared = program.domains[data.type.domain]
            value = data.values[kind] if 0 <= kind < len(data.values) else NONE
            if declared.name == SHAPE and isinstance(value, int) and value != NONE:
                return declared.members, value
    return None


def _groups(program: Program, kinds: Data | None, language: str) -> dict[int, tuple[str, str]]:
    """For each kind of pieces what it is of, with a colour: by the first column of its table that names rows of another
    one, such as factions, as long as several are named and not too many.
    """
    if kinds is None or not isinstance(kinds.type, Id):
        return {}
    domain = kinds.type.domain
    table = program.domains[domain].name
    for data in program.data:
        of = data.type
        if not data.name.startswith(f"{table}.") or not isinstance(of, Id) or of.domain == domain:
            continue
        named = [each for each in data.values if isinstance(each, int) and each != NONE]
        if program.domains[of.domain].kind != "row" or not 1 < len(set(named)) <= MOST_GROUPS:
            continue
        if len(data.values) != len(program.domains[domain].members) or 2 * len(named) < len(data.values):
            continue
        labels = [
            printable(member_name(program, of.domain, each, language))
            for each in range(len(program.domains[of.domain].members))
        ]
        fills = ground_fills(labels, own=[look_at(program, of.domain, n).fill for n in range(len(labels))])
        return {
            kind: (labels[each], mixed(PAPER, fills[each], 0.6))
            for kind, each in enumerate(data.values)
            if isinstance(each, int) and each != NONE
        }
    return {}


def _stones(machine: Machine, scene: Scene, language: str) -> Iterator[Counter]:
    """What stands on the boards, as many of each as do at any moment of some games by chance; where nothing does at
    first, a stone of each player for his share of the cells. Of regions those who hold some have markers, each at least
    for his share.
    """
    is_begun = any(board.pieces for board in scene.boards if board.shape != "regions")
    most: dict[Counter, int] = {}
    if is_begun or any(board.shape == "regions" for board in scene.boards):
        moments = (each for seed in range(GAMES) for each in _by_chance(machine, language, seed))
        for each in (scene, *moments):
            standing = Tally(_standing(each))
            most |= {counter: max(count, most.get(counter, 0)) for counter, count in standing.items()}
    players = [panel.owner for panel in scene.panels if panel.owner != NOBODY]
    for board in scene.boards:
        is_region = board.shape == "regions"
        if is_begun and not is_region:
            continue
        stones = [Counter("", "", each, "") for each in players]
        if is_region:
            stones = [each for each in most if not each.sign and not each.label]
        share = min(MOST_STONES, -(-len(board.cells) // max(1, len(stones))))
        most |= {each: max(share, most.get(each, 0)) for each in stones}
    for counter in sorted(most, key=lambda each: each.owner):
        yield from (counter for _ in range(most[counter]))


def _standing(scene: Scene) -> Iterator[Counter]:
    """What stands on the boards of a scene, and whose regions are."""
    for board in scene.boards:
        if board.shape == "regions":
            yield from (Counter("", "", each.owner, "") for each in board.cells if each.owner != NOBODY)
            continue
        for piece in board.pieces:
            picture = scene.pictures[piece.picture] if piece.picture != NOBODY else ""
            yield Counter(piece.sign, piece.label, piece.owner, "", picture, piece.fill)


def _by_chance(machine: Machine, language: str, seed: int) -> Iterator[Scene]:
    """Moments of a game by chance, up to its end or to as many decisions as are looked at."""
    viewers = everybody(machine)
    try:
        game = Game.start(machine, seed=seed)
        player = RandomPlayer(seed)
        for turn in range(MOST_DECISIONS):
            if (decision := game.decision) is None:
                break
            game.choose(player.choose(game, decision))
            if turn % BETWEEN == BETWEEN - 1:
                yield scene_of(machine, game.state, viewers, language)
        yield scene_of(machine, game.state, viewers, language)
    except (RuleFailure, StartError, Unplayable):
        return  # such a game has at least what it begins with


class _Sheet:
    """Counters on their way to pages."""

    def __init__(
        self, owners: Sequence[Owner], paper: Point, sides: tuple[float, float], title: str, language: str
    ) -> None:
        self.owners = owners
        self.paper = paper
        self.side, self.unit = sides
        self.title = title
        self.language = language
        self.pages: list[Page] = []
        self.number = 0

    def add(self, counters: Sequence[Counter], cells: Cells) -> None:
        """Pages of counters that cover the same cells: with the outline of these if they are several, else square."""
        width, height = self.paper
        size = self.side, self.side
        if cells:
            points = [point for each in cells for point in each]
            size = max(x for x, _ in points) * self.unit, max(y for _, y in points) * self.unit
        across, left = spaced(width - 2 * MARGIN, size[0], GAP)
        down, top = spaced(height - 2 * MARGIN, size[1], GAP)
        left, top = left + MARGIN, top + MARGIN
        for first in range(0, len(counters), across * down):
            front: list[Shape] = []
            back: list[Shape] = []
            lot = counters[first : first + across * down]
            for n, counter in enumerate(lot):
                column, y = n % across, top + n // across * (size[1] + GAP)
                x = left + column * (size[0] + GAP)
                behind = left + (across - 1 - column) * (size[0] + GAP)
                owner = self.owners[counter.owner] if counter.owner != NOBODY else None
                shown = [
                    *self.ground(counter, owner, (x, y)),
                    *self.front(counter, owner, *self.inner(x, y, size)),
                ]
                front.append(Group(tuple(shown), counter.label, "counter"))
                back += self.ground(counter, owner, (behind, y), size[0])
                back += self.back(counter, owner, *self.inner(behind, y, size))
            marks = [] if cells else self.marks(left, top, across, -(-len(lot) // across))
            self.number += 1
            told = foot(width, height, f"{self.title} · {self.number}")
            self.pages.append(Page(width, height, (*front, *marks, told)))
            if any(isinstance(each, Words) for each in back):
                told = foot(width, height, behind_of(self.title, self.number, self.language))
                self.pages.append(Page(width, height, (*back, *marks, told)))

    def inner(self, x: float, y: float, size: Point) -> tuple[float, float, float]:
        """Where the square in the middle of a counter begins, and how wide it is."""
        side = self.side if max(size) <= self.side else min(self.side * LARGER, *size)
        return x + (size[0] - side) / 2, y + (size[1] - side) / 2, side

    def ground(
        self, counter: Counter, owner: Owner | None, at: Point, mirrored: float | None = None
    ) -> Iterator[Shape]:
        """What lies below the sign of a counter; on its back, `mirrored` at that width, in its owner's full colour."""
        (x, y), side, unit = at, self.side, self.unit
        fill = counter.ground
        if owner is not None:
            fill = mixed(PAPER, owner.fill, 0.25) if mirrored is None else owner.fill
        if not counter.cells:
            yield Polygon(box(x - BLEED, y - BLEED, side + 2 * BLEED, side + 2 * BLEED), fill)
        for cell in counter.cells:
            points = [(a * unit, b * unit) for a, b in cell]
            if mirrored is not None:
                points = [(mirrored - a, b) for a, b in points]
            yield Polygon(tuple((x + a, y + b) for a, b in points), fill, INK, 0.5)

    def marks(self, left: float, top: float, across: int, rows: int) -> list[Shape]:
        """Marks to cut along, around all counters."""
        side, width = self.side, self.paper[0]
        end = top + rows * side + (rows - 1) * GAP
        found: list[Shape] = []
        for column in range(across):
            for x in (left + column * (side + GAP), left + column * (side + GAP) + side):
                found += [
                    Path(((x, top - 1.5 * MM), (x, top - 4 * MM)), INK, 0.4),
                    Path(((x, end + 1.5 * MM), (x, end + 4 * MM)), INK, 0.4),
                ]
        for row in range(rows):
            for y in (top + row * (side + GAP), top + row * (side + GAP) + side):
                found += [
                    Path(((left - 1.5 * MM, y), (left - 4 * MM, y)), INK, 0.4),
                    Path(((width - left + 1.5 * MM, y), (width - left + 4 * MM, y)), INK, 0.4),
                ]
        return found

    def front(
        self, counter: Counter, owner: Owner | None, x: float, y: float, side: float
    ) -> Iterator[Shape]:
        fill, ink = (owner.fill, owner.ink) if owner is not None else (PAPER, INK)
        if owner is None and counter.fill:
            fill, ink = counter.fill, ink_on(counter.fill)
        has_label = bool(counter.label)
        sign = counter.sign or (owner.label if owner is not None and len(owner.label) == 1 else "")
        middle = x + side / 2, y + side * (0.38 if has_label else 0.5)
        radius = side * (0.25 if has_label else 0.36)
        yield Circle(middle, radius, fill, INK, 0.8)
        if counter.picture:
            size = radius * 1.34
            yield Drawn(counter.picture, (middle[0] - size / 2, middle[1] - size / 2), size, ink)
        elif sign:
            size = fitted(sign, radius * 1.5, radius * 1.0, least=4, bold=True)
            yield Words(sign, (middle[0], middle[1] + size * 0.36), size, ink, "middle", True)
        elif owner is not None:
            yield figure(owner.figure, middle, radius * 0.4, "", ink, 0.8)
        if owner is not None and counter.sign:
            yield figure(owner.figure, (x + side * 0.86, y + side * 0.14), side * 0.075, owner.fill, INK, 0.5)
        if counter.faces:
            tip, base, half = y + side * 0.02, y + side * 0.11, side * 0.07
            at = x + side / 2
            yield Polygon(((at, tip), (at + half, base), (at - half, base)), INK)
        if counter.group:
            size = fitted(counter.group, side * 0.38, side * 0.12, least=3)
            yield Words(counter.group, (x + side * 0.05, y + side * 0.13), size, INK, bold=True)
        if has_label:
            room = side * LABEL
            lines, size = filling(counter.label, side - 1.6 * MM, room, side * 0.115, least=3)
            at = y + side * 0.97 - room + (room - len(lines) * size * LINE) / 2 + size * 0.9
            for line in lines:
                yield Words(line, (x + side / 2, at), size, INK, "middle")
                at += size * LINE

    def back(self, counter: Counter, owner: Owner | None, x: float, y: float, side: float) -> Iterator[Shape]:
        ink = owner.ink if owner is not None else INK
        if owner is not None:
            at = x + side / 2, y + side * 0.45
            yield figure(owner.figure, at, side * 0.2, "", ink, 1.2)
        text = owner.label if owner is not None else counter.back
        if not text:
            return
        room = side * LABEL
        lines, size = filling(text, side - 2 * MM, room, side * 0.13, least=3)
        top = y + side * (0.68 if owner is not None else 0.6 if counter.cells else 0.35)
        level = top + (room - len(lines) * size * LINE) / 2 + size * 0.9
        for line in lines:
            yield Words(line, (x + side / 2, level), size, ink, "middle")
            level += size * LINE
