"""What a modifier for the rest of something keeps of the code that sets it: each name that it reads, copy by copy.

A modifier that adds, and was set for one thing with a name, is a count for each such thing (`delays`). Any other keeps
its names side by side, in variables of as many members as there may be copies: numbers, sets and bags too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int, SetOf, Type
from dsl.semantics.bodies.scope import conjunction, known, negation, number, replace_type
from dsl.semantics.code import mid
from dsl.semantics.code.rewrite import map_expr, walk_ir
from dsl.syntax import ast
from dsl.syntax.trees import walk

if TYPE_CHECKING:
    from dsl.semantics.bodies.expressions import Expressions
    from dsl.semantics.bodies.statements import Statements
    from dsl.semantics.clauses.delays import Lasting
    from dsl.semantics.things.world import World

MOST_COPIES = 15
COPIES = "copies"


def by_copies(tree: ast.Rest, names: list[str], found: list[ir.Expr]) -> bool:
    """Does it have to keep its names side by side?"""
    if tree.modify.op == "times" or len(names) > 1:
        return True
    if any(not isinstance(each.type, Id) or each.type.optional for each in found):
        return True
    read = {node.name for node in walk(tree.modify.operand) if isinstance(node, ast.NameExpr)}
    return tree.modify.op not in {"plus", "minus"} and bool(read & set(names))


def keep(s: Statements, lasting: Lasting, tree: ast.Rest, names: list[str], found: list[ir.Expr]) -> None:
    """Sets it once more, with what its names stand for now."""
    world, site = s.world, s.site(tree.span)
    if any(not known(each) for each in found):
        return
    types = [_kept(world, each.type) for each in found]
    if lasting.copies is None:
        lasting.copies = [
            (name, _variable(world, f"{world.vars[lasting.var].name}: {name}", type_))
            for name, type_ in zip(names, types, strict=True)
        ]
    elif [world.vars[var].type for _, var in lasting.copies] != types:
        s.fault(
            Code.LIMIT,
            tree.span,
            "a lasting modifier keeps the same kinds of things each time",
            hint="write it in an action of its own, whose parameters say what it keeps",
        )
        return
    count = world.vars[lasting.var]
    s.code.add(ir.Change(lasting.var, None, None, number(1), False, False, site))
    if not lasting.copies:
        return
    copies = domain_of_copies(world)
    last = ir.Op(
        Int(0, MOST_COPIES - 1),
        "narrow",
        (ir.Op(Int(-1, MOST_COPIES - 1), "sub", (ir.Load(count.type, count.id), number(1))),),
    )
    members = s.constant(f"members of {COPIES}", copies, ((0, MOST_COPIES),), tuple(range(MOST_COPIES)))
    place = s.body.new(copies)
    s.code.add(ir.SetLocal(place.index, ir.Lookup(copies, members, (last,))))
    for (_, var), each, type_ in zip(lasting.copies, found, types, strict=True):
        s.code.add(ir.Store(var, place, None, replace_type(each, type_), site))


def _kept(world: World, type_: Type) -> Type:
    """The type in which something is kept: of a piece, none where it has left play since."""
    if isinstance(type_, Id) and _may_leave(world, type_.domain):
        return replace(type_, optional=True)
    return type_


def _may_leave(world: World, domain: int) -> bool:
    own = world.domains[domain]
    return own.pool is not None or any(_may_leave(world, part) for part in own.parts)


def _variable(world: World, name: str, type_: Type) -> int:
    from dsl.semantics.clauses.initials import zero

    var = world.var(name, domain_of_copies(world).domain, type_, "field")
    var.initial = zero(world, type_)
    return var.id


def domain_of_copies(world: World) -> Id:
    """The copies of what may be set several times."""
    for domain in world.domains:
        if domain.name == COPIES and domain.kind == "enum" and not domain.fields:
            return Id(domain.id)
    domain = world.domain(COPIES, "enum")
    for copy in range(MOST_COPIES):
        domain.add(str(copy + 1), world.text(str(copy + 1)))
    return Id(domain.id)


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


def clauses_of_copies(e: Expressions, lasting: Lasting, read: Read) -> list[pr.ValueClause]:
    """The modifier as clauses: those that add as one sum over the copies, others one for each copy."""
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
            if isinstance(var.type, Id) and var.type.optional and _may_leave(world, var.type.domain):
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
        return [replace(clause, condition=ir.Const(TRUTH, 1), operand=total)]
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
