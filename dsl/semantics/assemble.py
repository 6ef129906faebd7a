"""The last pass: everything elaborated, laid out and frozen into a program."""

from __future__ import annotations

from dataclasses import replace

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int
from dsl.semantics.bodies.holders import check_circles, check_limits, never_left
from dsl.semantics.bodies.routines import routine
from dsl.semantics.bodies.scope import Body
from dsl.semantics.bodies.statements import Statements
from dsl.semantics.checks import analysis, effects
from dsl.semantics.checks.circles import check_values
from dsl.semantics.checks.lints import warn_of_uncited
from dsl.semantics.checks.reach import color, effect_cells, parsed_effect
from dsl.semantics.checks.removals import warn_of_removed
from dsl.semantics.checks.secrets import Secrets
from dsl.semantics.clauses.actions import Actions, Effect
from dsl.semantics.clauses.delays import ending, find_delays
from dsl.semantics.clauses.endings import endings
from dsl.semantics.clauses.heads import declare_heads, guard_of
from dsl.semantics.clauses.initials import initials
from dsl.semantics.clauses.lifetimes import Lifetime, lifetimes_at
from dsl.semantics.clauses.permissions import prohibitions
from dsl.semantics.clauses.retirement import retirement
from dsl.semantics.clauses.values import Values, known_types
from dsl.semantics.code import mid
from dsl.semantics.code.small import FALSE, TRUE, conjunction, negation, number
from dsl.semantics.freeze import freeze
from dsl.semantics.gather.layers import Gathered
from dsl.semantics.gather.modes import Where
from dsl.semantics.tests import Tests
from dsl.semantics.things import entries as w
from dsl.semantics.things.board import declare_areas, finish_regions
from dsl.semantics.things.columns import effect_tables
from dsl.semantics.things.declare import declare
from dsl.semantics.things.entries import Guard
from dsl.semantics.things.headers import Item, header_items, header_number
from dsl.semantics.things.readings import spoilt
from dsl.semantics.things.world import World
from dsl.syntax import ast
from dsl.syntax.trees import walk

MAX_INSTANTS = 64
MAX_ROUNDS = 100_000


def assemble(world: World, gathered: Gathered, name: str, scenario: str, *, tests: bool) -> pr.Program | None:
    """The whole program; None where something was wrong."""
    declare(world, gathered)
    finish_regions(world)
    declare_areas(world, gathered)
    world.defeats = any(entry.declaration.kind == "defeat" for entry in gathered.of(ast.Ending))
    round_var = _round(world, gathered)
    setting_up = _setting_up(world, gathered)
    world.instant = _instant(world, gathered)
    declare_heads(world, gathered)
    values = Values(world)
    lifetimes = _lifetimes(world)
    delays = find_delays(world, gathered)
    initials(world, values, gathered)
    rows = _effects(world, gathered)
    cells = {name: tuple(s for _, found, _ in group for s in found) for name, group in rows.items()}
    color(world, cells, delays.waiting())
    _number(world)
    actions = Actions(world, values, rows, lifetimes, delays)
    lowered = [_action(world, values, action) for action in world.actions]
    ends = _at_rest(world, endings(world, values, _ending_entries(world, gathered)), setting_up)
    for action in world.actions:
        actions.action(action)
    for head in list(world.callables.values()):
        if isinstance(head, w.Window):
            actions.window(head)
    main = _main(world, gathered, actions, round_var, setting_up)
    compiled_tests = Tests(world, values, actions).all(gathered, ends) if tests else ()
    _retire(world, actions)
    for value in world.values:
        values.elaborate(value)
    for name_, index in list(world.searches.items()):
        menu = world.callables[name_]
        assert isinstance(menu, w.Menu)
        actions.search(menu, index)
    warn_of_uncited(world, name)
    check_values(world, lowered)
    if world.diagnostics.has_errors:
        return None
    _check_effects(world, actions, lowered)
    if world.diagnostics.has_errors:
        return None
    warn_of_removed(world)
    return freeze(world, gathered, name, scenario, lowered, ends, main, compiled_tests)


# ---------------------------------------------------------------- before the bodies


def _round(world: World, gathered: Gathered) -> int:
    limit = _limit(world, gathered)
    most = limit.type.high if limit is not None and isinstance(limit.type, Int) else MAX_ROUNDS
    var = world.var("round", None, Int(0, max(1, most)), "round")
    var.initial = ir.Const(var.type, 0)
    world.globals.setdefault("round", var.id)
    return var.id


