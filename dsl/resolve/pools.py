"""Pieces: how many of each kind there are."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import program as pr
from dsl.ir.types import Id, Int, SetOf
from dsl.linker.layers import Gathered
from dsl.near import nearest
from dsl.resolve.hidden_kinds import kind_field
from dsl.resolve.inferred_enums import own_words
from dsl.resolve.kinds import Unknown
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain, Pool, Table
from dsl.syntax import ast

MAX_PIECES = 4096


def declare_pools(world: World, gathered: Gathered) -> None:
    """Counts the pieces of each type, and gives them their life."""
    for entry in gathered.of(ast.Piece):
        _pool(world, entry.declaration, veiled=kind_field(gathered, entry.declaration) is not None)


def _pool(world: World, decl: ast.Piece, *, veiled: bool) -> None:
    type_ = world.types.get(decl.name.text)
    if not isinstance(type_, Id):
        return
    domain = world.domains[type_.domain]
    if (
        domain.pool is not None or domain.kind != "piece"
    ):  # what has its name was declared twice, which was told
        return
    table = _kinds_of(world, decl)
    per = _per(world, decl)
    pool = Pool(decl.name.text, domain.id, table, [], [], per.id if per is not None else None)
    domain.pool = pool
    rows = world.domains[table.domain].members if table else [decl.name.text.lower()]
    for kind, row in enumerate(rows):
        count = _count(world, decl, table, kind)
        for owner in range(len(per.members)) if per is not None and per.members else [None]:
            for number in range(count):
                if len(pool.kinds) > MAX_PIECES:
                    break
                label = world.domains[table.domain].labels[kind] if table else world.text(decl.name.text)
                suffix = f"_{number + 1}" if owner is None else f"_{owner + 1}_{number + 1}"
                pool.kinds.append(kind)
                pool.owners.append(owner)
                if not veiled:
                    domain.add(row if count == 1 and owner is None else row + suffix, label)
    if veiled:
        _number(world, domain, pool)
    _pool_data(world, decl, domain, pool, table)


def _number(world: World, domain: Domain, pool: Pool) -> None:
    """Pieces whose kind not everybody sees are called by their type, whatever they are."""
    label, row = world.text(pool.name), pool.name.lower()
    for number, owner in enumerate(pool.owners):
        own = number if owner is None else pool.owners[:number].count(owner)
        domain.add(f"{row}_{own + 1}" if owner is None else f"{row}_{owner + 1}_{own + 1}", label)


def _pool_data(world: World, decl: ast.Piece, domain: Domain, pool: Pool, table: Table | None) -> None:
    size = len(domain.members)
    rows = _printed(world, decl, table)
    if size == 0 and rows is not None and not (table and table.name in world.reporter.lacks_rows):
        message = tr("there are no pieces `{decl}`", decl=decl.name.text)
        hint = "give them a number: `, up to 5 each`"
        world.error(Code.LIMIT, decl.name.span, message, hint=hint, labels=rows)
    if size > MAX_PIECES:
        message = tr("more than {max_pieces} pieces of one type", max_pieces=f"{MAX_PIECES:,}")
        hint = "count what has no identity: a field, or a bag"
        world.error(Code.LIMIT, decl.name.span, message, hint=hint, labels=rows or ())
    if table:
        pool.kind_data = world.add_data(
            pr.Data(f"{pool.name}.kind", Id(table.domain), ((0, size),), tuple(pool.kinds))
        )
    pool.in_play = world.var(f"{pool.name} in play", None, SetOf(Id(domain.id)), "in_play").id
    pool.out = world.var(f"{pool.name} out", None, SetOf(Id(domain.id)), "out_of_play").id
    world.clause("piece", decl.name.text, decl.citation, decl.span)


def _printed(world: World, decl: ast.Piece, table: Table | None) -> tuple[Label, ...] | None:
    """The row that says the greatest number of pieces, where a column does; None where that could not be read."""
    name = decl.supply.column if decl.supply else None
    column = table.columns.get(name.text) if table and name else None
    if column is None or table is None:
        return () if name is None else None
    if not 0 <= column.data < len(world.data):
        return None
    counts = [each if isinstance(each, int) else 0 for each in world.data[column.data].values]
    most = counts.index(max(counts)) if counts else 0
    clause = table.row_clauses[most] if most < len(table.row_clauses) else None
    return (
        ()
        if clause is None
        else (Label(world.clause_spans[clause], tr("{counts} of them", counts=f"{counts[most]:,}")),)
    )


def _kinds_of(world: World, decl: ast.Piece) -> Table | None:
    if decl.of is None:
        return None
    type_ = world.types.get(decl.of.text)
    table = world.domains[type_.domain].table if isinstance(type_, Id) else None
    if table is None:
        tables = {each.name: each.table for each in world.domains if each.table}
        hint = world.nearest(decl.of.text, [*tables]) or (
            tr(
                "declare it, with a row for each kind: `table {of}:`, and under it `| id | name en |`",
                of=decl.of.text,
            )
        )
        world.unknown("table", decl.of.span, hint=hint)
        table = tables.get(nearest(decl.of.text, tables))  # so that its kinds are known further on
        if table is None:
            world.reporter.lacks_rows.add(decl.of.text)
    return table


def _per(world: World, decl: ast.Piece) -> Domain | None:
    """For each member of which type there are so many."""
    if decl.supply is None or decl.supply.per is None:
        return None
    type_ = world.types.get(decl.supply.per.text)
    if not isinstance(type_, Id):
        world.no_type(decl.supply.per.text, decl.supply.per.span)
        return None
    return world.domains[type_.domain]


def _count(world: World, decl: ast.Piece, table: Table | None, kind: int) -> int:
    supply = decl.supply
    if supply is None or supply.kind == "one":
        return 1
    if supply.kind == "column" and supply.column is not None:
        column = table.columns.get(supply.column.text) if table else None
        if column is None and decl.of is not None and (table is None or table.name != decl.of.text):
            return 1  # told where the table is named
        if column is None:
            names = ", ".join(f"`{each}`" for each in table.columns) if table else ""
            hint = world.nearest(supply.column.text, [*table.columns] if table else [])
            hint = hint or (
                tr("the columns are: {names}", names=names)
                if names
                else "the table has no columns but its names"
            )
            world.unknown("column", supply.column.span, hint=hint)
            return 1
        column.fixed = supply.column.span, "supply"
        if not isinstance(column.type, Int | Unknown):
            labels, _ = own_words(world, (column.type, Int(0, 0)))
            message = tr(
                "the column `{column}` holds no numbers, so it does not say how many there are",
                column=column.name,
            )
            hint = tr("write numbers in it, and `{column}: 0..9` in its head", column=column.name)
            world.error(Code.TYPE_MISMATCH, supply.column.span, message, labels=labels, hint=hint)
            return 1
        size = len(world.domains[table.domain].members) if table else 1
        known = 0 <= column.data < len(world.data)  # not where a cell could not be read
        printed = world.data[column.data].values[kind::size] if known else ()
        value = max((each for each in printed if isinstance(each, int)), default=0)
        if column.by_mode:
            message = tr(
                "`{column}` says how many pieces there are, in all modes alike", column=supply.column.text
            )
            hint = "take those away, `for ever`, that a mode does without, in its `setup:`"
            world.error(Code.NOT_BUILT, supply.column.span, message, hint=hint)
        return max(0, value)
    if isinstance(supply.count, ast.Number):
        return supply.count.value
    world.error(Code.TYPE_MISMATCH, supply.span, "a supply is a plain number", hint="write `up to 5 each`")
    return 1
