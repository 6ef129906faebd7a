"""What a name stands for that a verb of a mod cannot be about, and what to write instead."""

from __future__ import annotations

from typing import Any

from dsl.catalogue import N_, tr
from dsl.linker.layers import Gathered, head_name, named
from dsl.records import record
from dsl.syntax import ast

_SORTS: dict[type, str] = {
    ast.Action: N_("an action"),
    ast.Area: N_("an area"),
    ast.Legend: N_("a legend"),
    ast.Map: N_("a map"),
    ast.Menu: N_("a menu"),
    ast.Piece: N_("a type of pieces"),
    ast.Pile: N_("a pile"),
    ast.Ruling: N_("an option"),
    ast.Shape: N_("a shape"),
    ast.TypeDecl: N_("a type"),
    ast.Value: N_("a value"),
    ast.Window: N_("a window"),
}
_MOST = 6


@record(frozen=True, slots=True)
class Hint:
    """What is said of a name; `is_sure` where it is that of something else, so that no other name is meant."""

    text: str
    is_sure: bool = False


NONE = Hint("")


def _sure(text: str) -> Hint:
    return Hint(text, is_sure=True)


def changed(gathered: Gathered, change: ast.Change, name: str) -> Hint:
    """For `change NAME: column = value` of what is no row."""
    setting = change.settings[0].span.text if change.settings else "..."
    table = gathered.tables.get(name) or _table_of(gathered, name)
    if table is not None and (rows := table.row_names()):
        return _sure(
            tr(
                "`{name}` has several kinds: `change` names the row of one, as in `change {row}: {setting}`",
                name=name,
                row=rows[0],
                setting=setting,
            )
        )
    if of := _field(gathered, name):
        return _sure(
            tr(
                "`{name}` is a field of {of}: with what it begins is said under `setup:`, as in `{name} = ...`",
                name=name,
                of=of,
            )
        )
    if name in _players(gathered):
        return _sure(
            tr(
                "`{name}` is a player, and no row: with what a field begins is said under `setup:`, as in "
                "`{name}.{setting}`",
                name=name,
                setting=setting,
            )
        )
    if sort := _sort(gathered, name):
        return _sure(
            tr(
                "`{name}` is {sort}, and `change` is about rows of tables: write `replace`",
                name=name,
                sort=sort,
            )
        )
    rows = [
        row for each in gathered.tables.values() if not each.declaration.params for row in each.row_names()
    ]
    return Hint(tr("the rows of the tables are: {rows}", rows=_some(rows)) if rows else "")


def _players(gathered: Gathered) -> set[str]:
    """The names that headers give to players."""
    lines = [each for header in gathered.headers for each in header.fields if each.key.text == "players"]
    return {item.text for each in lines for item in each.items if isinstance(item, ast.Name)}


def removed(gathered: Gathered, name: str) -> Hint:
    """For `remove NAME` of what is part of a declaration."""
    whole = tr(
        "`remove` takes away whole declarations and rows, and with `remove [ID]` the lines that cite an id"
    )
    if of := _field(gathered, name):
        return _sure(tr("`{name}` is a field of {of}; {whole}", name=name, of=of, whole=whole))
    for source in gathered.tables.values():
        if any(head_name(cell) == name for cell in source.declaration.rows[0].cells[1:]):
            table = source.declaration.name.text
            return _sure(
                tr("`{name}` is a column of `{table}`; {whole}", name=name, table=table, whole=whole)
            )
    for entry in gathered.of(ast.TypeDecl):
        if any(
            isinstance(each, ast.NamedType) and each.name == name for each in entry.declaration.alternatives
        ):
            return _sure(
                tr(
                    "`{name}` is a member of `{type}`: write `replace type {type} = ...` without it",
                    name=name,
                    type=entry.declaration.name.text,
                )
            )
    return Hint(whole)


def extended_menu(gathered: Gathered, name: str) -> Hint:
    """For `extend menu NAME:` of what is no menu."""
    menus = [each.declaration.name.text for kind in (ast.Menu, ast.Window) for each in gathered.of(kind)]
    known = (
        tr("the menus are: {menus}", menus=_some(menus))
        if menus
        else tr("the game has no menu with a name; what a player is asked there stands in an action or phase")
    )
    sort = _sort(gathered, name)
    return (
        _sure(tr("`{name}` is {sort}; {known}", name=name, sort=sort, known=known)) if sort else Hint(known)
    )


def extended(gathered: Gathered, name: str) -> Hint:
    """For `extend NAME:` of what has no fields."""
    if any(
        each.declaration.name.text == name for kind in (ast.Menu, ast.Window) for each in gathered.of(kind)
    ):
        return _sure(tr("write `extend menu {name}:`", name=name))
    if sort := _sort(gathered, name):
        return _sure(
            tr(
                "`{name}` is {sort}: what can be extended is a table, a piece, a type, `state` or a menu",
                name=name,
                sort=sort,
            )
        )
    return NONE


def _sort(gathered: Gathered, name: str) -> str:
    """What something is that is declared by this name."""
    if name in gathered.tables:
        return tr("a table")
    found: Any = next((e.declaration for e in gathered.entries if named(e.declaration) == name), None)
    return tr(_SORTS[type(found)]) if type(found) in _SORTS else ""


def _table_of(gathered: Gathered, name: str) -> Any:
    """The table with the kinds of a type of pieces."""
    pieces = (entry.declaration for entry in gathered.of(ast.Piece))
    of = next((each.of.text for each in pieces if each.name.text == name and each.of is not None), "")
    return gathered.tables.get(of)


def _field(gathered: Gathered, name: str) -> str:
    """Whose field something is."""
    for kind in (ast.State, ast.Piece):
        for entry in gathered.of(kind):
            if any(each.name.text == name for each in entry.declaration.fields):
                return f"`{named(entry.declaration) or 'state'}`"
    return ""


def _some(names: list[str]) -> str:
    return ", ".join(names[:_MOST]) + (", ..." if len(names) > _MOST else "")
