"""Endings: victories, defeats, draws and objectives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dsl.catalogue import tr
from dsl.check.lints import warn_of_free
from dsl.diagnostics import Code
from dsl.elaborate.bodies.scope import Body
from dsl.elaborate.bodies.sides import NOBODY, decider, side_named, sides_known, team
from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.clauses.conditions import conditions
from dsl.elaborate.clauses.values import Values
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id
from dsl.lower.ir_builder import TRUE, conjunction, replace_type
from dsl.resolve.hints import near_or_all
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Guard
from dsl.resolve.translations import HOLE
from dsl.syntax import ast


def endings(
    world: World, values: Values, entries: Iterable[tuple[ast.Ending | ast.Objective, Guard]]
) -> tuple[pr.Ending, ...]:
    """Victories, defeats and draws, in the order in which they are declared."""
    found: list[pr.Ending] = []
    for decl, guard in entries:
        if isinstance(decl, ast.Ending):
            found += _ending(world, values, decl, guard)
        else:
            found += _objective(world, values, decl, guard)
    return tuple(found)


def _ending(world: World, values: Values, decl: ast.Ending, guard: Guard) -> list[pr.Ending]:
    body = Body()
    e = Statements(world, body, values.result)
    local = body.new(Id(0))
    body.new(Id(0))
    who: int | ir.Expr | None = None
    if decl.who is not None and decl.kind == "draw":
        e.fault(
            Code.WRONG_ARGUMENTS,
            decl.who.span,
            "a draw is nobody's: no player is named",
            hint="write `draw when ...`, or `victory PLAYER when ...`",
        )
    elif decl.who is not None:
        who = _who(e, decl.who, local, decl.condition)
    elif decl.kind != "draw" and len(world.domains[0].members) > 1:
        _tell_of_nobody(e, decl)
    clause = world.clause("ending", decl.kind, decl.citation, decl.span)
    condition = conditions(e, decl.condition, guard)
    label = _words(world, decl.label)
    ending = pr.Ending(decl.kind, None, condition, (), decl.at_once, decl.otherwise, label, clause)
    return _for_whom(e, ending, who, local)


def _tell_of_nobody(e: Statements, decl: ast.Ending) -> None:
    """A victory or defeat that names nobody would be that of all players at once."""
    end = "otherwise" if decl.otherwise else "when ..."
    message = "nobody is named who wins" if decl.kind == "victory" else "nobody is named who loses"
    hint = tr(
        "write `{kind} {name} {end}`, or `{kind} p {end}` for each player `p` for whom it holds",
        kind=decl.kind,
        name=e.world.domains[0].members[0],
        end=end,
    )
    e.fault(Code.WRONG_ARGUMENTS, decl.span, message, hint=hint)


def _for_whom(
    e: Statements, ending: pr.Ending, who: int | ir.Expr | None, local: ir.Local
) -> list[pr.Ending]:
    """An ending for a player by his number, for any (none), or for whoever decides for a side.

    A side for which nobody decides wins against all players, so that none of them does.
    """
    if isinstance(who, int) or who is None:
        together = team(e.world, e.body.new, local) if ending.kind != "draw" else None
        return [replace(ending, who=who, locals=tuple(e.body.locals), team=together)]
    owner = replace_type(decider(e.world, who), NOBODY)
    his = ir.Op(TRUTH, "eq", (owner, replace_type(local, NOBODY)))
    found = _for_whom(e, replace(ending, condition=conjunction([ending.condition, his])), None, local)
    if ending.kind == "victory":
        nobodys = conjunction([ending.condition, ir.Op(TRUTH, "is_none", (owner,))])
        found.append(replace(ending, kind="draw", condition=nobodys, locals=tuple(e.body.locals)))
    return found


def _who(e: Statements, tree: ast.Expr, local: ir.Local, condition: ast.Expr | None) -> int | ir.Expr | None:
    """A player or side by name, or a free name that stands for any player."""
    players = e.world.domains[0]
    if isinstance(tree, ast.NameExpr):
        if tree.name in players.index:
            return players.index[tree.name]
        side = side_named(e.world, tree.name)
        if side is not None:
            return side
        if tree.name not in e.world.members and tree.name not in e.world.globals:
            e.body.bind(tree.name, local)
            warn_of_free(e.world, tree, condition)
            return None
    e.fault(
        Code.TYPE_MISMATCH,
        tree.span,
        "a player or a side wins: one by name, or any player by a free name such as `p`",
    )
    return None


def _objective(world: World, values: Values, decl: ast.Objective, guard: Guard) -> list[pr.Ending]:
    body = Body()
    e = Statements(world, body, values.result)
    local = body.new(Id(0))
    name = decl.side.text
    side = side_named(world, name)
    if side is None:
        hint = near_or_all(world.reporter, name, sides_known(world), "there are")
        world.unknown("player", decl.side.span, name=name, hint=hint)
    clause = world.clause("ending", "objective", decl.citation, decl.span)
    condition = conditions(e, decl.condition, guard) if decl.condition else TRUE
    label = _words(world, decl.label)
    ending = pr.Ending("victory", None, condition, (), False, decl.condition is None, label, clause)
    return _for_whom(e, ending, world.domains[0].index.get(name, side), local)


def _words(world: World, label: ast.Label | None) -> int | None:
    """How a game ends, in words that are the same whatever the state is."""
    if label is None:
        return None
    holes = {hole for _, text in label.texts for hole in HOLE.findall(text)}
    if holes:
        world.error(
            Code.TYPE_MISMATCH,
            label.span,
            tr(
                "the words of an ending name nothing of the game: {holes}",
                holes=", ".join(f"`{each}`" for each in sorted(holes)),
            ),
            hint="write plain words; who wins is told beside them, and a `say` before the end can tell the rest",
        )
    return world.text(label)