def _limit(world: World, gathered: Gathered) -> ir.Expr | None:
    """How often the round is played: as a header says, or the mode that is played."""
    common = [items[0] for _, items in header_items(gathered, "rounds") if items][-1:]
    own = _rounds_of_modes(gathered)
    if own and _of_a_scenario(gathered, "rounds"):
        own = {}
    if not own:
        return _how_often(world, common[0]) if common else None
    found = [_how_often(world, item) for item in (*common, *own.values())]
    limits = dict(zip(own, found[len(common) :], strict=True))
    result: ir.Expr = found[0] if common else number(MAX_ROUNDS)
    for name in world.modes.names:
        owner = world.modes.nearest(name, lambda each: each in limits)
        if owner is not None:
            low, high = _range_of(limits[owner]), _range_of(result)
            type_ = Int(min(low.low, high.low), max(low.high, high.high))
            test = world.in_modes(frozenset({name})) or TRUE
            one, two = replace(limits[owner], type=type_), replace(result, type=type_)
            result = ir.Op(type_, "if", (test, one, two))
    if not common and len(own) < len(world.modes.names) and header_number(gathered, "decisions") is None:
        unbounded = [name for name in world.modes.names if not world.modes.nearest(name, lambda e: e in own)]
        for name in unbounded[:1]:
            span = next(mode.name.span for mode in world.modes.trees if mode.name.text == name)
            hint = "write `rounds 20` in it, or in the header for all modes"
            world.error(Code.UNBOUNDED_LOOP, span, f"nothing bounds the game in the mode `{name}`", hint=hint)
    return result


def _range_of(expr: ir.Expr) -> Int:
    assert isinstance(expr.type, Int)
    return expr.type


def _rounds_of_modes(gathered: Gathered) -> dict[str, Item]:
    """What each mode says of its number of rounds."""
    return {
        mode.name.text: field.items[0]
        for mode in gathered.modes.trees
        for field in mode.fields
        if field.key.text == "rounds" and field.items
    }


def _of_a_scenario(gathered: Gathered, key: str) -> bool:
    """Does a scenario or mod say it, over all modes?"""
    return any(field.key.text == key for header in gathered.headers[1:] for field in header.fields)


def _how_often(world: World, written: Item) -> ir.Expr:
    """A number of rounds, or what a ruling or option over a range says."""
    if isinstance(written, ast.Number):
        return number(written.value)
    name = written.text
    var = world.vars[world.globals[name]] if name in world.globals else None
    if var is not None and var.role == "option" and isinstance(var.type, Int) and not var.type.truth:
        return ir.Load(var.type, var.id)
    known_ranges = [option.name for option in world.options if option.range is not None]
    hint = world.nearest(name, known_ranges) or (
        "write a number, or the name of a ruling such as `ruling length: 5..9 = 7`"
    )
    world.error(Code.UNKNOWN_NAME, written.span, f"`{name}` is no ruling over a range of numbers", hint=hint)
    return number(1)


def _setting_up(world: World, gathered: Gathered) -> int | None:
    """The truth that a position is being set up, when no ending is tested: half a setup is no position."""
    at_once = any(entry.declaration.at_once for entry in gathered.of(ast.Ending))
    if not at_once and not any(True for _ in gathered.of(ast.Setup)):
        return None
    var = world.var("setting up", None, TRUTH, "window")
    var.initial = FALSE
    world.setting_up = var.id
    return var.id


def _instant(world: World, gathered: Gathered) -> int | None:
    """How many `together` blocks are under way: their instant lasts until all has followed, and has no ending."""
    if not any(
        isinstance(node, ast.Together) for entry in gathered.entries for node in walk(entry.declaration)
    ):
        return None
    var = world.var("instant", None, Int(0, MAX_INSTANTS), "window")
    var.initial = ir.Const(var.type, 0)
    return var.id


def _at_rest(world: World, ends: tuple[pr.Ending, ...], setting_up: int | None) -> tuple[pr.Ending, ...]:
    """Endings are tested neither while a position is set up nor within one instant."""
    guards: list[ir.Expr] = []
    if setting_up is not None:
        guards.append(negation(ir.Load(TRUTH, setting_up, None)))
    if world.instant is not None:
        load = ir.Load(world.vars[world.instant].type, world.instant, None)
        guards.append(ir.Op(TRUTH, "eq", (load, number(0))))
    return tuple(replace(each, condition=conjunction([*guards, each.condition])) for each in ends)


