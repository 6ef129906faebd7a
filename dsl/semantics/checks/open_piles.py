"""What lies in a pile that all see is no secret, though the same cards may lie in hidden ones too."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.semantics.things import entries as w
from dsl.semantics.things.world import World
from dsl.syntax import ast


class OpenPiles:
    """Which piles are seen by all, as far as can be told."""

    def __init__(self, world: World) -> None:
        self._domains = {
            each.pool.pile: each for each in world.domains if each.pool and each.pool.pile is not None
        }
        self._heads: dict[int, list[tuple[int, bool]]] = {}
        """Of each domain of pieces the first number of each kind of pile, and whether all see it."""
        for each in world.callables.values():
            if isinstance(each, w.Pile):
                seen = not any(isinstance(clause, ast.Seen) for clause in each.decl.clauses)
                self._heads.setdefault(each.pool, []).append((each.base, seen))

    def has(self, domain: w.Domain, pile: ir.Expr) -> bool:
        """Is a pile of these pieces seen by all?"""
        match pile:
            case ir.Const(value=int(value)) | ir.Op(op="cast", args=(_, ir.Const(value=int(value)))):
                offset = value
            case _:
                return False
        own = [each for each in self._heads.get(domain.id, ()) if each[0] <= offset]
        return max(own, key=lambda each: each[0])[1] if own else False

    def rest(self, node: object) -> object:
        """Of a test whether a card lies in an open pile: what is left to look at, which card and which pile; of all
        else the thing itself.
        """
        if not isinstance(node, ir.Op):
            return node
        match node:
            case ir.Op(op="eq" | "ne", args=(ir.Load(var=var, owner=card), pile)) if var in self._domains:
                return (card, pile) if self.has(self._domains[var], pile) else node
            case ir.Op(op="eq" | "ne", args=(pile, ir.Load(var=var, owner=card))) if var in self._domains:
                return (card, pile) if self.has(self._domains[var], pile) else node
            case _:
                return node
