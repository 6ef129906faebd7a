"""The form of the program's classes, read once from their annotations: what the codec and the schema go by.

In JSON a class is an object with its fields by name, in their order. One of a closed union of nodes begins
with its tag under `k`. A field that holds what its class gives it by default, or else none, an empty list or
false, is left out. A type is a number in the document's table `types`; an expression is an object, or a
number in the table `expressions`, where those stand that occur more than once.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, assert_never, get_args, get_origin, get_type_hints

from dsl.ir import nodes, types
from dsl.ir.distances import Distances
from dsl.ir.nodes import LOWERED
from dsl.ir.program import Program
from dsl.records import record

TAG = "k"
TYPES: tuple[type, ...] = get_args(types.Type)
EXPRESSIONS: tuple[type, ...] = get_args(nodes.Expr)
STATEMENTS: tuple[type, ...] = get_args(nodes.Stmt)
TERMINATORS: tuple[type, ...] = get_args(nodes.Terminator)
UNIONS = {"type": TYPES, "expression": EXPRESSIONS, "statement": STATEMENTS, "terminator": TERMINATORS}


class Required:
    """Stands for the default of a field that is always written."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = Required()


@record(frozen=True, slots=True)
class Plain:
    """A number, a truth or a text."""

    type: type[int] | type[bool] | type[str]


@record(frozen=True, slots=True)
class TypeNumber:
    """A type that is one of `classes`, by its number in the table of types."""

    classes: tuple[type, ...]


@record(frozen=True, slots=True)
class Node:
    """One of the closed union of that name in `UNIONS`."""

    union: str


@record(frozen=True, slots=True)
class Part:
    """An object of one class."""

    cls: type


@record(frozen=True, slots=True)
class Many:
    """A list, of any length."""

    item: Shape


@record(frozen=True, slots=True)
class Fixed:
    """A list of a known length, each place with a shape of its own."""

    items: tuple[Shape, ...]


@record(frozen=True, slots=True)
class Maybe:
    """The item, or null."""

    item: Shape


@record(frozen=True, slots=True)
class Number:
    """A number or a list of numbers: a constant."""


Shape: TypeAlias = Plain | TypeNumber | Node | Part | Many | Fixed | Maybe | Number


@record(frozen=True, slots=True)
class Field:
    """A field of a class."""

    name: str
    shape: Shape
    default: Any
    """What a field that is left out holds; `REQUIRED` where it is always written."""


@cache
def tag_of(cls: type) -> str:
    """The name of a node's class in JSON: `load_item` for `LoadItem`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


@cache
def union_of(cls: type) -> str | None:
    """The union that a class belongs to."""
    return next((name for name, members in UNIONS.items() if cls in members), None)


@cache
def fields_of(cls: type) -> tuple[Field, ...]:
    """The fields of a class in their order, without those that only passes and engines know."""
    hints = get_type_hints(cls)
    written = (each for each in fields(cls) if LOWERED not in each.metadata)
    return tuple(_field(each.name, hints[each.name], each.default) for each in written)


@cache
def classes() -> tuple[type, ...]:
    """Every class of a program, the program first, each where it is first met."""
    found: dict[type, None] = {}
    waiting: list[type] = [Program]
    while waiting:
        cls = waiting.pop(0)
        if cls not in found:
            found[cls] = None
            waiting += [inner for field in fields_of(cls) for inner in _inside(field.shape)]
    return tuple(found)


def _field(name: str, hint: Any, default: Any) -> Field:
    shape = _shape(hint)
    if default is not MISSING:
        return Field(name, shape, default)
    match shape:
        case Maybe():
            return Field(name, shape, None)
        case Many():
            return Field(name, shape, ())
        case Plain(type) if type is bool:
            return Field(name, shape, False)
        case _:
            return Field(name, shape, REQUIRED)


def _shape(hint: Any) -> Shape:
    if hint in (int, bool, str):
        return Plain(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        return Many(_shape(args[0])) if args[1:] == (Ellipsis,) else Fixed(tuple(map(_shape, args)))
    if origin in (Union, UnionType):
        return _union(args)
    if union_of(hint) == "type":
        return TypeNumber((hint,))
    return Part(hint)


def _union(args: tuple[Any, ...]) -> Shape:
    if Distances in args:  # which are not written
        return _shape(args[0])
    if NoneType in args:
        rest = tuple(arg for arg in args if arg is not NoneType)
        return Maybe(_shape(rest[0]) if len(rest) == 1 else _union(rest))
    if args == (int, tuple[int, ...]):
        return Number()
    if set(args) <= set(TYPES):
        return TypeNumber(args)
    return Node(next(name for name, members in UNIONS.items() if set(members) == set(args)))


def _inside(shape: Shape) -> tuple[type, ...]:
    match shape:
        case Plain() | Number():
            return ()
        case TypeNumber(classes):
            return classes
        case Node(union):
            return UNIONS[union]
        case Part(cls):
            return (cls,)
        case Many(item) | Maybe(item):
            return _inside(item)
        case Fixed(items):
            return tuple(cls for item in items for cls in _inside(item))
        case _:
            assert_never(shape)
