"""The geometry of boards: neighbours, distances, directions, and what lies in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.footprints import (
    anchored_at,
    apart,
    as_cells,
    board_data,
    cell_type,
    footprint,
    no_map,
    no_shape,
    places_of,
    shape_of,
    touching,
)
from dsl.elaborate.bodies.scope import BAD, counted, known
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, Id, ListOf, SetOf
from dsl.lower.ir_builder import conjunction, negation, number
from dsl.resolve.kinds import Unknown
from dsl.resolve.symbols import Param, Value
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.expressions import Expressions

Arguments = tuple[ast.Expr, ...]
Builtin = Callable[["Expressions", Arguments, ast.Expr], ir.Expr]


def constant(e: Expressions, data: pr.Data) -> int:
    """The number of a constant table, which is entered when it is needed first."""
    for index, each in enumerate(e.world.data):
        if each == data:
            return index
    return e.world.add_data(data)


def _directions(e: Expressions, tree: ast.Expr) -> Id | None:
    """The type of the map's directions, which maps of regions lack."""
    way = e.world.types.get("Direction")
    if isinstance(way, Id) and e.world.board is not None:
        return way
    if e.world.board is None:
        no_map(e, tree.span)
    else:
        hint = (
            "neighbours are `around(r)`, and the nearest of them `least n in around(r) by distance(n, goal)`"
        )
        e.fault(Code.UNKNOWN_NAME, tree.span, "this map has no directions", hint=hint)
    return None


def _count(e: Expressions, arguments: Arguments, names: tuple[str, ...], tree: ast.Expr, name: str) -> bool:
    if len(arguments) == len(names):
        return True
    message = tr(
        "`{name}` takes {counted}, not {count}", name=name, counted=counted(len(names)), count=len(arguments)
    )
    e.fault(
        Code.WRONG_ARGUMENTS,
        tree.span,
        message,
        hint=tr("it is `{name}({names})`", name=name, names=", ".join(names)),
    )
    return False


def _footprints(
    e: Expressions,
    arguments: Arguments,
    names: tuple[str, ...],
    tree: ast.Expr,
    name: str,
    *,
    listed: bool = False,
) -> list[ir.Expr] | None:
    """Arguments that cover cells: a cell, a piece, a place of several cells, a set."""
    if cell_type(e) is None:
        no_map(e, tree.span)
        return None
    if not _count(e, arguments, names, tree, name):
        return None
    found = [footprint(e, argument, listed=listed) for argument in arguments]
    return found if all(known(each) for each in found) else None


def one_cell(e: Expressions, tree: ast.Expr, name: str) -> ir.Expr:
    """A cell, or where a piece stands that is on one."""
    found = footprint(e, tree)
    if isinstance(found.type, SetOf):
        text = tree.span.text
        hint = tr("of a piece say `{text}.at`, and test first that it `is not none`", text=text)
        local = e.body.find(tree.name) if isinstance(tree, ast.NameExpr) else None
        if not isinstance(tree, ast.NameExpr | ast.Member) or (local and isinstance(local.type, SetOf)):
            hint = tr(
                "name one of these cells, such as `first c in {text} where ...`, and test that it `is not none`",
                text=text,
            )
        return e.fault(
            Code.TYPE_MISMATCH,
            tree.span,
            tr("`{name}` goes from one cell to one other", name=name),
            hint=hint,
        )
    return found


def _two_cells(
    e: Expressions, arguments: Arguments, tree: ast.Expr, name: str
) -> tuple[Id, ir.Expr, ir.Expr] | None:
    way = _directions(e, tree)
    if way is None or not _count(e, arguments, ("from", "to"), tree, name):
        return None
    one, two = (one_cell(e, argument, name) for argument in arguments)
    return (way, one, two) if known(one) and known(two) else None


# ---------------------------------------------------------------- neighbours and distances


