"""Layers: what the files of a game, its scenario and its mods declare, merged into one set of declarations.

A layer is a game, a scenario or a mod. Within a layer order never matters. A later layer *adds* (`extend`, new
declarations), *changes* printed cells, *replaces* a declaration of the same head, or *removes* a row, a declaration or
every clause with a citation; `merging` does it. Whatever stands in a mode is kept with the modes in which it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, fields, is_dataclass, replace
from typing import Any, NamedTuple

from dsl.linker.modes import Modes, Standing, Strained, Where
from dsl.records import record
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import opening_citation


@record(frozen=True, slots=True)
class Layer:
    """The files of a game, a scenario or a mod, the header first."""

    header: ast.Header
    files: tuple[ast.File, ...]
    has_tests: bool = True
    """Have all its tests been read? A game's are not where it is played, nor where a mod is tested by itself."""


@record(frozen=True, slots=True)
class Entry:
    """A declaration, the mode in whose block it stands, and the modes in which it holds."""

    declaration: Any
    mode: str | None
    layer: int
    where: Standing = None

    @property
    def modes(self) -> frozenset[str] | None:
        """The modes alone."""
        return self.where.modes if isinstance(self.where, Strained) else self.where


class Group(NamedTuple):
    """Rows of a table under the header row that their cells follow, and the modes in which they are there."""

    head: ast.Row
    rows: tuple[ast.Row, ...]
    where: Where = None


class Changed(NamedTuple):
    """A printed cell that is changed: of which row, to what, and in which modes."""

    row: ast.Name
    setting: ast.Setting
    where: Where = None
    citation: ast.Citation | None = None


@record(slots=True)
class TableSource:
    """A table with all its rows, also those that it has in some modes only, and the columns that are added to it."""

    declaration: ast.Table
    groups: list[Group]
    changes: list[Changed] = field(default_factory=list)
    added: dict[str, ast.ExtendColumn] = field(default_factory=dict)
    captions: list[tuple[ast.Row, ast.Row]] = field(default_factory=list)
    """The rows `called`, each behind the header row that its cells follow; a later one goes before."""

    @property
    def heads(self) -> dict[str, ast.Cell]:
        """The header cells of its own columns by their names, without the first, which names the rows."""
        found: dict[str, ast.Cell] = {}
        for cell in self.declaration.rows[0].cells[1:]:
            found.setdefault(head_name(cell), cell)
        return found

    @property
    def by_mode(self) -> bool:
        """Does it print one thing in one mode, and another in another?"""
        found = [*(group.where for group in self.groups), *(each.where for each in self.changes)]
        return any(where is not None for where in found)

    def cut(self, modes: Modes, where: Where) -> None:
        """Takes away what it prints in some modes, or in all."""
        groups = [Group(head, rows, modes.without(own, where)) for head, rows, own in self.groups]
        changes = [each._replace(where=modes.without(each.where, where)) for each in self.changes]
        self.groups = [group for group in groups if group.where is None or group.where]
        self.changes = [each for each in changes if each.where is None or each.where]

    def remove(self, modes: Modes, gone: list[ast.Row], where: Where) -> None:
        """Takes away some of its rows, in some modes or in all."""
        kept: list[Group] = []
        for group in self.groups:
            leaving = tuple(row for row in group.rows if any(row is each for each in gone))
            staying = tuple(row for row in group.rows if not any(row is each for each in gone))
            kept.append(Group(group.head, staying, group.where))
            left = modes.without(group.where, where)
            if leaving and (left is None or left):
                kept.append(Group(group.head, leaving, left))
        self.groups = kept

    def row_names(self) -> list[str]:
        """The names of the rows of a table of kinds."""
        if self.declaration.params:
            return []
        return [row.cells[0].text for group in self.groups for row in group.rows if row.cells]


