"""The reading half of the codec: from JSON that may be a stranger's to the program's objects, or a `Fault`.

A reader is made for one document. It makes a small function for each class and shape once, and these do all
the work; the path to a fault is put together only when there is one, while it passes outward.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, assert_never, cast

from dsl.ir.distances import Distances
from dsl.ir.limits import MAX_MEMBERS, MAX_NESTING, MAX_NODES, MAX_SPARSE
from dsl.ir.program import Program
from dsl.ir.shapes import (
    REQUIRED,
    TAG,
    TYPES,
    UNIONS,
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

Read: TypeAlias = Callable[[Any], Any]
Row: TypeAlias = tuple[int, type | None, Read]
"""How to read a field: its place in the class, its type where that is all to check, and the function else."""

MOST_PLANS = 64
"""Ways to leave out fields of one class that are remembered."""

_WORDS = {
    int: "a whole number",
    bool: "true or false",
    str: "a text",
    float: "a number with a point",
    dict: "an object",
    list: "a list",
    type(None): "null",
}


class Fault(Exception):
    """What is wrong with a document, and where: keys and indices from the inside out."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path: list[str | int] = []

    @property
    def place(self) -> str:
        """The path as `routines[3].blocks[0].end`."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in reversed(self.path))
        return "".join(steps).removeprefix(".")


class Reader:
    """One document under way, with the tables that it has filled so far."""

    def __init__(self) -> None:
        self._types: list[Any] = []
        self._expressions: list[Any] = []
        self._sizes: list[tuple[int, int]] = []
        """Of each expression of the table: nodes in it, and how deep it goes."""
        self._nodes = 0
        self._depth = 0
        self._deepest = 0
        self._parts: dict[type, Read] = {}
        self._unions: dict[str, Read] = {}

    def read_types(self, entries: Any) -> None:
        """The table of types; an entry may name those before it."""
        records = {tag_of(cls): self._part(cls) for cls in TYPES}
        for index, entry in _entries(entries, "types"):
            try:
                self._types.append(_chosen(records, entry)(entry))
            except Fault as fault:
                fault.path += [index, "types"]
                raise

    def read_expressions(self, entries: Any) -> None:
        """The table of expressions; an entry may name those before it."""
        read = self._node("expression")
        for index, entry in _entries(entries, "expressions"):
            before, self._deepest = self._nodes, 0
            try:
                self._expressions.append(read(entry))
            except Fault as fault:
                fault.path += [index, "expressions"]
                raise
            self._sizes.append((self._nodes - before, self._deepest))
        self._nodes = 0

    def program(self, fields: dict[str, Any]) -> Program:
        """The program, from its own fields."""
        program = self._part(Program)(fields)
        if self._nodes > MAX_NODES:
            raise Fault(f"it is larger than {MAX_NODES} expressions and statements")
        return _restored(cast(Program, program))

    def _read(self, shape: Shape) -> Read:
        match shape:
            case Plain(type):
                return _plain(type)
            case Number():
                return _number
            case TypeNumber(classes):
                return self._type_number(classes)
            case Node(union):
                return self._node(union)
            case Part(cls):
                return self._part(cls)
            case Many(item):
                return _many(self._read(item))
            case Fixed(items):
                return _fixed(tuple(map(self._read, items)))
            case Maybe(item):
                inner = self._read(item)
                return lambda value: None if value is None else inner(value)
            case _:
                assert_never(shape)

    def _type_number(self, classes: tuple[type, ...]) -> Read:
        types = self._types

        def read(value: Any) -> Any:
            if type(value) is not int or not 0 <= value < len(types):
                raise Fault(f"expected the number of a type, found {shown(value)}")
            found = types[value]
            cls: type = type(found)
            if cls not in classes:
                expected = " or ".join(map(tag_of, classes))
                raise Fault(f"expected a type {expected}, found {tag_of(cls)}")
            return found

        return read

    def _node(self, union: str) -> Read:
        known = self._unions.get(union)
        if known is not None:
            return known
        records: dict[str, Read] = {}
        numbered = union == "expression"

        def read(value: Any) -> Any:
            if numbered and type(value) is int:
                return self._numbered(value)
            depth = self._depth = self._depth + 1
            if depth > self._deepest:
                self._deepest = depth
                if depth > MAX_NESTING:
                    raise Fault(f"it is nested deeper than {MAX_NESTING} levels")
            self._nodes += 1
            made = _chosen(records, value)(value)
            self._depth = depth - 1
            return made

        self._unions[union] = read
        records.update({tag_of(cls): self._part(cls) for cls in UNIONS[union]})
        return read

    def _numbered(self, number: int) -> Any:
        if not 0 <= number < len(self._expressions):
            raise Fault(f"there is no expression {shown(number)} before it")
        nodes, deep = self._sizes[number]
        self._nodes += nodes
        self._deepest = max(self._deepest, self._depth + deep)
        if self._deepest > MAX_NESTING:
            raise Fault(f"it is nested deeper than {MAX_NESTING} levels")
        if self._nodes > MAX_NODES:
            raise Fault(f"it is larger than {MAX_NODES} expressions and statements")
        return self._expressions[number]

    def _part(self, cls: type) -> Read:
        known = self._parts.get(cls)
        if known is None:
            known = self._parts[cls] = self._record(cls)
        return known

    def _record(self, cls: type) -> Read:
        rows = {
            field.name: (index, _plain_type(field.shape), self._read(field.shape))
            for index, field in enumerate(fields_of(cls))
        }
        defaults = [field.default for field in fields_of(cls)]
        plans: dict[tuple[str, ...], tuple[Row, ...]] = {}

        def read(value: Any) -> Any:
            if type(value) is not dict:
                raise _expected("an object", value)
            keys = tuple(value)
            plan = plans.get(keys)
            if plan is None:
                plan = _plan(keys, rows, fields_of(cls))
                if len(plans) < MOST_PLANS:
                    plans[keys] = plan
            held = defaults.copy()
            index = 0
            try:
                for (index, plain, read_field), inner in zip(plan, value.values(), strict=True):
                    if plain is None:
                        held[index] = read_field(inner)
                    elif type(inner) is plain:
                        held[index] = inner
                    else:
                        raise _expected(_WORDS[plain], inner)
            except Fault as fault:
                fault.path.append(fields_of(cls)[index].name)
                raise
            return cls(*held)

        return read


def _restored(program: Program) -> Program:
    """With the entries of tables that are not written, or as lists of what is in a set."""
    if not any(each.follows or each.sparse for each in program.data):
        return program
    found = Distances(program.boards[0].neighbours) if program.boards else None
    rows = (
        row for each in program.data if each.sparse for row in each.values if isinstance(row, tuple) and row
    )
    if sum(max(row) // 8 for row in rows) > MAX_SPARSE:
        raise Fault(f"its sets take more than {MAX_SPARSE // 1024 // 1024} MiB")
    data = []
    for index, each in enumerate(program.data):
        values = each.values
        if each.follows and not values and found is not None:
            values = found
        elif each.sparse:
            values = tuple(_set_of(row, index, number) for number, row in enumerate(values))
        data.append(replace(each, values=values, sparse=False))
    return replace(program, data=tuple(data))


def _set_of(row: int | tuple[int, ...], index: int, number: int) -> int:
    if not isinstance(row, tuple) or not all(0 <= each < MAX_MEMBERS for each in row):
        fault = Fault(f"expected a list of numbers from 0 to {MAX_MEMBERS - 1}")
        fault.path += [number, "values", index, "data"]
        raise fault
    mask = 0
    for each in row:
        mask |= 1 << each
    return mask


def shown(value: Any) -> str:
    """A value of a stranger's document, short enough for a message."""
    if isinstance(value, dict | list | float | None):
        return _WORDS[type(value)]
    text = json_text(value)
    return text if len(text) <= 40 else text[:39] + "…"


