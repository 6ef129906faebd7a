"""Whose a secret is: expressions for members, from one piece of code to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from dsl.ir import nodes as ir
from dsl.ir.rewrite import map_expr
from dsl.lower.rewrite import walk_ir

SAME = {"cast", "some", "narrow"}
"""Operations that give the same thing under another type."""
PLAIN = SAME | {"id"}
"""Operations of which two are equal where their arguments are."""


@cache
def locals_of(owner: ir.Expr) -> frozenset[int]:
    """The locals by which an expression says who is meant."""
    return frozenset(each.index for each in walk_ir(owner) if isinstance(each, ir.Local))


@cache
def plain(owner: ir.Expr) -> ir.Expr | None:
    """An expression for a member without what changes its type alone; none where it is no simple one."""
    while isinstance(owner, ir.Op) and owner.op in SAME and len(owner.args) == 1:
        owner = owner.args[0]
    for each in walk_ir(owner):
        if isinstance(each, ir.Op):
            if each.op not in PLAIN:
                return None
        elif not isinstance(each, ir.Const | ir.Local | ir.Load | ir.Lookup):
            return None
    return owner


def handed(owner: ir.Expr, args: Mapping[int, ir.Expr] | tuple[ir.Expr, ...]) -> ir.Expr | None:
    """An expression in terms of parameters in terms of what they are given; none where it names other locals."""
    given = dict(enumerate(args)) if isinstance(args, tuple) else args
    if not locals_of(owner) <= given.keys():
        return None
    return plain(substituted(owner, given.get))


def received(owner: ir.Expr, args: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """An expression in terms of the parameters that are given `args`; none where these do not say it."""
    params: dict[ir.Expr, ir.Expr] = {}
    for number, arg in enumerate(args):
        if (given := plain(arg)) is not None:
            params.setdefault(given, ir.Local(given.type, number))
    if owner in params:
        return params[owner]
    if isinstance(owner, ir.Const):
        return owner
    by_local = {each.index: param for each, param in params.items() if isinstance(each, ir.Local)}
    return handed(owner, by_local)


def substituted(expr: ir.Expr, of: Callable[[int], ir.Expr | None]) -> ir.Expr:
    """An expression with others in the place of its locals."""

    def change(node: ir.Expr) -> ir.Expr:
        found = of(node.index) if isinstance(node, ir.Local) else None
        return node if found is None else found

    return map_expr(expr, change)
