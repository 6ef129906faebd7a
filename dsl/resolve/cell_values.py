"""Reading printed cells: the values that they stand for, and the keys of rows."""

from __future__ import annotations

import re
from typing import assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code, Meant
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf
from dsl.resolve.kinds import AnyType, Unknown
from dsl.resolve.symbol_table import World
from dsl.syntax import ast

Value = int | tuple[int, ...]
NUMBER = re.compile(r"-?\d{1,9}")
AMOUNT = re.compile(r"(\d{1,6})\s+([^\W\d]\w*)")
_DECIMAL = re.compile(r"(-?\d{1,6})[.,](\d{1,4})")
YES = {"yes": 1, "oui": 1, "true": 1, "no": 0, "non": 0, "false": 0}


def decimal_hint(text: str) -> str:
    """What to write for a number with a decimal point; empty for any other text."""
    found = _DECIMAL.fullmatch(text)
    if found is None:
        return ""
    from fractions import Fraction

    exact = Fraction(f"{found[1]}.{found[2]}")
    written = f"{exact.numerator}/{exact.denominator}"
    return tr(
        "numbers are whole; in a column of fractions, `name: fraction`, write `{written}`", written=written
    )


def dash(world: World, type_: AnyType) -> Value:
    """What `-` stands for."""
    match type_:
        case SetOf() | Unknown():
            return 0
        case BagOf():
            return tuple([0] * len(world.domains[type_.domain].members))
        case ListOf():
            return ()
        case Record():
            return tuple(NONE for _ in type_.types)
        case Int() | Id():
            return NONE
        case _:
            assert_never(type_)


def read(world: World, cell: ast.Cell, type_: AnyType, zero: int | None = None) -> Value:
    """The value of a cell; `zero` is what `-` is in a table that says so."""
    text = cell.text
    if text in {"-", ""} and zero is None:
        parts = type_.types if isinstance(type_, Record) else (type_,)
        if any(isinstance(part, Int | Id) and not part.optional for part in parts):
            _no_dash(world, cell, type_)
            return tuple(world.low(part) for part in type_.types) if isinstance(type_, Record) else 0
        return dash(world, type_)
    match type_:
        case Unknown():
            return 0
        case Int() | Id():
            return _scalar(world, cell, text, type_, zero)
        case SetOf():
            low = world.low(type_.of)
            bits = 0
            for part in text.split(","):
                for value in _span_of_values(world, _part(cell, part.strip()), part.strip(), type_.of):
                    bits |= 1 << (value - low)
            return bits
        case BagOf():
            return _bag(world, cell, type_)
        case Record():
            return _record(world, cell, type_, zero)
        case ListOf():
            return tuple(
                _scalar(world, cell, part.strip(), _scalar_of(type_), zero) for part in text.split(",")
            )
        case _:
            assert_never(type_)


def _no_dash(world: World, cell: ast.Cell, type_: AnyType) -> None:
    hint = 'say in the head of the table what it stands for (`where "-" is 0`), or give a value'
    world.error(Code.BAD_CELL, cell.span, tr("`-` is no {type}", type=world.show(type_)), hint=hint)


def _scalar_of(type_: ListOf) -> Int | Id:
    assert isinstance(type_.of, Int | Id)
    return type_.of


def _scalar(world: World, cell: ast.Cell, text: str, type_: Int | Id, zero: int | None = None) -> int:
    if text == "-":
        if zero is None and not type_.optional:
            _no_dash(world, cell, type_)
            return type_.low if isinstance(type_, Int) else 0
        return zero if zero is not None else NONE
    if isinstance(type_, Id):
        return _member(world, cell, text, type_)
    if type_.truth:
        if text in YES:
            return YES[text]
        low = text.lower()
        meant = (
            "yes"
            if low in {"y", "x", "t", "1", "true", "yes"}
            else "no"
            if low in {"n", "0", "false", "no"}
            else ""
        )
        hint = Meant(text, meant, is_clear=True) if meant else "write `yes` or `no`"
        world.error(Code.BAD_CELL, cell.span, tr("`{text}` is neither yes nor no", text=text), hint=hint)
        return 0
    if not NUMBER.fullmatch(text):
        world.error(
            Code.BAD_CELL,
            cell.span,
            tr("`{text}` is no number", text=text),
            hint=decimal_hint(text) or tr("this column holds {low}..{high}", low=type_.low, high=type_.high),
        )
        return type_.low
    value = int(text)
    if not type_.low <= value <= type_.high:
        hint = tr(
            "write a number of {low}..{high}, or widen the range where the column is declared",
            low=type_.low,
            high=type_.high,
        )
        world.error(
            Code.OUT_OF_RANGE,
            cell.span,
            tr("{value} is outside {low}..{high}", value=value, low=type_.low, high=type_.high),
            hint=hint,
        )
        return type_.low
    return value


def _member(world: World, cell: ast.Cell, text: str, type_: Id) -> int:
    domain = world.domains[type_.domain]
    if text in domain.index:
        return domain.index[text]
    words = text.split()
    if len(words) > 1 and all(word in domain.index for word in words):
        commas = ", ".join(words)
        hint: str = Meant(text, commas, is_clear=True)
        world.error(Code.BAD_CELL, cell.span, "a comma stands between the names in a cell", hint=hint)
        return domain.index[words[0]]
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and all(part in domain.index for part in parts):
        hint = tr("leave one of them; a column of several is a `set of {domain}`", domain=domain.name)
        message = tr("this cell holds one {domain}, not {count}", domain=domain.name, count=len(parts))
        world.error(Code.BAD_CELL, cell.span, message, hint=hint)
        return domain.index[parts[0]]
    hint = world.nearest(text, domain.members) or _some_of(domain.members)
    world.unknown(
        "member",
        cell.span,
        tr("`{text}` is no {domain}", text=text, domain=domain.name),
        name=text,
        of=domain.name,
        hint=hint,
    )
    return 0


