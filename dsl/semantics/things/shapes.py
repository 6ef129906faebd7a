"""Shapes: places that take several cells, drawn around an anchor and turned as the map's grid turns.

A shape is a type. Its members are all places on the map where it fits, each a set of cells; the same cells reached in
two ways are one place. They are numbered in the order of the map, and named for their cells: `b4_c4_b5`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl.diagnostics import Code
from dsl.ir import program as pr
from dsl.ir.types import Id, ListOf, SetOf
from dsl.semantics.gather.layers import Gathered
from dsl.semantics.things.entries import Domain, Shape
from dsl.semantics.things.world import World
from dsl.syntax import ast

Offset = tuple[int, int]
Form = tuple[Offset, ...]

MOST_PLACES = 10_000
MOST_CELLS = 64


def declare_shapes(world: World, gathered: Gathered) -> None:
    """Enters each shape with its places on the map."""
    for entry in gathered.of(ast.Shape):
        decl: ast.Shape = entry.declaration
        world.clause("map", decl.name.text, decl.citation, decl.span)
        if world.board is None or world.board.shape.startswith("regions"):
            message, hint = (
                "a shape needs a map of squares or hexes",
                "declare one: `map board on hexes(pointy)`",
            )
            world.error(Code.UNKNOWN_NAME, decl.name.span, message, hint=hint)
            world.lost.add(decl.name.text)
            continue
        drawn = [_form(world, world.board, decl.name, drawing) for drawing in decl.drawings]
        forms = [
            form for each in drawn if each for form in ([each] if decl.fixed else _turned(world.board, each))
        ]
        if not all(drawn):
            world.lost.add(decl.name.text)
            continue
        _enter(world, world.board, decl, list(dict.fromkeys(forms)))


def _form(world: World, board: pr.Board, name: ast.Name, drawing: ast.Text) -> Form:
    """The cells of a drawing, seen from its anchor, which comes first; nothing after a fault."""
    from dsl.semantics.things.board import axial
    from dsl.semantics.things.drawing import check_shift

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
        world.error(Code.UNKNOWN_SIGN, span, f'a shape has no sign "{foreign}"', hint=hint)
        return ()
    if len(anchors) != 1 or len(marks) > MOST_CELLS:
        message = f"a drawing of `{name.text}` has {len(anchors)} anchors, and needs one"
        if len(anchors) == 1:
            message = f"a drawing of `{name.text}` has {len(marks)} cells, more than {MOST_CELLS}"
        world.error(Code.UNKNOWN_SIGN, name.span, message, hint=hint)
        return ()
    if board.shape == "hexes_pointy" and not check_shift(world, drawing):
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


def _enter(world: World, board: pr.Board, decl: ast.Shape, forms: list[Form]) -> None:
    at = {place: cell for cell, place in enumerate(zip(board.x, board.y, strict=True))}
    domain = world.domain(decl.name.text, "shape")
    numbers: dict[int, int] = {}
    anchored: list[tuple[int, ...]] = []
    for x, y in at:
        here: dict[int, None] = {}
        for form in forms:
            cells = [at.get((x + dx, y + dy)) for dx, dy in form]
            if any(cell is None for cell in cells):
                continue
            mask = sum(1 << cell for cell in cells if cell is not None)
            if mask not in numbers:
                numbers[mask] = _member(
                    world, board, domain, sorted(cell for cell in cells if cell is not None)
                )
            here[numbers[mask]] = None
        anchored.append(tuple(here))
    if not 1 <= len(numbers) <= MOST_PLACES:
        many = f"{len(numbers):,} places on this map, more than {MOST_PLACES:,}"
        message = (
            f"`{decl.name.text}` has {many}" if numbers else f"`{decl.name.text}` fits nowhere on this map"
        )
        world.error(Code.LIMIT, decl.name.span, message)
        world.lost.add(decl.name.text)
        return
    place, size = Id(domain.id), len(at)
    cells_data = pr.Data(
        f"{domain.name} cells", SetOf(Id(board.domain)), ((0, len(numbers)),), tuple(numbers)
    )
    most = max(len(each) for each in anchored)
    anchors = pr.Data(f"{domain.name} anchored", ListOf(place, most), ((0, size),), tuple(anchored))
    shape = Shape(domain.name, world.add_data(cells_data), world.add_data(anchors))
    world.shapes[domain.id] = shape
    world.declare_type(decl.name, place)
    _keep(world, board, domain, shape)


def _member(world: World, board: pr.Board, domain: Domain, cells: list[int]) -> int:
    names = [world.domains[board.domain].members[cell] for cell in cells]
    return domain.add("_".join(names), world.text("-".join(names)))


def _keep(world: World, board: pr.Board, domain: Domain, shape: Shape) -> None:
    """Tells tools of the map that there are such places."""
    world.board = replace(board, shapes=(*board.shapes, (domain.id, shape.cells)))
