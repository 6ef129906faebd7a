"""Cells of tables: raw text, read by the declared or inferred type of its column.

A header cell is `name`, `name: type`, or a label's column `name fr`. Without a type, whole numbers give a range,
names the enumeration that they belong to (or a new one), several names a set; `-` is `none`, or nothing of a set.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from dsl.diagnostics import Code, Label
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, BagOf, Id, Int, Record, SetOf
from dsl.semantics.gather.layers import TableSource
from dsl.semantics.things import bounds, fractions
from dsl.semantics.things.coined import may_be_new_type
from dsl.semantics.things.columns import EFFECT
from dsl.semantics.things.entries import Column, Domain
from dsl.semantics.things.kinds import UNKNOWN, AnyType, Fraction, Unknown, as_fraction, counted_in
from dsl.semantics.things.readings import AMOUNT, NUMBER, YES, Value, dash, decimal_hint, read
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax import ast

NAME = re.compile(r"[^\W\d]\w*")
LABEL_HEAD = re.compile(r"name(\s+\w+)?")


def declare_columns(world: World, source: TableSource) -> None:
    """Reads all columns of a table of kinds into constant data."""
    type_ = world.types[source.declaration.name.text]
    assert isinstance(type_, Id)
    domain = world.domains[type_.domain]
    if domain.table is None:
        return  # its name is that of something else, as was told
    heads = _heads(world, source)
    for name, head in heads.items():
        _column(world, source, domain, name, head)
    _unused_changes(world, source, list(heads))


def _heads(world: World, source: TableSource) -> dict[str, ast.Cell]:
    heads: dict[str, ast.Cell] = {}
    for head, _, _ in source.groups:
        _check_first(world, source, head)
        for cell in head.cells[1:]:
            name = cell.text.split(":")[0].strip()
            if (
                cell.text
                and not LABEL_HEAD.fullmatch(cell.text)
                and name != "look"
                and not EFFECT.fullmatch(name)
            ):
                heads.setdefault(name, cell)
    return heads


def _tell_of_head(world: World, source: TableSource, name: str, head: ast.Cell) -> None:
    """Tells of a cell that names no column; numbers there are those of a row, so that the head is missing."""
    table = source.declaration.name.text
    if not re.fullmatch(r"[-+]|-?\d+\S*", name):
        hint = "write `name` or `name: type`"
        world.error(Code.BAD_CELL, head.span, f"`{name}` is no name for a column", hint=hint)
    elif table not in world.lacks_rows:
        world.lacks_rows.add(table)
        hint = "write a row such as `| id | cost | class |` above this one"
        message = f"the first row of a table names its columns, and `{name}` is no name"
        world.error(Code.BAD_CELL, head.span, message, hint=hint)


def _check_first(world: World, source: TableSource, head: ast.Row) -> None:
    """The first column holds the names of the rows: what its head says beside that belongs to the next."""
    words = head.cells[0].text.split() if head.cells else []
    if head.cells and LABEL_HEAD.fullmatch(head.cells[0].text):
        world.lacks_rows.add(source.declaration.name.text)
        hint = "write `id` and a name of one word for each row before it: `| id | name en |`"
        world.error(
            Code.RAGGED_ROW, head.cells[0].span, "the first column of a table names its rows", hint=hint
        )
    elif len(words) > 1 and all(NAME.fullmatch(word) for word in words):
        message = f"`{head.cells[0].text}` heads the column with the names of the rows: one word is enough"
        hint = f"write `{words[0]}` there; `{words[1]}` heads a column of its own, behind the next bar"
        world.error(Code.RAGGED_ROW, head.cells[0].span, message, hint=hint)


def _column(world: World, source: TableSource, domain: Domain, name: str, head: ast.Cell) -> None:
    assert domain.table is not None
    if not NAME.fullmatch(name):
        _tell_of_head(world, source, name, head)
        return
    modes: list[str | None] = [*world.modes.names] if source.by_mode else [None]
    printed = [_raw_cells(world, source, domain, name, mode) for mode in modes]
    _fill_absent(domain, modes, printed)
    raw = [cell for each in printed for cell in each]
    declared = head.text.split(":", 1)[1].strip() if ":" in head.text else None
    type_ = (
        parse_type(world, declared, head.span) if declared is not None else _infer(world, domain, name, raw)
    )
    if as_fraction(type_):
        type_ = fractions.column(world, raw)
    if isinstance(type_, Int | Id) and any(
        cell is None or cell.text in {"-", ""}
        for mode, each in zip(modes, printed, strict=True)
        for cell, where in zip(each, domain.where, strict=True)
        if where is None or mode is None or mode in where
    ):
        type_ = replace(type_, optional=True)
    if found := as_fraction(type_):
        values: list[Value] = list(fractions.values(raw, found))
    else:
        seen: dict[tuple[str, int], Value] = {}
        values = [_read_once(world, cell, type_, seen) for cell in raw]
    if isinstance(type_, Unknown):
        domain.table.columns[name] = Column(name, UNKNOWN, -1, head.span)
        return
    rows = len(printed[0])
    by_mode = any(values[at : at + rows] != values[:rows] for at in range(0, len(values), max(1, rows)))
    if not by_mode:
        values, modes = values[:rows], [None]
    dims = ((0, len(modes)), (0, rows)) if by_mode else ((0, rows),)
    clauses = tuple(domain.table.row_clauses[:rows]) * len(modes)
    data = pr.Data(f"{domain.name}.{name}", counted_in(type_), dims, tuple(values), clauses)
    domain.table.columns[name] = Column(name, type_, world.add_data(data), head.span, by_mode)


def _fill_absent(domain: Domain, modes: list[str | None], printed: list[list[ast.Cell | None]]) -> None:
    """Where a mode lacks a row, what it prints elsewhere stands in: nobody reads it, and the column stays one."""
    for row, where in enumerate(domain.where):
        if where is not None and modes != [None]:
            there = next(cells[row] for mode, cells in zip(modes, printed, strict=True) if mode in where)
            for mode, cells in zip(modes, printed, strict=True):
                if mode not in where:
                    cells[row] = there


def _read_once(
    world: World, cell: ast.Cell | None, type_: AnyType, seen: dict[tuple[str, int], Value]
) -> Value:
    """What a cell holds; one that stands in several modes is read, and told of, once."""
    if cell is None:
        empty = dash(world, type_)
        return world.low(type_) if isinstance(type_, Int | Id) and not type_.optional else empty
    at = (cell.span.source.name, cell.span.start)
    if at not in seen:
        seen[at] = read(world, cell, type_)
    return seen[at]


def _raw_cells(
    world: World, source: TableSource, domain: Domain, name: str, mode: str | None
) -> list[ast.Cell | None]:
    """One cell per row of the domain, changes applied; None where a group has no such column."""
    cells: list[ast.Cell | None] = [None] * len(domain.members)
    for head, rows, where in source.groups:
        if where is not None and mode not in where:
            continue
        heads = [cell.text.split(":")[0].strip() for cell in head.cells]
        at = heads.index(name) if name in heads else None
        for row in rows:
            number = domain.index.get(row.cells[0].text) if row.cells else None
            if len(row.cells) != len(head.cells):
                _ragged(world, row, head)
            if number is not None and at is not None and at < len(row.cells):
                cells[number] = row.cells[at]
    for row_name, setting, where in source.changes:
        here = where is None or mode in where
        if here and setting.name.text == name and row_name.text in domain.index:
            cells[domain.index[row_name.text]] = _printed(setting.value)
    return cells


def _printed(value: ast.Expr) -> ast.Cell:
    """A changed value as the cell that it takes the place of: in a table a set stands without its braces."""
    text, span = value.span.text, value.span
    if isinstance(value, ast.Braces) and value.items:
        inner = text[1:-1]
        start = span.start + 1 + len(inner) - len(inner.lstrip())
        return ast.Cell(inner.strip(), span=span.source.span(start, start + len(inner.strip())))
    return ast.Cell("-" if text == "empty" or isinstance(value, ast.Braces) else text, span=span)


def _ragged(world: World, row: ast.Row, head: ast.Row) -> None:
    world.error(
        Code.RAGGED_ROW,
        row.span,
        f"this row has {len(row.cells)} cells, its header has {len(head.cells)}",
        hint="each row has a cell for each column; write `-` where there is nothing",
    )


def _unused_changes(world: World, source: TableSource, names: list[str]) -> None:
    for _, setting, _ in source.changes:
        words = LABEL_HEAD.fullmatch(setting.name.text) or setting.name.text == "look"
        if setting.name.text not in names and not words:
            message = f"table `{source.declaration.name.text}` has no column `{setting.name.text}`"
            hint = world.nearest(setting.name.text, names)
            world.error(Code.UNKNOWN_NAME, setting.name.span, message, hint=hint)


# ---------------------------------------------------------------- types


def parse_type(world: World, text: str, span: Span) -> AnyType:
    """A column's type, as it stands in the header."""
    from dsl.semantics.things.types import resolve

    if text.endswith("?"):
        inner = parse_type(world, text[:-1].strip(), span)
        return replace(inner, optional=True) if isinstance(inner, Int | Id) else inner
    if match := re.fullmatch(r"(-?\d{1,10})\s*\.\.\s*(-?\d{1,10})", text):
        return resolve(world, ast.RangeType(int(match[1]), int(match[2]), span=span))
    if match := re.fullmatch(r"(set|bag|interval) of (.+?)(?: up to (\d{1,6}))?", text):
        inner = parse_type(world, match[2], span)
        if match[1] == "set" and isinstance(inner, Int | Id):
            return SetOf(inner) if bounds.sized(world, inner, span) else UNKNOWN
        if match[1] == "bag" and isinstance(inner, Id):
            return BagOf(inner.domain, int(match[3] or 255))
        if match[1] == "interval" and isinstance(inner, Int):
            return Record(("low", "high"), (inner, inner))
        return UNKNOWN
    if text == "fraction" and text not in world.types:
        return cast(AnyType, Fraction(1, 0, 0))
    if NAME.fullmatch(text):
        return resolve(world, ast.NamedType(text, span=span))
    world.error(
        Code.BAD_CELL,
        span,
        f"`{text}` is no type",
        hint="write for instance `cost: 0..20`, `class: Class` or `troops: bag of Troop`",
    )
    return UNKNOWN


