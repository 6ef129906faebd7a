"""Types of the IR. Every value is finite; a type says how many 32-bit slots of the state it fills.

| type     | value in an engine               | slots in the state                              |
|----------|----------------------------------|-------------------------------------------------|
| `Int`    | an integer from `low` to `high`  | 1                                               |
| `Id`     | a member's number, from 0        | 1                                               |
| `SetOf`  | a bit per element, lowest first  | one per 32 elements                             |
| `BagOf`  | a count per member               | one per member                                  |
| `ListOf` | up to `limit` elements in order  | 1 for the length, then `limit` times the element|
| `Record` | its fields in order              | the sum of its fields                           |

`optional` scalars hold `NONE` where there is no value. A truth is `Int(0, 1)` with `truth` set.
"""

from __future__ import annotations

from dsl.records import record

NONE = -(2**31)
"""What an optional scalar holds in place of a value; no range reaches it."""

WORD = 32
"""Bits of a slot."""


@record(frozen=True, slots=True)
class Int:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int
    optional: bool = False
    truth: bool = False


@record(frozen=True, slots=True)
class Id:
    """A member of the catalogue's domain number `domain`."""

    domain: int
    optional: bool = False


@record(frozen=True, slots=True)
class SetOf:
    """A set; `of` is an `Int` or `Id` without `optional`; bit `k` stands for the value `low + k`."""

    of: Int | Id


@record(frozen=True, slots=True)
class BagOf:
    """For each member of a domain a count from 0 to `limit`."""

    domain: int
    limit: int


@record(frozen=True, slots=True)
class ListOf:
    """Up to `limit` elements. Lists of sets exist only as constants to iterate over."""

    of: Int | Id | SetOf
    limit: int


@record(frozen=True, slots=True)
class Record:
    """Named fields, each a scalar."""

    names: tuple[str, ...]
    types: tuple[Int | Id, ...]


Scalar = Int | Id
Type = Int | Id | SetOf | BagOf | ListOf | Record

TRUTH = Int(0, 1, truth=True)
