"""What a map of regions says of them beside their borders: how they are grouped, and which lie on the same board."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import program as pr
from dsl.ir.types import NONE, Id, SetOf
from dsl.resolve.kinds import Unknown
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain
from dsl.syntax import ast

SHOWN = 4
"""So many names stand in a message."""


def check_groups(
    world: World, decl: ast.Map, domain: Domain, neighbours: Sequence[int]
) -> tuple[pr.Grouping, ...]:
    """Each group has a region, and borders join the regions of each board; `neighbours` are sets of regions. Gives what
    the map names behind them, as far as it leads somewhere.
    """
    shape = decl.shape
    paths = shape.arguments[2:] if isinstance(shape, ast.Apply) else ()
    told: set[tuple[int, int]] = set()
    groups = [_groups(world, domain, path, told) for path in paths]
    last = groups[1] if len(groups) > 1 else (domain, [NONE] * len(domain.members))
    boards = last[1] if last is not None else None
    if boards is not None and not _is_doubtful(world, domain):
        for board in dict.fromkeys(boards):
            _warn_of_cut_off(
                world, decl, domain, neighbours, [at for at, each in enumerate(boards) if each == board]
            )
    if None in groups:
        return ()
    return tuple(pr.Grouping(of.id, tuple(members)) for of, members in filter(None, groups))


def _is_doubtful(world: World, domain: Domain) -> bool:
    """Has a fault been told in the table? Then borders may be missing for that reason alone."""
    spans = (world.span_of_row(domain.id, row) for row in range(len(domain.members)))
    return domain.name in world.reporter.lacks_rows or any(
        span is not None and world.reporter.is_spoilt(span) for span in spans
    )


# ---------------------------------------------------------------- groups


def _groups(
    world: World, domain: Domain, path: ast.Expr, told: set[tuple[int, int]]
) -> tuple[Domain, list[int]] | None:
    """What groups are rows of, and the group of each region, at the end of a path of columns; none where the path
    leads nowhere.
    """
    found = list(range(len(domain.members)))
    for step in _steps(path):
        leads = _column(world, domain, step)
        if leads is None:
            return None
        domain, values = leads
        _tell_of_empty(world, domain, step, values, told)
        found = [NONE if at == NONE else values[at] for at in found]
    return domain, found


def _steps(path: ast.Expr) -> list[ast.Expr]:
    """The expressions that name the columns of a path, one after the other."""
    return [*_steps(path.of), path] if isinstance(path, ast.Member) else [path]


def _column(world: World, domain: Domain, step: ast.Expr) -> tuple[Domain, list[int]] | None:
    """What a column of groups leads to, and which row each row names."""
    name = (
        step.name.text
        if isinstance(step, ast.Member)
        else step.name
        if isinstance(step, ast.NameExpr)
        else ""
    )
    span = step.name.span if isinstance(step, ast.Member) else step.span
    columns = domain.table.columns if domain.table is not None else {}
    column = columns.get(name)
    if column is None:
        if domain.name not in world.reporter.lacks_rows:
            hint = (
                world.nearest(name, [*columns]) or "behind the neighbours stands the column of their groups"
            )
            message = tr("`{domain}` has no column `{name}`", domain=domain.name, name=name or span.text)
            world.unknown("column", span, message, name=name, of=domain.name, hint=hint)
        return None
    labels = (Label(column.span, "the column"),)
    if isinstance(column.type, Unknown):
        return None
    if not isinstance(column.type, Id):
        message = tr("each row is in one group, and `{name}` does not name one", name=name)
        hint = tr("give the column the type of a table, such as `{name}: Continent`", name=name)
        if isinstance(column.type, SetOf) and isinstance(column.type.of, Id):
            one = world.domains[column.type.of.domain].name
            hint = tr(
                "it holds several: write `{name}: {one}` in the header, and one name in each cell",
                name=name,
                one=one,
            )
        world.error(Code.TYPE_MISMATCH, span, message, labels=labels, hint=hint)
        return None
    if column.by_mode:
        world.error(Code.RAGGED_MAP, span, "the groups of a map are the same in all modes", labels=labels)
        return None
    values = [value if isinstance(value, int) else NONE for value in world.data[column.data].values]
    return world.domains[column.type.domain], values


def _tell_of_empty(
    world: World, domain: Domain, step: ast.Expr, values: Sequence[int], told: set[tuple[int, int]]
) -> None:
    """A group in which nothing is; where the rows of a table are still to come, all are."""
    used = set(values)
    for row, name in enumerate(domain.members if values else ()):
        if row in used or (domain.id, row) in told:
            continue
        told.add((domain.id, row))
        message = tr("nothing is in the group `{name}`", name=name)
        hint = tr("name it in the column `{step}` of a row, or take it away", step=step.span.text)
        labels = (Label(step.span, "the groups of the map"),)
        world.error(
            Code.RAGGED_MAP, world.span_of_row(domain.id, row) or step.span, message, labels=labels, hint=hint
        )


# ---------------------------------------------------------------- borders


def _warn_of_cut_off(
    world: World, decl: ast.Map, domain: Domain, neighbours: Sequence[int], board: list[int]
) -> None:
    """Warns of the regions of a board that no border joins with the most of it."""
    inside = sum(1 << at for at in board)
    pieces: list[int] = []
    left = inside
    while left:
        piece, edge = 0, left & -left
        while edge:
            piece |= edge
            reached = 0
            while edge:
                reached |= neighbours[(edge & -edge).bit_length() - 1]
                edge &= edge - 1
            edge = reached & inside & ~piece
        pieces.append(piece)
        left &= ~piece
    main = max(pieces, key=int.bit_count, default=0)
    cut = [at for at in board if not main >> at & 1]
    if not cut:
        return
    names = ", ".join(f"`{domain.members[at]}`" for at in cut[:SHOWN])
    if len(cut) > SHOWN:
        names = tr("{names} and {count} others", names=names, count=len(cut) - SHOWN)
    hint = "add a border, from both sides; of several boards, a column says which region is on which"
    place = world.span_of_row(domain.id, cut[0])
    world.error(
        Code.CUT_OFF,
        place or decl.shape.span,
        tr("no border leads from the rest of the map to {names}", names=names),
        hint=hint,
    )
