"""Shapes: places that take several cells, drawn around an anchor and turned as the map's grid turns.

A shape is a type. Its members are all places on the map where it fits, each a set of cells; the same cells reached in
two ways are one place. They are numbered in the order of the map, and named for their cells: `b4_c4_b5`.

A game that speaks of `Shape`, `Place` or `places` has two more types: `Shape`, whose members are the shapes, and
`Place`, the places of them all. There a shape is a type of its own only where it is used as one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir import program as pr
from dsl.ir.types import Id, ListOf, SetOf
from dsl.linker.layers import Gathered
from dsl.linker.name_uses import spoken_of
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Shape
from dsl.syntax import ast

Offset = tuple[int, int]
Form = tuple[Offset, ...]

MOST_PLACES = 10_000
"""Of one shape."""
MOST_PLACES_OF_ALL = 16_384
"""Of all shapes of a game that mixes them."""
SHAPE, PLACE, PLACES = "Shape", "Place", "places"
MOST_CELLS = 64


def declare_shapes(world: World, gathered: Gathered) -> None:
    """Enters each shape with its places on the map."""
    entries = gathered.of(ast.Shape)
    spoken = any(spoken_of(gathered, name) for name in (SHAPE, PLACE, PLACES)) if entries else False
    mixed = spoken and not {SHAPE, PLACE} & {*world.type_spans}
    drawn_forms: list[tuple[ast.Shape, list[Form]]] = []
    for entry in entries:
        decl: ast.Shape = entry.declaration
        world.clause("map", decl.name.text, decl.citation, decl.span)
        if world.board is None or world.board.shape == "regions":
            message, hint = (
                "a shape needs a map of squares or hexes",
                "declare one: `map board on hexes(pointy)`",
            )
            world.error(Code.UNKNOWN_NAME, decl.name.span, message, hint=hint)
            world.reporter.lost |= {decl.name.text, *((SHAPE, PLACE) if mixed else ())}
            continue
        drawn = [_form(world.reporter, world.board, decl.name, drawing) for drawing in decl.drawings]
        forms = [
            form for each in drawn if each for form in ([each] if decl.fixed else _turned(world.board, each))
        ]
        if not all(drawn):
            world.reporter.lost |= {decl.name.text, *((SHAPE, PLACE) if mixed else ())}
            continue
        drawn_forms.append((decl, list(dict.fromkeys(forms))))
    if world.board is None or not drawn_forms:
        return
    whole = _Ground(world, world.board, PLACE) if mixed else None
    for decl, forms in drawn_forms:
        if whole is not None and not whole.adds(decl, forms):
            world.reporter.lost |= {SHAPE, PLACE}
            return
        if whole is None or spoken_of(gathered, decl.name.text):
            _enter(world, world.board, decl, forms)
    if whole is not None:
        _enter_all(world, whole, [decl for decl, _ in drawn_forms])


def _form(reporter: Reporter, board: pr.Board, name: ast.Name, drawing: ast.Text) -> Form:
    """The cells of a drawing, seen from its anchor, which comes first; nothing after a fault."""
    from dsl.resolve.board import axial
    from dsl.resolve.map_drawings import check_shift

    rows = [line.split() for line in drawing.text.splitlines() if line.strip()]
    marks = [
        (x, y, sign) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign not in {".", "_"}
    ]
    foreign = next((sign for _, _, sign in marks if sign not in {"@", "#"}), None)
    anchors = [(x, y) for x, y, sign in marks if sign == "@"]
    hint = "`@` is the anchor, `#` each other cell, `.` no cell, with a space between them"
    if foreign is not None:
        at = drawing.span.start + drawing.text.index(foreign)
        span = drawing.span.source.span(at, at + len(foreign))
        reporter.error(
            Code.UNKNOWN_SIGN, span, tr('a shape has no sign "{foreign}"', foreign=foreign), hint=hint
        )
        return ()
    if len(anchors) != 1 or len(marks) > MOST_CELLS:
        message = tr(
            "a drawing of `{name}` has {count} anchors, and needs one", name=name.text, count=len(anchors)
        )
        if len(anchors) == 1:
            message = tr(
                "a drawing of `{name}` has {count} cells, more than {most_cells}",
                name=name.text,
                count=len(marks),
                most_cells=MOST_CELLS,
            )
        span = name.span
        if len(anchors) > 1:
            second = drawing.span.start + drawing.text.index("@", drawing.text.index("@") + 1)
            span = drawing.span.source.span(second, second + 1)
        reporter.error(Code.UNKNOWN_SIGN, span, message, hint=hint)
        return ()
    if board.shape == "hexes_pointy" and not check_shift(reporter, drawing):
        return ()
    place: Callable[[int, int], Offset] = (
        (lambda x, y: (x, -y))
        if board.shape == "squares"
        else (lambda x, y: axial(x, y, board.shape == "hexes_flat"))
    )
    own = place(*anchors[0])
    cells = [place(x, y) for x, y, sign in sorted(marks, key=lambda mark: mark[2] != "@")]
    return tuple((x - own[0], y - own[1]) for x, y in cells)


def _turned(board: pr.Board, form: Form) -> list[Form]:
    """A form as drawn, then in all its other orientations, each turned once more to the right."""
    squares = board.shape == "squares"
    found = [form]
    for _ in range(3 if squares else 5):
        found.append(tuple((y, -x) if squares else (-y, x + y) for x, y in found[-1]))
    return found


class _Ground:
    """The places of one shape or of several: the cells of each, and which are anchored at each cell."""

    def __init__(self, world: World, board: pr.Board, name: str) -> None:
        self.world, self.board = world, board
        self.at = {place: cell for cell, place in enumerate(zip(board.x, board.y, strict=True))}
        self.numbers: dict[int, int] = {}
        """The places by their cells, as sets."""
        self.anchored: list[list[tuple[int, ...]]] = []
        """For each shape and each cell the places anchored there, as drawn first."""
        self.domain = world.domain(name, "shape")

    def adds(self, decl: ast.Shape, forms: list[Form]) -> bool:
        """Enters the places of a shape; not where there are none, or too many, which is told."""
        here: list[tuple[int, ...]] = []
        for x, y in self.at:
            found: dict[int, None] = {}
            for form in forms:
                cells = [self.at.get((x + dx, y + dy)) for dx, dy in form]
                if any(cell is None for cell in cells):
                    continue
                mask = sum(1 << cell for cell in cells if cell is not None)
                if mask not in self.numbers:
                    self.numbers[mask] = self._member(sorted(cell for cell in cells if cell is not None))
                found[self.numbers[mask]] = None
            here.append(tuple(found))
        self.anchored.append(here)
        most = MOST_PLACES_OF_ALL if self.domain.name == PLACE else MOST_PLACES
        if any(here) and len(self.numbers) <= most:
            return True
        message, hint = tr("`{decl}` fits nowhere on this map", decl=decl.name.text), ""
        if any(here):
            what = (
                tr("the shapes up to this one have")
                if self.domain.name == PLACE
                else tr("`{decl}` has", decl=decl.name.text)
            )
            message = tr(
                "{what} {count} places on this map, more than {most}",
                what=what,
                count=f"{len(self.numbers):,}",
                most=f"{most:,}",
            )
            hint = tr("`shape {decl}, as drawn:` is not turned, and has fewer", decl=decl.name.text)
        self.world.error(Code.LIMIT, decl.name.span, message, hint=hint)
        self.world.reporter.lost.add(decl.name.text)
        return False

    def _member(self, cells: list[int]) -> int:
        names = [self.world.domains[self.board.domain].members[cell] for cell in cells]
        return self.domain.add("_".join(names), self.world.text("-".join(names)))

    def entered(self, anchors: pr.Data, **more: int) -> Shape:
        """The type with its tables, the places told to tools of the map."""
        world, cells = self.world, SetOf(Id(self.board.domain))
        name = self.domain.name
        data = world.add_data(pr.Data(f"{name} cells", cells, ((0, len(self.numbers)),), tuple(self.numbers)))
        shape = Shape(name, data, world.add_data(anchors), **more)
        world.shapes[self.domain.id] = shape
        assert world.board is not None
        world.board = replace(world.board, shapes=(*world.board.shapes, (self.domain.id, data)))
        return shape


def _enter(world: World, board: pr.Board, decl: ast.Shape, forms: list[Form]) -> None:
    """A shape as a type of its own."""
    ground = _Ground(world, board, decl.name.text)
    if not ground.adds(decl, forms):
        return
    place, (here,) = Id(ground.domain.id), ground.anchored
    most = max(len(each) for each in here)
    anchors = pr.Data(f"{decl.name.text} anchored", ListOf(place, most), ((0, len(here)),), tuple(here))
    ground.entered(anchors)
    world.declare_type(decl.name, place)


def _enter_all(world: World, ground: _Ground, decls: list[ast.Shape]) -> None:
    """The shapes as members of `Shape`, and the places of all of them as `Place`."""
    names = world.domain(SHAPE, "enum")
    for decl in decls:
        world.enter_member(names, decl.name.text, world.text(decl.name.text))
    place, size, count = Id(ground.domain.id), len(ground.at), len(decls)
    most = max(len(each) for here in ground.anchored for each in here)
    flat = tuple(each for here in ground.anchored for each in here)
    anchors = pr.Data(f"{PLACE} anchored", ListOf(place, most), ((0, count), (0, size)), flat)
    sets = tuple(
        sum(1 << each for each in {place for places in here for place in places}) for here in ground.anchored
    )
    members = world.add_data(pr.Data(f"{PLACE} of a shape", SetOf(place), ((0, count),), sets))
    ground.entered(anchors, of=names.id, members=members)
    for domain, shape in world.shapes.items():
        if domain != ground.domain.id:
            masks = world.data[shape.cells].values
            wide = tuple(ground.numbers[mask] for mask in masks if isinstance(mask, int))
            shape.wide = world.add_data(pr.Data(f"{shape.name} as {PLACE}", place, ((0, len(wide)),), wide))
    world.types[SHAPE], world.types[PLACE] = Id(names.id), place
    world.any_place = ground.domain.id
