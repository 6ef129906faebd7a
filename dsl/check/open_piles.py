"""What lies in a pile that all see is no secret, though the same cards may lie in hidden ones too."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.types import Id
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World


class OpenPiles:
    """Which piles are seen by all, as far as can be told."""

    def __init__(self, world: World) -> None:
        self._domains = {
            each.pool.pile: each for each in world.domains if each.pool and each.pool.pile is not None
        }
        self._heads: dict[int, list[w.Pile]] = {}
        """Of each domain of pieces the kinds of its piles."""
        for each in world.callables.values():
            if isinstance(each, w.Pile):
                self._heads.setdefault(each.pool, []).append(each)
        self._pools = {
            each.pool.pile_domain: each.id
            for each in world.domains
            if each.pool and each.pool.pile_domain is not None
        }

    def has(self, domain: w.Domain, pile: ir.Expr) -> bool:
        """Is a pile of these pieces seen by all?"""
        head = self._head(domain.id, pile)
        return head is not None and head.audience is None

    def head(self, pile: ir.Expr) -> w.Pile | None:
        """The kind of a pile, as far as can be told."""
        pool = self._pools.get(pile.type.domain) if isinstance(pile.type, Id) else None
        return None if pool is None else self._head(pool, pile)

    def _head(self, pool: int, pile: ir.Expr) -> w.Pile | None:
        match pile:
            case ir.Const(value=int(value)) | ir.Op(op="cast", args=(_, ir.Const(value=int(value)))):
                offset = value
            case _:
                return None
        own = [each for each in self._heads.get(pool, ()) if each.base <= offset]
        return max(own, key=lambda each: each.base, default=None)

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

    def holds(self, cards: ir.Expr) -> bool:
        """Are these the cards of a pile that all see, who see in which order they lie as well?"""
        match cards:
            case ir.Fold(kind="all", where=ir.Op() as there):
                return self.rest(there) is not there
            case _:
                return False
