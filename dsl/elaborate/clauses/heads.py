"""Heads: the names that rules are about, and the clauses that files add to them.

A head is a value, an action (phases and effect tables too), a menu, a window, a pile or a lookup. Here its parameters
are read and its clauses gathered; what they say is elaborated later, when every head is known.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.guards import needs
from dsl.elaborate.bodies.scope import counted
from dsl.elaborate.clauses.by_mode import close_heads, earlier, more_lines, more_of_action
from dsl.elaborate.clauses.cases import cases_of, is_case
from dsl.elaborate.clauses.motion import declare_step, placing
from dsl.elaborate.clauses.piles import declare_pile
from dsl.elaborate.clauses.sides import declare_sides
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int, Type
from dsl.linker.layers import Gathered, TableSource
from dsl.linker.modes import Standing
from dsl.resolve import fractions
from dsl.resolve import symbols as w
from dsl.resolve.binder import enter
from dsl.resolve.bounds import nested
from dsl.resolve.clause_texts import Said
from dsl.resolve.effect_columns import actor, effect_tables
from dsl.resolve.kinds import UNKNOWN, AnyType, Unknown, as_fraction
from dsl.resolve.lookup_tables import lookup
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Guard, Param
from dsl.resolve.types import resolve
from dsl.syntax import ast
from dsl.syntax.trees import head_citation, opening_citation


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
                _value(world, declaration, entry.where)
            case ast.Action() if not is_case(declaration):
                _action(world, declaration, entry.where)
            case ast.Menu():
                _menu(world, declaration, gathered, entry.where)
            case ast.Window():
                _window(world, declaration, gathered, entry.where)
            case ast.Pile():
                declare_pile(world, declaration)
            case _:
                pass
    declare_step(world, gathered)
    placed = placing(world, gathered)
    if placed is not None:
        _action(world, placed, None)
        world.placing = world.actions[-1]
    declare_sides(world, gathered)
    close_heads(world)
    for entry in gathered.entries:
        declaration = entry.declaration
        if isinstance(declaration, ast.Action) and is_case(declaration):
            for clause, lets in cases_of(world, declaration):
                _clause(world, clause, replace(guard_of(world, entry.where), lets=lets))
        else:
            _clause(world, declaration, guard_of(world, entry.where))


def guard_of(world: World, where: Standing) -> Guard:
    """The condition under which something stands that holds in some modes."""
    return Guard(world.in_modes(where))


def params(world: World, trees: tuple[ast.Param, ...]) -> list[Param]:
    """Parameters with their types; one without a type is an error of its own."""
    found: list[Param] = []
    for tree in trees:
        if tree.type is None:
            world.error(
                Code.WRONG_ARGUMENTS,
                tree.span,
                tr("`{tree}` needs a type", tree=tree.name.text),
                hint=tr("write for instance `{tree}: 0..9`", tree=tree.name.text),
            )
            found.append(Param(tree.name.text, UNKNOWN))
        else:
            found.append(Param(tree.name.text, resolve(world, tree.type)))
    return found


# ---------------------------------------------------------------- heads


def _value(world: World, decl: ast.Value, where: Standing) -> None:
    found, where = earlier(world, decl, where)
    if isinstance(found, w.Value):
        found.variants += [] if where == frozenset() else [(where, decl)]
        return
    written = decl.result if not fractions.is_named(world, decl.result) else None
    result = resolve(world, written) if written else None
    value = w.Value(len(world.values), decl.name.text, params(world, decl.params), result, decl)
    citation = head_citation(decl)
    value.clause = world.clause("value", decl.name.text, citation, decl.span)
    if citation is not None:
        world.clause_of_citation[id(citation)] = value.clause
    value.label = world.text(decl.called) if decl.called is not None else None
    value.variants = [] if where is None else [(where, decl)]
    world.values.append(value)
    enter(world, decl.name, value)


def _menu(world: World, decl: ast.Menu, gathered: Gathered, where: Standing) -> None:
    found, where = earlier(world, decl, where)
    if isinstance(found, w.Menu):
        more_lines(world, found, decl.lines, where)
        return
    world.clause("menu", decl.name.text, decl.citation, decl.span)
    menu = w.Menu(decl.name.text, params(world, decl.params), [], decl, where is not None)
    more_lines(world, menu, decl.lines, where)
    for line, own in gathered.extra_lines.get(decl.name.text, []):
        more_lines(world, menu, (line,), own)
        if menu.lines and menu.lines[-1][0] is line:
            guard = menu.lines[-1][1]
            names = _own_names(world, menu.params, gathered.extenders.get(id(line)))
            menu.lines[-1] = line, replace(guard, names=names)
    enter(world, decl.name, menu)


def _own_names(world: World, known: list[Param], extend: ast.ExtendMenu | None) -> tuple[str, ...]:
    """What `extend menu NAME(...)` calls the parameters; a type that it gives is that of the menu."""
    own = extend.params if extend is not None else ()
    if extend is None or not own:
        return ()
    if len(own) != len(known):
        shown = ", ".join(param.name for param in known)
        world.error(
            Code.WRONG_ARGUMENTS,
            extend.name.span,
            tr(
                "the menu `{extend}` takes {counted}, not {count}",
                extend=extend.name.text,
                counted=counted(len(known)),
                count=len(own),
            ),
            hint=tr("it is `{extend}({shown})`", extend=extend.name.text, shown=shown)
            if known
            else "leave out the parentheses",
        )
        return ()
    for param, there in zip(own, known, strict=True):
        if param.type is not None and (type_ := resolve(world, param.type)) not in (there.type, UNKNOWN):
            world.error(
                Code.TYPE_MISMATCH,
                param.span,
                tr(
                    "`{there}` of the menu is {type}, not {type2}",
                    there=there.name,
                    type=world.show(there.type),
                    type2=world.show(type_),
                ),
                hint="leave out the type, or write that of the menu",
            )
    return tuple(param.name.text for param in own)


def _action(world: World, decl: ast.Action, where: Standing) -> None:
    other, where = earlier(world, decl, where)
    if isinstance(other, w.Action):
        if where != frozenset():
            more_of_action(world, other, decl, where)
        return
    found = params(world, decl.params)
    by = None
    if decl.by is not None:
        by = len(found)
        found.append(Param(decl.by.text, world.types["Player"]))
    action = w.Action(len(world.actions), decl.name.text, decl.kind, found, by, decl)
    action.clause = world.clause(decl.kind, decl.name.text, opening_citation(decl.body), decl.name.span)
    action.depth = nested(world.reporter, decl.nested, decl.span)
    action.order = decl.order
    if action.depth is not None:
        action.depth_var = world.var(f"depth of {decl.name.text}", None, Int(0, action.depth), "depth").id
    for need, lets in needs(decl.body):
        action.permits.append((need, Guard(world.in_modes(where), lets=lets)))
    action.variants = [] if where is None else [(where, decl, action.clause)]
    world.actions.append(action)
    enter(world, decl.name, action)


def _window(world: World, decl: ast.Window, gathered: Gathered, where: Standing) -> None:
    found, where = earlier(world, decl, where)
    if isinstance(found, w.Window):
        more_lines(world, found, decl.lines, where)
        return
    depth = nested(world.reporter, decl.nested, decl.span) or 1
    var = world.var(decl.name.text, None, Int(0, depth), "window")
    world.routines.append(None)
    world.clause("window", decl.name.text, decl.citation, decl.span)
    window = w.Window(
        decl.name.text, decl, [], var.id, len(world.routines) - 1, None, variants=where is not None
    )
    more_lines(world, window, decl.lines, where)
    for line, _ in gathered.extra_lines.get(decl.name.text, [])[:1]:
        _own_names(world, [], gathered.extenders.get(id(line)))
    for line, own in gathered.extra_lines.get(decl.name.text, []):
        more_lines(world, window, (line,), own)
    enter(world, decl.name, window)


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
    said = Said(world.text(decl.label) if decl.label else None)
    action.clause = world.clause("table", decl.name.text, decl.citation, decl.name.span, said)
    world.actions.append(action)
    enter(world, decl.name, action)


def _lookup(world: World, source: TableSource) -> None:
    decl = source.declaration
    found = params(world, tuple(_named(world, tree) for tree in decl.params))
    enter(world, decl.name, lookup(world, source, found))


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
                if action is not None and not _is_placing(world, action, target):
                    action.reactions.append((replace(declaration, targets=(target,)), guard))
        case _:
            pass


def _is_placing(world: World, head: w.Callable | None, target: ast.Target) -> bool:
    """Is a clause about `place`, of which only `forbid` and `allow` say something? That is told."""
    if head is None or head is not world.placing:
        return False
    world.error(
        Code.WRONG_TARGET,
        target.span,
        "of `place` is said where pieces may not come to stand, and nothing else",
        hint="write `forbid place when ...`, or an action that places the piece, with this clause about that action",
    )
    return True


def _acted_on(world: World, target: ast.Target, told: str) -> w.Action | None:
    """The action that a clause is about; a value is told what it is instead."""
    found = _target(world, target, w.Action)
    if isinstance(found, w.Value):
        hint = tr("write `modify {found}: becomes ...`, or name the action that changes it", found=found.name)
        world.error(
            Code.WRONG_TARGET,
            target.span,
            tr("`{found}` is a value: {told}", found=found.name, told=told),
            hint=hint,
        )
    return found if isinstance(found, w.Action) else None


def _modify(world: World, decl: ast.Modify, guard: Guard) -> None:
    value = modified(world, decl.target)
    if value is not None:
        value.modifies.append((decl, guard))


def modified(world: World, target: ast.Target) -> w.Value | None:
    """The value that a `modify` is about: one that is declared, a printed column, or what an action is done with."""
    if target.column is not None:
        head = world.callables.get(target.name.text)
        if _is_placing(world, head, target):
            return None
        if isinstance(head, w.Action):
            return _parameter_value(world, head, target.column)
        return _column_value(world, target.name, target.column)
    found = _target(world, target, w.Value)
    if _is_placing(world, found, target):
        return None
    if isinstance(found, w.Action):
        _, names = _modifiable(found)
        own = (
            tr("write `modify {found}.{names}: ...`, ", found=found.name, names=names[0])
            if names
            else tr("write ")
        )
        world.error(
            Code.WRONG_TARGET,
            target.span,
            tr("`{found}` is an action: it has no value to modify", found=found.name),
            hint=tr("{own}`forbid {found} when ...` or `after {found}: ...`", own=own, found=found.name),
        )
    return found if isinstance(found, w.Value) else None


def _modifiable(action: w.Action) -> tuple[list[Param], list[str]]:
    """The parameters of an action without the acting player, and their names."""
    found = action.params if action.by is None else action.params[:-1]
    return found, [param.name for param in found]


def _parameter_value(world: World, action: w.Action, name: ast.Name) -> w.Value | None:
    """What an action is done with, where clauses modify it: a value of all that it is done with."""
    params, names = _modifiable(action)
    if name.text not in names:
        shown = ", ".join(f"`{action.name}.{each}`" for each in names)
        hint = world.nearest(name.text, names)
        message = tr("`{action}` has no parameter `{name}`", action=action.name, name=name.text)
        if action.by is not None and name.text == action.params[-1].name:
            message = tr(
                "`{name}` is who does `{action}`, which no clause changes", name=name.text, action=action.name
            )
        nothing = tr("it has no parameter") if action.by is None else tr("it has none but who does it")
        world.error(
            Code.NO_SUCH_HEAD,
            name.span,
            message,
            hint=hint or (tr("what can be modified: {shown}", shown=shown) if names else nothing),
        )
        return None
    at = names.index(name.text)
    type_ = params[at].type
    if isinstance(type_, Unknown):
        return None
    if at not in action.modified:
        value = w.Value(len(world.values), f"{action.name}.{name.text}", action.params, type_, None)
        value.base = ir.Local(type_, at)
        value.declared = action.decl.params[at].span
        world.values.append(value)
        action.modified[at] = value.id
    return world.values[action.modified[at]]


def _target(world: World, target: ast.Target, wanted: type) -> w.Callable | None:
    name = f"{target.name.text}.{target.column.text}" if target.column else target.name.text
    found = world.callables.get(name)
    if isinstance(found, w.Value | w.Action):
        return found
    names = [name for name, each in world.callables.items() if isinstance(each, wanted)]
    hint = world.nearest(name, names)
    table = next((d.name for d in world.domains if d.table and name in d.table.columns), None)
    if wanted is w.Value and table is not None:
        hint = tr(
            "`{name}` is a column: write `modify {table}.{name}(x): ...`, with conditions on `x`",
            name=name,
            table=table,
        )
    what = tr("value") if wanted is w.Value else tr("action")
    message = tr("there is no {what} `{name}` for this clause to be about", what=what, name=name)
    if isinstance(found, w.Lookup) and wanted is w.Value:
        message = tr("`{name}` is a lookup table, whose cells no clause modifies", name=name)
        given = ", ".join(param.name for param in found.params)
        hint = tr(
            "let a value give what it says, ask for that, and modify it: `value outcome({given}) = {name}({given})`",
            name=name,
            given=given,
        )
    if name == "setup":
        hint = "a `setup:` of a scenario or mod is done behind that of the game: write one"
    hint = hint or tr("what it names is declared at the top level, as `{what} {name}`", what=what, name=name)
    world.unknown(
        "value" if wanted is w.Value else "action",
        target.span,
        message,
        hint=hint,
        code=Code.NO_SUCH_HEAD,
    )
    return None


def _column_value(world: World, type_name: ast.Name, column_name: ast.Name) -> w.Value | None:
    """A printed column that is modified becomes a value of one argument."""
    type_ = world.types.get(type_name.text)
    domain = world.domains[type_.domain] if isinstance(type_, Id) else None
    table = (domain.pool.table if domain.pool else domain.table) if domain else None
    if domain is None or table is None or column_name.text not in table.columns:
        heads = [d.name for d in world.domains if d.table] + [action.name for action in world.actions]
        names = list(table.columns) if table else heads
        name = f"`{type_name.text}.{column_name.text}`"
        what = (
            tr("column {name}", name=name)
            if table
            else tr("table or action `{type_name}` for {name} to be of", type_name=type_name.text, name=name)
        )
        hint = world.nearest(column_name.text if table else type_name.text, names)
        of = [world.domains[each].table for each, _ in world.members.get(type_name.text, ())]
        if table is None and (
            own := next((each for each in of if each and column_name.text in each.columns), None)
        ):
            hint = tr(
                "`{row}` is a row of `{table}`: write `modify {table}.{column}(x): ... when x is {row}`, or, to print "
                "something else, `change {row}: {column} = ...`",
                row=type_name.text,
                table=own.name,
                column=column_name.text,
            )
        world.unknown(
            "column" if table else "table",
            column_name.span if table else type_name.span,
            tr("there is no {what}", what=what),
            hint=hint,
            code=Code.NO_SUCH_HEAD,
        )
        return None
    column = table.columns[column_name.text]
    if world.is_words(column.type):
        message = tr(
            "`{type_name}.{column}` is a text for players, which no clause modifies",
            type_name=type_name.text,
            column=column.name,
        )
        hint = tr('to print another write `change ROW: {column} = "..."`', column=column.name)
        world.error(Code.WRONG_TARGET, column_name.span, message, hint=hint)
        return None
    if column.value is None:
        row = Id(table.domain)
        result = _wide(column.type)
        value = w.Value(len(world.values), f"{table.name}.{column.name}", [Param("self", row)], result, None)
        value.column = column
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
