"""Heads: the names that rules are about, and the clauses that files add to them.

A head is a value, an action (phases and effect tables too), a menu, a window, a pile or a lookup. Here its parameters
are read and its clauses gathered; what they say is elaborated later, when every head is known.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import cast

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, Id, Int, Record, SetOf, Type
from dsl.semantics import cells
from dsl.semantics import world as w
from dsl.semantics.cases import cases_of, is_case
from dsl.semantics.columns import actor, effect_tables
from dsl.semantics.declare import resolve
from dsl.semantics.guards import needs
from dsl.semantics.layers import Gathered, TableSource
from dsl.semantics.motion import declare_step
from dsl.semantics.ratios import as_fraction
from dsl.semantics.scope import conjunction
from dsl.semantics.sides import declare_sides
from dsl.semantics.world import UNKNOWN, AnyType, Guard, Param, Unknown, World, opening_citation
from dsl.source import Span
from dsl.syntax import ast

MOST_ENTRIES = 65_536
"""Entries of a table that is read by arguments."""

ONE_ROW = "each value belongs to one row: shorten one of the two"

Head = ast.Value | ast.Action | ast.Menu | ast.Window | ast.Pile


def declare_heads(world: World, gathered: Gathered) -> None:
    """Enters every head, then hangs each clause on its own."""
    for source in gathered.tables.values():
        if source.declaration.params and source.declaration.result is not None:
            _lookup(world, source)
    for source in effect_tables(gathered):
        _effects(world, source.declaration)
    for entry in gathered.entries:
        declaration = entry.declaration
        match declaration:
            case ast.Value():
                _value(world, declaration)
            case ast.Action() if not is_case(declaration):
                _action(world, declaration, _guard(world, entry.mode))
            case ast.Menu():
                extra = gathered.extra_lines.get(declaration.name.text, [])
                lines = [(line, Guard()) for line in declaration.lines]
                lines += [(line, _guard(world, mode)) for line, mode in extra]
                _enter(
                    world,
                    declaration.name,
                    w.Menu(declaration.name.text, params(world, declaration.params), lines, declaration),
                )
            case ast.Window():
                _window(world, declaration, gathered)
            case ast.Pile():
                _pile(world, declaration)
            case _:
                pass
    declare_step(world, gathered)
    declare_sides(world, gathered)
    for entry in gathered.entries:
        declaration = entry.declaration
        if isinstance(declaration, ast.Action) and is_case(declaration):
            for clause, lets in cases_of(world, declaration):
                _clause(world, clause, replace(_guard(world, entry.mode), lets=lets))
        else:
            _clause(world, declaration, _guard(world, entry.mode))


def _guard(world: World, mode: str | None) -> Guard:
    if mode is None:
        return Guard()
    var = world.globals["mode"]
    type_ = world.vars[var].type
    assert isinstance(type_, Id)
    index = world.domains[type_.domain].index
    chosen = ir.Load(type_, var)
    heirs = world.heirs.get(mode, (mode,))
    if len(heirs) == 1:
        return Guard(ir.Op(TRUTH, "eq", (chosen, ir.Const(type_, index[mode]))))
    modes = ir.Const(SetOf(type_), sum(1 << index[each] for each in heirs))
    return Guard(ir.Op(TRUTH, "has", (modes, chosen)))


def _enter(world: World, name: ast.Name, head: w.Callable) -> None:
    if name.text in world.callables or name.text in world.globals:
        world.duplicate(name, _declared(world, name.text))
        return
    world.callables[name.text] = head


def _declared(world: World, name: str) -> Span | None:
    """Where a head or field of that name is declared."""
    if name in world.globals:
        field = world.vars[world.globals[name]].field
        return field.name.span if field is not None else None
    decl: Head | ast.Table | None = getattr(world.callables[name], "decl", None)
    return decl.name.span if decl is not None else None


def params(world: World, trees: tuple[ast.Param, ...]) -> list[Param]:
    """Parameters with their types; one without a type is an error of its own."""
    found: list[Param] = []
    for tree in trees:
        if tree.type is None:
            world.error(
                Code.WRONG_ARGUMENTS,
                tree.span,
                f"`{tree.name.text}` needs a type",
                hint=f"write for instance `{tree.name.text}: 0..9`",
            )
            found.append(Param(tree.name.text, UNKNOWN))
        else:
            found.append(Param(tree.name.text, resolve(world, tree.type)))
    return found


# ---------------------------------------------------------------- heads


def _value(world: World, decl: ast.Value) -> None:
    result = resolve(world, decl.result) if decl.result else None
    value = w.Value(len(world.values), decl.name.text, params(world, decl.params), result, decl)
    value.clause = world.clause("value", decl.name.text, decl.citation, decl.span)
    world.values.append(value)
    _enter(world, decl.name, value)


def _action(world: World, decl: ast.Action, guard: Guard) -> None:
    found = params(world, decl.params)
    by = None
    if decl.by is not None:
        by = len(found)
        found.append(Param(decl.by.text, world.types["Player"]))
    action = w.Action(len(world.actions), decl.name.text, decl.kind, found, by, decl)
    action.clause = world.clause(decl.kind, decl.name.text, opening_citation(decl.body), decl.name.span)
    action.depth = decl.nested
    action.order = decl.order
    if decl.nested is not None:
        action.depth_var = world.var(f"depth of {decl.name.text}", None, Int(0, decl.nested), "depth").id
    for need, lets in needs(decl.body.statements):
        action.permits.append((need, Guard(lets=lets)))
    world.actions.append(action)
    _enter(world, decl.name, action)
    if guard.condition is not None:
        action.mode = guard.condition


def _window(world: World, decl: ast.Window, gathered: Gathered) -> None:
    depth = decl.nested or 1
    var = world.var(decl.name.text, None, Int(0, depth), "window")
    world.routines.append(None)
    lines = [(line, Guard()) for line in decl.lines]
    lines += [(line, _guard(world, mode)) for line, mode in gathered.extra_lines.get(decl.name.text, [])]
    world.clause("window", decl.name.text, decl.citation, decl.span)
    _enter(world, decl.name, w.Window(decl.name.text, decl, lines, var.id, len(world.routines) - 1, None))


def _pile(world: World, decl: ast.Pile) -> None:
    type_ = world.types.get(decl.of.text)
    domain = world.domains[type_.domain] if isinstance(type_, Id) else None
    if domain is None or domain.pool is None:
        hint = world.nearest(decl.of.text, [d.name for d in world.domains if d.pool])
        world.error(
            Code.UNKNOWN_NAME,
            decl.of.span,
            f"there are no pieces `{decl.of.text}` to lie in a pile",
            hint=hint,
        )
        return
    pool = domain.pool
    if pool.pile_domain is None:
        piles = world.domain(f"{domain.name} pile", "pile")
        pool.pile_domain = piles.id
        pool.pile = world.var(f"{domain.name} pile", domain.id, Id(piles.id, optional=True), "pile").id
        pool.order = world.var(
            f"{domain.name} order", domain.id, Int(0, max(0, len(domain.members) - 1)), "order"
        ).id
    piles = world.domains[pool.pile_domain]
    base = len(piles.members)
    per = None
    if decl.per is not None:
        owner = world.types.get(decl.per.text)
        if not isinstance(owner, Id):
            world.error(Code.UNKNOWN_NAME, decl.per.span, f"there is no type `{decl.per.text}`")
            return
        per = owner.domain
        for member in world.domains[per].members:
            piles.add(f"{decl.name.text}({member})", world.text(f"{decl.name.text}({member})"))
    else:
        piles.add(decl.name.text, world.text(decl.name.text))
    world.clause("pile", decl.name.text, decl.citation, decl.span)
    _enter(world, decl.name, w.Pile(decl.name.text, domain.id, per, base, decl))


# ---------------------------------------------------------------- tables that are read by arguments


def _named(world: World, tree: ast.Param) -> ast.Param:
    """A parameter of a table; one that is only a type is called `it`."""
    if tree.type is None and tree.name.text in world.types:
        type_ = ast.NamedType(tree.name.text, span=tree.name.span)
        return ast.Param(ast.Name("it", span=tree.name.span), type_, span=tree.span)
    return tree


def _effects(world: World, decl: ast.Table) -> None:
    found = params(world, tuple(_named(world, tree) for tree in decl.params))
    by = None
    player = actor(decl.rows[0])
    if player is not None:
        by = len(found)
        found.append(Param(player.text, world.types["Player"]))
    action = w.Action(len(world.actions), decl.name.text, "action", found, by, decl)
    action.clause = world.clause("table", decl.name.text, decl.citation, decl.name.span)
    world.actions.append(action)
    _enter(world, decl.name, action)


def _lookup(world: World, source: TableSource) -> None:
    decl = source.declaration
    found = params(world, tuple(_named(world, tree) for tree in decl.params))
    assert decl.result is not None
    result = resolve(world, decl.result)
    clause = world.clause("table", decl.name.text, decl.citation, decl.name.span)
    scalars = [param.type for param in found if isinstance(param.type, Int | Id)]
    if isinstance(result, Unknown) or len(scalars) != len(found) or not 1 <= len(found) <= 2:
        if not 1 <= len(found) <= 2:
            world.error(Code.WRONG_ARGUMENTS, decl.span, "a table is read by one or two arguments")
        _enter(world, decl.name, w.Lookup(decl.name.text, found, UNKNOWN, -1, clause))
        return
    zero = decl.dash.value if isinstance(decl.dash, ast.Number) else None
    if decl.dash is not None and zero is None:
        world.error(
            Code.TYPE_MISMATCH, decl.dash.span, "`-` stands for a plain number", hint='write `where "-" is 0`'
        )
        zero = 0
    entries = prod(world.size(each) for each in scalars)
    if entries > MOST_ENTRIES or any(each.optional for each in scalars):
        message = f"a table of {entries:,} entries, more than {MOST_ENTRIES:,}"
        if entries <= MOST_ENTRIES:
            message = "a table is not read by something that may be none"
        world.error(Code.LIMIT, decl.name.span, message, hint="narrow the ranges of its parameters")
        _enter(world, decl.name, w.Lookup(decl.name.text, found, UNKNOWN, -1, clause))
        return
    values, clauses = _lookup_values(world, source, scalars, result, zero)
    dims = tuple((world.low(each), world.size(each)) for each in scalars)
    data = world.add_data(pr.Data(decl.name.text, result, dims, values, clauses))
    _enter(world, decl.name, w.Lookup(decl.name.text, found, result, data, clause))


def _lookup_values(
    world: World, source: TableSource, scalars: list[Int | Id], result: Type, zero: int | None
) -> tuple[tuple[cells.Value, ...], tuple[int | None, ...]]:
    """The table's values in row-major order; gaps and overlaps are faults."""
    height = world.size(scalars[0])
    width = world.size(scalars[1]) if len(scalars) == 2 else 1
    values: list[cells.Value | None] = [None] * (height * width)
    clauses: list[int | None] = [None] * (height * width)
    for head, rows in source.groups:
        if len(head.cells) != width + 1:
            world.error(
                Code.RAGGED_ROW,
                head.span,
                f"this table has {width} columns of values, its header names {len(head.cells) - 1}",
            )
            continue
        for row in rows:
            _lookup_row(world, row, scalars, result, zero, values, clauses, source.declaration.name.text)
    missing = [index for index, value in enumerate(values) if value is None]
    if missing:
        line = missing[0] // width + world.low(scalars[0])
        world.error(
            Code.TABLE_GAP,
            source.declaration.name.span,
            f"the table has no row for {line}",
            hint="every value of the first argument needs a row; `3-5` and `10+` cover several",
        )
    empty = cells.dash(world, result)
    return tuple(empty if value is None else value for value in values), tuple(clauses)