def _infer(world: World, domain: Domain, name: str, raw: list[ast.Cell | None]) -> AnyType:
    texts = [cell.text for cell in raw if cell and cell.text not in {"-", ""}]
    if not texts:
        return Int(0, 0)
    if all(NUMBER.fullmatch(text) for text in texts):
        numbers = [int(text) for text in texts]
        return Int(min(numbers), max(numbers))
    if all(fractions.CELL.fullmatch(text) for text in texts):
        return cast(AnyType, Fraction(1, 0, 0))
    if all(text in YES for text in texts):
        return TRUTH
    if all(re.fullmatch(r"\d{1,9}\s*-\s*\d{1,9}", text) for text in texts):
        numbers = [int(n) for text in texts for n in text.split("-")]
        bound = Int(min(numbers), max(numbers))
        return Record(("low", "high"), (bound, bound))
    if all(AMOUNT.fullmatch(part.strip()) for text in texts for part in text.split(",")):
        found = _common_domain(world, [m[2] for text in texts for m in AMOUNT.finditer(text)])
        return BagOf(found.id, 255) if found else _unclear(world, name, raw)
    parts = [part.strip() for text in texts for part in text.split(",")]
    if not all(NAME.fullmatch(part) for part in parts):
        return _unclear(world, name, raw)
    found = _common_domain(world, parts)
    if found is None:
        if not may_be_new_type(world, name, raw):
            return UNKNOWN
        found = _new_domain(world, domain, name, parts)
        world.type_spans[found.name] = next(cell.span for cell in raw if cell and cell.text not in {"-", ""})
    return SetOf(Id(found.id)) if any("," in text for text in texts) else Id(found.id)