@record(slots=True)
class Gathered:
    """All declarations of a game in effect."""

    modes: Modes = field(default_factory=Modes)
    headers: list[ast.Header] = field(default_factory=list)
    tables: dict[str, TableSource] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    extra_fields: dict[str, list[ast.Field]] = field(default_factory=dict)
    extra_lines: dict[str, list[tuple[ast.MenuLine, Where]]] = field(default_factory=dict)
    extenders: dict[int, ast.ExtendMenu] = field(default_factory=dict)
    """Which `extend menu` each extra line stands in."""
    starts: dict[tuple[str, str], list[tuple[ast.Field, Where]]] = field(default_factory=dict)
    """How fields begin in some modes, where they begin otherwise elsewhere: by their type's name and their own."""
    words: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    """The labels that mods give members of types, by type, name and language."""
    gone: dict[str, Span] = field(default_factory=dict)
    """What a mod or scenario has removed: names and citations, and where."""
    displaced: dict[str, Span] = field(default_factory=dict)
    """Names of what a mod or scenario has put something else in the place of, and names that were part of it: where."""
    layer_of: dict[str, int] = field(default_factory=dict)
    """To which layer each source belongs."""
    changed: int = -1
    """The last layer that changes, replaces or removes what others declare."""
    aside: tuple[Entry, ...] = ()
    """Tests in which nothing is looked for: what they name is used, and no more is known of them."""
    strains: int = 0
    """In how many ways the game is spoiled, in a program that holds them all."""

    def of(self, kind: type) -> Iterable[Entry]:
        return (entry for entry in self.entries if isinstance(entry.declaration, kind))


def pieces_of(table: str) -> str:
    """Under which key it is noted that the pieces were removed whose kinds are the rows of a table."""
    return f"piece of {table}"


def head_name(cell: ast.Cell) -> str:
    """The name in a cell of a header, which may state a type and a default behind it."""
    return re.split("[:=]", cell.text, maxsplit=1)[0].strip()


def head_default(cell: ast.Cell) -> ast.Cell | None:
    """The default in a cell of a header, `hp: 0..9 = 3`: the cell that rows have which say nothing."""
    before, sign, after = cell.text.partition("=")
    if not sign:
        return None
    start = cell.span.start + len(before) + 1 + len(after) - len(after.lstrip())
    text = after.strip()
    found = ast.Cell(text, span=cell.span.source.span(start, start + len(text)))
    return unbraced(found) if text.startswith("{") and text.endswith("}") else found


def unbraced(cell: ast.Cell) -> ast.Cell:
    """A set as a table prints it, without the braces that stand around it elsewhere."""
    inner = cell.text[1:-1]
    start = cell.span.start + 1 + len(inner) - len(inner.lstrip())
    text = inner.strip()
    return ast.Cell(text or "-", span=cell.span.source.span(start, start + len(text)) if text else cell.span)


def head_type(cell: ast.Cell) -> str | None:
    """The type in a cell of a header, as it is written."""
    head, has_type, type_ = cell.text.partition("=")[0].partition(":")
    return type_.strip() if has_type and head else None


def named(declaration: Any) -> str | None:
    """The name under which a declaration can be replaced or removed."""
    match declaration:
        case ast.State(of=of):
            return f"state of {of.text}" if of else None
        case ast.Round():
            return "round"
        case ast.Modify() | ast.Permit() | ast.Reaction() | ast.Ending() | ast.Objective() | ast.Setup():
            return None
        case ast.Action(name=head, params=params) if any(param.type is None for param in params):
            return f"{head.text}({', '.join(param.name.text for param in params if param.type is None)})"
        case _:
            name = getattr(declaration, "name", None)
            return name.text if isinstance(name, ast.Name) else None


def cites(node: Any, handle: str) -> bool:
    """Does a node itself carry this citation or family?"""
    body = getattr(node, "body", None)
    own = opening_citation(body) if isinstance(body, ast.Block) else None
    cited = getattr(node, "citation", None) or own
    return isinstance(cited, ast.Citation) and handle in (*cited.ids, *cited.families)


def without(node: Any, handle: str) -> tuple[Any, bool]:
    """The tree without each statement, clause, field or row that cites `handle`; None where that is the whole node."""
    if cites(node, handle):
        return None, True
    if not is_dataclass(node) or isinstance(node, type):
        return node, False
    changes: dict[str, Any] = {}
    hit = False
    for each in fields(node):
        child = getattr(node, each.name)
        if isinstance(child, tuple) and child and isinstance(child[0], ast.Node):
            kept = [without(item, handle) for item in child]
            if any(found for _, found in kept):
                hit = True
                changes[each.name] = tuple(item for item, _ in kept if item is not None)
        elif isinstance(child, ast.Block):
            body, found = without(child, handle)
            if found:
                hit = True
                changes[each.name] = body if body is not None else ast.Block((), span=child.span)
    return (replace(node, **changes), True) if hit else (node, False)
