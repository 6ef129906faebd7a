"""The last pass: everything elaborated, laid out and frozen into a program."""

from __future__ import annotations

import re
from dataclasses import replace

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.semantics import analysis, effects, mid
from dsl.semantics import world as w
from dsl.semantics.actions import Actions, Lifetime, routine
from dsl.semantics.board import declare_areas, finish_regions, legend_of
from dsl.semantics.clauses import Values, endings, known_types, prohibitions
from dsl.semantics.declare import declare, header_items, header_number
from dsl.semantics.delays import ending, find_delays
from dsl.semantics.expressions import Expressions
from dsl.semantics.heads import _guard, declare_heads
from dsl.semantics.layers import Gathered
from dsl.semantics.reach import color, effect_cells, parsed_effect
from dsl.semantics.scope import FALSE, TRUE, Body, conjunction, known, negation, number
from dsl.semantics.statements import Statements
from dsl.semantics.tests import Tests
from dsl.semantics.world import Guard, World
from dsl.syntax import ast

DEFAULT_DECISIONS = 100_000
MAX_ROUNDS = 100_000


def assemble(world: World, gathered: Gathered, name: str, scenario: str, *, tests: bool) -> pr.Program | None:
    """The whole program; None where something was wrong."""
    declare(world, gathered)
    finish_regions(world, lambda message: world.error(Code.RAGGED_MAP, gathered.headers[0].span, message))
    declare_areas(world, gathered)
    world.defeats = any(entry.declaration.kind == "defeat" for entry in gathered.of(ast.Ending))
    round_var = _round(world, gathered)
    setting_up = _setting_up(world, gathered)
    declare_heads(world, gathered)
    values = Values(world)
    lifetimes = _lifetimes(world)
    delays = find_delays(world, gathered)
    _initials(world, values, gathered)
    rows = _effects(world, gathered)
    color(world, {name: tuple(s for _, cells in group for s in cells) for name, group in rows.items()})
    _number(world)
    actions = Actions(world, values, rows, lifetimes, delays)
    lowered = [_action(world, values, action) for action in world.actions]
    ends = _after_setup(endings(world, values, _ending_entries(world, gathered)), setting_up)
    for action in world.actions:
        actions.action(action)
    for head in list(world.callables.values()):
        if isinstance(head, w.Window):
            actions.window(head)
    main = _main(world, gathered, actions, round_var, setting_up)
    compiled_tests = Tests(world, values, actions).all(gathered) if tests else ()
    _retire(world, actions)
    for value in world.values:
        values.elaborate(value)
    for name_, index in list(world.searches.items()):
        menu = world.callables[name_]
        assert isinstance(menu, w.Menu)
        actions.search(menu, index)
    if world.diagnostics.has_errors:
        return None
    _check_effects(world, actions, lowered)
    if world.diagnostics.has_errors:
        return None
    return _freeze(world, gathered, name, scenario, lowered, ends, main, compiled_tests)


# ---------------------------------------------------------------- before the bodies


def _round(world: World, gathered: Gathered) -> int:
    rounds = header_number(gathered, "rounds")
    var = world.var("round", None, Int(0, rounds or MAX_ROUNDS), "round")
    var.initial = ir.Const(var.type, 0)
    world.globals.setdefault("round", var.id)
    return var.id


def _setting_up(world: World, gathered: Gathered) -> int | None:
    """The truth that the setup is under way, when no ending is tested: half a setup is no position."""
    if not any(True for _ in gathered.of(ast.Setup)):
        return None
    var = world.var("setup under way", None, TRUTH, "depth")
    var.initial = FALSE
    return var.id


def _after_setup(ends: tuple[pr.Ending, ...], setting_up: int | None) -> tuple[pr.Ending, ...]:
    if setting_up is None:
        return ends
    over = negation(ir.Load(TRUTH, setting_up, None))
    return tuple(replace(each, condition=conjunction([over, each.condition])) for each in ends)


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


def _initials(world: World, values: Values, gathered: Gathered) -> None:
    """The value that each variable has when the game starts, and who may see it."""
    legend = legend_of(gathered, world)
    for option in world.options:
        type_ = world.vars[option.var].type
        world.vars[option.var].initial = ir.Const(type_, option.default)
    for var in world.vars:
        if var.initial is None:
            var.initial = _initial(world, values, var, legend)
        _audience(world, values, var)
    _pile_audiences(world, values)


