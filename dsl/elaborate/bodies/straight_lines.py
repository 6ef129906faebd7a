"""Straight lines between any two cells, and what stands in their way.

A line is sampled once for each step along the axis on which the two cells lie farthest apart: on squares, which have
two axes, this is the line of Bresenham ("Algorithm for computer control of a digital plotter", IBM Systems Journal 4,
1965); on hexes, which have three (`q`, `r` and `-q-r` of axial coordinates), the linear interpolation of Patel
(*Hexagonal Grids*, "Line drawing"). At each step one coordinate is whole, and the sample lies in one cell or, where the
line runs exactly between two cells, on the side that they share. No side is preferred: both are cells of the line, so
that the line from a to b is the line from b to a, and its mirror image the line of the mirrored cells.

With the way `(dx, dy)` from the first cell to the last, `n` steps long, a cell that lies `(x, y)` from the first is
one of the line if it is between the ends on both axes and `2 * |x * dy - y * dx| <= n`: half a cell to either side.
This holds for squares and, in axial coordinates, for hexes alike.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.footprints import as_cells, cell_type, covered_by, footprint, no_map
from dsl.elaborate.bodies.geometry import Arguments, Builtin, constant, one_cell
from dsl.elaborate.bodies.lines import columns_and_rows
from dsl.elaborate.bodies.scope import BAD, counted, known
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.operators import computed
from dsl.ir.types import NONE, TRUTH, Id, Int, ListOf, SetOf, Type
from dsl.lower.ir_builder import TRUE, conjunction, negation, number
from dsl.resolve.kinds import Unknown
from dsl.resolve.symbols import Value
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.expressions import Expressions


# ---------------------------------------------------------------- numbers with their ranges


def _int(e: ir.Expr) -> Int:
    assert isinstance(e.type, Int)
    return e.type


_plus, _less, _times = partial(computed, "add"), partial(computed, "sub"), partial(computed, "mul")
_greatest, _least = partial(computed, "max"), partial(computed, "min")


def _size(a: ir.Expr) -> ir.Expr:
    return ir.Op(Int(0, max(abs(_int(a).low), abs(_int(a).high))), "abs", (a,))


# ---------------------------------------------------------------- the grid in tables, none larger than the map


class _Grid:
    """The coordinates of the map's cells, and what follows from them: axial ones on hexes."""

    def __init__(self, e: Expressions, board: pr.Board, cell: Id) -> None:
        self.e, self.board, self.cell = e, board, cell
        self.x, self.y = Int(min(board.x), max(board.x)), Int(min(board.y), max(board.y))
        wide, high = self.x.high - self.x.low, self.y.high - self.y.low
        self.farthest = max(wide, high) if board.shape == "squares" else wide + high
        """Steps between two cells, at most."""

    def bind(self, value: ir.Expr) -> tuple[ir.Local, ir.Expr]:
        """A local for a value, and both to be put around what reads it (`around`)."""
        return self.e.body.new(value.type), value

    def coordinate(self, name: str, cell: ir.Expr) -> ir.Expr:
        """The x or the y of a cell."""
        type_, values = (self.x, self.board.x) if name == "x" else (self.y, self.board.y)
        data = constant(self.e, pr.Data(f"{name} of a cell", type_, ((0, len(values)),), values))
        return ir.Lookup(type_, data, (cell,))

    def cell_at(self, x: ir.Expr, y: ir.Expr) -> ir.Expr:
        """The cell at two coordinates within the ranges of the map, or none."""
        at = {spot: cell for cell, spot in enumerate(zip(self.board.x, self.board.y, strict=True))}
        xs, ys = range(self.x.low, self.x.high + 1), range(self.y.low, self.y.high + 1)
        values = tuple(at.get((x, y), NONE) for x in xs for y in ys)
        type_ = Id(self.cell.domain, optional=True)
        dims = ((self.x.low, len(xs)), (self.y.low, len(ys)))
        return ir.Lookup(type_, constant(self.e, pr.Data("cell at", type_, dims, values)), (x, y))

    def between(self, name: str, one: ir.Expr, two: ir.Expr) -> ir.Expr:
        """The cells whose x, or y, lies between two, both of them included."""
        type_, values = (self.x, self.board.x) if name == "x" else (self.y, self.board.y)
        sets = tuple(
            sum(1 << cell for cell, at in enumerate(values) if at <= most)
            for most in range(type_.low - 1, type_.high + 1)
        )
        cells = SetOf(self.cell)
        data = constant(self.e, pr.Data(f"cells up to {name}", cells, ((type_.low - 1, len(sets)),), sets))
        below = ir.Lookup(cells, data, (_less(_least(one, two), number(1)),))
        return ir.Op(cells, "minus", (ir.Lookup(cells, data, (_greatest(one, two),)), below))


