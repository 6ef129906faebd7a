"""Bags, lists and records."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.kinds import Kinds
from dsl.ir.operators.declaration import Fails, Operator, constant
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type

Counts = tuple[int, ...]


def _get(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (BagOf(domain, limit), Id(other, False)) if domain == other:
            return Int(0, limit)
        case _:
            return None


def _put(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (BagOf(domain, limit), Id(other, False), Int(low, high, False)) if domain == other and low >= 0:
            return BagOf(domain, max(limit, high))
        case _:
            return None


def _add(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (BagOf(domain, limit), BagOf(other, more)) if domain == other:
            return BagOf(domain, limit + more)
        case _:
            return None


def _sub(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (BagOf(domain) as bag, BagOf(other)) if domain == other:
            return bag
        case _:
            return None


def _taken(bag: Counts, other: Counts) -> Counts:
    left = tuple(a - b for a, b in zip(bag, other, strict=True))
    if min(left, default=0) < 0:
        raise Fails("E0601")
    return left


def _bag_size(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (BagOf(domain, limit),):
            return Int(0, limit * kinds.sizes[domain])
        case _:
            return None


def _bag_set(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (BagOf(domain),):
            return SetOf(Id(domain))
        case _:
            return None


BAGS = (
    Operator("bag_get", "bag, a", "how often a is in it", _get, lambda bag, a: bag[a], python="{0}[{1}]",
             small=True),
    Operator("bag_put", "bag, a, n", "the bag in which a is n times", _put,
             lambda bag, a, n: (*bag[:a], n, *bag[a + 1 :]), python="bag_put({all})"),
    Operator("bag_add", "bag, more", "both together", _add,
             lambda bag, more: tuple(a + b for a, b in zip(bag, more, strict=True)), python="bag_add({all})"),
    Operator("bag_sub", "bag, other", "the bag without the other", _sub, _taken, fails="E0601",
             python="bag_sub({all})", checked=("bag_sub",)),
    Operator("bag_size", "bag", "all counts together", _bag_size, sum, python="sum({0})"),
    Operator("bag_set", "bag", "the set of those that are in it", _bag_set,
             lambda bag: sum(1 << a for a, n in enumerate(bag) if n), python="bag_set({all})"),
)  # fmt: skip


# ---------------------------------------------------------------- lists


def _length(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    return Int(0, args[0].limit) if len(args) == 1 and isinstance(args[0], ListOf) else None


def _item(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (ListOf(of), Int(_, _, False)):
            return of
        case _:
            return None


def _element(items: Counts, index: int) -> int:
    if not 0 <= index < len(items):
        raise Fails("E0604")
    return items[index]


def _append(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (ListOf(of, limit), element) if isinstance(op.type, ListOf) and not isinstance(of, SetOf):
            fits = kinds.fits(of, op.type.of) and kinds.fits(element, op.type.of)
            return op.type if fits and op.type.limit > limit else None
        case _:
            return None


def _list_set(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (ListOf(Int() | Id() as of),) if isinstance(op.type, SetOf) and kinds.akin(of, op.type.of):
            return op.type if kinds.within(of, op.type.of) else None
        case _:
            return None


def _set_of(items: Counts, *, least: int) -> int:
    mask = 0
    for each in items:
        mask |= 1 << each - least
    return mask


LISTS = (
    Operator("length", "list", "how many elements it has", _length, len, python="len({0})", small=True,
             written="length({0})"),
    Operator("item", "list, i", "the element number i, from 0", _item, _element, fails="E0604",
             python="element({0}, {1})", checked=("element",)),
    Operator("append", "list, a", "the list with a behind its last element", _append,
             lambda items, a: (*items, a), python="(*{0}, {1})"),
    Operator("list_set", "list", "the set of its elements", _list_set, _set_of, needs=("least",),
             python="mask_of({0}, {least})"),
)  # fmt: skip


# ---------------------------------------------------------------- records


def _field(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (Record(_, types), Int()):
            index = constant(op.args[1])
            return types[index] if index is not None and 0 <= index < len(types) else None
        case _:
            return None


def _record(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    scalars = tuple(arg for arg in args if isinstance(arg, Int | Id))
    if not isinstance(op.type, Record) or len(scalars) < len(args):
        return None
    return Record(op.type.names, scalars)


def _inside(kinds: Kinds, op: ir.Op, args: tuple[Type, ...]) -> Type | None:
    match args:
        case (Int(), Record(_, (Int(_, _, False), Int(_, _, False)))):
            return TRUTH
        case _:
            return None


def _lies_in(a: int, ends: Counts) -> int:
    return int(ends[0] <= a <= ends[1])


RECORDS = (
    Operator("field", "record, i", "the field number i, a constant", _field, lambda fields, i: fields[i],
             python="{0}[{1}]"),
    Operator("record", "a, b, ...", "a record of these fields", _record, lambda *fields: fields, none=True,
             python="({tuple})"),
    Operator("inside", "a, record", "is a between the two fields, or one of them?", _inside, _lies_in, none=True,
             small=True),
)  # fmt: skip
