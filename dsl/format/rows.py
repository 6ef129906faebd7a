"""The cells of tables, in columns: numbers to the right, all else to the left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from dsl.format.line import Written
from dsl.source import display_width

_NUMBER = re.compile(r"-?\d+")
_CALLED = re.compile(r"called\s+\w+")
"""What begins a row that says what players call the columns."""
_NOTHING = frozenset({"-", ""})


def align_rows(lines: Sequence[Written]) -> None:
    """Write the rows of each table; comments may stand between them."""
    rows = [line for line in lines if not line.is_comment or line.cells]
    for is_row, table in groupby(rows, key=lambda line: bool(line.cells)):
        if is_row:
            _align(list(table))


def _align(table: list[Written]) -> None:
    columns = list(zip(*(row.cells for row in table), strict=True))
    figures = [number for number, row in enumerate(table) if number and not _CALLED.fullmatch(row.cells[0])]
    drawn = [
        _column(cells, to_the_right=at > 0 and _holds_numbers([cells[number] for number in figures]))
        for at, cells in enumerate(columns)
    ]
    for row, cells in zip(table, zip(*drawn, strict=True), strict=True):
        row.text = f"| {' | '.join(cells)} |"


def _holds_numbers(cells: Sequence[str]) -> bool:
    """Whether a column holds numbers; the first is what the rows are called by, and stands to the left."""
    told = [cell for cell in cells if cell not in _NOTHING]
    return bool(told) and all(_NUMBER.fullmatch(cell) for cell in told)


def _column(cells: Sequence[str], *, to_the_right: bool) -> list[str]:
    width = max(map(display_width, cells))
    blanks = [" " * (width - display_width(cell)) for cell in cells]
    return [
        f"{blank}{cell}" if to_the_right else f"{cell}{blank}"
        for cell, blank in zip(cells, blanks, strict=True)
    ]
