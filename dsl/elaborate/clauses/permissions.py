"""Prohibitions: all that may refuse an action."""

from __future__ import annotations

from dsl.catalogue import N_
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.guards import bind_lets, with_lets
from dsl.elaborate.bodies.scope import Body
from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.clauses.conditions import bind_params, conditions
from dsl.elaborate.clauses.precedence import Handled, overruling
from dsl.elaborate.clauses.values import Values
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Int, Type
from dsl.lower.ir_builder import conjunction, negation, number
from dsl.resolve import symbols as w
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Guard
from dsl.syntax import ast
from dsl.syntax.trees import handles_of


def prohibitions(
    world: World, values: Values, action: w.Action
) -> tuple[tuple[pr.Prohibition, ...], tuple[Type, ...]]:
    """All that may refuse an action, with the locals that the conditions bind behind its parameters."""
    body = Body()
    e = Statements(world, body, values.result)
    for param in action.params:
        body.bind(param.name, body.new(param.type))
    if action.by is not None:
        body.by = ir.Local(body.locals[action.by], action.by)
    handled = []
    for decl, _ in action.permits:
        over = decl.tail.over if isinstance(decl, ast.Permit) else ()
        handled.append(Handled(handles_of(decl), over, decl.span))
    overruled = overruling(world.reporter, handled, action.name)
    _check_lifting(world.reporter, action, overruled)
    found = []
    for (decl, guard), over_by in zip(action.permits, overruled, strict=True):
        found.append(_prohibition(e, action, decl, guard, over_by))
    found += _implicit(world, action)
    return tuple(found), tuple(body.locals)


def _check_lifting(reporter: Reporter, action: w.Action, overruled: list[tuple[int, ...]]) -> None:
    """What an `allow` is over has to forbid something: another `allow` does not."""
    for index, (decl, _) in enumerate(action.permits):
        below = [action.permits[at][0] for at, over in enumerate(overruled) if index in over]
        if not isinstance(decl, ast.Permit) or decl.verb != "allow" or not below:
            continue
        if all(isinstance(each, ast.Permit) and each.verb == "allow" for each in below):
            reporter.error(
                Code.ALLOW_OVER_NOTHING,
                decl.span,
                "this `allow` lifts nothing: what it is over is an `allow` itself",
                labels=(Label(below[0].span, "it is over this one"),),
                hint='name the `forbid` or `need` that it lifts: `over [ID]` or `over "its words"`',
            )


def _prohibition(
    e: Statements, action: w.Action, decl: ast.Permit | ast.Need, guard: Guard, over: tuple[int, ...]
) -> pr.Prohibition:
    world = e.world
    kind = decl.verb if isinstance(decl, ast.Permit) else "need"
    clause = world.clause(kind, action.name, decl.citation, decl.span)
    reason: int | None = None
    reason_args: tuple[ir.Expr, ...] = ()
    with e.body.block():
        if isinstance(decl, ast.Permit):
            bind_params(e, decl.targets[0], action.params, action.name)
            own = [param.name.text for param in decl.targets[0].params or ()]
            if own != [param.name for param in action.params[: len(own)]]:
                e.body.facts.clear()  # what the needs know, they know by other names
        lets = bind_lets(e, guard.lets)
        if isinstance(decl, ast.Need):
            condition = negation(e.truth(decl.condition))
            if guard.condition is not None:
                condition = conjunction([guard.condition, condition])
            e.learn(decl.condition, holds=False)
            label = decl.reason
        else:
            condition = conditions(e, decl.tail.condition, guard)
            label = decl.tail.reason
            if decl.verb == "allow" and not decl.tail.over:
                world.error(
                    Code.ALLOW_OVER_NOTHING,
                    decl.span,
                    "an `allow` lifts a prohibition, and names it",
                    hint='write `allow ... when ..., over [ID]`, or `over "its words"`',
                )
        if label is not None:
            reason, reason_args = e.template(label, {})
    if isinstance(decl, ast.Need) and guard.condition is None:
        e.learn(decl.condition, holds=True)
    reason_args = tuple(with_lets(lets, arg) for arg in reason_args)
    return pr.Prohibition(clause, kind, with_lets(lets, condition), reason, reason_args, over)


def _implicit(world: World, action: w.Action) -> list[pr.Prohibition]:
    """What the head itself refuses: to be met again too deep, or outside its mode."""
    found = []
    assert action.clause is not None
    if action.depth is not None and action.depth_var is not None:
        depth = ir.Load(Int(0, action.depth), action.depth_var)
        reason = world.given(N_("already under way"))
        found.append(
            pr.Prohibition(
                action.clause, "forbid", ir.Op(TRUTH, "ge", (depth, number(action.depth))), reason, (), ()
            )
        )
    if action.mode is not None:
        reason = world.given(N_("not in this mode"))
        found.append(pr.Prohibition(action.clause, "forbid", negation(action.mode), reason, (), ()))
    return found