def json_text(value: Any) -> str:
    """A scalar as JSON writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _entries(entries: Any, name: str) -> enumerate[Any]:
    if type(entries) is not list:
        fault = _expected("a list", entries)
        fault.path.append(name)
        raise fault
    return enumerate(entries)


def _chosen(records: dict[str, Read], value: Any) -> Read:
    """Which class an object is of, by its tag, which is taken out of it."""
    if type(value) is not dict:
        raise _expected("an object", value)
    tag = value.pop(TAG, None)
    if type(tag) is not str:
        raise Fault(f"its `{TAG}` is missing")
    read = records.get(tag)
    if read is None:
        raise Fault(f"`{TAG}` is {shown(tag)}, expected one of {', '.join(records)}")
    return read


def _plain_type(shape: Shape) -> type | None:
    return shape.type if isinstance(shape, Plain) else None


def _plain(plain: type) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not plain:
            raise _expected(_WORDS[plain], value)
        return value

    return read


def _number(value: Any) -> int | tuple[int, ...]:
    if type(value) is int:
        return value
    if type(value) is list and all(type(each) is int for each in value):
        return tuple(value)
    raise _expected("a whole number or a list of them", value)


def _many(read_item: Read) -> Read:
    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise _expected("a list", value)
        made = []
        try:
            for each in value:
                made.append(read_item(each))
        except Fault as fault:
            fault.path.append(len(made))
            raise
        return tuple(made)

    return read


def _fixed(reads: tuple[Read, ...]) -> Read:
    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(reads):
            raise _expected(f"a list of {len(reads)}", value)
        return tuple(each(inner) for each, inner in zip(reads, value, strict=True))

    return read


def _expected(what: str, value: Any) -> Fault:
    return Fault(f"expected {what}, found {shown(value)}")


def _plan(keys: tuple[str, ...], rows: dict[str, Row], fields: tuple[Field, ...]) -> tuple[Row, ...]:
    """How to read an object with these keys."""
    for key in keys:
        if key not in rows:
            raise Fault(f"unknown key {shown(key)}")
    for field in fields:
        if field.default is REQUIRED and field.name not in keys:
            fault = Fault("it is missing")
            fault.path.append(field.name)
            raise fault
    return tuple(rows[key] for key in keys)
