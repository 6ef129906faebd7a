"""Tables on the screen: folded between words where they are too wide, and row by row where that is not enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

GAP = 3
"""Between two columns."""
JOINT = " · "
_MARGIN = "    "


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, its cells, whether they are numbers, and in what style they are shown."""

    heading: str
    cells: tuple[str, ...]
    numbers: bool = False
    style: str = ""

    @property
    def widest(self) -> int:
        return max((len(each) for each in (self.heading, *self.cells)), default=0)

    @property
    def longest_word(self) -> int:
        words = (word for each in (self.heading, *self.cells) for word in each.split())
        return max(map(len, words), default=0)


def show_columns(
    out: Console, columns: Sequence[Column], width: int | None, colours: Sequence[str] = ()
) -> None:
    """Prints a table in a width; without one each row is one line, however long. `colours` are those of the first
    cell of each row.
    """
    widths = _widths(columns, width)
    if widths is None:
        assert width is not None
        _show_rows(out, columns, width)
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    headed = any(each.heading for each in columns)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_header=headed)
    for column, wide in zip(columns, widths, strict=True):
        table.add_column(
            column.heading,
            justify="right" if column.numbers else "left",
            style=column.style,
            width=wide,
            overflow="fold",
        )
    for number, (first, *cells) in enumerate(zip(*(each.cells for each in columns), strict=True)):
        table.add_row(Text(first, style=colours[number] if colours else ""), *map(Text, cells))
    before = out.width
    if width is None:
        out.width = max(before, sum(widths) + GAP * len(widths))
    out.print(table)
    out.width = before


def _widths(columns: Sequence[Column], width: int | None) -> list[int] | None:
    """How wide each column is, no word of it cut; none where that is too much."""
    widths = [each.widest for each in columns]
    least = [each.longest_word for each in columns]
    room = None if width is None else width - GAP * (len(columns) - 1)
    while room is not None and sum(widths) > room:
        at = max(range(len(columns)), key=lambda n: (widths[n] > least[n], widths[n]))
        if widths[at] <= least[at]:
            return None
        widths[at] -= 1
    return widths


def _show_rows(out: Console, columns: Sequence[Column], width: int) -> None:
    """Each row by itself: the first cell, and under it each other one behind its heading."""
    from rich.text import Text

    first, *others = columns
    for number, name in enumerate(first.cells):
        plain = [each.cells[number] for each in others if not each.heading and each.cells[number]]
        out.print(
            Text(name, style="bold").append("".join(f"  {each}" for each in plain), style="cyan"),
            soft_wrap=True,
        )
        told = [
            f"{each.heading} {each.cells[number]}" for each in others if each.heading and each.cells[number]
        ]
        for line in _joined(told, width - len(_MARGIN)):
            out.print(Text(f"{_MARGIN}{line}"), soft_wrap=True)


def _joined(parts: Sequence[str], width: int) -> Iterator[str]:
    """Some parts in as few lines as they need, broken between them."""
    line = ""
    for each in parts:
        if line and len(line) + len(JOINT) + len(each) > width:
            yield line
            line = each
        else:
            line = f"{line}{JOINT}{each}" if line else each
    if line:
        yield line
