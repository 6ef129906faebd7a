"""The last pass: everything elaborated, laid out and frozen into a program."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from dsl.catalogue import tr
from dsl.check import analysis, effects
from dsl.check.collisions import check_collisions
from dsl.check.cycles import check_values
from dsl.check.initial_leaks import check_beginnings
from dsl.check.lints import warn_of_decided, warn_of_uncited, warn_of_worth
from dsl.check.orders import warn_of_forbidden_orders
from dsl.check.placed import lacks_places
from dsl.check.reach import color, effect_cells, lacks_effects, parsed_effect
from dsl.check.removals import warn_of_removed
from dsl.check.reserved_names import check_taken
from dsl.check.secrets import Secrets
from dsl.diagnostics import Code
from dsl.elaborate.bodies.holders import check_circles, check_limits, never_left
from dsl.elaborate.bodies.labels import HOLE
from dsl.elaborate.clauses import trials
from dsl.elaborate.clauses.actions import Actions, Effect
from dsl.elaborate.clauses.contradictions import check_contradictions
from dsl.elaborate.clauses.delays import ending, find_delays
from dsl.elaborate.clauses.endings import endings
from dsl.elaborate.clauses.game_loop import (
    declare_instant,
    declare_round,
    declare_setting_up,
    main_routine,
    rounds_routine,
)
from dsl.elaborate.clauses.heads import declare_heads, guard_of
from dsl.elaborate.clauses.initial_values import initials
from dsl.elaborate.clauses.lifetimes import Lifetime
from dsl.elaborate.clauses.permissions import prohibitions
from dsl.elaborate.clauses.range_fit import check_modified
from dsl.elaborate.clauses.retirement import check_references, retirement
from dsl.elaborate.clauses.sides import check_drawn
from dsl.elaborate.clauses.unoffered import tell_of_unoffered
from dsl.elaborate.clauses.values import Values, known_types
from dsl.elaborate.freeze import freeze
from dsl.elaborate.futile import warn_of_exclusive, warn_of_needs, warn_of_unreached, warn_of_unused
from dsl.elaborate.positions import note_choices
from dsl.elaborate.positions import variables as in_positions
from dsl.elaborate.promises import promises
from dsl.elaborate.tests import Tests
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH
from dsl.linker.layers import Gathered, head_name
from dsl.lower.ir_builder import FALSE, conjunction, negation, number
from dsl.resolve import symbols as w
from dsl.resolve.board import declare_areas, finish_regions
from dsl.resolve.cells import LABEL_HEAD
from dsl.resolve.declarations import declare
from dsl.resolve.effect_columns import EFFECT, effect_at, effect_tables
from dsl.resolve.headers import title_label, titled
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Guard
from dsl.resolve.translations import warn_of_translations
from dsl.syntax import ast


def assemble(
    world: World, gathered: Gathered, name: str, scenario: str, *, tests: bool, settled: bool = False
) -> pr.Program | None:
    """The whole program; None where something was wrong. With rules that are `settled`, as nothing was found in them
    beside other tests, what tests have no part in is not checked again.
    """
    declare(world, gathered)
    finish_regions(world)
    declare_areas(world, gathered)
    if lacks_places(world, gathered):
        return None
    world.defeats = any(entry.declaration.kind == "defeat" for entry in gathered.of(ast.Ending))
    round_var = declare_round(world, gathered)
    setting_up = declare_setting_up(world, gathered)
    world.instant = declare_instant(world, gathered)
    declare_heads(world, gathered)
    check_taken(world, gathered, round_var)
    check_collisions(world, gathered)
    values = Values(world)
    lifetimes = _lifetimes(world)
    delays = find_delays(world, gathered)
    values.columns()
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
    main = main_routine(world, gathered, actions, round_var, setting_up)
    rounds = partial(rounds_routine, world, gathered, actions, round_var)
    taken = list(world.retirements)
    world.begun = world.work, len(world.procedures), len(world.routines)
    compiled_tests = Tests(world, values, actions, rounds).all(gathered, ends) if tests else ()
    world.tested = range(world.begun[1], len(world.procedures)), range(world.begun[2], len(world.routines))
    promised = promises(world, values, gathered, ends) if tests else ()
    actions.copies.write()
    _retire(world, actions, taken)
    for value in world.values:
        values.elaborate(value)
    check_modified(world)
    for name_, index in list(world.searches.items()):
        menu = world.callables[name_]
        assert isinstance(menu, w.Menu)
        actions.search(menu, index)
    trials.write(world)
    if not settled:
        check_contradictions(world, values.composed, actions.replaced, lowered, actions.work)
    warn_of_uncited(world, name)
    warn_of_worth(world)
    check_drawn(world)
    warn_of_decided(world)
    warn_of_exclusive(world, gathered)
    if not settled:
        warn_of_needs(world, lowered)
    warn_of_unreached(world, gathered)
    warn_of_forbidden_orders(world, gathered)
    for header in gathered.headers:
        if (title := title_label(world, titled(header))) is not None:
            world.spoken(title)
    warn_of_translations(world, gathered)
    check_values(world, lowered)
    if world.reporter.diagnostics.has_errors:
        return None
    _check_effects(world, actions, lowered, compiled_tests, settled)
    if world.reporter.diagnostics.has_errors:
        return None
    warn_of_removed(world)
    if tests:
        warn_of_unused(world, gathered)
    note_choices(world)
    program = freeze(world, gathered, name, scenario, lowered, ends, main, compiled_tests)
    if not tell_of_unoffered(world, actions, gathered):  # behind the program, of which such menus are no part
        return None
    return replace(program, promises=promised)


# ---------------------------------------------------------------- before the bodies


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
            if name != "round" and (not isinstance(head, w.Action) or head is world.placing):
                others = (action.name for action in world.actions if action is not head)
                hint = world.nearest(name, ["round", *others])
                world.unknown("phase", function.span, name=name, hint=hint)
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
            if lacks_effects(head):
                message = "this table of effects has no column `effect`"
                hint = "write one: what each row does, `-` for nothing"
                world.error(Code.BAD_CELL, head.span, message, hint=hint)
                continue
            _check_heads(world, decl, head)
            piece = replace(decl, rows=(head, *group))
            rows += [
                (_with_head(row, decl, head), parsed_effect(cell, world.reporter.diagnostics), where)
                for row, cell in effect_cells(piece)
            ]
        found[decl.name.text] = tuple(rows)
    return found


def _check_heads(world: World, decl: ast.Table, head: ast.Row) -> None:
    """Columns that rows of another file fill are the table's; a name in one language more is passed over."""
    own = [head_name(cell) for cell in decl.rows[0].cells]
    for cell in head.cells[1:] if effect_at(head) is not None else head.cells[1:-1]:
        name = head_name(cell)
        if name in own or EFFECT.fullmatch(name) or LABEL_HEAD.fullmatch(name):
            continue
        table = decl.name.text
        message = tr("the table `{table}` has no column `{name}`", table=table, name=name)
        world.unknown("column", cell.span, message, of=table, hint=world.nearest(name, own[1:]))


