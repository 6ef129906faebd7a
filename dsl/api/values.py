"""Values as Python has them, and back: what the vector of a game holds, by the names that its rules use.

| type in the rules          | in Python                          |
|----------------------------|------------------------------------|
| a number                   | `int`                              |
| `yes` or `no`              | `bool`                             |
| a piece, cell, row, player | `str`, its name in the rules       |
| `none`                     | `None`                             |
| a set                      | `frozenset` of names or numbers    |
| a bag                      | `dict` from each name to its count |
| a list                     | `tuple`                            |
| several fields             | `dict` from each field to a value  |
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, assert_never

from dsl.api.arguments import truth, whole
from dsl.engine.bits import bits
from dsl.engine.layout import Plain, bounds, extent
from dsl.ir.program import Program
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type
from dsl.near import nearest

Value = Any
"""A value of a game in Python, one of the table above."""


def to_python(program: Program, kind: Type, value: Plain) -> Value:
    """A value of the vector in Python."""
    match kind, value:
        case ((Int() | Id()), int()):
            return _scalar(program, kind, value)
        case SetOf(of=of), int():
            low = of.low if isinstance(of, Int) else 0
            return frozenset(_scalar(program, of, low + each) for each in bits(value))
        case BagOf(domain=domain), tuple():
            return dict(zip(program.domains[domain].members, value, strict=True))
        case ListOf(of=of), tuple():
            return tuple(to_python(program, of, each) for each in value)
        case Record(names=names, types=types), tuple():
            found = (_scalar(program, each, part) for each, part in zip(types, value, strict=True))
            return dict(zip(names, found, strict=True))
        case _:
            raise TypeError(f"{value!r} is no value of {kind!r}")


def _scalar(program: Program, kind: Scalar, value: int) -> int | bool | str | None:
    if value == NONE:
        return None
    if isinstance(kind, Id):
        return program.domains[kind.domain].members[value]
    return bool(value) if kind.truth else value


def from_python(program: Program, kind: Type, value: Value, what: str) -> Plain:
    """A value in Python as the vector has it; `what` names the place that it is for.

    Raises ValueError where the value is outside what the type holds, and TypeError where it is of another type.
    """
    match kind:
        case Int() | Id():
            return _scalar_from(program, kind, value, what)
        case SetOf(of=of):
            low = of.low if isinstance(of, Int) else 0
            result = 0
            for each in _several(value, what, "a set"):
                result |= 1 << (_scalar_from(program, of, each, what) - low)
            return result
        case BagOf(domain=domain, limit=limit):
            members = program.domains[domain].members
            counts = _by_name(value, members, what)
            for name, count in counts.items():
                if not 0 <= whole(count, f"{what}: the count of {name}") <= limit:
                    raise ValueError(
                        f"{what}: the count of {name} is a number from 0 to {limit}, not {count!r}"
                    )
            return tuple(whole(counts.get(each, 0), what) for each in members)
        case ListOf(of=of, limit=limit):
            items = list(_several(value, what, "a list"))
            if len(items) > limit:
                raise ValueError(f"{what} holds at most {limit} elements, not {len(items)}")
            return tuple(_number(from_python(program, of, each, what)) for each in items)
        case Record(names=names, types=types):
            parts = _by_name(value, names, what)
            if missing := [each for each in names if each not in parts]:
                raise ValueError(f"{what} lacks {missing[0]}")
            return tuple(
                _scalar_from(program, each, parts[name], f"{what}.{name}")
                for name, each in zip(names, types, strict=True)
            )
        case _:
            assert_never(kind)


def _number(value: Plain) -> int:
    assert isinstance(value, int)
    return value


def _scalar_from(program: Program, kind: Scalar, value: Value, what: str) -> int:
    if value is None:
        if kind.optional:
            return NONE
        raise ValueError(f"{what} cannot be none")
    if isinstance(kind, Id):
        return member_number(program, kind.domain, value, what)
    if kind.truth:
        return int(truth(value, what))
    number = whole(value, what)
    if not kind.low <= number <= kind.high:
        raise ValueError(f"{what} is a number from {kind.low} to {kind.high}, not {number}")
    return number


def member_number(program: Program, domain: int, value: Value, what: str) -> int:
    """The number of a member that is given by its name. Raises ValueError for another name, TypeError for none."""
    members = program.domains[domain].members
    if not isinstance(value, str):
        raise TypeError(f"{what} is the name of a {program.domains[domain].name}, not {value!r}")
    try:
        return members.index(value)
    except ValueError:
        raise ValueError(
            f"{what}: there is no {program.domains[domain].name} `{value}`{meant(value, members)}"
        ) from None


def meant(name: str, known: Collection[str]) -> str:
    """What may have been meant by a name that is not known, as the end of a message; of one letter, in other case."""
    same = (each for each in known if each.lower() == name.lower())
    near = nearest(name, known, 0.5) or next(same, "")
    return f"; did you mean `{near}`?" if near else ""


def _several(value: Value, what: str, form: str) -> Iterable[Value]:
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{what} is {form}, not {value!r}")
    return value


def _by_name(value: Value, names: tuple[str, ...], what: str) -> Mapping[str, Value]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} is a mapping by name, not {value!r}")
    for each in value:
        if each not in names:
            raise ValueError(f"{what}: there is no `{each}`{meant(str(each), names)}")
    return value


# ---------------------------------------------------------------- types in words


def in_words(program: Program, kind: Type) -> str:
    """A type as its rules say it: `0 .. 10`, `Cell or none`, `set of Unit`."""
    match kind:
        case Int(low=low, high=high, truth=truth):
            return _optional("yes or no" if truth else f"{low} .. {high}", kind)
        case Id(domain=domain):
            return _optional(program.domains[domain].name, kind)
        case SetOf(of=of):
            return f"set of {in_words(program, of)}"
        case BagOf(domain=domain, limit=limit):
            return f"bag of {program.domains[domain].name}, up to {limit} of each"
        case ListOf(of=of, limit=limit):
            return f"list of up to {limit} {in_words(program, of)}"
        case Record(names=names, types=types):
            fields = zip(names, types, strict=True)
            return ", ".join(f"{name}: {in_words(program, each)}" for name, each in fields)
        case _:
            assert_never(kind)


def _optional(words: str, kind: Scalar) -> str:
    return f"{words} or none" if kind.optional else words


# ---------------------------------------------------------------- values as numbers in a row


def how_many(program: Program, kind: Type) -> int:
    """How many values a type has."""
    match kind:
        case Int() | Id():
            low, high = bounds(program, kind)
            return max(0, high - low + 1) + kind.optional
        case SetOf():
            return 1 << extent(program, kind)
        case BagOf(domain=domain, limit=limit):
            return _power(limit + 1, len(program.domains[domain].members))
        case ListOf(of=of, limit=limit):
            each = how_many(program, of)
            return sum(_power(each, length) for length in range(limit + 1))
        case Record(types=types):
            result = 1
            for part in types:
                result *= how_many(program, part)
            return result
        case _:
            assert_never(kind)


def _power(base: int, exponent: int) -> int:
    return int(base**exponent)


def ordinal(program: Program, kind: Type, value: Plain) -> int:
    """The place of a value among all of its type, from 0."""
    match kind, value:
        case ((Int() | Id()), int()):
            low, high = bounds(program, kind)
            return high - low + 1 if value == NONE else value - low
        case SetOf(), int():
            return value
        case BagOf(limit=limit), tuple():
            result = 0
            for count in value:
                result = result * (limit + 1) + count
            return result
        case ListOf(of=of), tuple():
            each = how_many(program, of)
            result = 0
            for part in value:
                result = result * each + ordinal(program, of, part)
            return result + sum(_power(each, length) for length in range(len(value)))
        case Record(types=types), tuple():
            result = 0
            for part_kind, part in zip(types, value, strict=True):
                result = result * how_many(program, part_kind) + ordinal(program, part_kind, part)
            return result
        case _:
            raise TypeError(f"{value!r} is no value of {kind!r}")
