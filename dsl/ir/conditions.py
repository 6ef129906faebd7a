"""A condition taken apart at its `and`s, and put together again; and conditions that are sets."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.ir import nodes as ir
from dsl.ir.effects import cannot_fail
from dsl.ir.program import Program
from dsl.ir.types import TRUTH, Type
from dsl.ir.walk import locals_in

TRUE = ir.Const(TRUTH, 1)
FALSE = ir.Const(TRUTH, 0)


def conjuncts(condition: ir.Expr | None) -> list[ir.Expr]:
    """What must hold for a condition to hold, in order; no condition asks for nothing."""
    if condition is None:
        return []
    if isinstance(condition, ir.Op) and condition.op == "and":
        return [part for arg in condition.args for part in conjuncts(arg)]
    return [condition]


def conjoined(conditions: Sequence[ir.Expr]) -> ir.Expr | None:
    """One condition of several."""
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return ir.Op(TRUTH, "and", tuple(conditions))


def conjunction(parts: list[ir.Expr]) -> ir.Expr:
    """All of some truths; constants fall out."""
    kept = [part for part in parts if part != TRUE]
    if FALSE in kept:
        return FALSE
    if not kept:
        return TRUE
    result = kept[0]
    for part in kept[1:]:
        result = ir.Op(TRUTH, "and", (result, part))
    return result


def holder(program: Program, condition: ir.Expr, kind: Type, index: int) -> ir.Expr | None:
    """The set of a condition that says that local `index` is in it, if it has the type and cannot fail."""
    match condition:
        case ir.Op(op="has", args=(held, ir.Local(index=number))) if (
            number == index and held.type == kind and index not in locals_in(held)
        ):
            return held if cannot_fail(program, held) else None
        case _:
            return None
