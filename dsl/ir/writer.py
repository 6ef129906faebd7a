"""The writing half of the codec: from the program's objects to JSON, each type and expression once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias, assert_never

from dsl.fields import values_of
from dsl.ir.shapes import (
    TAG,
    Field,
    Fixed,
    Many,
    Maybe,
    Node,
    Number,
    Part,
    Plain,
    Shape,
    TypeNumber,
    fields_of,
    tag_of,
)

Write: TypeAlias = Callable[[Any], Any]


class Cell:
    """A distinct expression: its object, how many others hold it, and its number once it has one."""

    __slots__ = ("number", "object", "uses")

    def __init__(self, written: dict[str, Any]) -> None:
        self.object = written
        self.uses = 0
        self.number: int | None = None


class Writer:
    """One document under way."""

    def __init__(self) -> None:
        self.types: list[dict[str, Any]] = []
        self._numbers: dict[Any, int] = {}
        self._places: dict[int, int] = {}
        self._cells: dict[tuple[Any, ...], Cell] = {}
        self._known: dict[int, Cell] = {}
        self._contents: dict[type, tuple[Callable[[Any], tuple[Any, ...]], tuple[Write, ...]]] = {}
        self._writes: dict[
            type, tuple[Callable[[Any], tuple[Any, ...]], tuple[tuple[str, Any, Write], ...]]
        ] = {}
        self._encoder = json.JSONEncoder(
            ensure_ascii=False, check_circular=False, separators=(",", ":"), default=_resolved
        )

    def field(self, field: Field, owner: Any) -> Any:
        """A field of a part of the program that holds no other expressions."""
        return self._write(field.shape)(getattr(owner, field.name))

    def expressions(self) -> list[dict[str, Any]]:
        """The table of expressions, numbered now that all is written; an entry names earlier ones."""
        often = [cell for cell in self._cells.values() if cell.uses > 1]
        for number, cell in enumerate(often):
            cell.number = number
        return [cell.object for cell in often]

    def text(self, value: Any) -> str:
        return self._encoder.encode(value)

    def _write(self, shape: Shape) -> Write:
        match shape:
            case Plain(type):
                return type
            case Number():
                return _number
            case TypeNumber():
                return self._type
            case Node("expression"):
                return self._used
            case Node():
                return self._node
            case Part():
                return self._part
            case Many(item):
                write = self._write(item)
                return lambda values: [write(each) for each in values] if values else []
            case Fixed(items):
                writes = tuple(map(self._write, items))
                return lambda values: [each(value) for each, value in zip(writes, values, strict=True)]
            case Maybe(item):
                inner = self._write(item)
                return lambda value: None if value is None else inner(value)
            case _:
                assert_never(shape)

    def _part(self, value: Any) -> dict[str, Any]:
        cls: type = type(value)
        held_in, writes = self._writes.get(cls) or self._writes_of(cls)
        written = {}
        for (name, default, write), held in zip(writes, held_in(value), strict=True):
            if held is not default and (default is None or held != default):
                written[name] = write(held)
        return written

    def _writes_of(
        self, cls: type
    ) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[tuple[str, Any, Write], ...]]:
        found = fields_of(cls)
        writes = tuple((field.name, field.default, self._write(field.shape)) for field in found)
        known = self._writes[cls] = values_of([field.name for field in found]), writes
        return known

    def _node(self, value: Any) -> dict[str, Any]:
        cls: type = type(value)
        return {TAG: tag_of(cls), **self._part(value)}

    def _type(self, value: Any) -> int:
        known = self._places.get(id(value))
        if known is None:
            known = self._places[id(value)] = self._number_of(value)
        return known

    def _number_of(self, value: Any) -> int:
        number = self._numbers.get(value)
        if number is None:
            written = self._node(value)
            number = self._numbers[value] = len(self.types)
            self.types.append(written)
        return number

    def _used(self, value: Any) -> Cell:
        cell = self._cell(value)
        cell.uses += 1
        return cell

    def _cell(self, value: Any) -> Cell:
        known = self._known.get(id(value))
        if known is not None:
            return known
        cls: type = type(value)
        held, reads = self._contents.get(cls) or self._contents_of(cls)
        parts = tuple([read(each) for read, each in zip(reads, held(value), strict=True)])
        key = (cls, *parts)
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = Cell(_object(cls, parts))
            for inner in _inner(parts):
                inner.uses += 1
        self._known[id(value)] = cell
        return cell

    def _contents_of(self, cls: type) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[Write, ...]]:
        found = fields_of(cls)
        reads = tuple(self._content(field.shape) for field in found)
        known = self._contents[cls] = values_of([field.name for field in found]), reads
        return known

    def _content(self, shape: Shape) -> Write:
        """A field of an expression in a form that can be compared."""
        match shape:
            case Node():
                return self._cell
            case Many(Node()):
                return lambda values: tuple(map(self._cell, values)) if values else ()
            case Maybe(item):
                inner = self._content(item)
                return lambda value: None if value is None else inner(value)
            case Number():
                return lambda value: tuple(map(int, value)) if isinstance(value, tuple) else int(value)
            case _:
                return self._write(shape)


def _object(cls: type, parts: tuple[Any, ...]) -> dict[str, Any]:
    named = zip(fields_of(cls), parts, strict=True)
    return {TAG: tag_of(cls)} | {field.name: part for field, part in named if part != field.default}


def _inner(parts: tuple[Any, ...]) -> list[Cell]:
    found: list[Cell] = []
    for part in parts:
        if type(part) is Cell:
            found.append(part)
        elif type(part) is tuple:
            found += [each for each in part if type(each) is Cell]
    return found


def _number(value: int | tuple[int, ...]) -> int | list[int]:
    return [int(each) for each in value] if isinstance(value, tuple) else int(value)


def _resolved(cell: Cell) -> int | dict[str, Any]:
    return cell.object if cell.number is None else cell.number
