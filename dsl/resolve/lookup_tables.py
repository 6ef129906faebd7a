"""Tables that are read by one or two arguments: every entry, in each mode in which the table prints something else."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import program as pr
from dsl.ir.types import Id, Int
from dsl.linker.layers import TableSource
from dsl.linker.modes import Where
from dsl.records import record
from dsl.resolve import cell_values as readings
from dsl.resolve import fractions
from dsl.resolve import symbols as w
from dsl.resolve.clause_texts import Said
from dsl.resolve.gaps import asked_by, missing_rows, named_keys
from dsl.resolve.kinds import UNKNOWN, AnyType, Unknown, as_fraction, counted_in
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Param
from dsl.resolve.types import resolve
from dsl.syntax import ast

MOST_ENTRIES = 65_536
"""Entries of a table that is read by arguments."""

ONE_ROW = "each value belongs to one row: shorten one of the two"


def lookup(world: World, source: TableSource, found: list[Param]) -> w.Lookup:
    """A table that is read by arguments, with these parameters."""
    decl = source.declaration
    assert decl.result is not None
    result = _result(world, source, decl.result)
    said = Said(world.text(decl.label) if decl.label else None)
    clause = world.clause("table", decl.name.text, decl.citation, decl.name.span, said)
    scalars = [param.type for param in found if isinstance(param.type, Int | Id)]
    if isinstance(result, Unknown) or len(scalars) != len(found) or not 1 <= len(found) <= 2:
        if not 1 <= len(found) <= 2:
            world.error(Code.WRONG_ARGUMENTS, decl.span, "a table is read by one or two arguments")
        return w.Lookup(decl.name.text, found, UNKNOWN, -1, clause)
    zero = decl.dash.value if isinstance(decl.dash, ast.Number) else None
    if decl.dash is not None and zero is None:
        world.error(
            Code.TYPE_MISMATCH, decl.dash.span, "`-` stands for a plain number", hint='write `where "-" is 0`'
        )
        zero = 0
    entries = prod(world.size(each) for each in scalars)
    if entries > MOST_ENTRIES or any(each.optional for each in scalars):
        message = tr(
            "a table of {entries} entries, more than {most_entries}",
            entries=f"{entries:,}",
            most_entries=f"{MOST_ENTRIES:,}",
        )
        if entries <= MOST_ENTRIES:
            message = "a table is not read by something that may be none"
        world.error(Code.LIMIT, decl.name.span, message, hint="narrow the ranges of its parameters")
        return w.Lookup(decl.name.text, found, UNKNOWN, -1, clause)
    dims = tuple((world.low(each), world.size(each)) for each in scalars)
    counted = counted_in(result)
    rows = _lookup_rows(world, source, scalars, result, zero)
    modes: list[str | None] = [*world.modes.names] if source.by_mode else [None]
    printed = _Printed(world, source, scalars, readings.dash(world, counted))
    values, clauses = printed.of(rows, modes)
    if source.by_mode:
        dims = ((0, len(modes)), *dims)
    fraction = as_fraction(result)
    parts = 1 if fraction is None else fraction.parts
    data = world.add_data(pr.Data(decl.name.text, counted, dims, values, clauses, denominator=parts))
    return w.Lookup(decl.name.text, found, result, data, clause, source.by_mode)


def _result(world: World, source: TableSource, written: ast.TypeExpr) -> AnyType:
    """The type of what a lookup prints; of fractions the cells tell their parts."""
    if not fractions.is_named(world, written):
        return resolve(world, written)
    rows = [row for group in source.groups for row in group.rows]
    dash = source.declaration.dash
    zero = dash.value if isinstance(dash, ast.Number) else None
    return fractions.column(world.reporter, [_filled(cell, zero) for row in rows for cell in row.cells[1:]])


def _entry(world: World, cell: ast.Cell, type_: AnyType, zero: int | None) -> readings.Value:
    """What a cell prints; of a fraction, how many parts it is."""
    found = as_fraction(type_)
    if found is None:
        return readings.read(world, cell, counted_in(type_), zero)
    (value,) = fractions.values([_filled(cell, zero)], found)
    return value


def _filled(cell: ast.Cell, zero: int | None) -> ast.Cell:
    """A cell of fractions, with what stands for `-`."""
    return cell if zero is None or cell.text != "-" else ast.Cell(str(zero), span=cell.span)


class _LookupRow(NamedTuple):
    """A row of a lookup as it was read: the lines that it covers, what it prints, and where it holds."""

    row: ast.Row
    lines: list[int]
    values: list[readings.Value]
    clause: int
    where: Where


def _lookup_rows(
    world: World, source: TableSource, scalars: list[Int | Id], result: AnyType, zero: int | None
) -> list[_LookupRow]:
    """Each row, read once."""
    width = world.size(scalars[1]) if len(scalars) == 2 else 1
    name = source.declaration.name.text
    found: list[_LookupRow] = []
    for group in source.groups:
        head = group.head
        lacking = range(len(head.cells) - 1, width) if len(scalars) == 2 else range(0)
        asked = asked_by(world, scalars[1], lacking) if lacking else None
        if asked is not None and world.layer(asked) > world.layer(head.span):
            keys = ", ".join(f"`{each}`" for each in named_keys(world, scalars[1], lacking))
            message = tr("the table `{name}` has no column for {keys}", name=name, keys=keys)
            labels = (Label(source.declaration.name.span, "this table needs one"),)
            hint = tr(
                "write the table again with all its columns: `replace table {name}(...) ...`", name=name
            )
            world.error(Code.TABLE_GAP, asked, message, labels=labels, hint=hint)
        else:
            lacking = range(0)
        if len(head.cells) + len(lacking) != width + 1:
            message = tr(
                "this table has {width} columns of values, its header names {count}",
                width=width,
                count=len(head.cells) - 1,
            )
            hint = tr(
                "head a column with each value of `{type}`", type=source.declaration.params[-1].span.text
            )
            world.error(Code.RAGGED_ROW, head.span, message, hint=hint)
            continue
        for row in group.rows:
            if len(row.cells) != len(head.cells):
                message = tr(
                    "this row has {count} cells, its header has {count2}",
                    count=len(row.cells),
                    count2=len(head.cells),
                )
                world.error(Code.RAGGED_ROW, row.span, message)
                continue
            clause = world.clause("row", f"{name} {row.cells[0].text}", row.citation, row.span)
            read = [_entry(world, cell, result, zero) for cell in row.cells[1:]]
            read += read[:1] * len(lacking)  # what is lacking has been told
            lines = []
            for key in readings.keys(world, row.cells[0], scalars[0]):
                line = key - world.low(scalars[0])
                if 0 <= line < world.size(scalars[0]):
                    lines.append(line)
                else:
                    message = tr("{key} is outside the table's range", key=key)
                    low, high = world.low(scalars[0]), world.low(scalars[0]) + world.size(scalars[0]) - 1
                    hint = tr(
                        "its range goes from {low} to {high}; widen it in the head of the table",
                        low=low,
                        high=high,
                    )
                    world.error(Code.OUT_OF_RANGE, row.cells[0].span, message, hint=hint)
            found.append(_LookupRow(row, lines, read, clause, group.where))
    return found


@record(slots=True)
class _Printed:
    """The entries of a lookup in row-major order, mode after mode; gaps and overlaps are faults, told once."""

    world: World
    source: TableSource
    scalars: list[Int | Id]
    empty: readings.Value
    told: bool = False

    def of(
        self, rows: list[_LookupRow], modes: list[str | None]
    ) -> tuple[tuple[readings.Value, ...], tuple[int | None, ...]]:
        values: list[readings.Value] = []
        clauses: list[int | None] = []
        declared = {name for group in self.source.groups for name in self.world.modes.every(group.where)}
        for mode in modes:
            here = [row for row in rows if row.where is None or mode in row.where]
            printed, cited = self.in_mode(here, mode, partial=mode is not None and mode not in declared)
            values += printed
            clauses += cited
        return tuple(values), tuple(clauses)

    def in_mode(
        self, rows: list[_LookupRow], mode: str | None, *, partial: bool
    ) -> tuple[list[readings.Value], list[int | None]]:
        world, height = self.world, self.world.size(self.scalars[0])
        width = world.size(self.scalars[1]) if len(self.scalars) == 2 else 1
        values: list[readings.Value | None] = [None] * (height * width)
        clauses: list[int | None] = [None] * (height * width)
        for each in rows:
            for line in each.lines:
                key = line + world.low(self.scalars[0])
                if values[line * width] is not None and not self.told:
                    world.error(
                        Code.TABLE_OVERLAP,
                        each.row.cells[0].span,
                        tr("{key} has a row already", key=key),
                        hint=ONE_ROW,
                    )
                    self.told = mode is not None
                values[line * width : line * width + width] = each.values
                clauses[line * width : line * width + width] = [each.clause] * width
        missing = [index for index, value in enumerate(values) if value is None]
        is_read = not world.reporter.is_spoilt(self.source.declaration.span)
        if missing and is_read and not self.told and not partial:
            lines = sorted({index // width + world.low(self.scalars[0]) for index in missing})
            keys = named_keys(world, self.scalars[0], lines)
            tail = f" in the mode `{mode}`" if mode else ""
            here = [row.row for row in rows]
            asked = asked_by(world, self.scalars[0], lines)
            missing_rows(world, self.source.declaration, here, keys, tail, "...", asked)
            self.told = mode is not None
        return [self.empty if value is None else value for value in values], clauses
