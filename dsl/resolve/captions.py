"""What players call the columns of a table of kinds: its rows `called fr` and `called en`."""

from __future__ import annotations

from collections.abc import Collection

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.linker.layers import TableSource, head_name
from dsl.resolve.printed_cells import EMPTY
from dsl.resolve.symbol_table import World
from dsl.resolve.texts import check_language
from dsl.syntax import ast

MOST = 60
"""Characters of what a column is called."""


def column_words(world: World, source: TableSource, name: str) -> tuple[tuple[str, str], ...]:
    """What a column is called in each language, the game's own first, as ""; nothing where no row says it."""
    found: dict[str, ast.Cell] = {}
    for head, row in source.captions:
        for column, cell in zip(head.cells[1:], row.cells[1:], strict=False):
            if head_name(column) == name and cell.text not in EMPTY:
                found[_language(row)] = cell
    if not found:
        return ()
    texts = tuple((language, cell.text) for language, cell in found.items())
    label = ast.Label(texts, span=next(iter(found.values())).span)
    return world.translated(world.spoken(label)).texts


def check_captions(world: World, source: TableSource, columns: Collection[str]) -> None:
    """Tells of words in a language that there is not, of those for what is no column of values, and of long ones."""
    for head, row in source.captions:
        check_language(world, row.cells[0], _language(row))
        for column, cell in zip(head.cells[1:], row.cells[1:], strict=False):
            if cell.text in EMPTY:
                continue
            name = head_name(column)
            if name not in columns:
                message = tr("`{name}` is no column that players would have to call something", name=name)
                hint = "labels, looks, texts and effects are shown without a name; leave this cell empty"
                world.error(Code.BAD_CELL, cell.span, message, hint=hint)
            elif len(cell.text) > MOST:
                message = tr("what a column is called has at most {most} characters", most=MOST)
                world.error(Code.LIMIT, cell.span, message, hint="say it in fewer words")


def _language(row: ast.Row) -> str:
    """The language of a row `called fr`."""
    return row.cells[0].text.split()[1]
