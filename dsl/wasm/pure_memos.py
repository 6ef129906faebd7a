"""Tables of what reads no state but a number or two, filled in as it is asked.

How far apart two places of several cells are is a loop within a loop, though all that it depends on is which places
they are. Such an expression is computed once for each list of its *inputs*, locals and variables of one number each,
and kept in a table of a byte for each list: 0 where it has not been computed yet, else its value, counted from 1. It
depends on constants and its inputs alone, so nothing ever makes it stale: no write, no search, no other game.

An expression has a table where it counts no steps of its own, so that nothing can tell that it was not computed, and
where it has a loop and weighs enough. What fails is not kept, and fails again the next time. Expressions that differ in
their inputs alone, or in the numbers of their locals, share a table.

The state is at first all zeros, which are out of the range of some types: so 0 is always among the values of an input.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from dsl.engine.layout import bounds
from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS
from dsl.ir.program import Program
from dsl.ir.types import Id, Int, Scalar, Type
from dsl.ir.walk import parts
from dsl.wasm.reps import scalar_rep

if TYPE_CHECKING:
    from dsl.ir.weight import Weights
    from dsl.wasm.memory import Memory

HEAVY = 20
"""What an expression weighs at least, with all elements of its folds, to have a table."""
MOST_INPUTS = 2
MOST_FREE = 16
"""Inputs of a part of an expression, those that are bound around it among them."""
MOST_ENTRIES = 1 << 18
"""Of one table."""
MOST_BYTES = 1 << 22
"""Of all tables of a program."""
MOST_VALUES = 255
"""A byte tells so many values apart, none among them, from an entry that is not filled in."""


@dataclass(frozen=True, slots=True)
class Input:
    """A local, a variable, or a variable of the member that a local is."""

    var: int | None
    local: int | None


@dataclass(frozen=True, slots=True)
class Depends:
    """What an expression depends on, what it weighs with all elements of its folds, and whether it has a loop."""

    inputs: frozenset[Input]
    work: int
    loops: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """An expression with its inputs as the first locals, of some types: what has an equal one shares its table."""

    expr: ir.Expr
    inputs: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class PureMemo:
    """A table: its number, where it stands, and the expression with the inputs of its entries."""

    number: int
    address: int
    shape: Shape

    @property
    def function(self) -> str:
        """The function that computes an entry, given its inputs, and yields the byte."""
        return f"$k{self.number}"


class PureMemos:
    """The tables of a program."""

    def __init__(self, program: Program, weights: Weights, memory: Memory) -> None:
        self.program = program
        self._weights = weights
        self._memory = memory
        self._known: dict[int, tuple[ir.Expr, Depends | None]] = {}
        self._bytes = 0
        self.held: dict[Shape, PureMemo | None] = {}
        """The table of each shape; none where it needs none after all."""

    def shape(self, e: ir.Expr, type_of: Callable[[int], Type | None]) -> tuple[Shape, list[Input]] | None:
        """The shape of an expression, and what its inputs are here, where it is one to have a table; `type_of` knows
        the types of locals.
        """
        if not isinstance(e, ir.Op | ir.LetIn | ir.Fold | ir.Scan) or not self._is_small(e.type):
            return None
        found = self._depends(e)
        if (
            found is None
            or not found.loops
            or found.work < HEAVY
            or not 1 <= len(found.inputs) <= MOST_INPUTS
        ):
            return None
        inputs: list[Input] = []
        expr = _renamed(e, inputs, {})
        kinds = [self._type(each, type_of) for each in inputs]
        scalars = tuple(kind for kind in kinds if isinstance(kind, Int | Id) and scalar_rep(kind) == "i32")
        if len(scalars) < len(kinds) or prod(self.range(kind)[1] for kind in scalars) > MOST_ENTRIES:
            return None
        return Shape(expr, scalars), inputs

    def table(self, shape: Shape) -> PureMemo | None:
        """A new table for a shape; none where there is no room for another."""
        size = prod(self.range(kind)[1] for kind in shape.inputs)
        if self._bytes + size > MOST_BYTES:
            return None
        self._bytes += size
        number = sum(each is not None for each in self.held.values())
        return PureMemo(number, self._memory.spare(size), shape)

    def range(self, kind: Scalar) -> tuple[int, int]:
        """The least value of an input, and how many there are; none is one more, the last."""
        low, high = bounds(self.program, kind)
        low, high = min(low, 0), max(high, 0)
        return low, high - low + 1 + kind.optional

    def _is_small(self, kind: Type) -> bool:
        if not isinstance(kind, Int | Id) or scalar_rep(kind) != "i32":
            return False
        low, high = bounds(self.program, kind)
        return high - low + 1 + kind.optional <= MOST_VALUES

    def _type(self, each: Input, type_of: Callable[[int], Type | None]) -> Type | None:
        if each.var is not None:
            return self.program.vars[each.var].type
        assert each.local is not None
        return type_of(each.local)

    # ------------------------------------------------------------ what an expression depends on

    def _depends(self, e: ir.Expr) -> Depends | None:
        """What an expression depends on; none where that is more than constants and inputs, or it counts steps."""
        known = self._known.get(id(e))
        if known is None:
            known = self._known[id(e)] = e, self._found(e)
        return known[1]

    def _found(self, e: ir.Expr) -> Depends | None:
        match e:
            case ir.Const():
                return Depends(frozenset(), 1, loops=False)
            case ir.Local():
                return Depends(frozenset((Input(None, e.index),)), 1, loops=False)
            case ir.Load(owner=None):
                return Depends(frozenset((Input(e.var, None),)), 1, loops=False)
            case ir.Load(owner=ir.Local(index=index)):
                return Depends(frozenset((Input(e.var, index),)), 2, loops=False)
            case ir.Lookup():
                return self._bound(parts(e), (), set(), 1)
            case ir.Op() if not OPERATORS[e.op].reads:
                return self._bound(parts(e), (), set(), 1)
            case ir.LetIn():
                return self._bound((e.value,), (e.body,), {e.index}, 1)
            case ir.Fold(metered=0):
                inner = tuple(each for each in (e.where, e.body) if each is not None)
                return self._looping(self._bound((e.domain,), inner, {e.index}, self._extent(e.domain)))
            case ir.Scan(metered=0):
                bound = {e.index, e.kept}
                return self._looping(
                    self._bound((e.start, e.domain), (e.step,), bound, self._extent(e.domain))
                )
            case _:
                return None

    def _bound(
        self, outer: tuple[ir.Expr, ...], inner: tuple[ir.Expr, ...], bound: set[int], times: int
    ) -> Depends | None:
        """What some expressions and others, within which locals are bound, depend on."""
        inputs: set[Input] = set()
        work, loops = 1, False
        for exprs, hidden, factor in ((outer, set(), 1), (inner, bound, times)):
            for each in exprs:
                found = self._depends(each)
                if found is None:
                    return None
                for given in found.inputs:
                    if given.local not in hidden:
                        inputs.add(given)
                    elif given.var is not None:
                        return None
                work += factor * found.work
                loops |= found.loops
        if len(inputs) > MOST_FREE:
            return None
        return Depends(frozenset(inputs), work, loops)

    def _looping(self, found: Depends | None) -> Depends | None:
        return None if found is None else replace(found, loops=True)

    def _extent(self, domain: ir.Expr) -> int:
        return self._weights.extent(domain.type)


def _renamed(e: ir.Expr, inputs: list[Input], bound: dict[int, int]) -> ir.Expr:
    """The expression with its inputs, which are noted, as the first locals, and those that it binds behind them in
    their order; `bound` are the new numbers of the latter.
    """
    number = 1 + max(bound.values(), default=MOST_INPUTS - 1)

    def within(each: ir.Expr) -> ir.Expr:
        return _renamed(each, inputs, bound)

    def maybe(each: ir.Expr | None, names: dict[int, int]) -> ir.Expr | None:
        return None if each is None else _renamed(each, inputs, names)

    def given(var: int | None, local: int | None) -> int:
        found = Input(var, local)
        if found not in inputs:
            inputs.append(found)
        return inputs.index(found)

    match e:
        case ir.Const():
            return e
        case ir.Local():
            return replace(e, index=bound[e.index] if e.index in bound else given(None, e.index))
        case ir.Load():
            owner = e.owner
            assert owner is None or isinstance(owner, ir.Local)
            return ir.Local(e.type, given(e.var, None if owner is None else owner.index))
        case ir.Lookup():
            return replace(e, indices=tuple(map(within, e.indices)))
        case ir.Op():
            return replace(e, args=tuple(map(within, e.args)))
        case ir.LetIn():
            value = within(e.value)
            return replace(
                e, index=number, value=value, body=_renamed(e.body, inputs, {**bound, e.index: number})
            )
        case ir.Fold():
            domain, names = within(e.domain), {**bound, e.index: number}
            return replace(
                e, index=number, domain=domain, where=maybe(e.where, names), body=maybe(e.body, names)
            )
        case ir.Scan():
            start, domain = within(e.start), within(e.domain)
            names = {**bound, e.index: number, e.kept: number + 1}
            step = _renamed(e.step, inputs, names)
            return replace(e, index=number, kept=number + 1, start=start, domain=domain, step=step)
        case _:
            raise ValueError("what depends on more than its inputs has no shape")
