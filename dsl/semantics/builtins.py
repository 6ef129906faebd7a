"""What every game may call: sizes, the geometry of boards, supplies, and who comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, SetOf
from dsl.semantics.scope import BAD, TRUE, known, number
from dsl.semantics.world import Menu, Param
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.semantics.expressions import Expressions

Arguments = tuple[ast.Expr, ...]
Builtin = Callable[["Expressions", Arguments, ast.Expr], ir.Expr]
SQUARE_LINES = ((1, 0), (0, 1), (1, 1), (1, -1))
HEX_LINES = ((1, 0), (0, 1), (1, -1))


def _size(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`size(S)`: how many elements, pieces or cards."""
    if len(arguments) != 1:
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "`size` takes one argument", hint="`size(hand(p))`")
    named = isinstance(arguments[0], ast.NameExpr) and arguments[0].name in e.world.types
    of = e.domain(arguments[0]) if named else e.expr(arguments[0])
    if not known(of):
        return BAD
    match of.type:
        case BagOf(domain=domain, limit=limit):
            return ir.Op(Int(0, limit * len(e.world.domains[domain].members)), "bag_size", (of,))
        case ListOf(limit=limit):
            return ir.Op(Int(0, limit), "length", (of,))
        case _:
            holder = e.as_set(of, arguments[0])
            return ir.Op(Int(0, e.extent(holder.type)), "size", (holder,)) if known(holder) else BAD


