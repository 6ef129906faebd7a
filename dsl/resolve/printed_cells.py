"""What the rows of a table print in a column: their cells in all files, what changes them, and where another row or the
default of the column stands in.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.linker.layers import TableSource, head_name, unbraced
from dsl.records import record
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain
from dsl.source import Span
from dsl.syntax import ast

EMPTY = frozenset({"-", ""})
"""What stands in a cell where there is nothing."""


@record(frozen=True, slots=True)
class Head:
    """What a column is declared as: its name, where that stands, and its type and default as they are written."""

    name: str
    span: Span
    declared: str | ast.TypeExpr | None
    """A type as the text of a header cell, as a tree, or none: then it is found from the cells."""
    default: ast.Cell | None = None
    """What rows print that do not say it."""


def place_in(header: ast.Row, name: str) -> int | None:
    """Which of the cells under a header are those of a column."""
    return next((at for at, cell in enumerate(header.cells) if at and head_name(cell) == name), None)


def cell_at(row: ast.Row, at: int | None) -> ast.Cell | None:
    """The cell of a row at a place, if its line goes so far."""
    return row.cells[at] if at is not None and at < len(row.cells) else None


def is_empty(cell: ast.Cell | None) -> bool:
    """Is nothing printed there, or a `-`?"""
    return cell is None or cell.text in EMPTY


def says_nothing(cell: ast.Cell | None) -> bool:
    """Does a row leave it open what it prints? `-` says that there is none."""
    return cell is None or not cell.text


def raw_cells(
    reporter: Reporter, source: TableSource, domain: Domain, head: Head, mode: str | None
) -> list[ast.Cell | None]:
    """One cell per row of the domain, changes applied; None where a group has no such column."""
    cells: list[ast.Cell | None] = [None] * len(domain.members)
    for header, rows, where in source.groups:
        if where is not None and mode not in where:
            continue
        at = place_in(header, head.name)
        for row in rows:
            number = domain.index.get(row.cells[0].text) if row.cells else None
            if len(row.cells) != len(header.cells):
                _ragged(reporter, row, header)
            cell = cell_at(row, at)
            if number is not None and cell is not None:
                cells[number] = cell
    for row_name, setting, where, _ in source.changes:
        here = where is None or mode in where
        if here and setting.name.text == head.name and row_name.text in domain.index:
            cells[domain.index[row_name.text]] = cell_of(setting.value)
    return cells


def fill_absent(domain: Domain, modes: list[str | None], printed: list[list[ast.Cell | None]]) -> None:
    """Where a mode lacks a row, what it prints elsewhere stands in: nobody reads it, and the column stays one."""
    for row, where in enumerate(domain.where):
        if where is not None and modes != [None]:
            there = next(cells[row] for mode, cells in zip(modes, printed, strict=True) if mode in where)
            for mode, cells in zip(modes, printed, strict=True):
                if mode not in where:
                    cells[row] = there


def fill_empty(domain: Domain, head: Head, mode: str | None, cells: list[ast.Cell | None]) -> list[int]:
    """Gives each row that leaves a cell open that of the row that it is like, or else the default of the column; which
    row each of them comes from is given back.
    """
    assert domain.table is not None
    origins = list(range(len(cells)))
    for (there, row), base in domain.table.likes.items():
        if there == mode and says_nothing(cells[row]) and not says_nothing(cells[base]):
            cells[row], origins[row] = cells[base], origins[base]
    for row, cell in enumerate(cells):
        if says_nothing(cell) and head.default is not None:
            cells[row] = head.default
    return origins


def changed_by(
    world: World, source: TableSource, domain: Domain, column: str
) -> dict[tuple[str | None, int], int]:
    """For each mode and row whose cell in a column has been changed, the clause of the change: its citation, or else
    that of the row.
    """
    found: dict[tuple[str | None, int], int] = {}
    assert domain.table is not None
    for row, setting, where, citation in source.changes:
        number = domain.index.get(row.text)
        if setting.name.text != column or number is None:
            continue
        printed = domain.table.row_clauses[number] if number < len(domain.table.row_clauses) else None
        cited = citation
        if citation is None and printed is not None:
            base = world.clauses[printed]
            cited = ast.Citation(base.ids, base.house, base.families, span=setting.span)
        clause = world.clause("row", f"{domain.name} {row.text}", cited, setting.span)
        for mode in (None, *world.modes.names):
            if where is None or mode in where:
                found[mode, number] = clause
    return found


def cell_of(value: ast.Expr) -> ast.Cell:
    """A changed value as the cell that it takes the place of: in a table a set stands without its braces."""
    text, span = value.span.text, value.span
    if isinstance(value, ast.Text):
        return ast.Cell(value.text or "-", span=span)
    if isinstance(value, ast.Braces):
        return unbraced(ast.Cell(text, span=span))
    return ast.Cell("-" if text in {"empty", "none"} else text, span=span)


def _ragged(reporter: Reporter, row: ast.Row, head: ast.Row) -> None:
    reporter.error(
        Code.RAGGED_ROW,
        row.span,
        tr(
            "this row has {count} cells, its header has {count2}",
            count=len(row.cells),
            count2=len(head.cells),
        ),
        hint="each row has a cell for each column; write `-` where there is nothing",
    )
