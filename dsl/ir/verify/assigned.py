"""Which locals of a routine have certainly been given a value where a block begins: the data flow, without the types.

Sets of locals are numbers with a bit for each; -1 is what is set where control never comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from dsl.ir import nodes as ir
from dsl.ir.program import Routine

Way: TypeAlias = tuple[int, int]
"""A block that can follow, and the locals that the block before gives a value."""


def certainly_set(routine: Routine) -> dict[int, int]:
    """For each block of a verified routine that can be come to, the locals that have a value on every way there."""
    return spread([_ways(block) for block in routine.blocks], (1 << routine.params) - 1)


def spread(ways: Sequence[tuple[Way, ...]], given: int) -> dict[int, int]:
    """What is set on every way to a block, from the first block on, until nothing changes."""
    at: dict[int, int] = {0: given}
    waiting = [0]
    while waiting:
        number = waiting.pop()
        for target, added in ways[number]:
            known = at.get(target)
            now = at[number] | added
            met = now if known is None else known & now
            if met != known:
                at[target] = met
                waiting.append(target)
    return at


def targets(end: ir.Terminator) -> tuple[int, ...]:
    """The blocks that can follow on one."""
    match end:
        case ir.Jump() | ir.Enter():
            return (end.block,)
        case ir.Branch():
            return (end.then, end.other)
        case ir.Return():
            return ()
        case ir.Decide():
            empty = () if end.empty is None else (end.empty,)
            return (*(offer.block for offer in end.offers), *empty)
        case _:
            assert_never(end)


def _ways(block: ir.Block) -> tuple[Way, ...]:
    after = _after(block.body, 0, {})
    if after < 0:
        return ()
    if not isinstance(block.end, ir.Decide):
        return tuple((target, after) for target in targets(block.end))
    offers = [(each.block, sum(1 << var.index for var in each.variables)) for each in block.end.offers]
    return (*offers, *(() if block.end.empty is None else ((block.end.empty, 0),)))


def _after(body: Sequence[ir.Stmt], before: int, open_: dict[int, int]) -> int:
    """What is set after some statements; `open_` collects what is set wherever a guarded block is left."""
    for st in body:
        match st:
            case ir.SetLocal() | ir.Roll() | ir.RollList() | ir.Pick() | ir.TakeResult():
                before |= 1 << st.index
            case ir.Call():
                before |= 0 if st.result is None else 1 << st.result
            case ir.If():
                before = _after(st.then, before, open_) & _after(st.other, before, open_)
            case ir.ForEach() | ir.Loop():
                _after(st.body, before, open_)
            case ir.Guarded():
                open_[st.number] = -1
                after = _after(st.body, before, open_)
                before = after & open_.pop(st.number)
            case ir.Batch():
                before = _after(st.body, before, open_)
            case ir.Leave():
                open_[st.number] &= before
                return -1
            case ir.Fail() | ir.Give():
                return -1
            case _:
                pass
    return before