def _lookup_row(
    world: World, row: ast.Row, scalars: list[Int | Id], result: Type, zero: int | None,
    values: list[cells.Value | None], clauses: list[int | None], name: str,
) -> None:  # fmt: skip
    width = world.size(scalars[1]) if len(scalars) == 2 else 1
    if len(row.cells) != width + 1:
        world.error(
            Code.RAGGED_ROW, row.span, f"this row has {len(row.cells)} cells, its header has {width + 1}"
        )
        return
    clause = world.clause("row", f"{name} {row.cells[0].text}", row.citation, row.span)
    read = [cells.read(world, cell, result, zero) for cell in row.cells[1:]]
    for key in cells.keys(world, row.cells[0], scalars[0]):
        line = key - world.low(scalars[0])
        if not 0 <= line < world.size(scalars[0]):
            world.error(Code.OUT_OF_RANGE, row.cells[0].span, f"{key} is outside the table's range")
            continue
        if values[line * width] is not None:
            world.error(Code.TABLE_OVERLAP, row.cells[0].span, f"{key} has a row already", hint=ONE_ROW)
        values[line * width : line * width + width] = read
        clauses[line * width : line * width + width] = [clause] * width


# ---------------------------------------------------------------- clauses


def _clause(world: World, declaration: object, guard: Guard) -> None:
    match declaration:
        case ast.Modify():
            _modify(world, declaration, guard)
        case ast.Permit():
            for target in declaration.targets:
                action = _acted_on(world, target, "it is not forbidden, it is modified")
                if action is not None:
                    action.permits.append((replace(declaration, targets=(target,)), guard))
        case ast.Reaction():
            for target in declaration.targets:
                action = _acted_on(world, target, "nothing comes before or after it")
                if action is not None:
                    action.reactions.append((replace(declaration, targets=(target,)), guard))
        case _:
            pass


