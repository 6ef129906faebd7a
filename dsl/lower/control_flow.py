"""From structured code to what runs: plain statements for procedures, basic blocks for routines.

A routine is cut where it can stop. Code without a stop stays structured inside a block; loops and conditions around a
stop become jumps. `Leave` of a block around a stop is a jump to where that block ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import assert_never

from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, ListOf, SetOf, Type
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, number
from dsl.records import record


def plain(statements: tuple[mid.Mid, ...]) -> tuple[ir.Stmt, ...]:
    """Structured code without stops, as statements of the IR."""
    return tuple(_plain(statement) for statement in statements)


def _plain(statement: mid.Mid) -> ir.Stmt:
    match statement:
        case mid.MidIf(condition=condition, then=then, other=other):
            return ir.If(condition, plain(then), plain(other))
        case mid.MidForEach(index=index, domain=domain, body=body, site=site):
            return ir.ForEach(index, domain, plain(body), site)
        case mid.MidLoop(limit=limit, condition=condition, body=body, site=site):
            return ir.Loop(limit, condition, plain(body), site)
        case mid.MidGuarded(number=label, body=body):
            return ir.Guarded(label, plain(body))
        case mid.MidBatch(body=body, site=site):
            return ir.Batch(plain(body), site)
        case mid.MidDecide() | mid.MidEnter() | mid.MidForever():
            raise AssertionError("a stop in code that was taken for plain")
        case _:
            return statement


@record(slots=True)
class _Block:
    body: list[ir.Stmt] = field(default_factory=list)
    end: ir.Terminator | None = None


@record(slots=True)
class _Cutter:
    """Builds the blocks of one routine; `here` is the block that grows."""

    new_local: Callable[[Type], ir.Local]
    blocks: list[_Block] = field(default_factory=list)
    here: int = 0
    exits: dict[int, int] = field(default_factory=dict)

    def block(self) -> int:
        self.blocks.append(_Block())
        return len(self.blocks) - 1

    def close(self, end: ir.Terminator, following: int) -> None:
        """Ends the block that grows, unless a jump has ended it, and goes on in another."""
        if self.blocks[self.here].end is None:
            self.blocks[self.here].end = end
        self.here = following

    def add(self, statement: ir.Stmt) -> None:
        if self.blocks[self.here].end is None:
            self.blocks[self.here].body.append(statement)

    # ------------------------------------------------------------ statements

    def sequence(self, statements: tuple[mid.Mid, ...]) -> None:
        for statement in statements:
            if self.blocks[self.here].end is not None:
                return
            self.statement(statement)

    def statement(self, statement: mid.Mid) -> None:
        if not mid.suspends((statement,)) and not self.leaves(statement):
            self.add(_plain(statement))
            return
        match statement:
            case ir.Leave(number=label):
                self.close(ir.Jump(self.exits[label]), self.here)
            case mid.MidIf():
                self.condition(statement)
            case mid.MidForEach():
                self.for_each(statement)
            case mid.MidLoop():
                self.loop(statement)
            case mid.MidGuarded(number=label, body=body):
                after = self.block()
                self.exits[label] = after
                self.sequence(body)
                self.close(ir.Jump(after), after)
            case mid.MidForever(number=label, body=body):
                head, after = self.block(), self.block()
                self.exits[label] = after
                self.close(ir.Jump(head), head)
                self.sequence(body)
                self.close(ir.Jump(head), after)
            case mid.MidDecide():
                self.decide(statement)
            case mid.MidEnter():
                self.enter(statement)
            case mid.MidBatch(body=body):  # what asks in it has been told; the rest is read on
                self.sequence(body)
            case _:
                raise AssertionError(f"no way to cut {statement}")

    def leaves(self, statement: mid.Mid) -> bool:
        """Does code without a stop jump out of a block that has one?"""
        match statement:
            case ir.Leave(number=label):
                return label in self.exits
            case mid.MidIf(then=then, other=other):
                return any(self.leaves(each) for each in (*then, *other))
            case mid.MidForEach(body=body) | mid.MidLoop(body=body) | mid.MidGuarded(body=body):
                return any(self.leaves(each) for each in body)
            case _:
                return False

    def condition(self, statement: mid.MidIf) -> None:
        then, other, after = self.block(), self.block(), self.block()
        self.close(ir.Branch(statement.condition, then, other), then)
        self.sequence(statement.then)
        self.close(ir.Jump(after), other)
        self.sequence(statement.other)
        self.close(ir.Jump(after), after)

    def for_each(self, statement: mid.MidForEach) -> None:
        """A set or list is kept in a local. Of a list a cursor says how far it was walked; from a set each is taken
        out when its turn comes, so that what is left says all: in another world, where other cards have taken the
        places of these (`dsl.engine.worlds`), as many are left, whatever their numbers.
        """
        type_ = statement.domain.type
        assert isinstance(type_, SetOf | ListOf)
        kept = self.new_local(type_)
        self.add(ir.SetLocal(kept.index, statement.domain))
        if isinstance(type_, ListOf):
            self.walk_list(statement, kept, type_)
            return
        element = replace(type_.of, optional=True)
        cursor = self.new_local(element)
        head, body, after = self.block(), self.block(), self.block()
        self.close(ir.Jump(head), head)
        self.add(ir.SetLocal(cursor.index, ir.Op(element, "next", (kept, ir.Const(element, NONE)))))
        self.close(ir.Branch(ir.Op(TRUTH, "is_none", (cursor,)), after, body), body)
        found = ir.Op(type_.of, "some", (cursor,))
        self.add(ir.SetLocal(kept.index, ir.Op(type_, "minus", (kept, ir.Op(type_, "single", (found,))))))
        self.add(ir.SetLocal(statement.index, found))
        self.sequence(statement.body)
        self.close(ir.Jump(head), after)

    def walk_list(self, statement: mid.MidForEach, kept: ir.Local, type_: ListOf) -> None:
        assert isinstance(type_.of, Int | Id)
        cursor = self.new_local(Int(0, type_.limit))
        self.add(ir.SetLocal(cursor.index, ir.Const(cursor.type, 0)))
        head, body, after = self.block(), self.block(), self.block()
        self.close(ir.Jump(head), head)
        length = ir.Op(Int(0, type_.limit), "length", (kept,))
        self.close(ir.Branch(ir.Op(TRUTH, "lt", (cursor, length)), body, after), body)
        self.add(ir.SetLocal(statement.index, ir.Op(type_.of, "item", (kept, cursor))))
        one_more = ir.Op(
            Int(0, type_.limit), "narrow", (ir.Op(Int(1, type_.limit + 1), "add", (cursor, number(1))),)
        )
        self.add(ir.SetLocal(cursor.index, one_more))
        self.sequence(statement.body)
        self.close(ir.Jump(head), after)

    def loop(self, statement: mid.MidLoop) -> None:
        type_ = statement.limit.type
        assert isinstance(type_, Int)
        left = self.new_local(Int(min(0, type_.low), max(0, type_.high)))
        self.add(ir.SetLocal(left.index, statement.limit))
        head, body, after = self.block(), self.block(), self.block()
        self.close(ir.Jump(head), head)
        more: ir.Expr = ir.Op(TRUTH, "gt", (left, number(0)))
        if statement.condition != TRUE:
            more = ir.Op(TRUTH, "and", (more, statement.condition))
        self.close(ir.Branch(more, body, after), body)
        assert isinstance(left.type, Int)
        less = ir.Op(Int(left.type.low - 1, left.type.high - 1), "sub", (left, number(1)))
        self.add(ir.SetLocal(left.index, ir.Op(left.type, "narrow", (less,))))
        self.sequence(statement.body)
        self.close(ir.Jump(head), after)

    # ------------------------------------------------------------ stops

    def decide(self, statement: mid.MidDecide) -> None:
        stop, after = self.block(), self.block()
        self.close(ir.Jump(stop), stop)
        offers = []
        for each in statement.offers:
            target = self.block()
            offers.append(replace(each.offer, block=target))
            self.here = target
            self.sequence(each.body)
            self.close(ir.Jump(after), after)
        empty = None
        if statement.empty is not None:
            empty = self.block()
            self.here = empty
            self.sequence(statement.empty)
            self.close(ir.Jump(after), after)
        self.blocks[stop].end = ir.Decide(
            statement.player,
            tuple(offers),
            statement.prompt,
            statement.prompt_args,
            False,
            empty,
            statement.site,
            statement.sealed,
        )
        self.here = after

    def enter(self, statement: mid.MidEnter) -> None:
        after = self.block()
        self.close(ir.Enter(statement.routine, statement.args, after, statement.site), after)
        if statement.result is not None:
            self.add(ir.TakeResult(statement.result))


def cut(statements: tuple[mid.Mid, ...], new_local: Callable[[Type], ir.Local]) -> tuple[ir.Block, ...]:
    """The blocks of a routine; the first is where it begins."""
    cutter = _Cutter(new_local)
    cutter.here = cutter.block()
    cutter.sequence(statements)
    cutter.close(ir.Return(), cutter.here)
    for block in cutter.blocks:
        if block.end is None:
            block.end = ir.Return()
    return _tidy([ir.Block(tuple(block.body), block.end) for block in cutter.blocks if block.end])


def _tidy(blocks: list[ir.Block]) -> tuple[ir.Block, ...]:
    """Jumps to an empty block that only jumps on go straight there; blocks that nothing reaches fall out."""
    aims = {index: _aim(blocks, index) for index in range(len(blocks))}
    entered = {block.end.block for block in blocks if isinstance(block.end, ir.Enter)}
    aims |= {index: index for index in entered}
    led = [replace(block, end=_led(block.end, aims)) for block in blocks]
    reached = _reached(led)
    order = {old: new for new, old in enumerate(reached)}
    return tuple(replace(led[old], end=_led(led[old].end, order)) for old in reached)


def _aim(blocks: list[ir.Block], index: int) -> int:
    seen = set()
    while index not in seen and not blocks[index].body and isinstance(end := blocks[index].end, ir.Jump):
        seen.add(index)
        index = end.block
    return index


def _led(end: ir.Terminator, aims: dict[int, int]) -> ir.Terminator:
    match end:
        case ir.Jump(block=block):
            return ir.Jump(aims[block])
        case ir.Branch(then=then, other=other):
            return replace(end, then=aims[then], other=aims[other])
        case ir.Enter(block=block):
            return replace(end, block=aims[block])
        case ir.Decide(offers=offers, empty=empty):
            led = tuple(replace(offer, block=aims[offer.block]) for offer in offers)
            return replace(end, offers=led, empty=aims[empty] if empty is not None else None)
        case ir.Return():
            return end
        case _:
            assert_never(end)


def _reached(blocks: list[ir.Block]) -> list[int]:
    reached, waiting = {0}, [0]
    while waiting:
        for target in targets(blocks[waiting.pop()].end):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return sorted(reached)


def targets(end: ir.Terminator) -> tuple[int, ...]:
    """The blocks that a block leads to."""
    match end:
        case ir.Jump(block=block) | ir.Enter(block=block):
            return (block,)
        case ir.Branch(then=then, other=other):
            return then, other
        case ir.Decide(offers=offers, empty=empty):
            return (*(offer.block for offer in offers), *((empty,) if empty is not None else ()))
        case ir.Return():
            return ()
        case _:
            assert_never(end)