def _unclear(world: World, name: str, raw: list[ast.Cell | None]) -> AnyType:
    filled = [cell for cell in raw if cell and cell.text not in {"-", ""}]
    kinds = [_shape(cell.text) for cell in filled]
    usual = max(kinds, key=kinds.count)
    if kinds.count(NUMBER.pattern) == kinds.count(usual):
        usual = NUMBER.pattern
    odd = next((cell for cell, kind in zip(filled, kinds, strict=True) if kind != usual), filled[0])
    like = next(
        (cell for cell, kind in zip(filled, kinds, strict=True) if cell is not odd and kind == usual), None
    )
    if re.fullmatch(r"-?\d{10,}", odd.text):
        world.error(Code.HUGE_NUMBER, odd.span, "this number has more than 9 digits")
        return UNKNOWN
    if hint := decimal_hint(odd.text):
        world.error(Code.BAD_CELL, odd.span, f"`{odd.text}` is no whole number", hint=hint)
        return UNKNOWN
    is_word = usual == NUMBER.pattern and NAME.fullmatch(odd.text) is not None and like is not None
    message = f"it is not clear what the column `{name}` holds"
    hint = f"write them alike, or say in the header what it holds: `{name}: 0..20`, `{name}: bag of Troop`"
    if is_word:
        message = f"`{odd.text}` is no number, as the other cells of the column `{name}` are"
        hint = "write a number, or `-` where there is none"
    world.error(
        Code.BAD_CELL,
        odd.span,
        message,
        label="not like the other cells of its column" if len(set(kinds)) > 1 else "",
        labels=(Label(like.span, "such as this one"),) if like and len(set(kinds)) > 1 else (),
        hint=hint,
    )
    world.lost.update(part for cell in filled for part in NAME.findall(cell.text))
    return UNKNOWN


def _shape(text: str) -> str:
    """What a cell looks like: two cells of one column look the same."""
    for kind in (NUMBER, AMOUNT, NAME):
        if all(kind.fullmatch(part.strip()) for part in text.split(",")):
            return kind.pattern
    return ""


def _common_domain(world: World, names: list[str]) -> Domain | None:
    candidates = [each for each, _ in world.members.get(names[0], [])]
    for candidate in candidates:
        if all(name in world.domains[candidate].index for name in names):
            return world.domains[candidate]
    for union in world.domains:
        if union.kind == "union" and all(name in union.index for name in names):
            return union
    return None


def _new_domain(world: World, domain: Domain, name: str, parts: list[str]) -> Domain:
    new = world.domain(f"{domain.name}.{name}", "enum")
    for part in dict.fromkeys(parts):
        world.enter_member(new, part, world.text(part))
    return new


# ---------------------------------------------------------------- values
