"""Types as they are written, resolved."""

from __future__ import annotations

from typing import assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, Record, SetOf
from dsl.resolve import bounds
from dsl.resolve.gaps import no_map
from dsl.resolve.kinds import UNKNOWN, AnyType, Unknown
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

MAX_MEMBERS = 4096
_NUMBERS = "a number says from where to where it goes, such as `0..40`"

_FOREIGN_TYPES = {
    **dict.fromkeys(("int", "integer", "number", "num", "float"), _NUMBERS),
    **dict.fromkeys(("boolean", "flag", "truth"), "write `bool`"),
    **dict.fromkeys(
        ("str", "string", "text"),
        "there are no texts to store: `type Mood = calm | angry` has names; what cards say is a column `rules: text`",
    ),
    **dict.fromkeys(("list", "array"), "write for instance `list of Player up to 4`"),
}


def resolve(world: World, type_: ast.TypeExpr) -> AnyType:
    """The type that an author wrote."""
    match type_:
        case ast.NamedType(name="bool"):
            return TRUTH
        case ast.NamedType(name=name):
            if name in world.types:
                return world.types[name]
            if name in {"Cell", "Direction"} and world.board is None:
                no_map(world, type_.span)
                return UNKNOWN
            hint = _FOREIGN_TYPES.get(name.lower()) or world.nearest(name, [*world.types, "bool"])
            hint = (
                hint
                or "a type is `bool`, a range `0..9`, `Player`, a table, a piece, or what `type` declares"
            )
            world.no_type(name, type_.span, hint)
            return UNKNOWN
        case ast.RangeType(low=low, high=high):
            if low > high or low < -(2**30) or high > 2**30:
                world.error(
                    Code.OUT_OF_RANGE,
                    type_.span,
                    tr("{low}..{high} is no range", low=low, high=high),
                    hint="write the smaller number first" if low > high else "numbers go up to 1,073,741,824",
                )
                return UNKNOWN
            return Int(low, high)
        case ast.OptionalType(of=of):
            return _optional(world, resolve(world, of), type_.span)
        case ast.HeldType(of=of):
            return _optional(world, resolve(world, of), type_.span)
        case ast.SetType(of=of):
            element = resolve(world, of)
            good = isinstance(element, Int | Id) and bounds.sized(world, element, type_.span)
            return SetOf(element) if good and isinstance(element, Int | Id) else UNKNOWN
        case ast.BagType(of=of, limit=limit):
            element = resolve(world, of)
            if not isinstance(element, Id):
                hint = "numbers in order are a list, `list of 0..9 up to 6`, read and set as `xs[3]`"
                if element == TRUTH:
                    hint = "two members are a type: `type Answer = yes | no`"
                return _refused(world, element, of.span, "a bag counts the members of a type", hint)
            most = limit.value if isinstance(limit, ast.Number) else 255
            most = bounds.within(
                world.reporter, type_.span, "counts of a bag", most, 1, bounds.MOST_OF_A_KIND
            )
            return BagOf(element.domain, most)
        case ast.ListType(of=of, limit=limit):
            element = resolve(world, of)
            if not isinstance(limit, ast.Number):
                world.error(
                    Code.TYPE_MISMATCH,
                    limit.span,
                    "how many elements a list may have is a plain number",
                    hint="write for instance `up to 12`",
                )
                return UNKNOWN
            if not isinstance(element, Int | Id):
                return _refused(world, element, of.span, "a list holds single values")
            if not bounds.sized(world, element, type_.span):
                return UNKNOWN
            most = bounds.within(
                world.reporter, type_.span, "elements of a list", limit.value, 1, bounds.MOST_IN_LIST
            )
            return ListOf(element, most)
        case ast.IntervalType(of=of):
            element = resolve(world, of)
            if not isinstance(element, Int):
                hint = "write for instance `interval of 1..20`"
                return _refused(world, element, of.span, "an interval goes from one number to another", hint)
            return Record(("low", "high"), (element, element))
        case ast.RecordType(fields=parts):
            types = [resolve(world, part.type) if part.type else UNKNOWN for part in parts]
            wrong = next((n for n, each in enumerate(types) if not isinstance(each, Int | Id)), None)
            if wrong is not None:
                hint = "keep what has several values in a field of its own"
                return _refused(world, types[wrong], parts[wrong].span, "a record holds single values", hint)
            return Record(
                tuple(part.name.text for part in parts), tuple(t for t in types if isinstance(t, Int | Id))
            )
        case _:
            assert_never(type_)


def _refused(world: World, type_: AnyType, span: Span, message: str, hint: str = "") -> AnyType:
    """A type of which no other can be made; nothing is told of one that is not known itself."""
    if not isinstance(type_, Unknown):
        world.error(
            Code.TYPE_MISMATCH,
            span,
            tr("{message}, this is {type}", message=message, type=world.show(type_)),
            hint=hint,
        )
    return UNKNOWN


def _optional(world: World, type_: AnyType, span: Span) -> AnyType:
    match type_:
        case Int(low=low, high=high, truth=truth):
            return Int(low, high, optional=True, truth=truth)
        case Id(domain=domain):
            return Id(domain, optional=True)
        case Unknown():
            return type_
        case _:
            world.error(
                Code.TYPE_MISMATCH,
                span,
                tr("`{type}?`: only single values may be none", type=world.show(type_)),
                hint="an empty set or list needs no `?`, and its members are never none",
            )
            return UNKNOWN
