"""How fields begin: with what their declaration says, or what some modes say in its place.

A game begins with all of them. A piece comes into play later: whose it then is, where it stands, and what else holds at
that moment is not what held before the game. So what reads any of this is computed again as the piece is placed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.elaborate.bodies.scope import known
from dsl.ir import nodes as ir
from dsl.ir.walk import inside
from dsl.resolve import symbols as w
from dsl.resolve.declarations import zero
from dsl.resolve.symbol_table import World

if TYPE_CHECKING:
    from dsl.elaborate.bodies.expressions import Expressions


def by_mode(e: Expressions, var: w.Var, base: ir.Expr) -> ir.Expr:
    """How a field begins where some modes say it in their own way; of several the narrowest."""
    result = base
    for field, where in reversed(var.starts):
        test = e.world.in_modes(where)
        if field.initial is None:
            own: ir.Expr = zero(e.world, var.type)
        else:
            own = e.coerce(e.expr(field.initial, var.type), var.type, field.initial.span)
        if known(own) and known(result):
            result = own if test is None else ir.Op(var.type, "if", (test, own, result))
    return result


def begins_later(world: World, var: w.Var) -> bool:
    """Does what a field of pieces begins with depend on anything but what is printed, and how the game was set?"""
    if var.role != "field" or var.field is None or var.initial is None or not known(var.initial):
        return False
    seen = world.beginning_later.get(var.id)
    if seen is None or seen[0] is not var.initial:
        seen = world.beginning_later[var.id] = var.initial, _follows_from_play(world, var.initial)
    return seen[1]


def _follows_from_play(world: World, initial: ir.Expr) -> bool:
    return any(
        isinstance(each, ir.Ask | ir.Judge | ir.LoadItem | ir.Reach | ir.Trial | ir.Occurrences)
        or (isinstance(each, ir.Load) and world.vars[each.var].role != "option")
        for each in inside(initial)
    )


def begun(e: Expressions, var: w.Var, piece: ir.Expr) -> ir.Expr:
    """What a field of a piece begins with as it comes into play."""
    body = e.body
    names, owner, facts = body.names, body.owner, body.facts
    body.names, body.owner, body.facts = [{"self": piece}], piece, set()
    assert var.field is not None
    tree = var.field.initial
    base = zero(e.world, var.type) if tree is None else e.coerce(e.expr(tree, var.type), var.type, tree.span)
    found = by_mode(e, var, base)
    body.names, body.owner, body.facts = names, owner, facts
    return found
