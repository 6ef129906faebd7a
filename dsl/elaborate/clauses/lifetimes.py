"""Fields that take their initial value again at a moment of an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.clauses.delays import fire, forget
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import FALSE, TRUE, conjunction, negation
from dsl.lower.rewrite import substitute
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Param
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.clauses.actions import Actions


def lifetimes_at(actions: Actions, s: Statements, scope: str, moment: str, params: list[Param]) -> None:
    """What ends, begins anew or comes due at the start or end of an action."""
    if moment == "end":
        forget(s, actions.delays, scope, 0)
    for lifetime in actions.lifetimes.get(scope, ()):
        if lifetime.clause.moment == moment and not lifetime.clause.next:
            _for_members(actions, s, lifetime, params, _resets)
        elif lifetime.clause.next and moment == "start":
            _for_members(actions, s, lifetime, params, _arms)
        elif lifetime.clause.next and moment == lifetime.clause.moment:
            _for_members(actions, s, lifetime, params, _fires)
    fired = fire(s, actions.delays, scope, moment)
    actions.moments.append((scope, moment, fired))


def _for_members(
    actions: Actions,
    s: Statements,
    lifetime: Lifetime,
    params: list[Param],
    build: Callable[[World, ir.Expr | None, w.Var], list[mid.Mid]],
) -> None:
    """Does something to the field of each member whose scope this is."""
    var = actions.world.vars[lifetime.var]
    site = actions.world.site(lifetime.clause.span)
    if var.of is None:
        s.code.add(*build(actions.world, None, var))
        return
    owner = s.body.new(Id(var.of))
    with s.collecting() as code:
        s.body.bind("self", owner)
        s.body.owner = owner
        tests = [
            ir.Op(
                TRUTH,
                "eq",
                s.join(s.expr(arg, param.type), ir.Local(s.body.locals[index], index), arg.span)[:2],
            )
            for index, (arg, param) in enumerate(zip(lifetime.args, params, strict=False))
        ]
        s.body.owner = None
        body = tuple(build(actions.world, owner, var))
        s.code.add(*((mid.MidIf(conjunction(list(tests)), body),) if tests else body))
    s.code.add(mid.MidForEach(owner.index, s.members(var.of), tuple(code.statements), site))


def initial(owner: ir.Expr | None, var: w.Var) -> ir.Expr:
    """The value with which a field begins, for a member."""
    value = var.initial if var.initial is not None else FALSE
    return substitute(value, owner) if owner is not None else value


def _resets(world: World, owner: ir.Expr | None, var: w.Var) -> list[mid.Mid]:
    site = world.site(var.field.span) if var.field else 0
    return [ir.Store(var.id, owner, None, initial(owner, var), site)]


def _arms(world: World, owner: ir.Expr | None, var: w.Var) -> list[mid.Mid]:
    assert var.armed is not None and var.field is not None
    changed = negation(ir.Op(TRUTH, "eq", (ir.Load(var.type, var.id, owner), initial(owner, var))))
    return [mid.MidIf(changed, (ir.Store(var.armed, owner, None, TRUE, world.site(var.field.span)),))]


def _fires(world: World, owner: ir.Expr | None, var: w.Var) -> list[mid.Mid]:
    assert var.armed is not None and var.field is not None
    site = world.site(var.field.span)
    rest = (*_resets(world, owner, var), ir.Store(var.armed, owner, None, FALSE, site))
    return [mid.MidIf(ir.Load(TRUTH, var.armed, owner), rest)]


@record(slots=True)
class Lifetime:
    """A field that takes its initial value again at a moment of an action."""

    var: int
    clause: ast.Again
    args: tuple[ast.Expr, ...]
