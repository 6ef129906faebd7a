"""What lies in a pile that all see is no secret, though the same cards may lie in hidden ones too."""

from __future__ import annotations

from collections.abc import Callable

from dsl.ir import nodes as ir
from dsl.semantics.things import entries as w
from dsl.semantics.things.world import World
from dsl.syntax import ast


def is_open(world: World, domain: w.Domain, pile: ir.Expr) -> bool:
    """Is a pile of these pieces seen by all, as far as can be told?"""
    offset: int | None = None
    match pile:
        case ir.Const(value=int(value)):
            offset = value
        case ir.Op(op="cast", args=(_, ir.Const(value=int(value)))):
            offset = value
        case _:
            pass
    heads = [each for each in world.callables.values() if isinstance(each, w.Pile)]
    own = [each for each in heads if each.pool == domain.id and offset is not None and each.base <= offset]
    head = max(own, key=lambda each: each.base, default=None)
    return head is not None and not any(isinstance(each, ast.Seen) for each in head.decl.clauses)


def membership(world: World) -> Callable[[object], object]:
    """Of a test whether a card lies in an open pile: what is left to look at, which card and which pile; of all
    else the thing itself.
    """
    domains = {each.pool.pile: each for each in world.domains if each.pool and each.pool.pile is not None}

    def rest(node: object) -> object:
        match node:
            case ir.Op(op="eq" | "ne", args=(ir.Load(var=var, owner=card), pile)) if var in domains:
                return (card, pile) if is_open(world, domains[var], pile) else node
            case ir.Op(op="eq" | "ne", args=(pile, ir.Load(var=var, owner=card))) if var in domains:
                return (card, pile) if is_open(world, domains[var], pile) else node
            case _:
                return node

    return rest
