"""Where names stand in the trees of a game: what declares them, what offers or orders an action, what reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from dsl.diagnostics import Diagnostics
from dsl.linker.layers import Gathered, Layer, TableSource, head_default, head_name, named
from dsl.linker.merging import gather
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import walk

SAID = (ast.Test, ast.Always)
"""What says how the rules work, and is none of them."""
LABEL = re.compile(r"(name|look)\b")
"""Columns whose cells are words for people."""


class Printed(NamedTuple):
    """A cell that a row prints: its column, its text and where that stands, and the rows that it comes from, the row
    itself first; the last one holds the text, or none of them does and it is the default of the column.
    """

    column: str
    text: str
    span: Span
    rows: tuple[str, ...]
    is_default: bool = False


class Mentions:
    """The declarations in effect, after all that mods do to them, and the names in them."""

    def __init__(self, layers: tuple[Layer, ...]) -> None:
        self.gathered: Gathered = gather(layers, Diagnostics())
        self.declared: dict[str, tuple[Span, ...]] = {}
        self.kinds: dict[str, str] = {}
        self.layers = layers
        for source in self.gathered.tables.values():
            self._declare(source.declaration.name.text, "table", source.declaration.span)
            if not source.declaration.params:
                for group in source.groups:
                    for row in group.rows:
                        self._declare(row.cells[0].text if row.cells else "", "row", row.span)
        for entry in self.gathered.entries:
            self._enter(entry.declaration)

    def _declare(self, name: str, kind: str, span: Span) -> None:
        self.declared[name] = (*self.declared.get(name, ()), span)
        self.kinds.setdefault(name, kind)

    def _enter(self, each: Any) -> None:
        if isinstance(each, SAID):
            return
        fields = each.fields if isinstance(each, ast.State | ast.Piece) else ()
        for item in fields:
            self._declare(item.name.text, "field", item.span)
        name = getattr(each, "name", None)
        if isinstance(name, ast.Name) and named(each):
            self._declare(name.text, getattr(each, "kind", type(each).__name__.lower()), each.span)

    # ------------------------------------------------------------ cells

    def cells(self, row: str) -> Iterator[Printed]:
        """What is printed in a row, also by the row that it is like and by the defaults of columns."""
        for source in self.gathered.tables.values():
            if source.declaration.params:
                continue
            rows: dict[str, list[tuple[ast.Row, ast.Row]]] = {}
            for group in source.groups:
                for each in group.rows:
                    rows.setdefault(each.cells[0].text if each.cells else "", []).append((group.head, each))
            yield from _cells_of(source, rows, row)

    # ------------------------------------------------------------ uses

    @cached_property
    def _trees(self) -> list[Any]:
        return [
            entry.declaration for entry in self.gathered.entries if not isinstance(entry.declaration, SAID)
        ]

    @cached_property
    def _tests(self) -> list[ast.Test | ast.Always]:
        files = (file for layer in self.layers for file in layer.files)
        return [each for file in files for each in file.declarations if isinstance(each, SAID)]

    @cached_property
    def _lines(self) -> list[ast.MenuLine]:
        lines = [line for tree in self._trees for line in walk(tree) if isinstance(line, ast.MenuLine)]
        return [*lines, *(line for found in self.gathered.extra_lines.values() for line, *_ in found)]

    def offers(self, action: str) -> list[Span]:
        """The lines of menus that offer an action."""
        return [line.span for line in self._lines if line.call is not None and _called(line.call) == action]

    def orders(self, action: str) -> list[Span]:
        """The statements that order an action."""
        offered = {id(line.call) for line in self._lines}
        calls = [node for tree in self._trees for node in walk(tree) if isinstance(node, ast.Call)]
        found = [each.span for each in calls if id(each) not in offered and _called(each) == action]
        return [*found, *self._rows(action, called=True)]

    def uses(self, name: str) -> list[Span]:
        """The declarations in which a name is read."""
        found = [_place(tree, name) for tree in self._trees if _mentions(tree, name)]
        return [*found, *self._rows(name, called=False)]

    def _rows(self, name: str, *, called: bool) -> Iterator[Span]:
        """The rows whose cells hold a name; with `called` only those of tables that do something."""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for source in self.gathered.tables.values():
            acts = bool(source.declaration.params) and source.declaration.result is None
            for group in source.groups if acts or not called else ():
                told = [at for at, cell in enumerate(group.head.cells) if not LABEL.match(cell.text)]
                for row in group.rows:
                    cells = [row.cells[at].text for at in told[0 if acts else 1 :] if at < len(row.cells)]
                    if any(word.search(each) for each in cells) or (row.like and row.like.text == name):
                        yield row.span

    def tests(self, name: str) -> list[Span]:
        """The tests and promises in which a name stands."""
        return [each.span for each in self._tests if _mentions(each, name)]


def _cells_of(
    source: TableSource, rows: dict[str, list[tuple[ast.Row, ast.Row]]], row: str
) -> Iterator[Printed]:
    """What a row of a table prints, each row standing under its header."""
    defaults = {name: found for name, cell in source.heads.items() if (found := head_default(cell))}
    spans = {name: (each.text, each.span) for name, each in defaults.items()}
    added = {name: each.initial for name, each in source.added.items()}
    spans |= {name: (each.span.text, each.span) for name, each in added.items() if each is not None}
    for head, each in rows.get(row, ()):
        own = {head_name(cell): text for cell, text in zip(head.cells[1:], each.cells[1:], strict=False)}
        names = [*own, *source.heads, *source.added] if each.like is not None else [*own, *spans]
        for column in dict.fromkeys(names):
            path = _line(rows, row, column)
            found = _cell(rows, path[-1], column) or own.get(column)
            if (found is None or not found.text) and column in spans:
                yield Printed(column, *spans[column], path, is_default=True)
            elif found is not None:
                yield Printed(column, found.text, found.span, path)


def _line(rows: dict[str, list[tuple[ast.Row, ast.Row]]], row: str, column: str) -> tuple[str, ...]:
    """A row, the one that it is like, and so on, up to the one that prints a column; labels are a row's own."""
    path = [row]
    while not (_cell(rows, path[-1], column) or LABEL.match(column)):
        like = next((each.like.text for _, each in rows.get(path[-1], ()) if each.like is not None), None)
        if like is None or like in path:
            break
        path.append(like)
    return tuple(path)


