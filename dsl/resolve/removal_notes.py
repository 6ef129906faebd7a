"""Notes on pieces that are used after something that may have removed them, read when all code is written."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.records import record
from dsl.source import Span


@record(frozen=True, slots=True)
class Ordered:
    """A call of a procedure or routine."""

    kind: str
    number: int
    args: tuple[ir.Expr, ...]


@record(frozen=True, slots=True)
class Cause:
    """A statement that may remove a piece, by its calls; `rounds` are locals of loops that may come to that piece."""

    span: Span
    calls: tuple[Ordered, ...]
    rounds: frozenset[int]


@record(frozen=True, slots=True)
class Use:
    """A local that is used behind a cause. `other`: it stands for the next of several, and was not handed over."""

    name: str
    local: ir.Local
    span: Span
    cause: Cause
    other: bool = False
