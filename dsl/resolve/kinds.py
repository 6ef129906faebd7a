"""Types of what is declared and known while a game is compiled, beyond those of the IR: fractions."""

from __future__ import annotations

from typing import cast

from dsl.ir.types import Int, Type
from dsl.records import record

MOST_PARTS = 10_000
"""The smallest part that fractions are counted in."""


@record(frozen=True, slots=True)
class Fraction:
    """The type of a fraction: from `low` to `high` parts of 1, of which `parts` make 1."""

    parts: int
    low: int
    high: int
    optional: bool = False

    @property
    def count(self) -> Int:
        """The type of the number of parts."""
        return Int(self.low, self.high, optional=self.optional)


def as_fraction(type_: object) -> Fraction | None:
    """The fraction type that a type is, if it is one."""
    return type_ if isinstance(type_, Fraction) else None


def counted_in(type_: object) -> Type:
    """The type under which engines know a value: of a fraction, the number of its parts."""
    found = as_fraction(type_)
    return found.count if found else cast(Type, type_)


@record(frozen=True, slots=True)
class Unknown:
    """The type of what could not be understood: it agrees with everything, so that one fault makes one message."""

    optional: bool = False


UNKNOWN = Unknown()


AnyType = Type | Unknown