def _cell(rows: dict[str, list[tuple[ast.Row, ast.Row]]], row: str, column: str) -> ast.Cell | None:
    """The cell that a row itself prints in a column, if it says something."""
    for head, each in rows.get(row, ()):
        for name, cell in zip(head.cells[1:], each.cells[1:], strict=False):
            if head_name(name) == column and cell.text:
                return cell
    return None


def _called(call: ast.Call) -> str:
    function = call.call.function if isinstance(call.call, ast.Apply) else call.call
    return function.name if isinstance(function, ast.NameExpr) else ""


def _names(nodes: Iterable[ast.Node]) -> Iterator[tuple[str, Span]]:
    for node in nodes:
        match node:
            case ast.NameExpr(name=text):
                yield text, node.span
            case ast.Member(name=ast.Name(text=text)):
                yield text, node.span
            case ast.Param(name=ast.Name(text=text), type=None):  # the row of a case
                yield text, node.span
            case ast.Amount(name=ast.Name(text=text)) | ast.Place(kind=ast.Name(text=text)):
                yield text, node.span
            case _:
                pass


def _mentions(tree: Any, name: str) -> bool:
    return any(text == name for text, _ in _names(walk(tree)))


def _place(tree: Any, name: str) -> Span:
    """Where to look: the line of the declaration where it is a clause, else the line that reads the name."""
    if isinstance(tree, ast.Modify | ast.Permit | ast.Value | ast.Ending | ast.Objective):
        return tree.span
    return next(span for text, span in _names(walk(tree)) if text == name)