def around(bound: list[tuple[ir.Local, ir.Expr]], body: ir.Expr) -> ir.Expr:
    """An expression within the locals that it reads, the first of them outermost."""
    for local, value in reversed(bound):
        body = ir.LetIn(body.type, local.index, value, body)
    return body


class _Way:
    """The way from one cell to another: where it begins, how far it goes on each axis, and its steps."""

    def __init__(self, grid: _Grid, one: ir.Expr, two: ir.Expr) -> None:
        start, goal = grid.bind(one), grid.bind(two)
        ends = {
            (name, cell): grid.bind(grid.coordinate(name, local))
            for name in "xy"
            for cell, (local, _) in (("a", start), ("b", goal))
        }
        self.start, self.goal = start[0], goal[0]
        self.x, self.y, self.to_x, self.to_y = (
            ends[key][0] for key in (("x", "a"), ("y", "a"), ("x", "b"), ("y", "b"))
        )
        dx, dy = grid.bind(_less(self.to_x, self.x)), grid.bind(_less(self.to_y, self.y))
        self.dx, self.dy = dx[0], dy[0]
        far = _greatest(_size(self.dx), _size(self.dy))
        if grid.board.shape != "squares":
            far = _greatest(far, _size(_plus(self.dx, self.dy)))
        steps = grid.bind(ir.Op(Int(0, max(1, grid.farthest)), "narrow", (far,)))
        self.steps = steps[0]
        self.bound = [start, goal, *ends.values(), dx, dy, steps]


def _grid(e: Expressions, tree: ast.Expr, name: str) -> _Grid | None:
    board, cell = e.world.board, cell_type(e)
    if board is None or cell is None:
        no_map(e, tree.span)
        return None
    if board.shape == "regions":
        hint = "regions have neighbours, `around(r)`, and no places on a grid"
        e.fault(
            Code.UNKNOWN_NAME, tree.span, tr("`{name}` needs a map of squares or hexes", name=name), hint=hint
        )
        return None
    return _Grid(e, board, cell)


# ---------------------------------------------------------------- the functions


def _line(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`line(a, b)`: the cells through which a straight line from one to the other runs, these two without."""
    grid = _grid(e, tree, "line")
    if grid is None:
        return BAD
    if len(arguments) != 2:
        message = tr("`line` takes 2 arguments, not {count}", count=len(arguments))
        hint = "it is `line(from, to)`; straight rows of so many cells are `lines(3)`"
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, message, hint=hint)
    one, two = (one_cell(e, argument, "line") for argument in arguments)
    if not known(one) or not known(two):
        return BAD
    way, cells = _Way(grid, one, two), SetOf(grid.cell)
    here = e.body.new(grid.cell)
    ends = ir.Op(cells, "union", tuple(ir.Op(cells, "single", (each,)) for each in (way.start, way.goal)))
    box = ir.Op(cells, "meet", (grid.between("x", way.x, way.to_x), grid.between("y", way.y, way.to_y)))
    off = (_less(grid.coordinate("x", here), way.x), _less(grid.coordinate("y", here), way.y))
    aside = _times(number(2), _size(_less(_times(off[0], way.dy), _times(off[1], way.dx))))
    near = ir.Op(TRUTH, "le", (aside, way.steps))
    found = ir.Fold(cells, "all", here.index, ir.Op(cells, "minus", (box, ends)), near, None)
    return around(way.bound, found)


def _sight(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`sight(a, b, S)`: is the straight line open that S stops, a set of cells or a value that tells it of a cell?

    A step of the line that runs between two cells is stopped only by both. Of what covers several cells any line from
    one of its cells will do, and none of its own cells stop it.
    """
    grid = _grid(e, tree, "sight")
    if grid is None:
        return BAD
    if len(arguments) != 3:
        message = tr("`sight` takes 3 arguments, not {count}", count=len(arguments))
        hint = (
            "it is `sight(from, to, S)`: S is a set of cells, or a value such as `blocked(c: Cell) -> bool`"
        )
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, message, hint=hint)
    one, two = (footprint(e, argument, listed=True) for argument in arguments[:2])
    stops = _stops(e, grid, arguments[2])
    if stops is None or not known(one) or not known(two):
        return BAD
    large = [grid.bind(each) for each in (one, two) if isinstance(each.type, SetOf | ListOf)]
    covered = tuple(local for local, _ in large)
    ends = [e.body.new(grid.cell) if isinstance(each.type, SetOf | ListOf) else each for each in (one, two)]
    found = _open(e, grid, ends[0], ends[1], stops, covered)
    cells = [end for end, each in zip(ends, (one, two), strict=True) if isinstance(each.type, SetOf | ListOf)]
    for end, whole in reversed(list(zip(cells, covered, strict=True))):
        assert isinstance(end, ir.Local)
        found = ir.Fold(TRUTH, "any", end.index, whole, found, TRUE)
    return around([*stops.bound, *large], found)


