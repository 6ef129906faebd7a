"""Types, as an author writes them, and parameters."""

from __future__ import annotations

from dsl.records import record
from dsl.syntax.ast.base import Label, Name, Node
from dsl.syntax.ast.expressions import Expr


@record(frozen=True, slots=True)
class NamedType(Node):
    """A type by its name, or a new member of a `type`, perhaps with the label that players read."""

    name: str
    label: Label | None = None


@record(frozen=True, slots=True)
class RangeType(Node):
    low: int
    high: int


@record(frozen=True, slots=True)
class OptionalType(Node):
    of: TypeExpr


@record(frozen=True, slots=True)
class HeldType(Node):
    """`Carrier? up to n`: what a piece is in, and how many of its like that holds."""

    of: TypeExpr
    limit: Expr


@record(frozen=True, slots=True)
class SetType(Node):
    of: TypeExpr


@record(frozen=True, slots=True)
class BagType(Node):
    """`limit` bounds each count (255 where it is absent)."""

    of: TypeExpr
    limit: Expr | None = None


@record(frozen=True, slots=True)
class ListType(Node):
    of: TypeExpr
    limit: Expr


@record(frozen=True, slots=True)
class IntervalType(Node):
    of: TypeExpr


@record(frozen=True, slots=True)
class RecordType(Node):
    fields: tuple[Param, ...]


TypeExpr = (
    NamedType | RangeType | OptionalType | HeldType | SetType | BagType | ListType | IntervalType | RecordType
)


@record(frozen=True, slots=True)
class Param(Node):
    name: Name
    type: TypeExpr | None = None
    label: Label | None = None
