"""What a modifier for the rest of something keeps of the code that sets it: each name that it reads, copy by copy.

A modifier that adds, and was set for one thing with a name, is a count for each such thing (`delays`). Any other keeps
its names side by side, in variables of as many members as there may be copies: numbers, sets and bags too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.elaborate.bodies.delays import domain_of_copies, may_leave
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.rewrite import map_expr
from dsl.ir.types import TRUTH, Id, Int, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, conjunction, negation
from dsl.lower.rewrite import walk_ir
from dsl.resolve.delayed_effects import MOST_COPIES

if TYPE_CHECKING:
    from dsl.elaborate.bodies.expressions import Expressions
    from dsl.elaborate.bodies.statements import Statements
    from dsl.resolve.delayed_effects import Lasting


def forget_copies(s: Statements, lasting: Lasting) -> None:
    """Empties what its copies keep."""
    copies = domain_of_copies(s.world)
    for _, number_ in lasting.copies or ():
        var = s.world.vars[number_]
        place = s.body.new(copies)
        site = s.site(lasting.tree.span)
        assert var.initial is not None
        emptied = ir.Store(var.id, place, None, var.initial, site)
        every = ir.Const(SetOf(copies), (1 << MOST_COPIES) - 1)
        s.code.add(mid.MidForEach(place.index, every, (emptied,), site))


Read = Callable[[], pr.ValueClause | None]


def clauses_of_copies(
    e: Expressions, lasting: Lasting, read: Read, *, ranks: bool = False
) -> list[pr.ValueClause]:
    """The modifier as clauses: those that add as one sum over the copies, others one for each copy. One that `ranks`
    itself over others stands only where a copy does.
    """
    world = e.world
    copies = domain_of_copies(world)
    count = ir.Load(world.vars[lasting.var].type, lasting.var)
    with e.body.block():
        copy = e.body.new(copies)
        at = ir.Op(Int(0, MOST_COPIES - 1), "id", (copy,))
        tests: list[ir.Expr] = [ir.Op(TRUTH, "lt", (at, count))]
        for name, number_ in lasting.copies or ():
            var = world.vars[number_]
            load: ir.Expr = ir.Load(var.type, var.id, copy)
            if isinstance(var.type, Id) and var.type.optional and may_leave(world, var.type.domain):
                tests.append(negation(ir.Op(TRUTH, "is_none", (load,))))
                load = ir.Op(replace(var.type, optional=False), "some", (load,))
            e.body.bind(name, load)
        clause = read()
    if clause is None:
        return []
    holds = conjunction([*tests, clause.condition])
    if clause.stage == "plus":
        assert isinstance(clause.operand.type, Int)
        low, high = clause.operand.type.low, clause.operand.type.high
        type_ = Int(min(0, MOST_COPIES * low), max(0, MOST_COPIES * high))
        every = ir.Const(SetOf(copies), (1 << MOST_COPIES) - 1)
        total = ir.Fold(type_, "sum", copy.index, every, holds, clause.operand)
        stands = ir.Fold(TRUTH, "any", copy.index, every, holds, TRUE) if ranks else TRUE
        return [replace(clause, condition=stands, operand=total)]
    return [
        replace(
            clause,
            condition=_of_copy(holds, copy, number_),
            operand=_of_copy(clause.operand, copy, number_),
            divisor=None if clause.divisor is None else _of_copy(clause.divisor, copy, number_),
        )
        for number_ in range(MOST_COPIES)
    ]


def _of_copy(expr: ir.Expr, copy: ir.Local, number_: int) -> ir.Expr:
    """An expression for one of the copies."""
    if not any(isinstance(node, ir.Local) and node.index == copy.index for node in walk_ir(expr)):
        return expr
    one = ir.Const(copy.type, number_)
    return map_expr(expr, lambda node: one if node == copy else node)