def _around(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`around(c)`: the cells that touch it."""
    found = _footprints(e, arguments, ("cell",), tree, "around", listed=True)
    near = touching(e, found[0]) if found else BAD
    cell = near.type.of if known(near) and isinstance(near.type, SetOf) else None
    if isinstance(cell, Id) and any(where is not None for where in e.world.domains[cell.domain].where):
        return ir.Op(near.type, "meet", (near, e.members(cell.domain)))
    return near


def _distance(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`distance(a, b)`: how many borders lie between two cells; as many as there are cells where there is no way."""
    found = _footprints(e, arguments, ("from", "to"), tree, "distance", listed=True)
    return apart(e, *found) if found else BAD


def _adjacent(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    if len(arguments) == 1:
        hint = tr(
            "are two places neighbours is `adjacent(a, b)`; all neighbours are `around({arguments})`",
            arguments=arguments[0].span.text,
        )
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "`adjacent` takes 2 arguments, not 1", hint=hint)
    distance = _distance(e, arguments, tree)
    return ir.Op(TRUTH, "eq", (distance, number(1))) if known(distance) else BAD


def _cells(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`cells(t)`: the cells that a piece or a place of several cells covers."""
    found = _footprints(e, arguments, ("place",), tree, "cells")
    return as_cells(e, found[0]) if found else BAD


def _places(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`places(k)`: the places of the shape of a kind; `places(k, c)`: those anchored at a cell, as drawn first."""
    if cell_type(e) is None:
        return no_map(e, tree.span)
    if len(arguments) not in {1, 2}:
        hint = "it is `places(kind)`, or `places(kind, cell)` for those anchored at a cell"
        message = tr("`places` takes 1 or 2 arguments, not {count}", count=len(arguments))
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, message, hint=hint)
    if e.world.any_place is None:
        if e.world.reporter.lost & {"Shape", "Place"}:
            return BAD
        hint = 'draw one: `shape foundation:`, and under it `@ #` between `"""` and `"""`'
        return e.fault(Code.UNKNOWN_NAME, tree.span, "this game has no shapes", hint=hint)
    whole = e.world.shapes[e.world.any_place].of
    assert whole is not None
    of = e.expr(arguments[0], Id(whole))
    cell = one_cell(e, arguments[1], "places") if len(arguments) == 2 else None
    if not known(of) or (cell is not None and not known(cell)):
        return BAD
    shape = shape_of(e, of, arguments[0].span)
    if shape is None:
        return no_shape(e, of, arguments[0].span)
    return places_of(e, shape) if cell is None else anchored_at(e, shape, cell)


def _reached(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`reached(a, links)`: the places to which a value leads that gives the next places of each, and those of these."""
    if not _count(e, arguments, ("from", "links"), tree, "reached"):
        return BAD
    named = arguments[1]
    function = named.function if isinstance(named, ast.Apply) else named
    links = e.world.callables.get(function.name) if isinstance(function, ast.NameExpr) else None
    result = links.result if isinstance(links, Value) else None
    if isinstance(links, Value) and result is None and e.resolve_value is not None:
        result = e.resolve_value(links)
    place = links.params[0].type if isinstance(links, Value) and links.params else None
    if not isinstance(links, Value) or not isinstance(place, Id) or result != SetOf(place):
        hint = (
            "such as `value roads(r: Region) -> set of Region = all n in around(r) where n.owner is r.owner`"
        )
        if isinstance(result, Unknown) or (place is not None and isinstance(place, Unknown)):
            return BAD
        message = "`reached` goes on by a value that gives a set of places for a place"
        return e.fault(Code.TYPE_MISMATCH, named.span, message, hint=hint)
    others = e.arguments(
        links.params[1:], named.arguments if isinstance(named, ast.Apply) else (), named, links.name
    )
    start = e.expr(arguments[0], place)
    start = e.coerce(start, SetOf(place) if isinstance(start.type, SetOf) else place, arguments[0].span)
    if not known(start) or others is None:
        return BAD
    local, type_ = e.body.new(place), SetOf(place)
    whole = start if isinstance(start.type, SetOf) else ir.Op(type_, "single", (start,))
    return ir.Fold(type_, "closure", local.index, whole, None, ir.Ask(type_, links.id, (local, *others)))


# ---------------------------------------------------------------- directions


def _step(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`step(c, d)`: the next cell in a direction, or none."""
    way, cell = _directions(e, tree), cell_type(e)
    if way is None or cell is None:
        return BAD
    args = e.arguments([Param("cell", cell), Param("direction", way)], arguments, tree, "step")
    return ir.Lookup(Id(cell.domain, optional=True), board_data(e, "step"), args) if args is not None else BAD


def _turned(name: str, quarter: int) -> Builtin:
    """Directions seen from a direction: `opposite(d)`, `left_of(d)`, `right_of(d)` (the next one round)."""

    def build(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
        way = _directions(e, tree)
        if way is None:
            return BAD
        args = e.arguments([Param("direction", way)], arguments, tree, name)
        return ir.Lookup(way, _turning(e, way, name, quarter), args) if args is not None else BAD

    return build


def _turning(e: Expressions, way: Id, name: str, quarter: int) -> int:
    n = len(e.world.domains[way.domain].members)
    turn = n // 2 if quarter == 0 else quarter % n
    return constant(e, pr.Data(name, way, ((0, n),), tuple((index + turn) % n for index in range(n))))


def _side_of(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`side_of(d, facing)`: is a direction the front, the back or a side of what faces another?"""
    way, aspect = _directions(e, tree), e.world.types.get("Aspect")
    if way is None or not isinstance(aspect, Id):
        return BAD
    args = e.arguments([Param("direction", way), Param("facing", way)], arguments, tree, "side_of")
    n = len(e.world.domains[way.domain].members)
    sides = tuple({0: 0, n // 2: 2}.get((d - f) % n, 1) for d in range(n) for f in range(n))
    data = constant(e, pr.Data("side_of", aspect, ((0, n), (0, n)), sides))
    return ir.Lookup(aspect, data, args) if args is not None else BAD


def _toward(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`toward(a, b)`: the directions whose next cell is nearer to b."""
    way, cell = _directions(e, tree), cell_type(e)
    if way is None or cell is None or not _count(e, arguments, ("from", "to"), tree, "toward"):
        return BAD
    one, two = one_cell(e, arguments[0], "toward"), footprint(e, arguments[1], listed=True)
    if not known(one) or not known(two):
        return BAD
    start, goal = e.body.new(cell), e.body.new(two.type)
    d, near = e.body.new(way), e.body.new(Id(cell.domain, optional=True))
    there = negation(ir.Op(TRUTH, "is_none", (near,)))
    nearer = apart(e, ir.Op(cell, "some", (near,)), goal)
    test = conjunction([there, ir.Op(TRUTH, "lt", (nearer, apart(e, start, goal)))])
    taken = ir.Lookup(near.type, board_data(e, "step"), (start, d))
    where = ir.LetIn(TRUTH, near.index, taken, test)
    found = ir.Fold(SetOf(way), "all", d.index, e.members(way.domain), where, None)
    return ir.LetIn(found.type, start.index, one, ir.LetIn(found.type, goal.index, two, found))


def _direction(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`direction(a, b)`: the direction in which b lies straight from a, or none."""
    found = _two_cells(e, arguments, tree, "direction")
    if found is None:
        return BAD
    way, one, two = found
    start, goal, d = e.body.new(one.type), e.body.new(two.type), e.body.new(way)
    there = ir.Op(TRUTH, "has", (ir.Lookup(*_ray_sets(e), (start, d)), goal))
    first = ir.Fold(Id(way.domain, optional=True), "first", d.index, e.members(way.domain), there, None)
    return ir.LetIn(first.type, start.index, one, ir.LetIn(first.type, goal.index, two, first))


def _between(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`between(a, b)`: the cells strictly between two cells of a straight line; else nothing."""
    found = _two_cells(e, arguments, tree, "between")
    if found is None:
        return BAD
    way, one, two = found
    type_, rays = _ray_sets(e)
    start, goal = e.body.new(one.type), e.body.new(two.type)
    n = len(e.world.domains[way.domain].members)
    result: ir.Expr | None = None
    for d in range(n):
        out = ir.Lookup(type_, rays, (start, ir.Const(way, d)))
        back = ir.Lookup(type_, rays, (goal, ir.Const(way, (d + n // 2) % n)))
        meet = ir.Op(type_, "meet", (out, back))
        result = meet if result is None else ir.Op(type_, "union", (result, meet))
    assert result is not None
    return ir.LetIn(type_, start.index, one, ir.LetIn(type_, goal.index, two, result))


def _some_directions(name: str) -> Builtin:
    """`orthogonal`, `diagonal`: the directions across a square's sides, and across its corners."""

    def build(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
        way = _directions(e, tree)
        if way is None:
            return BAD
        members = e.world.domains[way.domain].members
        square = e.world.board is not None and e.world.board.shape == "squares"
        if not square or (name == "diagonal" and len(members) == 4):
            hint = "draw the map on `squares(8, 8, diagonal)`" if square else ""
            return e.fault(
                Code.UNKNOWN_NAME, tree.span, tr("this map has no {name} directions", name=name), hint=hint
            )
        straight = name == "orthogonal"
        mask = sum(1 << i for i, each in enumerate(members) if (each in STRAIGHT) == straight)
        return ir.Const(SetOf(way), mask)

    return build


STRAIGHT = frozenset({"north", "east", "south", "west"})


# ---------------------------------------------------------------- rays


def _rays(e: Expressions) -> list[tuple[int, ...]]:
    """For each cell and direction the cells up to the edge, nearest first."""
    step = e.world.data[board_data(e, "step")]
    (_, size), (_, ways) = step.dims
    rays = []
    for start in range(size):
        for direction in range(ways):
            at, found = start, []
            while isinstance(near := step.values[at * ways + direction], int) and near != NONE:
                found.append(near)
                at = near
            rays.append(tuple(found))
    return rays


def _ray_sets(e: Expressions) -> tuple[SetOf, int]:
    """The rays as sets: their type, and the number of their table."""
    cell = cell_type(e)
    assert cell is not None
    for index, data in enumerate(e.world.data):
        if data.name == "ray cells" and isinstance(data.type, SetOf):
            return data.type, index
    type_ = SetOf(cell)
    sets = tuple(sum(1 << each for each in ray) for ray in _rays(e))
    dims = e.world.data[board_data(e, "step")].dims
    return type_, e.world.add_data(pr.Data("ray cells", type_, dims, sets))


def _ray(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`ray(c, d)`, `ray(c, d, at most n)`: the cells that way, nearest first, without the cell itself."""
    way, cell = _directions(e, tree), cell_type(e)
    if way is None or cell is None:
        return BAD
    limit = None
    if len(arguments) == 3 and isinstance(arguments[2], ast.Bounded):
        bound = arguments[2].limit
        if not isinstance(bound, ast.Number) or bound.value < 1:
            return e.fault(Code.OUT_OF_RANGE, bound.span, "a ray is bounded by a plain number from 1")
        limit, arguments = bound.value, arguments[:2]
    args = e.arguments([Param("cell", cell), Param("direction", way)], arguments, tree, "ray")
    rays = [ray[:limit] for ray in _rays(e)]
    type_ = ListOf(cell, max(1, *(len(ray) for ray in rays)))
    data = constant(e, pr.Data("ray", type_, e.world.data[board_data(e, "step")].dims, tuple(rays)))
    return ir.Lookup(type_, data, args) if args is not None else BAD


GEOMETRY: dict[str, Builtin] = {
    "around": _around,
    "distance": _distance,
    "adjacent": _adjacent,
    "cells": _cells,
    "places": _places,
    "reached": _reached,
    "step": _step,
    "opposite": _turned("opposite", 0),
    "right_of": _turned("right_of", 1),
    "left_of": _turned("left_of", -1),
    "toward": _toward,
    "direction": _direction,
    "between": _between,
    "side_of": _side_of,
    "orthogonal": _some_directions("orthogonal"),
    "diagonal": _some_directions("diagonal"),
    "ray": _ray,
}

__all__ = ["GEOMETRY", "Arguments", "Builtin", "constant", "one_cell"]
