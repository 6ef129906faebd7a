"""`meter`: what is counted of each piece of code is written into it, so that a later pass cannot change it.

Steps are counted in few places: where a procedure is called, a block is entered, a round begins, elements are gone
through, or a trial begins. What each of them counts is a weight (`dsl.ir.weight`), in hundredths of a step, that comes
of all that stands inside. This pass computes these weights and writes each into the node that counts it, as
`metered`; both engines read it there (`counted`), and neither weighs code itself. A pass behind this one may rewrite
what is inside as it likes: the weight stays with the node, and the steps are those of the program as it came here.

Needs: a verified program, with its tables.
Guarantees: every node with a field `metered` has a weight there.
Keeps: everything else.
Steps: this is what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from dsl.ir import nodes as ir
from dsl.ir.program import Procedure, Program, Var
from dsl.ir.weight import Weights


class Metered(Protocol):
    """What counts steps."""

    @property
    def metered(self) -> int: ...


def counted(node: Metered) -> int:
    """The weight that a node counts. Raises ValueError for one that has not been through this pass."""
    if node.metered == ir.UNMETERED:
        raise ValueError(f"a {type(node).__name__} that nothing is counted for")
    return node.metered


def meter(program: Program) -> Callable[[Any], Any]:
    """The pass, for one node at a time, the inner ones first."""
    weights = Weights(program)

    def change(node: Any) -> Any:
        match node:
            case ir.Fold() | ir.Scan() if node.metered == ir.UNMETERED:
                return replace(node, metered=weights.element(node) if weights.large(node) else 0)
            case ir.Trial():
                return replace(node, metered=weights.trial(node))
            case ir.ForEach() | ir.Loop():
                return replace(node, metered=weights.round(node))
            case ir.Offer():
                bound = enumerate(node.variables)
                metered = (replace(each, metered=weights.binding(node, n)) for n, each in bound)
                return replace(node, variables=tuple(metered))
            case ir.Decide():
                return replace(node, metered=weights.block(ir.Block((), node)))
            case ir.Block():
                return replace(node, metered=0 if isinstance(node.end, ir.Decide) else weights.block(node))
            case Procedure():
                return replace(node, metered=weights.code(node.body))
            case Var():
                return replace(node, metered=weights.initial(node))
            case _:
                return node

    return change
