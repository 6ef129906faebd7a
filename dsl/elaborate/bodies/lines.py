"""Straight lines of cells, and the columns and rows that the names of cells tell."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.footprints import cell_type, no_map
from dsl.elaborate.bodies.geometry import Arguments, Builtin, constant
from dsl.elaborate.bodies.scope import BAD
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import Int, ListOf, SetOf
from dsl.resolve.symbols import Param
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.expressions import Expressions

SQUARE_LINES = ((1, 0), (0, 1), (1, 1), (1, -1))
HEX_LINES = ((1, 0), (0, 1), (1, -1))


def _lines(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
    """`lines(n)`: every straight line of n cells, each as a set; on squares the diagonals too. `lines(n, c)`: those of
    them in which a cell lies.
    """
    cell = cell_type(e)
    if e.world.board is None or cell is None:
        return no_map(e, tree.span)
    length = arguments[0] if arguments else tree
    if not isinstance(length, ast.Number) or not 2 <= length.value <= 64 or len(arguments) > 2:
        hint = "it is `lines(3)`, or `lines(3, c)` for those through a cell"
        return e.fault(
            Code.WRONG_ARGUMENTS,
            tree.span,
            "`lines` takes a plain number from 2 to 64, and perhaps a cell",
            hint=hint,
        )
    found = _lines_of(e.world.board, length.value)
    if len(arguments) == 1:
        return ir.Const(ListOf(SetOf(cell), max(1, len(found))), found)
    size = len(e.world.domains[cell.domain].members)
    through = [tuple(line for line in found if line >> at & 1) for at in range(size)]
    type_ = ListOf(SetOf(cell), max(1, *map(len, through)))
    args = e.arguments([Param("cell", cell)], arguments[1:], tree, "lines")
    data = constant(e, pr.Data(f"lines of {length.value}", type_, ((0, size),), tuple(through)))
    return ir.Lookup(type_, data, args) if args is not None else BAD


def _lines_of(board: pr.Board, length: int) -> tuple[int, ...]:
    """The straight lines of so many cells, as sets, in ascending order."""
    at = {(x, y): index for index, (x, y) in enumerate(zip(board.x, board.y, strict=True))}
    found = []
    for x, y in at:
        for dx, dy in SQUARE_LINES if board.shape == "squares" else HEX_LINES:
            line = [at.get((x + dx * k, y + dy * k)) for k in range(length)]
            if all(index is not None for index in line):
                found.append(sum(1 << index for index in line if index is not None))
    return tuple(sorted(found))


def _column(letters: str) -> int:
    """The number of a column by its letters: a is 1, z 26, aa 27."""
    return reduce(lambda number, letter: number * 26 + ascii_lowercase.index(letter) + 1, letters, 0)


def columns_and_rows(names: Iterable[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The column of each cell and its row, both from 1, by the names of the cells."""
    each = [(_column(name.rstrip(digits)), int(name.lstrip(ascii_lowercase))) for name in names]
    return tuple(column for column, _ in each), tuple(row for _, row in each)


def _file(name: str, axis: str) -> Builtin:
    """`column(c)` and `row(c)`: in which column and row a cell lies, as its name says."""

    def build(e: Expressions, arguments: Arguments, tree: ast.Expr) -> ir.Expr:
        board, cell = e.world.board, cell_type(e)
        if board is None or cell is None:
            return no_map(e, tree.span)
        if board.shape == "regions":
            return e.fault(
                Code.UNKNOWN_NAME, tree.span, tr("`{name}` needs a map of squares or hexes", name=name)
            )
        values = columns_and_rows(e.world.domains[cell.domain].members)["xy".index(axis)]
        type_ = Int(1, max(values))
        data = constant(e, pr.Data(name, type_, ((0, len(values)),), values))
        args = e.arguments([Param("cell", cell)], arguments, tree, name)
        return ir.Lookup(type_, data, args) if args is not None else BAD

    return build


LINES: dict[str, Builtin] = {"lines": _lines, "column": _file("column", "x"), "row": _file("row", "y")}
