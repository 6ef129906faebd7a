"""Types, as an author writes them, and parameters."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.syntax.ast.base import Label, Name, Node
from dsl.syntax.ast.expressions import Expr


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    """A type by its name, or a new member of a `type`, perhaps with the label that players read."""

    name: str
    label: Label | None = None


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class OptionalType(Node):
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class HeldType(Node):
    """`Carrier? up to n`: what a piece is in, and how many of its like that holds."""

    of: TypeExpr
    limit: Expr


@dataclass(frozen=True, slots=True)
class SetType(Node):
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class BagType(Node):
    """`limit` bounds each count (255 where it is absent)."""

    of: TypeExpr
    limit: Expr | None = None


@dataclass(frozen=True, slots=True)
class ListType(Node):
    of: TypeExpr
    limit: Expr


@dataclass(frozen=True, slots=True)
class IntervalType(Node):
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class RecordType(Node):
    fields: tuple[Param, ...]


TypeExpr = (
    NamedType | RangeType | OptionalType | HeldType | SetType | BagType | ListType | IntervalType | RecordType
)


@dataclass(frozen=True, slots=True)
class Param(Node):
    name: Name
    type: TypeExpr | None = None