def _lifetimes(world: World) -> dict[str, list[Lifetime]]:
    """Which fields begin anew with or behind which action."""
    found: dict[str, list[Lifetime]] = {}
    for var in list(world.vars):
        for clause in var.field.clauses if var.field else ():
            if not isinstance(clause, ast.Again):
                continue
            scope = clause.scope
            function = scope.function if isinstance(scope, ast.Apply) else scope
            name = function.name if isinstance(function, ast.NameExpr) else ""
            head = world.callables.get(name)
            if name != "round" and not isinstance(head, w.Action):
                hint = world.nearest(name, ["round", *(action.name for action in world.actions)])
                world.error(Code.UNKNOWN_NAME, scope.span, f"there is no phase or action `{name}`", hint=hint)
                continue
            args = scope.arguments if isinstance(scope, ast.Apply) else ()
            if clause.next:
                armed = world.var(f"{var.name} armed", var.of, TRUTH, "armed")
                armed.initial = FALSE
                var.armed = armed.id
            found.setdefault(name, []).append(Lifetime(var.id, clause, args))
    return found


def _effects(world: World, gathered: Gathered) -> dict[str, tuple[Effect, ...]]:
    """The parsed rows of each table of effects; rows that other files add come with theirs."""
    found: dict[str, tuple[Effect, ...]] = {}
    for source in effect_tables(gathered):
        decl = source.declaration
        rows: list[Effect] = []
        for head, group, where in source.groups:
            piece = replace(decl, rows=(head, *group))
            rows += [
                (_with_head(row, decl, head), parsed_effect(cell, world.diagnostics), where)
                for row, cell in effect_cells(piece)
            ]
        found[decl.name.text] = tuple(rows)
    return found


def _with_head(row: ast.Row, decl: ast.Table, head: ast.Row) -> ast.Row:
    """A row with its cells in the order of the table's own header."""
    if head is decl.rows[0]:
        return row
    names = [cell.text for cell in head.cells]
    cells: list[ast.Cell] = []
    for cell in decl.rows[0].cells:
        at = names.index(cell.text) if cell.text in names else (0 if not cells else None)
        cells.append(
            row.cells[at] if at is not None and at < len(row.cells) else ast.Cell("-", span=row.span)
        )
    return replace(row, cells=tuple(cells))


def _number(world: World) -> None:
    """Gives each action its procedure or routine."""
    for action in world.actions:
        if action.red:
            world.routines.append(None)
            action.run = len(world.routines) - 1
        else:
            world.procedures.append(None)
            action.run = len(world.procedures) - 1


def _action(world: World, values: Values, action: w.Action) -> pr.Action | None:
    found, locals_ = prohibitions(world, values, action)
    params = known_types(param.type for param in action.params)
    if world.diagnostics.has_errors or params is None:
        return None
    label = None
    if isinstance(action.decl, ast.Action) and action.decl.label:
        s = Statements(world, Body(), values.result)
        for param in action.params:
            s.body.bind(param.name, s.body.new(param.type))
        label, _ = s.template(action.decl.label, {})
    return pr.Action(
        action.name, action.kind, params, tuple(param.name for param in action.params), locals_, action.by, found,
        None if action.red else action.run, action.run if action.red else None, label, action.clause,
    )  # fmt: skip


def _ending_entries(world: World, gathered: Gathered) -> list[tuple[ast.Ending | ast.Objective, Guard]]:
    return [
        (entry.declaration, guard_of(world, entry.where))
        for entry in gathered.entries
        if isinstance(entry.declaration, ast.Ending | ast.Objective)
    ]


# ---------------------------------------------------------------- the course of the game


def _side(world: World, name: ast.Name) -> ir.Expr | None:
    """Whose setup it is: a player or one of the sides."""
    type_ = world.types["Side"]
    assert isinstance(type_, Id)
    sides = world.domains[type_.domain]
    if name.text in sides.index:
        return ir.Const(type_, sides.index[name.text])
    message = f"`{name.text}` is neither a player nor a side"
    hint = world.nearest(name.text, sides.members) or f"write `setup:`, or one of {', '.join(sides.members)}"
    world.error(Code.UNKNOWN_NAME, name.span, message, hint=hint)
    return None


