"""Can an expression fail? The one answer, for whoever moves a condition, evaluates what need not be, or reads ahead.

It follows from the declarations of the operators (`dsl.ir.operators`): one that can fail is sure where its types rule
that out, and a table is where each index lies in it. What counts steps, asks the rules or goes through elements can
always fail, since the steps may run out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS
from dsl.ir.operators.declaration import lies_within
from dsl.ir.types import Int, Scalar


class _Domain(Protocol):
    @property
    def members(self) -> Sequence[object]: ...


class _Table(Protocol):
    @property
    def dims(self) -> tuple[tuple[int, int], ...]: ...


class Sized(Protocol):
    """A program, or what of it is known so far: its domains and tables."""

    @property
    def domains(self) -> Sequence[_Domain]: ...

    @property
    def data(self) -> Sequence[_Table]: ...


def cannot_fail(program: Sized, e: ir.Expr) -> bool:
    """Is it evaluated without failing, whatever the state is?"""

    def bounds(kind: Scalar) -> tuple[int, int]:
        return (
            (kind.low, kind.high)
            if isinstance(kind, Int)
            else (0, len(program.domains[kind.domain].members) - 1)
        )

    def sure(e: ir.Expr) -> bool:
        match e:
            case ir.Const() | ir.Local():
                return True
            case ir.Load(owner=owner):
                return owner is None or sure(owner)
            case ir.Lookup(data=data, indices=indices):
                return all(
                    sure(index) and lies_within(index.type, low, low + count - 1, bounds)
                    for index, (low, count) in zip(indices, program.data[data].dims, strict=True)
                )
            case ir.Op(op=op, args=args):
                declared = OPERATORS[op]
                known = not declared.fails or (declared.sure is not None and declared.sure(bounds, e))
                return known and all(map(sure, args))
            case _:
                return False

    return sure(e)