def _acted_on(world: World, target: ast.Target, told: str) -> w.Action | None:
    """The action that a clause is about; a value is told what it is instead."""
    found = _target(world, target, w.Action)
    if isinstance(found, w.Value):
        hint = f"write `modify {found.name}: becomes ...`, or name the action that changes it"
        world.error(Code.WRONG_TARGET, target.span, f"`{found.name}` is a value: {told}", hint=hint)
    return found if isinstance(found, w.Action) else None


def _modify(world: World, decl: ast.Modify, guard: Guard) -> None:
    target = decl.target
    if target.column is not None:
        value = _column_value(world, target.name, target.column)
        if value is not None:
            value.modifies.append((decl, guard))
        return
    found = _target(world, target, w.Value)
    if isinstance(found, w.Value):
        found.modifies.append((decl, guard))
    elif isinstance(found, w.Action):
        world.error(
            Code.WRONG_TARGET,
            target.span,
            f"`{found.name}` is an action: it has no value to modify",
            hint=f"write `forbid {found.name} when ...`, or `after {found.name}: ...`",
        )


def _target(world: World, target: ast.Target, wanted: type) -> w.Callable | None:
    name = f"{target.name.text}.{target.column.text}" if target.column else target.name.text
    found = world.callables.get(name)
    if isinstance(found, w.Value | w.Action):
        return found
    names = [name for name, each in world.callables.items() if isinstance(each, wanted)]
    hint = world.nearest(name, names)
    what = "value" if wanted is w.Value else "action"
    world.error(
        Code.NO_SUCH_HEAD,
        target.span,
        f"there is no {what} `{name}` for this clause to be about",
        hint=hint,
    )
    return None