def _bound(name: str) -> Builtin:
    """`min(a, b, ...)` and `max(a, b, ...)`."""

    def build(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
        if not 2 <= len(arguments) <= 8:
            return e.fault(Code.WRONG_ARGUMENTS, tree.span, f"`{name}` takes from 2 to 8 numbers")
        parts = [e.whole(argument) for argument in arguments]
        if not all(known(part) for part in parts):
            return BAD
        result = parts[0]
        choose = min if name == "min" else max
        for part in parts[1:]:
            assert isinstance(result.type, Int) and isinstance(part.type, Int)
            bounds = choose(result.type.low, part.type.low), choose(result.type.high, part.type.high)
            result = ir.Op(Int(*bounds), name, (result, part))
        return result

    return build


def _abs(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    of = (
        e.whole(arguments[0])
        if len(arguments) == 1
        else e.fault(Code.WRONG_ARGUMENTS, tree.span, "`abs` takes one number")
    )
    if not known(of):
        return BAD
    assert isinstance(of.type, Int)
    low = 0 if of.type.low <= 0 <= of.type.high else min(abs(of.type.low), abs(of.type.high))
    return ir.Op(Int(low, max(abs(of.type.low), abs(of.type.high))), "abs", (of,))


# ---------------------------------------------------------------- geometry


def _board_cell(e: Expressions, tree: ast.Expr) -> Id | None:
    if e.world.board is None:
        e.fault(
            Code.UNKNOWN_NAME,
            tree.span,
            "this game has no map",
            hint="declare one: `map board on squares(8, 8)`",
        )
        return None
    return Id(e.world.board.domain)


def _data(e: Expressions, name: str) -> int:
    return next(index for index, data in enumerate(e.world.data) if data.name == name)


def _cells(
    e: Expressions, cell: Id, names: tuple[str, ...], arguments: Arguments, tree: ast.Expr, name: str
) -> tuple[ir.Expr, ...] | None:
    """Arguments that are cells; a piece stands for the cell that it is at."""
    if len(names) != len(arguments):
        return e.arguments([Param(each, cell) for each in names], arguments, tree, name)
    found = []
    for argument in arguments:
        value = e.expr(argument, cell)
        if isinstance(value.type, Id) and not value.type.optional and value.type.domain != cell.domain:
            at = e.field(value, "at", argument.span)
            value = value if at is None else e.present(at, argument.span)
        found.append(e.coerce(value, cell, argument.span))
    return tuple(found) if all(known(each) for each in found) else None


def _around(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`around(c)`: the neighbours of a cell."""
    cell = _board_cell(e, tree)
    args = _cells(e, cell, ("cell",), arguments, tree, "around") if cell else None
    return ir.Lookup(SetOf(cell), _data(e, "around"), args) if cell and args is not None else BAD


def _distance(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`distance(a, b)`: how many borders lie between two cells; as many as there are cells where there is no way."""
    cell = _board_cell(e, tree)
    args = _cells(e, cell, ("from", "to"), arguments, tree, "distance") if cell else None
    if cell is None or args is None:
        return BAD
    data = _data(e, "distance")
    return ir.Lookup(e.world.data[data].type, data, args)


def _adjacent(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    distance = _distance(e, arguments, tree)
    return ir.Op(TRUTH, "eq", (distance, number(1))) if known(distance) else BAD


def _step(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`step(c, d)`: the next cell in a direction, or none."""
    cell = _board_cell(e, tree)
    way = e.world.types.get("Direction")
    if cell is None or not isinstance(way, Id):
        return e.fault(Code.UNKNOWN_NAME, tree.span, "this map has no directions") if cell else BAD
    args = e.arguments([Param("cell", cell), Param("direction", way)], arguments, tree, "step")
    return ir.Lookup(Id(cell.domain, optional=True), _data(e, "step"), args) if args is not None else BAD


def _turned(name: str, quarter: int) -> Builtin:
    """Directions seen from a direction: `opposite(d)`, `left_of(d)`, `right_of(d)` (the next one round)."""

    def build(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
        way = e.world.types.get("Direction")
        if not isinstance(way, Id):
            return e.fault(Code.UNKNOWN_NAME, tree.span, "this map has no directions")
        n = len(e.world.domains[way.domain].members)
        turn = n // 2 if quarter == 0 else quarter % n
        values = tuple((index + turn) % n for index in range(n))
        args = e.arguments([Param("direction", way)], arguments, tree, name)
        data = _constant(e, pr.Data(name, way, ((0, n),), values))
        return ir.Lookup(way, data, args) if args is not None else BAD

    return build


def _constant(e: Expressions, data: pr.Data) -> int:
    for index, each in enumerate(e.world.data):
        if each == data:
            return index
    return e.world.add_data(data)


def _ray(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`ray(c, d)`: the cells from a cell to the edge in a direction, nearest first, without the cell itself."""
    cell = _board_cell(e, tree)
    way = e.world.types.get("Direction")
    if cell is None or not isinstance(way, Id):
        return e.fault(Code.UNKNOWN_NAME, tree.span, "this map has no directions") if cell else BAD
    args = e.arguments([Param("cell", cell), Param("direction", way)], arguments, tree, "ray")
    step = e.world.data[_data(e, "step")]
    (_, size), (_, ways) = step.dims
    rays = []
    for start in range(size):
        for direction in range(ways):
            at, found = start, []
            while isinstance(near := step.values[at * ways + direction], int) and near != NONE:
                found.append(near)
                at = near
            rays.append(tuple(found))
    type_ = ListOf(cell, max(1, *(len(ray) for ray in rays)))
    data = _constant(e, pr.Data("ray", type_, step.dims, tuple(rays)))
    return ir.Lookup(type_, data, args) if args is not None else BAD


def _lines(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`lines(n)`: every straight line of n cells, each as a set; on squares the diagonals too."""
    board = e.world.board
    cell = _board_cell(e, tree)
    if board is None or cell is None:
        return BAD
    if len(arguments) != 1 or not isinstance(arguments[0], ast.Number) or not 2 <= arguments[0].value <= 64:
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "`lines` takes a plain number from 2 to 64")
    at = {(x, y): index for index, (x, y) in enumerate(zip(board.x, board.y, strict=True))}
    found = []
    for x, y in at:
        for dx, dy in SQUARE_LINES if board.shape == "squares" else HEX_LINES:
            line = [at.get((x + dx * k, y + dy * k)) for k in range(arguments[0].value)]
            if all(index is not None for index in line):
                found.append(sum(1 << index for index in line if index is not None))
    return ir.Const(ListOf(SetOf(cell), max(1, len(found))), tuple(sorted(found)))


def _file(name: str, axis: str) -> Builtin:
    """`column(c)` and `row(c)`: which column (from 1, left) or row (from 1, bottom) a cell lies in."""

    def build(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
        board = e.world.board
        cell = _board_cell(e, tree)
        if board is None or cell is None or board.shape != "squares":
            return e.fault(Code.UNKNOWN_NAME, tree.span, f"`{name}` needs a map of squares") if cell else BAD
        values = tuple(value + 1 for value in (board.x if axis == "x" else board.y))
        type_ = Int(1, max(values))
        data = _constant(e, pr.Data(name, type_, ((0, len(values)),), values))
        args = e.arguments([Param("cell", cell)], arguments, tree, name)
        return ir.Lookup(type_, data, args) if args is not None else BAD

    return build


# ---------------------------------------------------------------- supplies and players


def _supply(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`supply(KIND)`, `supply(KIND, SIDE)`: how many pieces of a kind are left to place."""
    if not arguments:
        return e.fault(
            Code.WRONG_ARGUMENTS, tree.span, "`supply` takes a kind of pieces", hint="`supply(tank)`"
        )
    kind = e.scalar(arguments[0])
    if not known(kind):
        return BAD
    pools = [d for d in e.world.domains if d.pool and d.pool.table and kind.type == Id(d.pool.table.domain)]
    if len(pools) != 1 or pools[0].pool is None:
        return e.fault(Code.TYPE_MISMATCH, arguments[0].span, "this is no kind of pieces")
    domain, pool = pools[0], pools[0].pool
    piece = e.body.new(Id(domain.id))
    left = e.supplied(domain)
    test: ir.Expr = ir.Op(TRUTH, "eq", (e.kind_of(piece, domain), kind))
    if len(arguments) > 1:
        owner = e.scalar(arguments[1])
        if not known(owner) or not isinstance(owner.type, Id):
            return BAD
        data = _constant(
            e,
            pr.Data(
                f"{pool.name}.owner",
                owner.type,
                ((0, len(domain.members)),),
                tuple(o or 0 for o in pool.owners),
            ),
        )
        test = ir.Op(TRUTH, "and", (test, ir.Op(TRUTH, "eq", (ir.Lookup(owner.type, data, (piece,)), owner))))
    return ir.Fold(Int(0, len(domain.members)), "count", piece.index, left, test, None)


def _opponent(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`opponent(p)`: the other player of two."""
    players = e.world.domains[0]
    if len(players.members) != 2:
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "`opponent` is for games of two players")
    args = e.arguments([Param("player", Id(0))], arguments, tree, "opponent")
    data = _constant(e, pr.Data("opponent", Id(0), ((0, 2),), (1, 0)))
    return ir.Lookup(Id(0), data, args) if args is not None else BAD


def _next_player(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`next_player(p)`: who comes after a player in the order of the header."""
    n = len(e.world.domains[0].members)
    args = e.arguments([Param("player", Id(0))], arguments, tree, "next_player")
    data = _constant(
        e, pr.Data("next_player", Id(0), ((0, n),), tuple((index + 1) % n for index in range(n)))
    )
    return ir.Lookup(Id(0), data, args) if args is not None else BAD


def _in_play(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`in_play(u)`: is the piece neither in the supply nor out of the game?"""
    piece = e.scalar(arguments[0]) if len(arguments) == 1 else BAD
    if not known(piece) or not isinstance(piece.type, Id) or e.world.domains[piece.type.domain].pool is None:
        return (
            e.fault(Code.WRONG_ARGUMENTS, tree.span, "`in_play` takes a piece")
            if known(piece) or len(arguments) != 1
            else BAD
        )
    return ir.Op(TRUTH, "has", (e.members(piece.type.domain), piece))


def _top(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`top(PILE)`: its top card, or none."""
    pile = e.scalar(arguments[0]) if len(arguments) == 1 else BAD
    if not known(pile) or not isinstance(pile.type, Id) or e.world.domains[pile.type.domain].kind != "pile":
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "`top` takes a pile")
    cards = e.cards_in(pile)
    assert isinstance(cards.type, SetOf) and isinstance(cards.type.of, Id)
    pool = e.world.domains[cards.type.of.domain].pool
    assert pool is not None and pool.order is not None
    card = e.body.new(cards.type.of)
    on_top = ir.Op(TRUTH, "eq", (e.load(pool.order, card), number(0)))
    return ir.Fold(Id(cards.type.of.domain, optional=True), "first", card.index, cards, on_top, None)


def _reachable(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`reachable(MENU(args), GOAL, at most n)`: can n choices of a menu make the goal true, without chance?"""
    if len(arguments) != 3 or not isinstance(arguments[2], ast.Bounded):
        return e.fault(
            Code.WRONG_ARGUMENTS,
            tree.span,
            "`reachable` takes a menu, a goal and a bound",
            hint="write `reachable(moves(u), u.at in camp, at most 5)`",
        )
    call, goal, bound = arguments[0], arguments[1], arguments[2].limit
    function = call.function if isinstance(call, ast.Apply) else call
    menu = e.world.callables.get(function.name) if isinstance(function, ast.NameExpr) else None
    if not isinstance(menu, Menu):
        return e.fault(Code.UNKNOWN_NAME, call.span, "`reachable` searches a menu, and this is none")
    if not isinstance(bound, ast.Number) or not 1 <= bound.value <= 20:
        return e.fault(Code.OUT_OF_RANGE, tree.span, "`reachable` looks from 1 to 20 choices ahead")
    by = e.body.by or (ir.Const(Id(0), 0) if len(e.world.domains[0].members) == 1 else None)
    if by is None:
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "nobody is named who would choose")
    args = e.arguments(menu.params, call.arguments if isinstance(call, ast.Apply) else (), call, menu.name)
    wanted = e.truth(goal)
    if args is None or not known(wanted):
        return BAD
    return ir.Reach(TRUTH, e.world.search(menu.name), (*args, by), wanted, bound.value)


BUILTINS: dict[str, Builtin] = {
    "size": _size,
    "length": _size,
    "min": _bound("min"),
    "max": _bound("max"),
    "abs": _abs,
    "around": _around,
    "distance": _distance,
    "adjacent": _adjacent,
    "step": _step,
    "opposite": _turned("opposite", 0),
    "right_of": _turned("right_of", 1),
    "left_of": _turned("left_of", -1),
    "ray": _ray,
    "lines": _lines,
    "column": _file("column", "x"),
    "row": _file("row", "y"),
    "supply": _supply,
    "opponent": _opponent,
    "next_player": _next_player,
    "in_play": _in_play,
    "top": _top,
    "reachable": _reachable,
}

__all__ = ["BUILTINS", "TRUE"]