def _belongs(e: Expressions, whole: ir.Expr, place: ir.Expr, cell: Id) -> ir.Expr:
    """Is a place, a cell or none, one of the cells of a set or list?"""
    if isinstance(whole.type, SetOf):
        return ir.Op(TRUTH, "has", (whole, place))
    each = e.body.new(cell)
    return ir.Fold(TRUTH, "any", each.index, whole, ir.Op(TRUTH, "eq", (each, place)), TRUE)


class _Stops:
    """What stops a line: a set of cells, or a value that tells it of a cell and perhaps of more that is bound once."""

    def __init__(
        self, cells: ir.Expr | None, value: Value | None, bound: list[tuple[ir.Local, ir.Expr]]
    ) -> None:
        self.cells, self.value, self.bound = cells, value, bound

    def at(self, e: Expressions, place: ir.Expr, own: tuple[ir.Expr, ...]) -> ir.Expr:
        """Does it stop the line at a place, a cell or none, that does not belong to the two ends?"""
        assert isinstance(place.type, Id)
        cell = Id(place.type.domain)
        kept = e.body.new(place.type)
        if self.value is None:
            assert self.cells is not None
            test: ir.Expr = ir.Op(TRUTH, "has", (self.cells, kept))
        else:
            others = tuple(local for local, _ in self.bound)
            ask = ir.Ask(TRUTH, self.value.id, (ir.Op(cell, "some", (kept,)), *others))
            test = conjunction([negation(ir.Op(TRUTH, "is_none", (kept,))), ask])
        test = conjunction([*(negation(_belongs(e, each, kept, cell)) for each in own), test])
        return ir.LetIn(TRUTH, kept.index, place, test)


def _stops(e: Expressions, grid: _Grid, tree: ast.Expr) -> _Stops | None:
    """What the third argument of `sight` says; None after a fault."""
    function = tree.function if isinstance(tree, ast.Apply) else tree
    value = e.world.callables.get(function.name) if isinstance(function, ast.NameExpr) else None
    given = tree.arguments if isinstance(tree, ast.Apply) else ()
    if isinstance(value, Value) and value.params and value.params[0].type == grid.cell:
        return _told_by(e, grid, value, tree, given)
    found = e.expr(tree, SetOf(grid.cell))
    if found.type == TRUTH:
        message = "this is yes or no, and `sight` asks it of each cell on the line"
        hint = (
            "make it a value of a cell, `value blocked(c: Cell) -> bool = ...`, and write its bare name: "
            "`sight(from, to, blocked)`"
        )
        e.fault(Code.TYPE_MISMATCH, tree.span, message, hint=hint)
        return None
    cells = covered_by(e, found, tree)
    if not known(cells):
        return None
    whole = grid.bind(as_cells(e, cells))
    return _Stops(whole[0], None, [whole])


def _told_by(e: Expressions, grid: _Grid, value: Value, tree: ast.Expr, given: Arguments) -> _Stops | None:
    """What a value says of each cell on the way, or the set of cells that it gives."""
    result: Type | object = value.result
    if result is None and e.resolve_value is not None:
        result = e.resolve_value(value)
    if result == TRUTH:
        if len(given) != len(value.params) - 1:
            _tell_of_arguments(e, value, tree, given)
            return None
        others = e.arguments(value.params[1:], given, tree, value.name)
        return None if others is None else _Stops(None, value, [grid.bind(each) for each in others])
    if result == SetOf(grid.cell) and len(given) == len(value.params):
        whole = grid.bind(e.expr(tree))
        return _Stops(whole[0], None, [whole]) if known(whole[1]) else None
    if not isinstance(result, Unknown):
        message = tr(
            "`sight` is stopped by a set of cells, or by a value that is true of some; `{name}` is neither",
            name=value.name,
        )
        e.fault(
            Code.TYPE_MISMATCH,
            tree.span,
            message,
            hint=tr("`value {name}(c: Cell) -> bool = ...`", name=value.name),
        )
    return None