def _initial(
    world: World, values: Values, var: w.Var, legend: dict[str, tuple[ast.LegendItem, ...]]
) -> ir.Expr:
    if var.role == "in_play":
        domain = next(d for d in world.domains if d.pool and d.pool.in_play == var.id)
        has_piles = domain.pool is not None and domain.pool.pile_domain is not None
        return ir.Const(var.type, (1 << len(domain.members)) - 1 if has_piles else 0)
    if var.role in {"pile", "order"}:
        return _first_pile(world, var)
    if var.field is None:
        return zero(world, var.type)
    body = Body()
    e = Expressions(world, body, values.result)
    if var.of is not None:
        body.owner = body.new(Id(var.of))
        body.bind("self", body.owner)
    base: ir.Expr
    if var.field.initial is None:
        base = zero(world, var.type)
    else:
        base = e.coerce(e.expr(var.field.initial, var.type), var.type, var.field.initial.span)
    cell = world.types.get("Cell")
    if legend and var.of is not None and cell == Id(var.of):
        return _drawn(world, e, var, base, legend)
    return base


def _first_pile(world: World, var: w.Var) -> ir.Expr:
    """Cards begin in the first pile that is declared for them, or in that of their own player; else in none."""
    assert var.of is not None and isinstance(var.type, Int | Id)
    pool = world.domains[var.of].pool
    assert pool is not None
    first = min(
        (head for head in world.callables.values() if isinstance(head, w.Pile) and head.pool == var.of),
        key=lambda head: head.base,
    )
    owned = first.per is not None
    if owned and None in pool.owners:
        return zero(world, var.type)
    piles = [first.base + (owner or 0 if owned else 0) for owner in pool.owners]
    places = [piles[:card].count(pile) for card, pile in enumerate(piles)]
    values = tuple(piles if var.role == "pile" else places)
    data = world.add_data(pr.Data(f"{var.name} at first", var.type, ((0, len(values)),), values))
    return ir.Lookup(var.type, data, (ir.Local(Id(var.of), 0),))


def _drawn(
    world: World, e: Expressions, var: w.Var, base: ir.Expr, legend: dict[str, tuple[ast.LegendItem, ...]]
) -> ir.Expr:
    """A field of cells, as the map's legend draws it."""
    assert var.of is not None
    drawn: dict[str, ir.Expr] = {}
    for sign, items in legend.items():
        for item in items:
            if item.value is not None and item.name.text == var.name:
                drawn[sign] = e.coerce(e.expr(item.value, var.type), var.type, item.span)
            elif item.value is None and item.of is None:
                if item.name.text == var.name and var.type == TRUTH:
                    drawn[sign] = TRUE
                elif isinstance(var.type, Id) and item.name.text in world.domains[var.type.domain].index:
                    drawn[sign] = ir.Const(var.type, world.domains[var.type.domain].index[item.name.text])
    constants = {sign: value.value for sign, value in drawn.items() if isinstance(value, ir.Const)}
    if not constants or not isinstance(base, ir.Const):
        return base
    looks = world.domains[var.of].looks
    values = tuple(constants.get(sign, base.value) for sign in looks)
    data = world.add_data(pr.Data(f"{var.name} on the map", var.type, ((0, len(looks)),), values))
    return ir.Lookup(var.type, data, (ir.Local(Id(var.of), 0),))


def zero(world: World, type_: Type) -> ir.Const:
    """What a field holds where nothing is said: none, 0 (or the nearest number), the first member, nothing."""
    match type_:
        case Int(low=low, high=high, optional=optional):
            return ir.Const(type_, NONE if optional else min(max(0, low), high))
        case Id(optional=optional):
            return ir.Const(type_, NONE if optional else 0)
        case SetOf():
            return ir.Const(type_, 0)
        case BagOf(domain=domain):
            return ir.Const(type_, tuple([0] * len(world.domains[domain].members)))
        case ListOf():
            return ir.Const(type_, ())
        case Record(types=types):
            return ir.Const(type_, tuple(zero(world, each).value for each in types))  # type: ignore[misc]


def _audience(world: World, values: Values, var: w.Var) -> None:
    for clause in var.field.clauses if var.field else ():
        if isinstance(clause, ast.Seen):
            var.audience = _seen(world, values, clause, var.of)


