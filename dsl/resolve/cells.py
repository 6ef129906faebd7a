"""Cells of tables: raw text, read by the declared or inferred type of its column.

A header cell is `name`, `name: type`, either with a default behind `=`, or a label's column `name fr`. Without a type,
whole numbers give a range, names the enumeration that they belong to (or a new one), several names a set; `-` is
`none`, or nothing of a set. An empty cell is that of the row that its row is like, else the default, else as `-`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Meant, Subject
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, BagOf, Id, Int, Record, SetOf
from dsl.linker.layers import TableSource, head_default, head_name, head_type
from dsl.records import record
from dsl.resolve import bounds, fractions
from dsl.resolve.captions import check_captions, column_words
from dsl.resolve.cell_values import AMOUNT, NUMBER, YES, Value, dash, decimal_hint, read
from dsl.resolve.effect_columns import EFFECT
from dsl.resolve.inferred_enums import may_be_new_type
from dsl.resolve.kinds import UNKNOWN, AnyType, Fraction, Unknown, as_fraction, counted_in
from dsl.resolve.printed_cells import (
    EMPTY,
    Head,
    cell_at,
    cell_of,
    changed_by,
    fill_absent,
    fill_empty,
    is_empty,
    place_in,
    raw_cells,
    says_nothing,
)
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Column, Domain, Inferred
from dsl.resolve.texts import (
    TEXT,
    TEXT_HEAD,
    base_of,
    check_language,
    check_text,
    declare_text,
    text_columns,
)
from dsl.resolve.types import resolve
from dsl.source import Span
from dsl.syntax import ast

NAME = re.compile(r"[^\W\d]\w*")
LABEL_HEAD = re.compile(r"name(\s+\w+)?")


@record(frozen=True, slots=True)
class _Gap:
    """A row without a value in a column that needs one; `cell` is the `-` that stands there, if one does."""

    head: Head
    row: ast.Row
    header: ast.Row
    cell: ast.Cell | None
    wanted: str
    """What to write there."""


def declare_columns(world: World, source: TableSource) -> None:
    """Reads all columns of a table of kinds into constant data."""
    type_ = world.types[source.declaration.name.text]
    assert isinstance(type_, Id)
    domain = world.domains[type_.domain]
    if domain.table is None:
        return  # its name is that of something else, as was told
    heads = _heads(world, source)
    texts = text_columns(world, source, heads)
    strange = _check_heads(world, source, heads, texts)
    gaps: list[_Gap] = []
    for head in heads.values():
        if base_of(head.name) not in texts:
            gaps += _column(world, source, domain, head)
    for name, span in texts.items():
        declare_text(world, source, domain, name, span)
    _tell_of_gaps(world.reporter, source, [each for each in gaps if each.header not in strange])
    _unused_changes(world, source, list(heads), texts)
    check_captions(world, source, [each for each in heads if base_of(each) not in texts])


def _heads(world: World, source: TableSource) -> dict[str, Head]:
    """The columns of a table by their names: those of its own header, and those that are added to it."""
    heads: dict[str, Head] = {}
    for name, cell in source.heads.items():
        if _is_column(cell):
            heads[name] = Head(name, cell.span, head_type(cell), head_default(cell))
    for name, added in source.added.items():
        default = cell_of(added.initial) if added.initial is not None else None
        heads[name] = Head(name, added.name.span, added.type, default)
    return heads


def _is_column(cell: ast.Cell) -> bool:
    """Does a cell of a header name a column with values? Labels, looks and effects are read by themselves."""
    name = head_name(cell)
    return bool(cell.text) and not (
        LABEL_HEAD.fullmatch(cell.text) or name == "look" or EFFECT.fullmatch(name)
    )


def _check_heads(
    world: World, source: TableSource, heads: dict[str, Head], texts: dict[str, Span]
) -> list[ast.Row]:
    """Tells of headers that name a column twice, or one that the table does not have; these are given back."""
    strange: list[ast.Row] = []
    own = source.declaration.rows[0]
    for group in source.groups:
        if group.head is not own and _lacks_head(world, source, group.head, heads):
            strange.append(group.head)
            continue
        _check_first(world.reporter, source, group.head)
        first: dict[str, ast.Cell] = {}
        for cell in group.head.cells[1:]:
            name = head_name(cell)
            if first.setdefault(name, cell) is not cell and cell.text:
                labels = (Label(first[name].span, "the first one"),)
                hint = "each column stands in the header once"
                world.error(
                    Code.DUPLICATE_NAME,
                    cell.span,
                    tr("two columns are headed `{name}`", name=name),
                    labels=labels,
                    hint=hint,
                    subject=Subject("column", name, source.declaration.name.text),
                    cause=first[name].span,
                )
            if found := re.fullmatch(r"name\s+(\w+)", cell.text):
                check_language(world, cell, found[1])
            if base_of(name) in texts and (found := TEXT_HEAD.fullmatch(name)) and found[1]:
                check_language(world, cell, found[1])
            if (
                group.head is own
                or not _is_column(cell)
                or (base_of(name) in texts and head_type(cell) in {None, TEXT})
            ):
                continue
            if name not in heads:
                strange.append(group.head)
                _tell_of_strange(
                    world.reporter, source, cell, heads, {head_name(each) for each in group.head.cells}
                )
            elif ":" in cell.text or "=" in cell.text:
                _check_type(world.reporter, cell, heads[name])
    return strange


def _lacks_head(world: World, source: TableSource, head: ast.Row, heads: dict[str, Head]) -> bool:
    """Do added rows begin without the line that names their columns? Then that is told, and nothing else of it."""
    own = [cell.text for cell in source.declaration.rows[0].cells]
    names = [head_name(cell) for cell in source.declaration.rows[0].cells]
    if (
        len(head.cells) < 2
        or not own
        or head.cells[0].text == own[0]
        or LABEL_HEAD.fullmatch(head.cells[0].text)
    ):
        return False
    for cell in head.cells[1:]:
        name = head_name(cell)
        if not _is_column(cell) or name in heads or ":" in cell.text or world.nearest(name, [*names, *heads]):
            return False
    if all(NAME.fullmatch(cell.text) and cell.text not in world.members for cell in head.cells[1:]):
        return False  # it may head columns of other names
    table = source.declaration.name.text
    world.reporter.lacks_rows.add(table)
    world.error(
        Code.RAGGED_ROW,
        head.span,
        tr("the rows that are added to `{table}` begin without a line that names their columns", table=table),
        labels=(Label(source.declaration.rows[0].span, tr("the columns of `{table}`", table=table)),),
        hint=tr(
            "write it above this row, with the columns that your rows fill: `| {names} |`",
            names=" | ".join(names),
        ),
    )
    return True


def _tell_of_strange(
    reporter: Reporter, source: TableSource, cell: ast.Cell, heads: dict[str, Head], used: set[str]
) -> None:
    """A heading of added rows that is no column: likely a slip, or a column that has to be declared first."""
    table, name = source.declaration.name, head_name(cell)
    if not NAME.fullmatch(name):
        _tell_of_head(reporter, source, name, cell)
        return
    words = [each.text for each in source.declaration.rows[0].cells if not _is_column(each)]
    names = [each for each in (*heads, *words[1:]) if each not in used]
    hint = reporter.nearest(name, names)
    swapped = [each for each in names if sorted(each.lower()) == sorted(name.lower())]
    if not hint and len(swapped) == 1:
        hint = Meant(name, swapped[0], is_clear=True)
    new = f"a column of your own is declared first: `extend {table.text} with column {name}: 0..9 = 0`"
    span = _name_in(cell)
    reporter.unknown(
        "column",
        span,
        tr("the table `{table}` has no column `{name}`", table=table.text, name=name),
        of=table.text,
        labels=(Label(table.span, "its header says which it has"),),
        hint=hint or new,
        notes=(new,) if hint else (),
    )
    reporter.lost.add(name)


def _name_in(cell: ast.Cell) -> Span:
    """Where the name stands in a cell of a header."""
    return cell.span.source.span(cell.span.start, cell.span.start + len(head_name(cell)))


def _check_type(reporter: Reporter, cell: ast.Cell, head: Head) -> None:
    """A header of added rows may repeat the type and the default of a column, and not change them."""
    type_, default = head_type(cell), head_default(cell)
    written = head.declared.span.text if isinstance(head.declared, ast.TypeExpr) else head.declared or ""
    other_type = type_ is not None and "".join(type_.split()) != "".join(written.split())
    if other_type or (default is not None and (head.default is None or default.text != head.default.text)):
        what = tr("type") if other_type else tr("default")
        message = tr("the {what} of `{head}` stands where the column is declared", what=what, head=head.name)
        labels = (Label(head.span, "declared here"),)
        hint = tr("write `{head}` alone", head=head.name)
        reporter.error(Code.TYPE_MISMATCH, cell.span, message, labels=labels, hint=hint)


def _tell_of_head(reporter: Reporter, source: TableSource, name: str, head: ast.Cell) -> None:
    """Tells of a cell that names no column; numbers there are those of a row, so that the head is missing."""
    table = source.declaration.name.text
    if not re.fullmatch(r"[-+]|-?\d+\S*", name):
        hint = "write `name` or `name: type`"
        reporter.error(Code.BAD_CELL, head.span, tr("`{name}` is no name for a column", name=name), hint=hint)
    elif table not in reporter.lacks_rows:
        reporter.lacks_rows.add(table)
        hint = "write a row such as `| id | cost | class |` above this one"
        message = tr("the first row of a table names its columns, and `{name}` is no name", name=name)
        reporter.error(Code.BAD_CELL, head.span, message, hint=hint)


def _check_first(reporter: Reporter, source: TableSource, head: ast.Row) -> None:
    """The first column holds the names of the rows: what its head says beside that belongs to the next."""
    words = head.cells[0].text.split() if head.cells else []
    if head.cells and LABEL_HEAD.fullmatch(head.cells[0].text):
        reporter.lacks_rows.add(source.declaration.name.text)
        hint = "write `id` and a name of one word for each row before it: `| id | name en |`"
        reporter.error(
            Code.RAGGED_ROW, head.cells[0].span, "the first column of a table names its rows", hint=hint
        )
    elif len(words) > 1 and all(NAME.fullmatch(word) for word in words):
        message = tr(
            "`{cells}` heads the column with the names of the rows: one word is enough",
            cells=head.cells[0].text,
        )
        hint = tr(
            "write `{words}` there; `{words2}` heads a column of its own, behind the next bar",
            words=words[0],
            words2=words[1],
        )
        reporter.error(Code.RAGGED_ROW, head.cells[0].span, message, hint=hint)


def _column(world: World, source: TableSource, domain: Domain, head: Head) -> list[_Gap]:
    """Enters a column; the rows that lack a value in it are given back."""
    assert domain.table is not None
    name = head.name
    if not NAME.fullmatch(name):
        _tell_of_head(world.reporter, source, name, ast.Cell(name, span=head.span))
        return []
    modes: list[str | None] = [*world.modes.names] if source.by_mode else [None]
    printed = [raw_cells(world.reporter, source, domain, head, mode) for mode in modes]
    fill_absent(domain, modes, printed)
    origins = [fill_empty(domain, head, mode, cells) for mode, cells in zip(modes, printed, strict=True)]
    stated = [head.default] if head.default is not None and head.default.text not in EMPTY else []
    raw = [
        *stated,
        *(cell for each in printed for cell in each),
    ]  # a default is read where no row needs it, too
    if head.declared is None:
        raw = _of_one_kind(world, head, raw)
        type_ = _infer(world, domain, name, raw)
    elif isinstance(head.declared, str):
        type_ = parse_type(world, head.declared, head.span)
    elif fractions.is_named(world, head.declared):
        type_ = cast(AnyType, Fraction(1, 0, 0))
    else:
        type_ = resolve(world, head.declared)
    may_lack = _may_lack(world.reporter, source, head, type_)
    wanted = _wanted(world, type_)
    lacking = _lacking(source, domain, name, modes, printed)
    gaps = [] if may_lack else [_Gap(head, row, header, cell, wanted) for row, header, cell in lacking]
    if as_fraction(type_):
        type_ = fractions.column(world.reporter, raw, optional=may_lack)
    elif isinstance(type_, Int | Id) and may_lack and lacking:
        type_ = replace(type_, optional=True)
    absent = next(((cell or row).span for row, _, cell in lacking), None) if may_lack else None
    if found := as_fraction(type_):
        values: list[Value] = list(fractions.values(raw, found))
    else:
        seen: dict[tuple[str, int], Value] = {}
        values = [_read_once(world, cell, type_, seen) for cell in raw]
    del values[: len(stated)]
    is_unclear = any(gap.cell and world.layer(gap.cell.span) == world.layer(head.span) for gap in gaps)
    if isinstance(type_, Unknown) or is_unclear:  # whether rules may ask for none there is not known
        domain.table.columns[name] = Column(name, UNKNOWN, -1, head.span)
        return gaps
    rows = len(printed[0])
    places = tuple(None if cell is None else cell.span for cell in printed[0])
    by_mode = any(values[at : at + rows] != values[:rows] for at in range(0, len(values), max(1, rows)))
    if not by_mode:
        values, modes = values[:rows], [None]
    dims = ((0, len(modes)), (0, rows)) if by_mode else ((0, rows),)
    own = domain.table.row_clauses[:rows]
    changed = changed_by(world, source, domain, name)
    clauses = tuple(
        changed.get((mode, row), own[row])
        for mode, whence in zip(modes, origins, strict=False)
        for row in whence[: len(own)]
    )
    called = column_words(world, source, name)
    data = pr.Data(f"{domain.name}.{name}", counted_in(type_), dims, tuple(values), clauses, called=called)
    if printed_as := as_fraction(type_):
        data = replace(data, denominator=printed_as.parts)
    domain.table.columns[name] = Column(name, type_, world.add_data(data), head.span, by_mode, places, absent)
    return gaps


def _may_lack(reporter: Reporter, source: TableSource, head: Head, type_: AnyType) -> bool:
    """May a row have nothing in a column? Where its type is not stated, the rows that stand in the first files decide:
    if each of them has a value, those that later files add need one too.
    """
    if not (isinstance(type_, Int | Id | Record) or as_fraction(type_)):
        return True
    if head.declared is not None:
        written = head.declared if isinstance(head.declared, str) else head.declared.span.text
        return written.endswith("?") or bool(getattr(type_, "optional", False))
    groups = [(reporter.layer(group.head.span), group) for group in source.groups if group.rows]
    first = min((layer for layer, _ in groups), default=0)
    return any(
        _is_nothing(row, cell_at(row, at), head)
        for layer, group in groups
        if layer == first
        for at in (place_in(group.head, head.name),)
        for row in group.rows
        if row.cells
    )


def _is_nothing(row: ast.Row, cell: ast.Cell | None, head: Head) -> bool:
    """Does a row print nothing itself, where neither a default nor another row says what it prints?"""
    is_left_open = says_nothing(cell) and (head.default is not None or row.like is not None)
    return is_empty(cell) and not is_left_open


def _lacking(
    source: TableSource,
    domain: Domain,
    name: str,
    modes: list[str | None],
    printed: list[list[ast.Cell | None]],
) -> list[tuple[ast.Row, ast.Row, ast.Cell | None]]:
    """The rows that print nothing in a column in some mode in which they are there, each with its header and the empty
    cell, if there is one.
    """
    found: list[tuple[ast.Row, ast.Row, ast.Cell | None]] = []
    known: set[int] = set()
    for header, rows, where in source.groups:
        for row in rows:
            number = domain.index.get(row.cells[0].text) if row.cells else None
            if number is None or len(row.cells) != len(header.cells):
                continue
            if row.like is not None and says_nothing(cell_at(row, place_in(header, name))):
                continue  # told of the row that it is like, if at all
            here = [
                cells[number]
                for mode, cells in zip(modes, printed, strict=True)
                if where is None or mode is None or mode in where
            ]
            empty = [cell for cell in here if is_empty(cell)]
            if empty and id(row) not in known:
                known.add(id(row))
                found.append((row, header, next((cell for cell in empty if cell is not None), None)))
    return found


def _tell_of_gaps(reporter: Reporter, source: TableSource, gaps: list[_Gap]) -> None:
    """Tells of rows without a value that they need: at the `-`, at the first of the rows that lack a column, or at the
    column where that was added behind them.
    """
    table = source.declaration.name.text
    for gap in gaps:
        if gap.cell is not None:
            _tell_of_dash(reporter, table, gap, gap.cell)
    missing = [each for each in gaps if each.cell is None]
    late = [each.head for each in missing if _is_late(reporter, source, each)]
    for head in {each.name: each for each in late}.values():
        rows = [each.row for each in missing if each.head is head]
        first = rows[0].cells[0].text
        message = tr(
            "the column `{head}` says nothing of {rows} of `{table}`",
            head=head.name,
            rows=_rows(rows),
            table=table,
        )
        hint = tr(
            "say behind its type what they print, such as `= 0`, or write `change {first}: {head} = ...`",
            first=first,
            head=head.name,
        )
        subject = Subject("column", head.name, table)
        reporter.error(Code.MISSING_CELL, head.span, message, hint=hint, subject=subject)
    at_column = {head.name for head in late}
    found: dict[int, list[_Gap]] = {}
    for gap in missing:
        if gap.head.name not in at_column:
            found.setdefault(id(gap.header), []).append(gap)
    for group in found.values():
        rows = list({id(each.row): each.row for each in group}.values())
        shown = _some(list(dict.fromkeys(each.head.name for each in group)))
        verb = tr("has") if len(rows) == 1 else tr("have")
        message = tr(
            "{rows} {verb} no {shown}, which each row of `{table}` has",
            rows=_rows(rows),
            verb=verb,
            shown=shown,
            table=table,
        )
        labels = (Label(group[0].head.span, "needed here"),)
        hint = tr(
            "add {shown} to the header above, and in each row {wanted}", shown=shown, wanted=group[0].wanted
        )
        reporter.error(Code.MISSING_CELL, rows[0].cells[0].span, message, labels=labels, hint=hint)


def _is_late(reporter: Reporter, source: TableSource, gap: _Gap) -> bool:
    """Was the column added to a table that had the row already?"""
    is_added = gap.head.name in source.added
    own = gap.header is source.declaration.rows[0]
    return is_added and (own or reporter.layer(gap.row.span) < reporter.layer(gap.head.span))


def _rows(rows: Sequence[ast.Row]) -> str:
    """Some rows, by their names."""
    names = [f"`{row.cells[0].text}`" for row in rows]
    if len(names) == 1:
        return tr("the row {names}", names=names[0])
    return (
        tr("the rows {names} and others", names=", ".join(names[:3]))
        if len(names) > 3
        else tr("the rows {names}", names=" and ".join(names))
    )


def _wanted(world: World, type_: AnyType) -> str:
    """What to write in a cell of some type."""
    match type_:
        case Int(truth=True):
            return tr("`yes` or `no`")
        case Int():
            return tr("a number of {low}..{high}", low=type_.low, high=type_.high)
        case Id():
            return tr("one of {some}", some=_some(world.domains[type_.domain].members))
        case _:
            return "a value"


def _tell_of_dash(reporter: Reporter, table: str, gap: _Gap, cell: ast.Cell) -> None:
    head = gap.head
    message = tr(
        "`-` is nothing, and each row of `{table}` has a value in `{head}`", table=table, head=head.name
    )
    written = head.declared if isinstance(head.declared, str) else None
    is_own = written is not None and reporter.layer(head.span) == reporter.layer(cell.span)
    hint = tr("write {wanted}", wanted=gap.wanted)
    if gap.row.like is not None:
        hint = tr(
            "write {wanted}, or leave the cell empty for that of `{like}`",
            wanted=gap.wanted,
            like=gap.row.like.text,
        )
    elif head.default is not None:
        hint = tr("write {wanted}, or leave the cell empty for the default", wanted=gap.wanted)
    hint += f"; where there may be none, the header says `{head.name}: {written}?`" if is_own else ""
    labels, subject = (Label(head.span, "the column"),), Subject("column", head.name, table)
    reporter.error(Code.MISSING_CELL, cell.span, message, labels=labels, hint=hint, subject=subject)


def _read_once(
    world: World, cell: ast.Cell | None, type_: AnyType, seen: dict[tuple[str, int], Value]
) -> Value:
    """What a cell holds; one that stands in several modes is read, and told of, once."""
    is_told = isinstance(type_, Int | Id) and not type_.optional
    if cell is None or (cell.text in EMPTY and is_told):
        empty = dash(world, type_)
        return world.low(type_) if isinstance(type_, Int | Id) and not type_.optional else empty
    at = (cell.span.source.name, cell.span.start)
    if at not in seen:
        seen[at] = read(world, cell, type_)
    return seen[at]


def _unused_changes(world: World, source: TableSource, names: list[str], texts: dict[str, Span]) -> None:
    for _, setting, *_ in source.changes:
        words = LABEL_HEAD.fullmatch(setting.name.text) or setting.name.text == "look"
        if (title := TEXT_HEAD.fullmatch(setting.name.text)) and base_of(setting.name.text) in texts:
            check_text(world, setting, title[1])
        elif setting.name.text not in names and not words:
            message = tr(
                "table `{source}` has no column `{setting}`",
                source=source.declaration.name.text,
                setting=setting.name.text,
            )
            hint = world.nearest(setting.name.text, names) or tr("its columns are {some}", some=_some(names))
            of = source.declaration.name.text
            world.unknown("column", setting.name.span, message, of=of, hint=hint)
        else:
            _check_braces(world, source, setting)


def _check_braces(world: World, source: TableSource, setting: ast.Setting) -> None:
    """Braces hold several: they stand where a column does, and nowhere else."""
    type_ = world.types[source.declaration.name.text]
    table = world.domains[type_.domain].table if isinstance(type_, Id) else None
    column = table.columns.get(setting.name.text) if table else None
    value = setting.value
    if (
        column is None
        or isinstance(column.type, SetOf | BagOf | Unknown)
        or not isinstance(value, ast.Braces)
    ):
        return
    if len(value.items) != 1:
        return  # its cell is none, or cannot be read, which is told
    meant = value.items[0].span.text
    message = tr("the column `{column}` holds one thing in each row, and no set", column=column.name)
    hint = tr("write it without the braces: `{column} = {meant}`", column=column.name, meant=meant)
    world.error(Code.BAD_CELL, value.span, message, hint=hint)


# ---------------------------------------------------------------- types


def parse_type(world: World, text: str, span: Span) -> AnyType:
    """A column's type, as it stands in the header."""
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
        tr("`{text}` is no type", text=text),
        hint="write for instance `cost: 0..20`, `class: Class` or `troops: bag of Troop`",
    )
    return UNKNOWN