def _tell_of_arguments(e: Expressions, value: Value, tree: ast.Expr, given: Arguments) -> None:
    """A value that `sight` asks of each cell has its first argument from there, and all others from the author."""
    first, *others = value.params
    whole = len(given) == len(value.params)
    names = ", ".join([each.span.text for each in given[1:]] if whole else [each.name for each in others])
    name = f"{value.name}({names})" if names else value.name
    message = tr(
        "`sight` gives `{name}` its first argument, `{first}`, which is each cell on the line",
        name=value.name,
        first=first.name,
    )
    hint = (
        tr("write only the others: `{name}`", name=name)
        if others
        else tr("write the bare name: `{name}`", name=name)
    )
    e.fault(Code.WRONG_ARGUMENTS, tree.span, message, hint=hint)


def _open(
    e: Expressions, grid: _Grid, one: ir.Expr, two: ir.Expr, stops: _Stops, own: tuple[ir.Expr, ...]
) -> ir.Expr:
    """Is no step between two cells stopped?"""
    way = _Way(grid, one, two)
    counted_in = Int(1, max(1, grid.farthest - 1))
    step = e.body.new(counted_in)
    length = _greatest(way.steps, number(1))
    last = ir.Op(Int(0, counted_in.high), "narrow", (_less(length, number(1)),))
    twice, bound = _times(number(2), length), []
    sides: dict[str, list[ir.Expr]] = {}
    for name, at, far, range_ in (("x", way.x, way.dx, grid.x), ("y", way.y, way.dy, grid.y)):
        gone = grid.bind(_times(_times(number(2), step), far))
        bound.append(gone)
        up = _rounded(_plus(gone[0], length), twice, "div_down")
        down = _rounded(_less(gone[0], length), twice, "div_up")
        sides[name] = [ir.Op(range_, "narrow", (_plus(at, each),)) for each in (down, up)]
    both = [
        stops.at(e, grid.cell_at(sides["x"][0], sides["y"][1]), own),
        stops.at(e, grid.cell_at(sides["x"][1], sides["y"][0]), own),
    ]
    clear = around(bound, negation(conjunction(both)))
    steps = ir.Op(SetOf(counted_in), "between", (number(1), last))
    return around(way.bound, ir.Fold(TRUTH, "every", step.index, steps, None, clear))


def _rounded(whole: ir.Expr, by: ir.Expr, op: str) -> ir.Expr:
    """A number divided by a positive one."""
    ends = [(a, b) for a in (_int(whole).low, _int(whole).high) for b in (_int(by).low, _int(by).high)]
    found = [a // b if op == "div_down" else -(-a // b) for a, b in ends]
    return ir.Op(Int(min(found), max(found)), op, (whole, by))


def _cell(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`cell(column, row)`: the cell that has both in its name, or none; never none where the map has no holes and the
    numbers lie on it by their ranges.
    """
    grid = _grid(e, tree, "cell")
    if grid is None:
        return BAD
    if len(arguments) != 2:
        message = tr("`cell` takes {counted}, not {count}", counted=counted(2), count=len(arguments))
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, message, hint="it is `cell(column, row)`")
    given = [e.whole(argument) for argument in arguments]
    if not all(known(each) for each in given):
        return BAD
    names = e.world.domains[grid.cell.domain].members
    places = {spot: index for index, spot in enumerate(zip(*columns_and_rows(names), strict=True))}
    most = [max(spot[axis] for spot in places) for axis in (0, 1)]
    values = tuple(places.get((x + 1, y + 1), NONE) for x in range(most[0]) for y in range(most[1]))
    bound = [grid.bind(each) for each in given]
    inside: list[ir.Expr] = []
    indices: list[ir.Expr] = []
    for (local, _), limit in zip(bound, most, strict=True):
        low, high = _int(local).low, _int(local).high
        inside += [ir.Op(TRUTH, "ge", (local, number(1)))] if low < 1 else []
        inside += [ir.Op(TRUTH, "le", (local, number(limit)))] if high > limit else []
        fits = low >= 1 and high <= limit
        indices.append(local if fits else ir.Op(Int(1, limit), "narrow", (local,)))
    type_ = Id(grid.cell.domain, optional=bool(inside) or NONE in values)
    data = constant(e, pr.Data("cell", type_, ((1, most[0]), (1, most[1])), values))
    found: ir.Expr = ir.Lookup(type_, data, tuple(indices))
    if inside:
        found = ir.Op(type_, "if", (conjunction(inside), found, ir.Const(type_, NONE)))
    return around(bound, found)


STRAIGHT_LINES: dict[str, Builtin] = {"line": _line, "sight": _sight, "cell": _cell}
