"""Statements that put off a call until a moment, or set a modifier for the rest of something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.elaborate.bodies.scope import known
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int, ListOf
from dsl.lower.ir_builder import number
from dsl.resolve import symbols as w
from dsl.resolve.declarations import zero
from dsl.resolve.delayed_effects import Delayed, Delays
from dsl.resolve.symbols import Param
from dsl.syntax import ast
from dsl.syntax.trees import walk

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements

from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.diagnostics import Code
from dsl.ir.types import Type
from dsl.lower.ir_builder import replace_type
from dsl.resolve.delayed_effects import COPIES, MOST_COPIES

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements
    from dsl.resolve.delayed_effects import Lasting
    from dsl.resolve.symbol_table import World


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
    if isinstance(type_, Id) and may_leave(world, type_.domain):
        return replace(type_, optional=True)
    return type_


def may_leave(world: World, domain: int) -> bool:
    """Are there pieces among the members of a domain, which can be taken away?"""
    own = world.domains[domain]
    return own.pool is not None or any(may_leave(world, part) for part in own.parts)


def _variable(world: World, name: str, type_: Type) -> int:
    var = world.var(name, domain_of_copies(world).domain, type_, "field")
    var.initial, var.put_off = zero(world, type_), "lasts"
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


def wait(s: Statements, delays: Delays, tree: ast.Later) -> None:
    """Keeps a call until its moment."""
    delayed = delays.later.get(id(tree))
    if delayed is None:
        return
    call = tree.call.call
    by = s.expr(tree.call.by, Id(0)) if tree.call.by else None
    args = s.action_arguments(delayed.action, call.arguments if isinstance(call, ast.Apply) else (), call, by)
    s.flush()
    if args is None:
        return
    same = encoded(s, delayed, args, tree.phase)
    if same is not None:
        s.code.add(ir.Change(delayed.var, None, None, same, False, False, s.site(tree.span)))


def encoded(s: Statements, delayed: Delayed, args: tuple[ir.Expr, ...], tree: ast.Expr) -> ir.Expr | None:
    """The number that stands for some arguments."""
    code: ir.Expr = number(0)
    type_ = s.world.vars[delayed.var].type
    assert isinstance(type_, ListOf) and isinstance(type_.of, Int)
    for arg, param, size in zip(args, delayed.action.params, delayed.sizes, strict=True):
        place = _number_of(s, arg, param)
        code = s.compute("+", s.compute("*", code, number(size), tree), place, tree)
    same = s.coerce(code, type_.of, tree.span)
    return same if known(same) else None


def _number_of(s: Statements, arg: ir.Expr, param: Param) -> ir.Expr:
    """An argument as a number from 0."""
    if isinstance(arg.type, Id):
        return ir.Op(Int(0, len(s.world.domains[arg.type.domain].members) - 1), "id", (arg,))
    assert isinstance(arg.type, Int) and isinstance(param.type, Int)
    low = param.type.low
    return ir.Op(Int(arg.type.low - low, arg.type.high - low), "sub", (arg, number(low)))


def last(s: Statements, delays: Delays, tree: ast.Rest) -> None:
    """Sets a lasting modifier once more; the local names that it reads are kept with it."""
    lasting = delays.rest.get(id(tree))
    if lasting is None:
        return
    names = _locals_read(s, tree)
    found = [each for name in names if (each := s.body.find(name)) is not None]
    if by_copies(tree, names, found):
        keep(s, lasting, tree, names, found)
        return
    owner = None
    if found:
        (owner,) = found
        assert isinstance(owner.type, Id)
        lasting.captured, lasting.of = names[0], owner.type.domain
        s.world.vars[lasting.var].of = owner.type.domain
    counted = tree.modify.op in {"plus", "minus"}  # any other does the same however often it is set
    s.code.add(ir.Change(lasting.var, owner, None, number(1), not counted, False, s.site(tree.span)))


def _locals_read(s: Statements, tree: ast.Rest) -> list[str]:
    target = tree.modify.target
    own = {param.name.text for param in target.params or ()}
    head = s.world.callables.get(target.name.text)
    if isinstance(head, w.Value | w.Action) and target.params is None:
        own = {param.name for param in head.params}
    bound = {
        node.selection.name.text
        for node in walk(tree.modify)
        if isinstance(node, ast.Quantified | ast.Every | ast.Total | ast.Extreme)
    }
    parts = (tree.modify.operand, tree.modify.tail.condition)
    names = [
        node.name
        for part in parts
        if part is not None
        for node in walk(part)
        if isinstance(node, ast.NameExpr)
    ]
    return list(
        dict.fromkeys(name for name in names if name not in own | bound and s.body.find(name) is not None)
    )