def _column_value(world: World, type_name: ast.Name, column_name: ast.Name) -> w.Value | None:
    """A printed column that is modified becomes a value of one argument."""
    type_ = world.types.get(type_name.text)
    domain = world.domains[type_.domain] if isinstance(type_, Id) else None
    table = (domain.pool.table if domain.pool else domain.table) if domain else None
    if domain is None or table is None or column_name.text not in table.columns:
        names = list(table.columns) if table else [d.name for d in world.domains if d.table]
        hint = world.nearest(column_name.text if table else type_name.text, names)
        world.error(
            Code.NO_SUCH_HEAD,
            column_name.span,
            f"there is no column `{type_name.text}.{column_name.text}`",
            hint=hint,
        )
        return None
    column = table.columns[column_name.text]
    if column.value is None:
        row = Id(table.domain)
        result = _wide(column.type)
        value = w.Value(len(world.values), f"{table.name}.{column.name}", [Param("self", row)], result, None)
        value.column = (column.data, column.name)
        world.values.append(value)
        column.value = value.id
        column.type = result
    return world.values[column.value]


def _wide(type_: AnyType) -> AnyType:
    """A modified number may leave the range of what is printed."""
    if found := as_fraction(type_):
        wide = _wide(found.count)
        assert isinstance(wide, Int)
        return cast(Type, replace(found, low=wide.low, high=wide.high))
    if isinstance(type_, Int) and not type_.truth:
        spread = max(abs(type_.low), abs(type_.high), 8) * 4
        return Int(
            min(0, type_.low) - spread if type_.low < 0 else 0, type_.high + spread, optional=type_.optional
        )
    return type_


__all__ = ["NONE", "Record", "SetOf", "conjunction", "declare_heads", "params"]