INTERVAL = re.compile(r"\d{1,9}\s*-\s*\d{1,9}")


def _form(text: str) -> str:
    """What a cell holds as its form shows it; empty where it shows nothing known."""
    parts = [part.strip() for part in text.split(",")]
    if NUMBER.fullmatch(text):
        return "a number"
    if fractions.CELL.fullmatch(text):
        return "a fraction"
    if text in YES:
        return tr("`yes` or `no`")
    if INTERVAL.fullmatch(text):
        return tr("a span as `3-5`")
    if all(AMOUNT.fullmatch(part) for part in parts):
        return tr("counts as `2 MI, 1 KN`")
    if all(NAME.fullmatch(part) for part in parts):
        return tr("a name") if len(parts) == 1 else tr("names with commas")
    return ""


def _of_one_kind(world: World, head: Head, raw: list[ast.Cell | None]) -> list[ast.Cell | None]:
    """The cells of a column whose type is found from them, without those of later files that are of another kind than
    those of the first: these are told.
    """
    filled = [cell for cell in raw if cell is not None and cell.text not in EMPTY]
    layers = [world.layer(cell.span) for cell in filled]
    first = min(layers, default=0)
    own = [cell for cell, layer in zip(filled, layers, strict=True) if layer == first]
    forms = {_form(cell.text) for cell in own}
    if max(layers, default=0) == first or "" in forms:
        return raw
    kinds = set(forms)
    if "a fraction" in forms and forms <= {"a number", "a fraction"}:
        kinds = {"a number", "a fraction"}
    elif "names with commas" in forms:
        kinds = {"a name", "names with commas"}
    elif len(forms) > 1:
        return raw
    words = list(dict.fromkeys(part.strip() for cell in own for part in cell.text.split(",")))
    home = _common_domain(world, words) if kinds <= {"a name", "names with commas"} else None
    said: dict[Span, bool] = {}
    for cell, layer in zip(filled, layers, strict=True):
        if layer > first and cell.span not in said:
            said[cell.span] = _fits(world, head, cell, own[0], kinds, home, words)
    return [cell if cell is None or said.get(cell.span, True) else None for cell in raw]


