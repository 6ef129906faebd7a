"""Effect columns: a table of kinds whose header has a cell `effect` or `effect by p` says what each row does.

The column stands for a table of effects of its own, `Spell.effect`, read by the row, which the statements call `it`.
`s.effect` does it, and so does `Spell.effect(s)`; where the header says `by p`, the acting player is p.
"""

from __future__ import annotations

import re

from dsl.linker.layers import Gathered, Group, TableSource
from dsl.linker.modes import Modes
from dsl.resolve.like_rows import with_effects
from dsl.syntax import ast

EFFECT = re.compile(r"effect(?:\s+by\s+([^\W\d]\w*))?")


def explicit(function: ast.Expr, arguments: tuple[ast.Expr, ...]) -> ast.Expr:
    """What a call names; `Spell.effect(bolt)` names the effects of a table."""
    match function:
        case ast.Member(of=ast.NameExpr(name=table), name=ast.Name(text="effect")) if arguments:
            return ast.NameExpr(f"{table}.effect", span=function.span)
        case _:
            return function


def effect_at(head: ast.Row) -> int | None:
    """Which column of a table holds effects, if one does."""
    return next((at for at, cell in enumerate(head.cells) if at and EFFECT.fullmatch(cell.text)), None)


def actor(head: ast.Row) -> ast.Name | None:
    """Who does the effects of a table, by the name that its header gives."""
    at = effect_at(head)
    found = EFFECT.fullmatch(head.cells[at].text) if at is not None else None
    return ast.Name(found[1], span=head.cells[at or 0].span) if found and found[1] else None


def effect_tables(gathered: Gathered) -> list[TableSource]:
    """The tables of effects of a game: those that are nothing else, and the effect columns of tables of kinds."""
    found: list[TableSource] = []
    for source in gathered.tables.values():
        decl = source.declaration
        if decl.params:
            found += [source] if decl.result is None else []
            continue
        groups = [group for group in source.groups if effect_at(group.head) is not None]
        if groups:
            found.append(_column(gathered.modes, decl, source, groups[0].head))
    return found


def _column(modes: Modes, decl: ast.Table, source: TableSource, head: ast.Row) -> TableSource:
    """An effect column as a table of effects."""
    span = head.cells[effect_at(head) or 0].span
    own = ast.NamedType(decl.name.text, span=decl.name.span)
    param = ast.Param(ast.Name("it", span=span), own, span=span)
    groups = [
        Group(_cut(head), tuple(_cut(row, head) for row in rows), where)
        for head, rows, where in source.groups
    ]
    groups = list(with_effects(modes, groups, 1))
    name = ast.Name(f"{decl.name.text}.effect", span=span)
    rows = (_cut(head), *(row for group in groups for row in group.rows))
    table = ast.Table(name, (param,), None, None, rows, span=decl.span)
    return TableSource(table, groups)


def _cut(row: ast.Row, head: ast.Row | None = None) -> ast.Row:
    """The first cell of a row and that of its effect; nothing happens where there is none. Of a row that is like
    another it is empty where it says nothing.
    """
    at = effect_at(head or row)
    cell = row.cells[at] if at is not None and at < len(row.cells) else ast.Cell("", span=row.span)
    if head is None and at is None:
        cell = ast.Cell("effect", span=row.span)
    if not cell.text and row.like is None:
        cell = ast.Cell("-", span=row.span)
    return ast.Row((*row.cells[:1], cell), row.citation, row.like, span=row.span)
