"""`unite`: the members that are in one of many sets are their union, made once.

    all x in Cell where x.side is not p and any d in lines where x in slides(c, d)

asks `slides` for each cell and direction, though what it yields has nothing to do with the cell. This pass makes of it

    all x in (union of slides(c, d) for d in lines) where x.side is not p

so that `slides` is asked once for each direction. The same is done for what a variable of an offer runs over.

It is done where the sets do not depend on the member, are made without failing (`sure.py`), as they are now made also
where the loop would not have come to them, and are few beside the members that can be asked about. A loop that ends
at the first that is found (`any`, `first`, `every`) stays as it is.

Needs: a verified program, with its tables.
Guarantees: nothing.
Keeps: which members are found, in their order, and how anything fails.
Steps: fewer, as a rule: what is made once is counted once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsl.ir import nodes as ir
from dsl.ir.conditions import conjoined, conjuncts
from dsl.ir.kinds import Kinds
from dsl.ir.program import Program
from dsl.ir.types import ListOf, SetOf
from dsl.ir.walk import locals_in
from dsl.passes.sure import Sure

FEWER = 4
"""So many times as many members there must be as there can be sets, as not all of the sets would be asked for."""
WHOLE = {"all", "count", "sum", "least", "most", "lowest", "highest"}
"""Folds that look at every element."""


def unite(program: Program) -> Callable[[Any], Any]:
    """The pass, for one node at a time, the inner ones first."""
    return _Uniting(program).change


class _Uniting:
    def __init__(self, program: Program) -> None:
        self.program = program
        self._sure = Sure(program)
        self._extent = Kinds(program).extent

    def change(self, node: Any) -> Any:
        match node:
            case ir.Fold(kind=kind) if kind in WHOLE and node.where is not None:
                return self._narrowed(node)
            case ir.OfferVar() if node.where is not None:
                return self._narrowed(node)
            case _:
                return node

    def _narrowed(self, loop: ir.Fold | ir.OfferVar) -> ir.Fold | ir.OfferVar:
        """The loop over the union of sets, where a condition says that the member is in one of them."""
        conditions = conjuncts(loop.where)
        for n, each in enumerate(conditions):
            united = self._united(each, loop)
            # what stands before may keep a failure away from it, or fail itself where the union is empty
            if united is not None and all(map(self._sure.expr, conditions[:n])):
                domain = loop.domain
                if not self._is_whole(domain):
                    united = ir.Op(domain.type, "meet", (domain, united))
                left = [*conditions[:n], *conditions[n + 1 :]]
                return replace(loop, domain=united, where=conjoined(left))
        return loop

    def _is_whole(self, domain: ir.Expr) -> bool:
        """Is a domain a constant set with everything in it that there can be?"""
        kind = domain.type
        return (
            isinstance(domain, ir.Const)
            and isinstance(kind, SetOf)
            and domain.value == (1 << self._extent(kind)) - 1
        )

    def _united(self, condition: ir.Expr, loop: ir.Fold | ir.OfferVar) -> ir.Expr | None:
        """The union that the member of a loop is in where a condition holds, of the type of the loop's domain."""
        kind = loop.domain.type
        if not isinstance(condition, ir.Fold) or condition.kind != "any" or not isinstance(kind, SetOf):
            return None
        asked = [*conjuncts(condition.where), *conjuncts(condition.body)]
        (has, *others) = [each for each in asked if loop.index in locals_in(each)] or (None,)
        match has:
            case ir.Op(op="has", args=(held, ir.Local(index=number))) if number == loop.index and not others:
                pass
            case _:
                return None
        many = condition.domain.type
        first = [each for each in asked if each is not has and each != ir.Const(each.type, 1)]
        made = ir.Fold(held.type, "union", condition.index, condition.domain, conjoined(first), held)
        if (
            held.type != kind
            or loop.index in locals_in(condition.domain) | locals_in(held)
            or not isinstance(many, SetOf | ListOf)
            or FEWER * self._extent(many) > self._extent(kind)
            or not self._sure.expr(made)
        ):
            return None
        return made