def _fits(
    world: World,
    head: Head,
    cell: ast.Cell,
    like: ast.Cell,
    kinds: set[str],
    home: Domain | None,
    words: list[str],
) -> bool:
    """Is a cell of a later file of the kind of the first ones? If not, it is told."""
    labels = (Label(like.span, "such as this one"),)
    if _form(cell.text) not in kinds:
        what = " or ".join(sorted(kinds))
        message = tr(
            "`{cell}` is not {what}, as the other cells of the column `{head}` are",
            cell=cell.text,
            what=what,
            head=head.name,
        )
        hint = (
            tr("write {what}, or `-` where there is none", what=what)
            if kinds != {"a name"}
            else "write one name"
        )
        world.error(Code.BAD_CELL, cell.span, message, labels=labels, hint=hint)
        return False
    parts = [part.strip() for part in cell.text.split(",")]
    if (
        home is None
        or all(part in home.index for part in parts)
        or _common_domain(world, [*words, *parts]) is not None
    ):
        return True
    word = next(part for part in parts if part not in home.index)
    message = tr(
        "`{word}` is no {home}, as the other words of the column `{head}` are",
        word=word,
        home=home.name,
        head=head.name,
    )
    hint = world.nearest(word, home.members) or tr(
        "write the name of one of them: {some}", some=_some(home.members)
    )
    world.unknown("member", cell.span, message, name=word, of=home.name, labels=labels, hint=hint)
    return False