def _with_head(row: ast.Row, decl: ast.Table, head: ast.Row) -> ast.Row:
    """A row with its cells in the order of the table's own header."""
    if head is decl.rows[0]:
        return row
    names = [head_name(cell) for cell in head.cells]
    cells: list[ast.Cell] = []
    for cell in decl.rows[0].cells:
        name = head_name(cell)
        at = names.index(name) if name in names else (0 if not cells else None)
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
    if world.reporter.diagnostics.has_errors or params is None:
        return None
    label = None
    if isinstance(action.decl, ast.Action) and action.decl.label:
        label = _label(world, action, action.decl.label)
    return pr.Action(
        action.name, action.kind, params, tuple(param.name for param in action.params), locals_, action.by, found,
        None if action.red else action.run, action.run if action.red else None, label, action.clause,
    )  # fmt: skip


def _label(world: World, action: w.Action, label: ast.Label) -> int:
    """An action's label with the numbers of the parameters in its holes; what is no parameter stands as written."""
    numbers = {param.name: f"{{{number}}}" for number, param in enumerate(action.params)}
    texts = tuple(
        (lang, HOLE.sub(lambda hole: numbers.get(hole[1], hole[0]), words))
        for lang, words in world.spoken(label).texts
    )
    return world.intern(world.translated(ast.Label(texts, span=label.span)))


def _ending_entries(world: World, gathered: Gathered) -> list[tuple[ast.Ending | ast.Objective, Guard]]:
    return [
        (entry.declaration, guard_of(world, entry.where))
        for entry in gathered.entries
        if isinstance(entry.declaration, ast.Ending | ast.Objective)
    ]


# ---------------------------------------------------------------- the course of the game


def _retire(world: World, actions: Actions, taken: list[tuple[int, bool, bool]]) -> None:
    """Writes what takes pieces away; `taken` is what the rules take away, without the tests."""
    check_limits(actions.statements([], None))
    written: dict[tuple[int, bool, bool], None] = {}

    def write(keys: list[tuple[int, bool, bool]]) -> None:
        while left := [key for key in keys if key not in written]:
            for key in left:
                domain, for_ever, leaf = key
                done = retirement(actions, world.domains[domain], for_ever, leaf)
                world.procedures[world.retirements[key]] = done
                written[key] = None
            keys = list(world.retirements)[begun:]

    begun = len(world.retirements)
    write(taken)
    check_references(world, {domain for domain, _, _ in written})
    for key in never_left(world):
        world.retirements[key] = len(world.procedures)
        world.procedures.append(None)
    begun = 0
    write(list(world.retirements))
    check_circles(world)
    for scope, index in actions.delays.forgetting.items():
        world.procedures[index] = ending(actions.statements([], None), actions.delays, scope)


def _check_effects(
    world: World,
    actions: Actions,
    lowered: list[pr.Action | None],
    tests: tuple[pr.Test, ...],
    settled: bool,
) -> None:
    values = [value.lowered for value in world.values if value.lowered is not None]
    known = [action for action in lowered if action is not None]
    reads = analysis.Reads(values, known, world.procedures, in_positions(world))
    found = effects.EffectsOf(reads, world.procedures, world.routines)
    if settled:
        effects.check_batches(world, found, actions.batches)
        return
    effects.check_reactions(world, found, actions.hooks)
    effects.check_moments(world, found, actions.moments)
    effects.check_batches(world, found, actions.batches)
    # a test may know what it likes
    steps = [step for test in tests for step in test.steps]
    runs = {step.index for step in steps if step.kind in {"run", "rounds"}}
    given = {step.index for step in steps if step.kind == "given"}
    routines = [None if number in runs else each for number, each in enumerate(world.routines)]
    procedures = [None if number in given else each for number, each in enumerate(world.procedures)]
    check_beginnings(world, reads)
    secrets = Secrets(world, reads, found, procedures, routines)
    secrets.follow()
    secrets.report_put_off()
    secrets.report()
    secrets.report_lines()
    secrets.report_kinds()
    secrets.veils()
