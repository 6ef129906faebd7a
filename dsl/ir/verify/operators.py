"""The signatures of the operators: what arguments each takes, and what its results can be.

The result of arithmetic is the interval that follows from the intervals of the arguments; that it lies
within the type that the node promises, and that this type stays within 64 bits, is what keeps every
intermediate there.
"""

from __future__ import annotations

from itertools import product

from dsl.ir import limits, ops
from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad, Excess, Kinds, TooMuch
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type


def op_type(kinds: Kinds, op: ir.Op) -> Type:
    """The narrowest type of the results of an operator; `Bad` where its arguments are not what it takes."""
    args = tuple(arg.type for arg in op.args)
    if op.op in ops.NUMBERS:
        return _numbers(op.op, args)
    if op.op in ops.TRUTHS:
        return _truths(kinds, op.op, args)
    if op.op in ops.CHOICES:
        return _choices(kinds, op, args)
    if op.op in ops.SETS:
        return _sets(kinds, op, args)
    if op.op in ops.BAGS:
        return _bags(kinds, op, args)
    if op.op in ops.LISTS:
        return _lists(kinds, op, args)
    if op.op in ops.RECORDS:
        return _records(op, args)
    if op.op in ops.GAME:
        return _game(kinds, op.op, args)
    return _conversions(kinds, op, args)


def wrong(name: str, args: tuple[Type, ...]) -> Bad:
    """Arguments that an operator does not take."""
    return Bad(f"`{name}` does not take ({', '.join(map(brief, args))})")


def brief(kind: Type) -> str:
    """A type in a few words."""
    match kind:
        case Int(low, high, optional):
            return f"{low}..{high}{'?' if optional else ''}"
        case Id(domain, optional):
            return f"id of {domain}{'?' if optional else ''}"
        case SetOf(of):
            return f"set of {brief(of)}"
        case BagOf(domain, limit):
            return f"bag of {domain} up to {limit}"
        case ListOf(of, limit):
            return f"list of {brief(of)} up to {limit}"
        case Record(_, types):
            return f"record of {', '.join(map(brief, types[:4]))}"


def some(kind: Scalar) -> Scalar:
    """The type without none."""
    return Int(kind.low, kind.high) if isinstance(kind, Int) else Id(kind.domain)


def maybe(kind: Scalar) -> Scalar:
    """The type with none."""
    return (
        Int(kind.low, kind.high, optional=True) if isinstance(kind, Int) else Id(kind.domain, optional=True)
    )


def interval(name: str, kind: Type) -> tuple[int, int]:
    """The range of a number that is there."""
    if not isinstance(kind, Int) or kind.optional:
        raise wrong(name, (kind,))
    return kind.low, kind.high


def _numbers(name: str, args: tuple[Type, ...]) -> Int:
    ranges = [interval(name, arg) for arg in args]
    match name, ranges:
        case "add", [(a, b), (c, d)]:
            return Int(a + c, b + d)
        case "sub", [(a, b), (c, d)]:
            return Int(a - d, b - c)
        case "mul", [(a, b), (c, d)]:
            corners = [x * y for x, y in product((a, b), (c, d))]
            return Int(min(corners), max(corners))
        case "neg", [(a, b)]:
            return Int(-b, -a)
        case "abs", [(a, b)]:
            return Int(max(a, -b, 0), max(b, -a))
        case "min", [_, _, *_]:
            return Int(min(low for low, _ in ranges), min(high for _, high in ranges))
        case "max", [_, _, *_]:
            return Int(max(low for low, _ in ranges), max(high for _, high in ranges))
        case (("div_down" | "div_up" | "div_zero"), [(a, b), (c, d)]):
            return _quotients(name, (a, b), [x for x in (c, d, -1, 1) if c <= x <= d and x != 0])
        case _:
            raise wrong(name, args)