def _some(names: list[str]) -> str:
    """A few of some names."""
    return ", ".join(f"`{name}`" for name in names[:4]) + (", ..." if len(names) > 4 else "")


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
        return BagOf(found.id, 255) if found else _unclear(world.reporter, name, raw)
    parts = [part.strip() for text in texts for part in text.split(",")]
    if not all(NAME.fullmatch(part) for part in parts):
        return _without_commas(world, texts) or _unclear(world.reporter, name, raw)
    found = _common_domain(world, parts)
    if found is None:
        if not may_be_new_type(world, name, raw):
            return UNKNOWN
        found = _new_domain(world, domain, name, parts)
        world.type_spans[found.name] = next(cell.span for cell in raw if cell and cell.text not in {"-", ""})
    return SetOf(Id(found.id)) if any("," in text for text in texts) else Id(found.id)


def _without_commas(world: World, texts: list[str]) -> SetOf | None:
    """The type of a column of members in which commas are missing, as each cell then says; none of any other."""
    names = [word for text in texts for word in text.replace(",", " ").split()]
    found = _common_domain(world, names) if all(map(NAME.fullmatch, names)) else None
    return SetOf(Id(found.id)) if found is not None else None


def _unclear(reporter: Reporter, name: str, raw: list[ast.Cell | None]) -> AnyType:
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
        reporter.error(Code.HUGE_NUMBER, odd.span, "this number has more than 9 digits")
        return UNKNOWN
    if hint := decimal_hint(odd.text):
        reporter.error(Code.BAD_CELL, odd.span, tr("`{odd}` is no whole number", odd=odd.text), hint=hint)
        return UNKNOWN
    is_word = usual == NUMBER.pattern and NAME.fullmatch(odd.text) is not None and like is not None
    message = tr("it is not clear what the column `{name}` holds", name=name)
    hint = tr(
        "write them alike, or say in the header what it holds: `{name}: 0..20`, `{name}: bag of Troop`",
        name=name,
    )
    if is_word:
        message = tr(
            "`{odd}` is no number, as the other cells of the column `{name}` are", odd=odd.text, name=name
        )
        hint = "write a number, or `-` where there is none"
    reporter.error(
        Code.BAD_CELL,
        odd.span,
        message,
        label="not like the other cells of its column" if len(set(kinds)) > 1 else "",
        labels=(Label(like.span, "such as this one"),) if like and len(set(kinds)) > 1 else (),
        hint=hint,
    )
    reporter.lost.update(part for cell in filled for part in NAME.findall(cell.text))
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
    new.inferred = Inferred(domain.id, name)
    for part in dict.fromkeys(parts):
        world.enter_member(new, part, world.text(part))
    return new


# ---------------------------------------------------------------- values
