"""What is asked of the game as a whole, and conversions between types."""

from __future__ import annotations

from dsl.ir import limits
from dsl.ir import nodes as ir
from dsl.ir.kinds import Excess, Kinds, TooMuch
from dsl.ir.operators.declaration import Bounds, Fails, Operator, Plain, Rule, constant, wrong
from dsl.ir.program import OUT, REASON, STATUS, WINNERS
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, SetOf, Type


def _of_player(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if args == (Id(kinds.players),) else None


def _of_game(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    if args:
        return None
    return TRUTH if op.op == "over" else Int(-2, kinds.endings - 1)


def _slot(name: str, takes: str, says: str, rule: Rule, slot: int) -> Operator:
    """An operator that reads one slot of the state; of a player, his bit of it."""
    python, wasm = f"s[{slot}]", f"(i32.load offset={4 * slot} (i32.const 0))"
    if takes:
        python = f"({python} >> {{0}} & 1)"
        wasm = f"(i32.and (i32.shr_u {wasm} {{0}}) (i32.const 1))"
    return Operator(name, takes, says, rule, python=python, wasm=wasm, small=True, reads=True)


GAME = (
    _slot("out", "player", "is the player out?", _of_player, OUT),
    _slot("won", "player", "has the player won?", _of_player, WINNERS),
    _slot("over", "", "has the game ended?", _of_game, STATUS),
    _slot("reason", "", "the ending that ended the game, -1 none yet, -2 the bound", _of_game, REASON),
)


# ---------------------------------------------------------------- conversions


def _id(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (Id(_, optional) as member,):
            return Int(0, max(kinds.bounds(member)[1], 0), optional)
        case _:
            return None


def _cast(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    """What has no place in the new type is met when the game runs."""
    by = constant(op.args[1]) if len(args) == 2 else None
    if by is None or not isinstance(args[1], Int) or args[1].optional:
        return None
    match args[0], op.type:
        case SetOf(), SetOf():
            return op.type
        case ((Int() | Id() as a), (Int() | Id() as b)) if a.optional <= b.optional:
            low, high = kinds.bounds(a)
            if max(abs(low + by), abs(high + by)) > limits.MAX_INT:
                raise TooMuch(f"`cast` by {by} leaves 64 bits", Excess.MAGNITUDE)
            return op.type
        case value, _:
            raise wrong("cast", (value, op.type))
        case _:
            raise AssertionError(op)


def _moved(value: int, by: int, *, low: int, least: int, most: int, sets: int) -> int:
    if sets:
        shift = low + by - least
        moved = value << min(shift, most - least + 1) if shift >= 0 else value >> -shift
        return moved & (1 << most - least + 1) - 1
    if value == NONE:
        return NONE
    if not least <= value + by <= most:
        raise Fails("E0604")
    return value + by


def _cast_fits(bounds: Bounds, op: ir.Op) -> bool:
    kind, by = op.args[0].type, constant(op.args[1])
    if not isinstance(kind, Int | Id) or not isinstance(op.type, Int | Id):
        return isinstance(op.type, SetOf)
    (low, high), (least, most) = bounds(kind), bounds(op.type)
    return by is not None and least <= low + by and high + by <= most


def _narrow(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args, op.type:
        case (Int(_, _, optional),), Int(_, _, other) if optional <= other:
            return op.type
        case (BagOf(domain),), BagOf(other) if domain == other:
            return op.type
        case (ListOf(of),), ListOf(other) if of == other:
            return op.type
        case _:
            return None


def _fitting(value: Plain, *, least: int, most: int, counts: int, room: int) -> Plain:
    if isinstance(value, int):
        fits = value == NONE or least <= value <= most
    else:
        fits = len(value) <= room and max(value, default=0) <= counts
    if not fits:
        raise Fails("E0601")
    return value


def _narrow_fits(bounds: Bounds, op: ir.Op) -> bool:
    match op.args[0].type, op.type:
        case (Int() as kind, Int() as place):
            return place.low <= kind.low and kind.high <= place.high
        case (BagOf(_, limit), BagOf(_, most)) | (ListOf(_, limit), ListOf(_, most)):
            return limit <= most
        case _:
            return False


def _between(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args, op.type:
        case (Int(low, _, False), Int(_, high, False)), SetOf(Int(least, most)) if (
            least <= low and high <= most
        ):
            return op.type
        case _:
            return None


def _span(low: int, high: int, *, least: int, most: int) -> int:
    low, high = max(low, least), min(high, most)
    return (1 << high - low + 1) - 1 << low - least if low <= high else 0


CONVERSIONS = (
    Operator("id", "member", "its number", _id, lambda a: a, none=True, python="{0}", written="{0}"),
    Operator(
        "cast",
        "a, offset",
        "a member, a number or each element of a set, moved by a constant into or out of a union; none stays none. "
        "An element that has no place there is left out",
        _cast,
        _moved,
        needs=("low", "least", "most", "sets"),
        none=True,
        folded=False,
        fails="E0604",
        sure=_cast_fits,
        written="{0}",
    ),
    Operator(
        "narrow",
        "a",
        "the same number in a smaller range, bag with smaller counts, or list with less room",
        _narrow,
        _fitting,
        needs=("least", "most", "counts", "room"),
        none=True,
        folded=False,
        fails="E0601",
        sure=_narrow_fits,
        checked=("narrow_bag", "narrow_list"),
        written="{0}",
    ),
    Operator(
        "between",
        "low, high",
        "the numbers from low to high",
        _between,
        _span,
        needs=("least", "most"),
        folded=False,
        python="span({all}, {least}, {most})",
        written="{0}..{1}",
    ),
)
