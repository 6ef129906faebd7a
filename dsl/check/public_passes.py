"""When all see that somebody can do nothing but pass: then he is not asked.

Where the options of a question follow from secrets, part of what they follow from may be seen by all: every option of a
line about what all see, and of another line the condition that speaks of none of its ranges, or a need that does not
either. Where for such a reason none of its lines can hold, the question costs no click, and that it is not asked tells
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.rewrite import map_expr
from dsl.ir.types import TRUTH
from dsl.lower.ir_builder import TRUE, conjunction, negation
from dsl.lower.rewrite import walk_ir

Shown = Callable[[ir.Expr, frozenset[int]], bool]
"""Does an expression follow from what all see, where some locals are not known?"""

TOTAL = {"and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "has", "is_none"}
"""Operations that cannot fail, whatever they are given."""


def opening(end: ir.Decide, actions: list[pr.Action], shown: Shown) -> tuple[ir.Expr, int] | None:
    """A condition that all can read, without which only passing is left, and the block of that pass; none where
    there is no such condition.
    """
    passes = [offer for offer in end.offers if offer.kind == "pass"]
    others = [offer for offer in end.offers if offer.kind in {"do", "take"}]
    if len(passes) != 1 or passes[0].guard is not None or len(others) + 1 < len(end.offers):
        return None
    found: list[ir.Expr] = []
    for offer in others:
        way = _offered(offer) if _is_open(offer, shown) else conjunction(list(_seen(offer, actions, shown)))
        if way == TRUE:
            return None
        if way not in found:
            found.append(way)
    if not found:
        return None
    condition = found[0]
    for way in found[1:]:
        condition = ir.Op(TRUTH, "or", (condition, way))
    return condition, passes[0].block


def _is_open(offer: ir.Offer, shown: Shown) -> bool:
    """Do all see which options a line has?"""
    asked = [each for variable in offer.variables for each in (variable.domain, variable.where)]
    return all(each is None or shown(each, frozenset()) for each in (*asked, offer.guard))


def _offered(offer: ir.Offer) -> ir.Expr:
    """Has a line any option?"""
    result = TRUE if offer.guard is None else offer.guard
    for variable in reversed(offer.variables):
        result = ir.Fold(TRUTH, "any", variable.index, variable.domain, variable.where, result)
    return result


def _seen(offer: ir.Offer, actions: list[pr.Action], shown: Shown) -> Iterator[ir.Expr]:
    """What of a line's conditions all see, whatever its variables are.

    They are read in their order, up to the first that not everybody can read: what stands behind it may rest on it,
    unless it cannot fail.
    """
    unknown = frozenset(variable.index for variable in offer.variables)
    blind = any(variable.where is not None for variable in offer.variables)
    for part in _parts(offer.guard):
        if shown(part, unknown):
            if not blind or is_total(part):
                yield part
            continue
        blind = True
        if isinstance(part, ir.Judge):
            yield from (each for each in _needs(part, actions) if shown(each, unknown))


def _parts(condition: ir.Expr | None) -> Iterator[ir.Expr]:
    match condition:
        case None:
            return
        case ir.Op(op="and", args=args):
            for each in args:
                yield from _parts(each)
        case _:
            yield condition


def _needs(judged: ir.Judge, actions: list[pr.Action]) -> Iterator[ir.Expr]:
    """What has to hold for an action, need by need: those that nothing lifts, and that cannot fail."""
    for each in actions[judged.action].prohibitions:
        if each.kind != "allow" and not each.overruled_by and is_total(each.condition):
            yield negation(map_expr(each.condition, lambda node: _argument(node, judged.args)))


def _argument(node: ir.Expr, args: tuple[ir.Expr, ...]) -> ir.Expr:
    return args[node.index] if isinstance(node, ir.Local) else node


def is_total(condition: ir.Expr) -> bool:
    """Can this be read whatever holds?"""
    return all(
        isinstance(each, ir.Const | ir.Local | ir.Load | ir.Lookup)
        or (isinstance(each, ir.Op) and each.op in TOTAL)
        for each in walk_ir(condition)
        if isinstance(each, ir.Expr)
    )
