"""The course of a game: setup, then rounds until an ending or the bound, as the routine that runs it all."""

from __future__ import annotations

from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.routines import routine
from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.clauses.actions import Actions
from dsl.elaborate.clauses.heads import guard_of
from dsl.elaborate.clauses.lifetimes import lifetimes_at
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, Int
from dsl.linker.layers import Gathered
from dsl.linker.modes import Standing
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import FALSE, TRUE, number
from dsl.resolve.headers import Item, header_items, header_number
from dsl.resolve.symbol_table import World
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of

MAX_INSTANTS = 64
"""`together` blocks inside each other."""
MAX_ROUNDS = 100_000


def declare_round(world: World, gathered: Gathered) -> int:
    """The variable that counts the rounds."""
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
            world.error(
                Code.UNBOUNDED_LOOP,
                span,
                tr("nothing bounds the game in the mode `{name}`", name=name),
                hint=hint,
            )
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
    world.error(
        Code.UNKNOWN_NAME,
        written.span,
        tr("`{name}` is no ruling over a range of numbers", name=name),
        hint=hint,
    )
    return number(1)


def declare_setting_up(world: World, gathered: Gathered) -> int | None:
    """The truth that a position is being set up, when no ending is tested: half a setup is no position."""
    at_once = any(entry.declaration.at_once for entry in gathered.of(ast.Ending))
    if not at_once and not any(True for _ in gathered.of(ast.Setup)):
        return None
    var = world.var("setting up", None, TRUTH, "window")
    var.initial = FALSE
    world.setting_up = var.id
    return var.id


def declare_instant(world: World, gathered: Gathered) -> int | None:
    """How many `together` blocks are under way: their instant lasts until all has followed, and has no ending."""
    if not any(nodes_of(entry.declaration, ast.Together) for entry in gathered.entries):
        return None
    var = world.var("instant", None, Int(0, MAX_INSTANTS), "window")
    var.initial = ir.Const(var.type, 0)
    return var.id


def main_routine(
    world: World, gathered: Gathered, actions: Actions, round_var: int, setting_up: int | None
) -> int:
    """Setup, then round after round; as many as the header says."""
    s = actions.statements([], None)
    if setting_up is not None:
        s.code.add(ir.Store(setting_up, None, None, TRUE, 0))
    for entry in sorted(gathered.of(ast.Setup), key=lambda each: each.layer):
        setup = entry.declaration
        if setup.side is not None:
            s.setup_side = side_of_setup(world, setup.side)
        guard = guard_of(world, entry.where)
        code = s.block(setup.body)
        s.code.add(*code if guard.condition is None else (mid.MidIf(guard.condition, code),))
        s.setup_side = None
    if setting_up is not None:
        s.code.add(ir.Store(setting_up, None, None, FALSE, 0))
    return _play(world, gathered, actions, s, round_var)


def rounds_routine(world: World, gathered: Gathered, actions: Actions, round_var: int) -> int:
    """Round after round, without the setup: for tests that are given a situation and play on from it. Rounds that lie
    behind by what is given are played no more.
    """
    return _play(world, gathered, actions, actions.statements([], None), round_var, given=True)


def _play(
    world: World,
    gathered: Gathered,
    actions: Actions,
    s: Statements,
    round_var: int,
    *,
    given: bool = False,
) -> int:
    """The rounds behind what stands there, as a routine of the game's name; its number. With `given` some of them may
    have been played.
    """
    rounds = [(entry.where, entry.declaration) for entry in gathered.of(ast.Round)]
    limit = _limit(world, gathered)
    if given and limit is not None:
        played = s.load(round_var, None)
        most, behind = _range_of(limit), _range_of(played)
        left = Int(most.low - behind.high, most.high - behind.low)
        limit = ir.Op(left, "sub", (limit, played))
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
    rounds: list[tuple[Standing, ast.Round]],
    round_var: int,
    limit: ir.Expr | None,
) -> None:
    site = world.site(rounds[0][1].span)
    is_bounded = limit is not None or header_number(gathered, "decisions") is not None
    if not is_bounded and not any(world.reporter.is_spoilt(header.span) for header in gathered.headers):
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


def _one_round(world: World, s: Statements, where: Standing, decl: ast.Round, round_var: int) -> None:
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


def side_of_setup(world: World, name: ast.Name) -> ir.Expr | None:
    """Whose setup it is: a player or one of the sides."""
    type_ = world.types["Side"]
    assert isinstance(type_, Id)
    sides = world.domains[type_.domain]
    if name.text in sides.index:
        return ir.Const(type_, sides.index[name.text])
    message = tr("`{name}` is neither a player nor a side", name=name.text)
    hint = world.nearest(name.text, sides.members) or tr(
        "write `setup:`, or one of {members}", members=", ".join(sides.members)
    )
    world.unknown("player", name.span, message, hint=hint)
    return None