def _main(world: World, gathered: Gathered, actions: Actions, round_var: int, setting_up: int | None) -> int:
    """Setup, then round after round; as many as the header says."""
    s = actions.statements([], None)
    if setting_up is not None:
        s.code.add(ir.Store(setting_up, None, None, TRUE, 0))
    for entry in sorted(gathered.of(ast.Setup), key=lambda each: each.layer):
        setup = entry.declaration
        if setup.side is not None:
            s.setup_side = _side(world, setup.side)
        guard = guard_of(world, entry.where)
        code = s.block(setup.body)
        s.code.add(*code if guard.condition is None else (mid.MidIf(guard.condition, code),))
        s.setup_side = None
    if setting_up is not None:
        s.code.add(ir.Store(setting_up, None, None, FALSE, 0))
    rounds = [(entry.where, entry.declaration) for entry in gathered.of(ast.Round)]
    limit = _limit(world, gathered)
    if rounds:
        _rounds(world, gathered, actions, s, rounds, round_var, limit)
    else:
        world.error(
            Code.NO_ROUND,
            gathered.headers[0].name.span,
            "nothing says how the game goes on",
            hint="write `round:` with the phases of a round",
        )
    world.routines.append(routine(gathered.headers[0].name.text, 0, s.body, tuple(s.code.statements)))
    return len(world.routines) - 1


def _rounds(
    world: World,
    gathered: Gathered,
    actions: Actions,
    s: Statements,
    rounds: list[tuple[Where, ast.Round]],
    round_var: int,
    limit: ir.Expr | None,
) -> None:
    site = world.site(rounds[0][1].span)
    is_bounded = limit is not None or header_number(gathered, "decisions") is not None
    if not is_bounded and not any(spoilt(world, header.span) for header in gathered.headers):
        world.error(
            Code.UNBOUNDED_LOOP,
            gathered.headers[0].name.span,
            "nothing bounds the game",
            hint="write `rounds 20` or `decisions at most 500` in its header",
        )
    label = s.flow.label()
    with s.collecting() as code:
        s.code.add(ir.Change(round_var, None, None, number(1), limit is None, False, site))
        lifetimes_at(actions, s, "round", "start", [])
        for where, decl in rounds:
            _one_round(world, s, where, decl, round_var)
        lifetimes_at(actions, s, "round", "end", [])
        s.code.add(ir.TestEndings(False))
    body = tuple(code.statements)
    if limit is not None:
        s.code.add(mid.MidLoop(limit, TRUE, body, site))
    elif mid.suspends(body):
        s.code.add(mid.MidForever(label, body))
    else:
        s.code.add(mid.MidLoop(number(MAX_ROUNDS), TRUE, body, site))


def _one_round(world: World, s: Statements, where: Where, decl: ast.Round, round_var: int) -> None:
    """The course of a round, in those modes in which it goes so."""
    with s.collecting() as code:
        text = (
            s.template(decl.label, {})
            if decl.label
            else (world.text("round {0}"), (s.load(round_var, None),))
        )
        s.code.add(ir.Log(text[0], text[1], None, "phase"))
        s.run_block(decl.body)
    played = world.in_modes(where)
    s.code.add(*code.statements if played is None else (mid.MidIf(played, tuple(code.statements)),))


def _retire(world: World, actions: Actions) -> None:
    check_limits(actions.statements([], None))
    for key in never_left(world):
        world.retirements[key] = len(world.procedures)
        world.procedures.append(None)
    written: set[int] = set()
    while left := [(key, index) for key, index in world.retirements.items() if index not in written]:
        for (domain, for_ever, leaf), index in left:
            world.procedures[index] = retirement(actions, world.domains[domain], for_ever, leaf)
            written.add(index)
    check_circles(world)
    for scope, index in actions.delays.forgetting.items():
        world.procedures[index] = ending(actions.statements([], None), actions.delays, scope)


def _check_effects(world: World, actions: Actions, lowered: list[pr.Action | None]) -> None:
    values = [value.lowered for value in world.values if value.lowered is not None]
    reads = analysis.Reads(values, [action for action in lowered if action is not None])
    found = effects.EffectsOf(reads, world.procedures, world.routines)
    effects.check_reactions(world, found, actions.hooks)
    effects.check_moments(world, found, actions.moments)
    effects.check_batches(world, found, actions.batches)
    secrets = Secrets(world, reads, found, world.procedures, world.routines)
    secrets.follow()
    secrets.report()