def _seen(world: World, values: Values, clause: ast.Seen, of: int | None) -> ir.Expr | None:
    """Truth of local 0 (the member) and local 1 (the player): may the player see it?"""
    body = Body()
    e = Expressions(world, body, values.result)
    owner = body.new(Id(of if of is not None else 0))
    viewer = body.new(Id(0))
    if of is not None:
        body.owner = owner
        body.bind("self", owner)
    if isinstance(clause.by, ast.NoneExpr):
        return FALSE
    if isinstance(clause.by, ast.NameExpr) and clause.by.name == "all":
        return None
    found = e.expr(clause.by)
    if not known(found):
        return None
    if isinstance(found.type, SetOf):
        return e.membership(found, viewer, clause.by)
    if isinstance(found.type, Id):
        one, two, _ = e.join(found, viewer, clause.span)
        return ir.Op(TRUTH, "eq", (one, two)) if known(one) else None
    world.error(
        Code.TYPE_MISMATCH,
        clause.by.span,
        "players see, or `none`",
        hint="write `seen by owner`, `seen by none`",
    )
    return None


def _pile_audiences(world: World, values: Values) -> None:
    """Which card lies where is seen by those who see the pile."""
    for domain in world.domains:
        pool = domain.pool
        if pool is None or pool.pile is None or pool.order is None or pool.pile_domain is None:
            continue
        card = ir.Local(Id(domain.id), 0)
        pile = ir.Load(Id(pool.pile_domain, optional=True), pool.pile, card)
        tests: list[ir.Expr] = []
        for head in world.callables.values():
            if isinstance(head, w.Pile) and head.pool == domain.id:
                test = _pile_audience(world, values, head, pile)
                if test is not None:
                    tests.append(test)
        if tests:
            world.vars[pool.pile].audience = conjunction(tests)
            world.vars[pool.order].audience = conjunction(tests)


def _pile_audience(world: World, values: Values, head: w.Pile, pile: ir.Expr) -> ir.Expr | None:
    seen = next((clause for clause in head.decl.clauses if isinstance(clause, ast.Seen)), None)
    if seen is None:
        return None
    assert isinstance(pile.type, Id)
    count = len(world.domains[head.per].members) if head.per is not None else 1
    there = ir.Op(Id(pile.type.domain), "some", (pile,))
    at = ir.Op(Int(0, len(world.domains[pile.type.domain].members)), "id", (there,))
    inside = conjunction(
        [
            negation(ir.Op(TRUTH, "is_none", (pile,))),
            ir.Op(TRUTH, "ge", (at, number(head.base))),
            ir.Op(TRUTH, "lt", (at, number(head.base + count))),
        ]
    )
    body = Body()
    e = Expressions(world, body, values.result)
    body.new(Id(0))
    viewer = body.new(Id(0))
    if isinstance(seen.by, ast.NoneExpr):
        allowed: ir.Expr = FALSE
    elif head.per is not None:
        owner = ir.Op(Id(head.per), "cast", (there, number(-head.base)))
        body.bind("owner", owner)
        body.bind("self", owner)
        found = e.expr(seen.by)
        if not known(found):
            return None
        one, two, _ = e.join(found, viewer, seen.span)
        allowed = ir.Op(TRUTH, "eq", (one, two))
    else:
        found = e.expr(seen.by)
        one, two, _ = e.join(found, viewer, seen.span)
        allowed = ir.Op(TRUTH, "eq", (one, two))
    return ir.Op(TRUTH, "or", (negation(inside), allowed))


def _effects(world: World, gathered: Gathered) -> dict[str, tuple[tuple[ast.Row, tuple[ast.Stmt, ...]], ...]]:
    """The parsed rows of each table of effects; rows that other files add come with theirs."""
    found: dict[str, tuple[tuple[ast.Row, tuple[ast.Stmt, ...]], ...]] = {}
    for name, source in gathered.tables.items():
        decl = source.declaration
        if not decl.params or decl.result is not None:
            continue
        rows: list[tuple[ast.Row, tuple[ast.Stmt, ...]]] = []
        for head, group in source.groups:
            piece = replace(decl, rows=(head, *group))
            rows += [(row, parsed_effect(cell, world.diagnostics)) for row, cell in effect_cells(piece)]
        labelled = [_with_head(row, decl, source.groups) for row, _ in rows]
        found[name] = tuple((row, effect) for row, (_, effect) in zip(labelled, rows, strict=True))
    return found