def _quotients(name: str, dividend: tuple[int, int], divisors: list[int]) -> Int:
    if not divisors:
        raise Bad(f"`{name}` always divides by 0")
    pairs = list(product(dividend, divisors))
    down, up = [x // y for x, y in pairs], [-(-x // y) for x, y in pairs]
    zero = [a if a >= 0 else b for a, b in zip(down, up, strict=True)]
    rounded = {"div_down": down, "div_up": up}.get(name, zero)
    return Int(min(rounded), max(rounded))


def _truths(kinds: Kinds, name: str, args: tuple[Type, ...]) -> Int:
    if name in {"and", "or", "not"}:
        enough = len(args) == 1 if name == "not" else len(args) >= 2
        if not enough or not all(kinds.fits(arg, TRUTH) for arg in args):
            raise wrong(name, args)
        return TRUTH
    if len(args) != 2 or not kinds.family(*args):
        raise wrong(name, args)
    if isinstance(args[0], SetOf):
        kinds.near(*args)
    scalar = isinstance(args[0], Int | Id)
    if not scalar and name not in {"eq", "ne"}:
        raise wrong(name, args)
    return TRUTH


def _choices(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type:
    match op.op, args:
        case "if", (condition, a, b) if kinds.fits(condition, TRUTH):
            return _both(kinds, op, a, b)
        case "else_", (Int() | Id() as a, b):
            return _both(kinds, op, some(a), b)
        case "is_none", (Int() | Id(),):
            return TRUTH
        case "some", (Int() | Id() as a,):
            return some(a)
        case _:
            raise wrong(op.op, args)


def _both(kinds: Kinds, op: ir.Op, a: Type, b: Type) -> Type:
    if not kinds.fits(a, op.type) or not kinds.fits(b, op.type):
        raise wrong(op.op, (a, b))
    return op.type


def _sets(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type:
    match op.op, args:
        case "union", (SetOf(), SetOf(), *_) if all(_within(kinds, arg, op.type) for arg in args):
            return op.type
        case "meet", (SetOf(), SetOf(), *_) if all(kinds.near(arg, op.type) for arg in args):
            if any(_within(kinds, arg, op.type) for arg in args):
                return op.type
        case "minus", (SetOf() as a, SetOf() as b) if _within(kinds, a, op.type) and kinds.near(b, op.type):
            return op.type
        case "subset", (SetOf() as a, SetOf() as b) if kinds.near(a, b):
            return TRUTH
        case "has", (SetOf(of), Int() | Id() as element) if kinds.akin(of, element):
            return TRUTH
        case "size", (SetOf() as a,):
            return Int(0, kinds.extent(a))
        case "single", (Int() | Id() as element,) if isinstance(op.type, SetOf):
            if kinds.akin(element, op.type.of):
                return op.type
        case "next", (SetOf(of), Int() | Id() as element) if kinds.akin(of, element):
            return maybe(of)
        case "only", (SetOf(of),):
            return maybe(of)
        case _:
            pass
    raise wrong(op.op, args)


def _within(kinds: Kinds, value: Type, place: Type) -> bool:
    """Has every element of a set a place in a set of another type?"""
    if not isinstance(value, SetOf) or not isinstance(place, SetOf):
        return False
    return kinds.akin(value.of, place.of) and kinds.within(value.of, place.of)


def _bags(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type:
    match op.op, args:
        case "bag_get", (BagOf(domain, limit), Id(other, False)) if domain == other:
            return Int(0, limit)
        case "bag_put", (BagOf(domain, limit), Id(other, False), Int(low, high, False)):
            if domain == other and low >= 0:
                return BagOf(domain, max(limit, high))
        case "bag_add", (BagOf(domain, limit), BagOf(other, more)) if domain == other:
            return BagOf(domain, limit + more)
        case "bag_sub", (BagOf(domain, limit), BagOf(other)) if domain == other:
            return BagOf(domain, limit)
        case "bag_size", (BagOf(domain, limit),):
            return Int(0, limit * kinds.sizes[domain])
        case "bag_set", (BagOf(domain),):
            return SetOf(Id(domain))
        case _:
            pass
    raise wrong(op.op, args)


def _lists(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type:
    match op.op, args:
        case "length", (ListOf(_, limit),):
            return Int(0, limit)
        case "item", (ListOf(of), Int(_, _, False)):
            return of
        case "append", (ListOf(of, limit), element) if isinstance(op.type, ListOf):
            fits = kinds.fits(of, op.type.of) and kinds.fits(element, op.type.of)
            if fits and op.type.limit > limit and not isinstance(of, SetOf):
                return op.type
        case "list_set", (ListOf(Int() | Id() as of),):
            if isinstance(op.type, SetOf) and kinds.akin(of, op.type.of) and kinds.within(of, op.type.of):
                return op.type
        case _:
            pass
    raise wrong(op.op, args)


def _records(op: ir.Op, args: tuple[Type, ...]) -> Type:
    match op.op, args:
        case "field", (Record(_, types), Int()):
            index = op.args[1]
            if isinstance(index, ir.Const) and isinstance(index.value, int) and 0 <= index.value < len(types):
                return types[index.value]
        case "record", _ if isinstance(op.type, Record):
            scalars = tuple(arg for arg in args if isinstance(arg, Int | Id))
            if len(scalars) == len(args):
                return Record(op.type.names, scalars)
        case "inside", (Int(), Record(_, (Int(), Int()))):
            return TRUTH
        case _:
            pass
    raise wrong(op.op, args)


def _game(kinds: Kinds, name: str, args: tuple[Type, ...]) -> Int:
    match name, args:
        case (("out" | "won"), (Id(domain, False),)) if domain == kinds.players:
            return TRUTH
        case "over", ():
            return TRUTH
        case "reason", ():
            return Int(-2, kinds.endings - 1)
        case _:
            raise wrong(name, args)


def _conversions(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type:
    match op.op, args:
        case "id", (Id(_, optional) as member,):
            return Int(0, max(kinds.bounds(member)[1], 0), optional)
        case "cast", (value, Int()) if isinstance(op.args[1], ir.Const):
            return _cast(kinds, op, value)
        case "narrow", (Int(_, _, optional),) if isinstance(op.type, Int) and optional <= op.type.optional:
            return op.type
        case "narrow", (BagOf(domain),) if isinstance(op.type, BagOf) and op.type.domain == domain:
            return op.type
        case "narrow", (ListOf(of),) if isinstance(op.type, ListOf) and op.type.of == of:
            return op.type
        case "between", (Int(low, _, False), Int(_, high, False)) if isinstance(op.type, SetOf):
            if isinstance(op.type.of, Int) and op.type.of.low <= low and high <= op.type.of.high:
                return op.type
        case _:
            pass
    raise wrong(op.op, args)


def _cast(kinds: Kinds, op: ir.Op, value: Type) -> Type:
    """What has no place in the new type is met when the game runs."""
    offset = op.args[1]
    by = offset.value if isinstance(offset, ir.Const) and isinstance(offset.value, int) else 0
    match value, op.type:
        case SetOf(), SetOf():
            return op.type
        case ((Int() | Id() as a), (Int() | Id() as b)) if a.optional <= b.optional:
            low, high = kinds.bounds(a)
            if max(abs(low + by), abs(high + by)) > limits.MAX_INT:
                raise TooMuch(f"`cast` by {by} leaves 64 bits", Excess.MAGNITUDE)
            return op.type
        case _:
            raise wrong("cast", (value, op.type))
