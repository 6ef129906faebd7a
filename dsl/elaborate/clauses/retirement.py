"""Taking a piece out of play: its fields begin anew, and what refers to it refers to none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.elaborate.bodies.holders import leaving
from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.clauses.lifetimes import initial
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, Id, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import plain
from dsl.lower.ir_builder import number
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Param

if TYPE_CHECKING:
    from dsl.elaborate.clauses.actions import Actions


def retirement(actions: Actions, domain: w.Domain, for_ever: bool, leaf: bool) -> pr.Procedure:
    """Takes a piece out of play; then its fields begin anew, and what refers to it refers to none.

    Before, what its holder's leaving means is done to all that is in it; a `leaf` holds nothing.
    """
    world = actions.world
    assert domain.pool is not None
    s = actions.statements([Param("piece", Id(domain.id))], None)
    piece = ir.Local(Id(domain.id), 0)
    if not leaf:
        s.code.add(*leaving(s, domain, piece))
    single = ir.Op(SetOf(Id(domain.id)), "single", (piece,))
    site = 0
    in_play = ir.Load(SetOf(Id(domain.id)), domain.pool.in_play)
    s.code.add(
        ir.Store(domain.pool.in_play, None, None, ir.Op(in_play.type, "minus", (in_play, single)), site)
    )
    for var in list(world.vars):
        if var.role == "pile" and var.of == domain.id:
            nowhere = ir.Const(var.type, NONE)
            pool = [each.id for each in world.domains if each.pool is not None].index(domain.id)
            s.code.add(ir.MoveCard(pool, piece, nowhere, True, site))
        if var.role != "field":
            continue
        if var.of == domain.id and var.id != domain.pool.kind_var:
            s.code.add(ir.Store(var.id, piece, None, initial(piece, var), site))
        _forget(actions.world, s, var, domain, piece)
    if for_ever:
        out = ir.Load(SetOf(Id(domain.id)), domain.pool.out)
        s.code.add(ir.Store(domain.pool.out, None, None, ir.Op(out.type, "union", (out, single)), site))
    return pr.Procedure(
        f"take away {domain.name}", 1, tuple(s.body.locals), None, plain(tuple(s.code.statements))
    )


def _forget(world: World, s: Statements, var: w.Var, domain: w.Domain, piece: ir.Expr) -> None:
    """References to the piece become none; sets of pieces lose it."""
    element = var.type.of if isinstance(var.type, SetOf) else var.type
    if not isinstance(element, Id):
        return
    offset = s.offset(domain.id, element.domain)
    if offset is None or (isinstance(var.type, Id) and not var.type.optional):
        return
    whole = Id(element.domain)
    here = piece if element.domain == domain.id else ir.Op(whole, "cast", (piece, number(offset)))
    owner = s.body.new(Id(var.of)) if var.of is not None else None
    load = ir.Load(var.type, var.id, owner)
    store: mid.Mid
    if isinstance(var.type, SetOf):
        less = ir.Op(var.type, "minus", (load, ir.Op(var.type, "single", (here,))))
        store = ir.If(ir.Op(TRUTH, "has", (load, here)), (ir.Store(var.id, owner, None, less, 0),))
    else:
        gone = ir.Const(var.type, NONE)
        store = ir.If(ir.Op(TRUTH, "eq", (load, here)), (ir.Store(var.id, owner, None, gone, 0),))
    if owner is None or var.of is None:
        s.code.add(store)
        return
    everybody = ir.Const(SetOf(Id(var.of)), (1 << len(world.domains[var.of].members)) - 1)
    s.code.add(mid.MidForEach(owner.index, everybody, (store,), 0))