def _some_of(names: list[str]) -> str:
    """A hint with the names that could stand there, or with some of them."""
    shown = ", ".join(f"`{name}`" for name in names[:6])
    return (
        tr("write one of {shown}{value}", shown=shown, value=", ..." if len(names) > 6 else "")
        if names
        else ""
    )


def _part(cell: ast.Cell, text: str) -> ast.Cell:
    """One of several things that stand in a cell."""
    at = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", cell.span.text) if text else None
    if at is None:
        return cell
    start = cell.span.start + at.start()
    return ast.Cell(text, span=cell.span.source.span(start, start + len(text)))


def _span_of_values(world: World, cell: ast.Cell, text: str, type_: Int | Id) -> list[int]:
    match = re.fullmatch(r"(-?\d{1,9})\s*-\s*(\d{1,9})", text)
    if match and isinstance(type_, Int):
        low, high = (_scalar(world, cell, each, type_) for each in match.groups())
        _go_forwards(world, cell, text, *map(int, match.groups()))
        return list(range(low, high + 1))
    if text in {"-", ""}:
        world.error(
            Code.BAD_CELL, cell.span, "nothing stands between two commas", hint="write `-` alone for none"
        )
        return []
    return [_scalar(world, cell, text, type_)]


def _bag(world: World, cell: ast.Cell, type_: BagOf) -> Value:
    counts = [0] * len(world.domains[type_.domain].members)
    for part in cell.text.split(","):
        match = AMOUNT.fullmatch(part.strip())
        if match is None:
            world.error(
                Code.BAD_CELL,
                cell.span,
                tr(
                    "`{part}` is no count of {domains}",
                    part=part.strip(),
                    domains=world.domains[type_.domain].name,
                ),
                hint="write for instance `2 EP, 1 IL`",
            )
            continue
        number = _member(world, _part(cell, match[2]), match[2], Id(type_.domain))
        counts[number] += int(match[1])
        if counts[number] > type_.limit:
            world.error(
                Code.OUT_OF_RANGE,
                cell.span,
                tr("{counts} is more than {limit}", counts=counts[number], limit=type_.limit),
            )
            counts[number] = type_.limit
    return tuple(counts)


def _record(world: World, cell: ast.Cell, type_: Record, zero: int | None) -> Value:
    parts = [part.strip() for part in cell.text.split("-" if type_.names == ("low", "high") else "/")]
    if type_.names == ("low", "high") and len(parts) == 1:
        parts = parts * 2
    if cell.text == "-":
        parts = ["-"] * len(type_.types)
    if len(parts) != len(type_.types):
        shape = "/".join(type_.names)
        hint = tr(
            "write {count} values with `/` between, or `-` for one that is missing", count=len(type_.types)
        )
        message = tr("`{cell}` does not have the form {shape}", cell=cell.text, shape=shape)
        world.error(Code.BAD_CELL, cell.span, message, hint=hint)
        return tuple(world.low(each) for each in type_.types)
    found = tuple(
        _scalar(world, cell, part, each, zero) for part, each in zip(parts, type_.types, strict=True)
    )
    if type_.names == ("low", "high") and all(NUMBER.fullmatch(part) for part in parts):
        _go_forwards(world, cell, cell.text, *map(int, parts))
    return found


def _go_forwards(world: World, cell: ast.Cell, text: str, first: int, last: int) -> None:
    """Says where a span such as `5-3` begins with the greater number."""
    if first > last:
        hint = tr("write `{last}-{first}`, the smaller number first", last=last, first=first)
        world.error(Code.BAD_CELL, cell.span, tr("`{cell}` runs backwards", cell=text), hint=hint)


def _clipped(low: int, high: int, type_: Int) -> list[int]:
    """The numbers of a range, and of those outside the type only the nearest."""
    return list(range(max(low, type_.low - 1), min(high, type_.high + 1) + 1))


def keys(world: World, cell: ast.Cell, type_: Int | Id) -> list[int]:
    """The arguments that a row or column head of a lookup stands for: `7`, `3-4`, `10+`, a name."""
    if isinstance(type_, Int):
        if match := re.fullmatch(r"(\d{1,9})\+", cell.text):
            return _clipped(int(match[1]), type_.high, type_)
        if match := re.fullmatch(r"(\d{1,9})\s*-\s*(\d{1,9})", cell.text):
            first, last = int(match[1]), int(match[2])
            _go_forwards(world, cell, cell.text, first, last)
            return _clipped(first, last, type_)
        if not type_.truth and NUMBER.fullmatch(cell.text):
            return [int(cell.text)]
        if not type_.truth:
            hint = tr(
                "a row begins with a number of {low}..{high}, with several as `3-5`, or with `10+`",
                low=type_.low,
                high=type_.high,
            )
            world.error(Code.BAD_CELL, cell.span, tr("`{cell}` is no number", cell=cell.text), hint=hint)
            return []
    is_none = type_.optional and cell.text == "-"
    if isinstance(type_, Id) and not is_none and cell.text not in world.domains[type_.domain].index:
        _scalar(world, cell, cell.text, type_)  # tells what is wrong with it
        return []
    return [_scalar(world, cell, cell.text, type_)]