def _with_head(row: ast.Row, decl: ast.Table, groups: list[tuple[ast.Row, tuple[ast.Row, ...]]]) -> ast.Row:
    """A row with its cells in the order of the table's own header."""
    for head, group in groups:
        if row in group and head is not decl.rows[0]:
            names = [cell.text for cell in head.cells]
            cells: list[ast.Cell] = []
            for cell in decl.rows[0].cells:
                at = names.index(cell.text) if cell.text in names else (0 if not cells else None)
                cells.append(
                    row.cells[at] if at is not None and at < len(row.cells) else ast.Cell("-", span=row.span)
                )
            return replace(row, cells=tuple(cells))
    return row


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
        (entry.declaration, _guard(world, entry.mode))
        for entry in gathered.entries
        if isinstance(entry.declaration, ast.Ending | ast.Objective)
    ]


# ---------------------------------------------------------------- the course of the game


def _main(world: World, gathered: Gathered, actions: Actions, round_var: int, setting_up: int | None) -> int:
    """Setup, then round after round; as many as the header says."""
    s = actions.statements([], None)
    if setting_up is not None:
        s.code.add(ir.Store(setting_up, None, None, TRUE, 0))
    for entry in sorted(gathered.of(ast.Setup), key=lambda each: each.layer):
        setup = entry.declaration
        if setup.side is not None:
            s.setup_side = s.expr(
                ast.NameExpr(setup.side.text, span=setup.side.span), world.types.get("Side")
            )
        guard = _guard(world, entry.mode)
        code = s.block(setup.body)
        s.code.add(*code if guard.condition is None else (mid.MidIf(guard.condition, code),))
        s.setup_side = None
    if setting_up is not None:
        s.code.add(ir.Store(setting_up, None, None, FALSE, 0))
    rounds = [entry.declaration for entry in gathered.of(ast.Round)]
    limit = header_number(gathered, "rounds")
    if rounds:
        _rounds(world, gathered, actions, s, rounds[-1], round_var, limit)
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
    decl: ast.Round,
    round_var: int,
    limit: int | None,
) -> None:
    site = world.site(decl.span)
    if limit is None and header_number(gathered, "decisions") is None:
        world.error(
            Code.UNBOUNDED_LOOP,
            gathered.headers[0].name.span,
            "nothing bounds the game",
            hint="write `rounds 20` or `decisions at most 500` in its header",
        )
    label = s.flow.label()
    with s.collecting() as code:
        s.code.add(ir.Change(round_var, None, None, number(1), limit is None, False, site))
        actions.lifetimes_at(s, "round", "start", [])
        text = (
            s.template(decl.label, {})
            if decl.label
            else (world.text("round {0}"), (s.load(round_var, None),))
        )
        s.code.add(ir.Log(text[0], text[1], None, "phase"))
        s.run_block(decl.body)
        actions.lifetimes_at(s, "round", "end", [])
        s.code.add(ir.TestEndings(False))
    body = tuple(code.statements)
    if limit is not None:
        s.code.add(mid.MidLoop(number(limit), TRUE, body, site))
    elif mid.suspends(body):
        s.code.add(mid.MidForever(label, body))
    else:
        s.code.add(mid.MidLoop(number(MAX_ROUNDS), TRUE, body, site))


def _retire(world: World, actions: Actions) -> None:
    for (domain, for_ever), index in list(world.retirements.items()):
        world.procedures[index] = actions.retirement(world.domains[domain], for_ever)
    for scope, index in actions.delays.forgetting.items():
        world.procedures[index] = ending(actions.statements([], None), actions.delays, scope)


def _check_effects(world: World, actions: Actions, lowered: list[pr.Action | None]) -> None:
    values = [value.lowered for value in world.values if value.lowered is not None]
    reads = analysis.Reads(values, [action for action in lowered if action is not None])
    found = effects.EffectsOf(reads, world.procedures, world.routines)
    effects.check_reactions(world, found, actions.hooks)
    effects.check_batches(world, found, actions.batches)
    effects.check_secrets(world, reads, world.routines)


# ---------------------------------------------------------------- freezing


