"""The operators of the IR, each declared once: what it takes and yields, what it comes to, and how it is written.

Whatever deals with operators reads it here. The verifier has from a declaration the type of the result; constant
folding and the search for contradictions its value; the engines the text in Python and the instruction in WebAssembly;
whoever asks whether an expression can fail (`dsl.ir.effects`) when it does; whoever shows a condition to a person how
an author would write it; the reference its words. So a new operator is an entry of one of the tuples below, and, where
an engine needs more than a template, a method there. `tests/ir/test_operators.py` tries each on sample operands: the
value, both engines and a reading of its own must agree, so that a wrong entry, or a missing one, is found there.
"""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.kinds import Kinds
from dsl.ir.operators.compounds import BAGS, LISTS, RECORDS
from dsl.ir.operators.conversions import CONVERSIONS, GAME
from dsl.ir.operators.declaration import (
    Fails,
    Operator,
    brief,
    evaluated,
    interval,
    maybe,
    wrong,
)
from dsl.ir.operators.numbers import NUMBERS
from dsl.ir.operators.sets import SETS
from dsl.ir.operators.truths import CHOICES, TRUTHS
from dsl.ir.types import Int, Type

GROUPS: dict[str, tuple[Operator, ...]] = {
    "numbers": NUMBERS,
    "truths": TRUTHS,
    "choices": CHOICES,
    "sets": SETS,
    "bags": BAGS,
    "lists": LISTS,
    "records": RECORDS,
    "the game": GAME,
    "conversions": CONVERSIONS,
}
OPERATORS = {each.name: each for group in GROUPS.values() for each in group}


def op_type(kinds: Kinds, op: ir.Op) -> Type:
    """The narrowest type of the results of an operator; `Bad` where its operands are not what it takes."""
    args = tuple(arg.type for arg in op.args)
    found = OPERATORS[op.op].type(kinds, op, args)
    if found is None:
        raise wrong(op.op, args)
    return found


def computed(name: str, *args: ir.Expr) -> ir.Op:
    """An operator on numbers, with the narrowest type; `Bad` where its operands are not what it takes."""
    found = OPERATORS[name].range
    assert found is not None
    return ir.Op(Int(*found(*(interval(name, each.type) for each in args))), name, args)


__all__ = [
    "GROUPS",
    "OPERATORS",
    "Fails",
    "Operator",
    "brief",
    "computed",
    "evaluated",
    "interval",
    "maybe",
    "op_type",
]
