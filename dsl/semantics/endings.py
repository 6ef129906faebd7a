"""Endings: victories, defeats, draws and objectives."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import Id
from dsl.semantics.clauses import Values, conditions
from dsl.semantics.lints import warn_of_free
from dsl.semantics.scope import TRUE, Body
from dsl.semantics.statements import Statements
from dsl.semantics.world import Guard, World
from dsl.syntax import ast


def endings(
    world: World, values: Values, entries: Iterable[tuple[ast.Ending | ast.Objective, Guard]]
) -> tuple[pr.Ending, ...]:
    """Victories, defeats and draws, in the order in which they are declared."""
    return tuple(
        _ending(world, values, decl, guard)
        if isinstance(decl, ast.Ending)
        else _objective(world, values, decl, guard)
        for decl, guard in entries
    )


def _ending(world: World, values: Values, decl: ast.Ending, guard: Guard) -> pr.Ending:
    body = Body()
    e = Statements(world, body, values.result)
    local = body.new(Id(0))
    body.new(Id(0))
    who = None
    if decl.who is not None:
        who = _who(e, decl.who, local, decl.condition)
    clause = world.clause("ending", decl.kind, decl.citation, decl.span)
    condition = conditions(e, decl.condition, guard)
    label = world.text(decl.label) if decl.label else None
    return pr.Ending(
        decl.kind, who, condition, tuple(body.locals), decl.at_once, decl.otherwise, label, clause
    )


def _who(e: Statements, tree: ast.Expr, local: ir.Local, condition: ast.Expr | None) -> int | None:
    """A player by name, or a free name that stands for any player."""
    players = e.world.domains[0]
    if isinstance(tree, ast.NameExpr):
        if tree.name in players.index:
            return players.index[tree.name]
        if tree.name not in e.world.members and tree.name not in e.world.globals:
            e.body.bind(tree.name, local)
            warn_of_free(e.world, tree, condition)
            return None
    e.fault(Code.TYPE_MISMATCH, tree.span, "a player wins: one by name, or any by a free name such as `p`")
    return None


def _objective(world: World, values: Values, decl: ast.Objective, guard: Guard) -> pr.Ending:
    body = Body()
    e = Statements(world, body, values.result)
    body.new(Id(0))
    players = world.domains[0]
    if decl.side.text not in players.index:
        hint = world.nearest(decl.side.text, players.members)
        world.error(Code.UNKNOWN_NAME, decl.side.span, f"there is no player `{decl.side.text}`", hint=hint)
    who = players.index.get(decl.side.text, 0)
    clause = world.clause("ending", "objective", decl.citation, decl.span)
    condition = conditions(e, decl.condition, guard) if decl.condition else TRUE
    label = world.text(decl.label) if decl.label else None
    return pr.Ending(
        "victory", who, condition, tuple(body.locals), False, decl.condition is None, label, clause
    )
