"""What every game may call: sizes, numbers, supplies, and who comes next; the geometry of boards has its own module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.geometry import GEOMETRY, Arguments, Builtin, constant
from dsl.elaborate.bodies.holders import room
from dsl.elaborate.bodies.lines import LINES
from dsl.elaborate.bodies.ratios import as_ratio, level, ratio
from dsl.elaborate.bodies.scope import BAD, known
from dsl.elaborate.bodies.straight_lines import STRAIGHT_LINES
from dsl.elaborate.positions import occurrences
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.limits import MAX_POSITIONS
from dsl.ir.operators import computed
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, SetOf
from dsl.lower.ir_builder import TRUE, number, replace_type
from dsl.resolve.symbols import Domain, Menu, Param
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.expressions import Expressions


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
            return e.fault(
                Code.WRONG_ARGUMENTS, tree.span, tr("`{name}` takes from 2 to 8 numbers", name=name)
            )
        found = [e.scalar(argument) for argument in arguments]
        numbers = [
            each if as_ratio(each) else e.number_of(each, tree)
            for each, tree in zip(found, arguments, strict=True)
        ]
        if not all(known(each) for each in numbers):
            return BAD
        result = numbers[0]
        for each, argument in zip(numbers[1:], arguments[1:], strict=True):
            both = level(e, result, each, argument)
            if both is None:
                return BAD
            one, two, parts = both
            if not known(one) or not known(two):
                return BAD
            result = ratio(computed(name, one, two), parts)
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
    return computed("abs", of)


def _remainder(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`remainder(n, k)`: n less the largest multiple of k that is not above it."""
    if len(arguments) != 2:
        hint = "`remainder(round, 3)`"
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "`remainder` takes two numbers", hint=hint)
    whole, by = e.whole(arguments[0]), e.whole(arguments[1])
    if not known(whole) or not known(by):
        return BAD
    assert isinstance(whole.type, Int) and isinstance(by.type, Int)
    if by.type.low < 1:
        hint = "write a number of 1 or more, or `max(1, ...)`"
        message = tr("this may be {value}, and nothing can be divided by it", value=min(0, by.type.high))
        return e.fault(Code.OUT_OF_RANGE, arguments[1].span, message, hint=hint)
    ends = [n // k for n in (whole.type.low, whole.type.high) for k in (by.type.low, by.type.high)]
    times = ir.Op(Int(min(ends), max(ends)), "div_down", (whole, by))
    ends = [n * k for n in (min(ends), max(ends)) for k in (by.type.low, by.type.high)]
    taken = ir.Op(Int(min(ends), max(ends)), "mul", (times, by))
    left = ir.Op(Int(whole.type.low - max(ends), whole.type.high - min(ends)), "sub", (whole, taken))
    return ir.Op(Int(0, by.type.high - 1), "narrow", (left,))


# ---------------------------------------------------------------- supplies and players


def _supply(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`supply(KIND)`, `supply(KIND, SIDE)`: how many of a kind, or of a type without kinds, are left to place."""
    if not arguments:
        return e.fault(
            Code.WRONG_ARGUMENTS, tree.span, "`supply` takes a kind of pieces", hint="`supply(tank)`"
        )
    pieces = _without_kinds(e, arguments[0])
    kind = e.scalar(arguments[0]) if pieces is None else TRUE
    if not known(kind):
        return BAD
    owner = e.scalar(arguments[1]) if len(arguments) > 1 else None
    if owner is not None and (not known(owner) or not isinstance(owner.type, Id)):
        return BAD
    if pieces is not None:
        return _left(e, pieces, None, owner)
    pools = e.pieces_of_kinds(kind.type)
    if not pools or len(pools) != len(e.world.parts_of(kind.type)):
        hint = e.lacks_pieces(kind.type, arguments[0].span.text)
        return e.fault(Code.TYPE_MISMATCH, arguments[0].span, "this is no kind of pieces", hint=hint)
    if len(pools) == 1:
        return _left(e, pools[0], kind, owner)
    kept = e.body.new(kind.type)
    most = Int(0, max(len(each.members) for each in pools))
    result: ir.Expr = ir.Const(most, 0)
    assert isinstance(kind.type, Id)
    for each in pools:
        assert each.pool is not None and each.pool.table is not None
        part = each.pool.table.domain
        own = ir.Op(Id(part), "cast", (kept, number(-(e.offset(part, kind.type.domain) or 0))))
        left = replace_type(_left(e, each, own, owner), most)
        result = ir.Op(most, "if", (e.in_part(kept, part, kind.type.domain), left, result))
    return ir.LetIn(most, kept.index, kind, result)


def _without_kinds(e: Expressions, tree: ast.Expr) -> Domain | None:
    """The type of pieces without kinds that is named here."""
    type_ = e.world.types.get(tree.name) if isinstance(tree, ast.NameExpr) else None
    domain = e.world.domains[type_.domain] if isinstance(type_, Id) else None
    if domain is None or domain.pool is None or domain.pool.table is not None:
        return None
    return domain if e.body.find(domain.name) is None else None


def _left(e: Expressions, domain: Domain, kind: ir.Expr | None, owner: ir.Expr | None) -> ir.Expr:
    """How many pieces of a kind, or of all, and of an owner, are left of one type of pieces."""
    pool = domain.pool
    assert pool is not None
    piece = e.body.new(Id(domain.id))
    left = e.supplied(domain, at_first=True)
    test: ir.Expr = TRUE if kind is None else ir.Op(TRUTH, "eq", (e.kind_of(piece, domain), kind))
    if owner is not None:
        assert isinstance(owner.type, Id)
        data = constant(
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
    if "Player" in e.world.reporter.lacks_rows:
        return BAD  # who plays could not be read
    if len(players.members) != 2:
        names = players.members
        seats = e.world.reporter.whence(names[0], tree.span) if e.world.reporter.whence else None
        labels = (
            (
                Label(
                    seats,
                    tr("{count} player{value} here", count=len(names), value="s" if len(names) > 1 else ""),
                ),
            )
            if seats
            else ()
        )
        hint = "in a game of more `next_player(p)` is who comes next, and `rivals(p)` are all others"
        message = "`opponent` is for games of two players"
        e.world.error(Code.WRONG_ARGUMENTS, tree.span, message, labels=labels, hint=hint)
        return BAD
    args = e.arguments([Param("player", Id(0))], arguments, tree, "opponent")
    data = constant(e, pr.Data("opponent", Id(0), ((0, 2),), (1, 0)))
    return ir.Lookup(Id(0), data, args) if args is not None else BAD


def _next_player(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`next_player(p)`: who comes after a player in the order of the header, of those who take part."""
    n = len(e.world.domains[0].members)
    args = e.arguments([Param("player", Id(0))], arguments, tree, "next_player")
    if e.world.seats is not None and args is not None:
        return _next_seated(e, args[0])
    data = constant(e, pr.Data("next_player", Id(0), ((0, n),), tuple((index + 1) % n for index in range(n))))
    return ir.Lookup(Id(0), data, args) if args is not None else BAD


def _next_seated(e: Expressions, player: ir.Expr) -> ir.Expr:
    """Of those who have a seat the first behind a player, else the first of all."""
    everyone = SetOf(Id(0))
    n = len(e.world.domains[0].members)
    behind = constant(
        e, pr.Data("behind", everyone, ((0, n),), tuple((1 << n) - (2 << at) for at in range(n)))
    )
    seated = e.members(0)
    later = ir.Op(everyone, "meet", (seated, ir.Lookup(everyone, behind, (player,))))
    one, two = e.body.new(Id(0)), e.body.new(Id(0))
    maybe = Id(0, optional=True)
    after = ir.Fold(maybe, "first", one.index, later, TRUE, None)
    first = ir.Op(Id(0), "some", (ir.Fold(maybe, "first", two.index, seated, TRUE, None),))
    return ir.Op(Id(0), "if", (ir.Op(TRUTH, "is_none", (after,)), first, ir.Op(Id(0), "some", (after,))))


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


def _repeated(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`repeated(n)`: does the position stand for the nth time, or more?"""
    if len(arguments) != 1:
        hint = "write `repeated(3)`: the position stands for the third time"
        return e.fault(Code.WRONG_ARGUMENTS, tree.span, "`repeated` takes one number", hint=hint)
    times = e.whole(arguments[0])
    if not known(times):
        return BAD
    assert isinstance(times.type, Int)
    if times.type.low < 2 or times.type.high > MAX_POSITIONS:
        message = tr(
            "a position is counted from its second time on, up to {max_positions}",
            max_positions=MAX_POSITIONS,
        )
        return e.fault(Code.OUT_OF_RANGE, arguments[0].span, message, hint="write `repeated(3)`")
    return ir.Op(TRUTH, "ge", (occurrences(e.world), times))


BUILTINS: dict[str, Builtin] = {
    "size": _size,
    "length": _size,
    "min": _bound("min"),
    "max": _bound("max"),
    "abs": _abs,
    "remainder": _remainder,
    **GEOMETRY,
    **LINES,
    **STRAIGHT_LINES,
    "supply": _supply,
    "opponent": _opponent,
    "next_player": _next_player,
    "in_play": _in_play,
    "room": room,
    "top": _top,
    "reachable": _reachable,
    "repeated": _repeated,
}

__all__ = ["BUILTINS", "TRUE"]