def _freeze(
    world: World, gathered: Gathered, name: str, scenario: str, lowered: list[pr.Action | None],
    ends: tuple[pr.Ending, ...], main: int, tests: tuple[pr.Test, ...],
) -> pr.Program:  # fmt: skip
    sizes = [len(domain.members) for domain in world.domains]
    values = [value.lowered for value in world.values if value.lowered is not None]
    actions = [action for action in lowered if action is not None]
    assert len(values) == len(world.values) and len(actions) == len(world.actions)
    reads = analysis.Reads(values, actions)
    variables, at = _variables(world, sizes)
    secret = frozenset(index for index, var in enumerate(variables) if var.audience is not None)
    watched = reads.of(tuple(end.condition for end in ends if end.at_once))
    routines = [_routine(each, reads, secret, watched, sizes) for each in world.routines if each is not None]
    assert len(routines) == len(world.routines)
    procedures = []
    for procedure in world.procedures:
        assert procedure is not None
        body = analysis.test_at_once(procedure.body, watched) if watched else procedure.body
        procedures.append(replace(procedure, body=body))
    bounds = _bounds(world)
    starts = [
        main,
        *(
            step.index
            for test in tests
            for step in test.steps
            if step.kind == "run" and step.index is not None
        ),
    ]
    starts += world.searches.values()
    depth = analysis.deepest(routines, starts, bounds)
    title = next((item for _, items in header_items(gathered, "title") for item in [items]), None)
    decisions = header_number(gathered, "decisions") or DEFAULT_DECISIONS
    return pr.Program(
        name, scenario, _title(world, title), world.language, decisions, 0, tuple(world.texts), tuple(world.clauses),
        _domains(world), tuple(variables), tuple(world.data), tuple(values), tuple(actions), tuple(procedures),
        tuple(routines), ends, tuple(world.sites), tuple(world.options), (world.board,) if world.board else (),
        _pools(world), (), main, at, at + depth, tests,
    )  # fmt: skip


def _routine(
    each: pr.Routine, reads: analysis.Reads, secret: frozenset[int], watched: frozenset[int], sizes: list[int]
) -> pr.Routine:
    found = analysis.publish(each, reads, secret)
    if watched:
        blocks = tuple(
            ir.Block(analysis.test_at_once(block.body, watched), block.end) for block in found.blocks
        )
        found = replace(found, blocks=blocks)
    return analysis.lay_out(found, sizes)


def _bounds(world: World) -> dict[int, int]:
    """How often each routine may be open at once: as often as what it may be part of is nested."""
    most = max(
        [action.depth or 1 for action in world.actions]
        + [head.decl.nested or 1 for head in world.callables.values() if isinstance(head, w.Window)],
        default=1,
    )
    reaction_depths = [
        var.type.high for var in world.vars if var.role == "depth" and isinstance(var.type, Int)
    ]
    most = max([most, *(high + 1 for high in reaction_depths)])
    if most == 1:
        return {}
    return dict.fromkeys(range(len(world.routines)), most)


def _variables(world: World, sizes: list[int]) -> tuple[list[pr.Var], int]:
    at = pr.FIRST_VAR
    found = []
    for var in world.vars:
        width = analysis.words(var.type, sizes)
        assert var.initial is not None
        found.append(
            pr.Var(
                var.name,
                var.of,
                var.type,
                at,
                width,
                var.initial,
                var.audience,
                var.role,
                var.label,
                var.clause,
            )
        )
        at += width * (sizes[var.of] if var.of is not None else 1)
    return found, at


def _domains(world: World) -> tuple[pr.Domain, ...]:
    return tuple(
        pr.Domain(d.name, d.kind, tuple(d.members), tuple(d.labels), d.parts, tuple(d.looks), d.label)
        for d in world.domains
    )


def _pools(world: World) -> tuple[pr.Pool, ...]:
    found = []
    for domain in world.domains:
        pool = domain.pool
        if pool is not None:
            piles = tuple(world.domains[pool.pile_domain].members) if pool.pile_domain is not None else ()
            found.append(
                pr.Pool(
                    pool.name, domain.id, pool.kind_data, pool.in_play, pool.out, pool.pile, pool.order, piles
                )
            )
    return tuple(found)


def _title(world: World, items: list[ast.Name | ast.Text | ast.Number] | None) -> int | None:
    texts = []
    language = ""
    for item in items or ():
        if isinstance(item, ast.Name) and re.fullmatch(r"[a-z]{2}", item.text):
            language = item.text
        elif isinstance(item, ast.Text):
            texts.append((language or world.language, item.text))
    return world.text(ast.Label(tuple(texts), span=items[0].span)) if texts and items else None
