"""Statements of small random programs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad
from dsl.ir.types import NONE, Int, ListOf, SetOf
from tests.engine.oracle import SMALL, SPAN, WIDE
from tests.ir.builders import num, op
from tests.wasm.programs.expressions import (
    BAGS,
    FREE,
    LOCALS,
    LOOPS,
    PILES,
    ROWS,
    SCORE,
    SPANS,
    YES,
    A,
    B,
    C,
    D,
    Expressions,
    H,
    S,
    W,
)

Made = TypeVar("Made")


class Programs(Expressions):
    """Makes statements and routines too."""

    def body(self, depth: int, count: int) -> tuple[ir.Stmt, ...]:
        return tuple(self.sure(lambda: self.statement(depth)) for _ in range(count))

    def sure(self, make: Callable[[], Made]) -> Made:
        """What is made, at the first try that leads to something."""
        locals_, open_, batched, loops = len(self.locals), len(self.open), self.batched, self.loops
        while True:
            with suppress(Bad):
                return make()
            del self.locals[locals_:]
            del self.open[open_:]
            self.batched, self.loops = batched, loops

    def statement(self, depth: int) -> ir.Stmt:
        simple = (
            self.store,
            self.change,
            self.marked,
            self.assign,
            self.assign,
            self.card_moved,
            self.chance,
        )
        nested = (self.branch, self.for_each, self.loop, self.guarded, self.batch, self.call, self.left)
        made = self.dice.choice(simple if depth <= 0 else (*simple, *nested))
        return made(depth)

    def store(self, depth: int) -> ir.Stmt:
        places: tuple[tuple[int, ir.Expr | None, ir.Expr | None, ir.Expr], ...] = (
            (A, None, None, self.number(2)),
            (B, self.player(), None, self.number(2)),
            (C, None, None, self.number(2, maybe=True)),
            (D, self.player(), None, self.card(2)),
            (S, None, None, self.set(2)),
            (W, self.player(), None, self.set(2)),
            (H, self.player(), None, self.cards(2)),
            (BAGS, None, None, self.bag(2)),
            (BAGS, None, self.card(1), self.op("narrow", self.number(1), kind=Int(0, 3))),
            (SPANS, None, None, ir.Local(SPAN, 8)),
            (SPANS, None, num(self.dice.randrange(2)), self.number(2)),
            (ROWS, None, None, self.row(2)),
            (ROWS, None, self.number(1), self.number(1)),
            (YES, None, None, self.truth(2)),
        )
        var, owner, item, value = self.dice.choice(places)
        return ir.Store(var, owner, item, value, 0)

    def change(self, depth: int) -> ir.Stmt:
        places: tuple[tuple[int, ir.Expr | None, ir.Expr | None, ir.Expr], ...] = (
            (A, None, None, self.number(2)),
            (SCORE, self.player(), None, self.number(2)),
            (BAGS, None, None, self.bag(1)),
            (BAGS, None, self.card(1), self.number(1)),
            (H, self.player(), None, self.cards(2)),
            (ROWS, None, num(0), self.number(1)),
        )
        var, owner, item, amount = self.dice.choice(places)
        sure = self.dice.random() < 0.96
        return ir.Change(var, owner, item, amount, sure, self.dice.random() < 0.4, 0)

    def assign(self, depth: int) -> ir.Stmt:
        index = self.dice.randrange(len(LOCALS))
        values: dict[int, ir.Expr] = {
            0: self.op("narrow", self.number(2), kind=LOCALS[0]),
            1: self.op("narrow", self.number(2), kind=LOCALS[1]),
            2: op(SMALL, "cast", self.set(2), ir.Const(Int(0, 0), 0)),
            3: op(WIDE, "cast", self.set(2), ir.Const(Int(0, 0), 0)),
            4: self.bag(2),
            5: self.row(2),
            6: self.card(2),
            7: self.cards(2),
            8: op(
                SPAN,
                "record",
                self.op("narrow", self.number(1), kind=Int(-3, 3)),
                self.op("narrow", self.number(1), kind=Int(0, 9)),
            ),
        }
        return ir.SetLocal(index, values[index], 0)

    def card_moved(self, depth: int) -> ir.Stmt:
        if not self.batched and self.dice.random() < 0.3:
            return ir.ShufflePile(0, ir.Const(Int(0, 1), self.dice.randrange(PILES)), 0)
        kind = Int(0, PILES - 1, optional=True)
        pile = ir.Const(kind, self.dice.choice((0, 1, NONE)))
        return ir.MoveCard(0, self.card(1), pile, self.dice.random() < 0.5, 0)

    def chance(self, depth: int) -> ir.Stmt:
        if self.batched:
            return self.assign(depth)
        match self.dice.randrange(4):
            case 0:
                return ir.Roll(1, ir.Const(Int(0, 4), self.dice.randrange(5)), self.dice.choice((2, 6, 7)), 0)
            case 1:
                return ir.RollList(5, ir.Const(Int(0, 4), self.dice.randrange(5)), 5, 0)
            case 2:
                return ir.Pick(6, self.cards(2), 0)
            case _:
                return ir.Pick(6, self.cards(2), 0, self.bag(1))

    def branch(self, depth: int) -> ir.Stmt:
        return ir.If(self.truth(2), self.body(depth - 1, 2), self.body(depth - 1, self.dice.randrange(2)))

    def for_each(self, depth: int) -> ir.Stmt:
        if self.loops >= LOOPS:
            return self.store(depth)
        domain = self.dice.choice((self.set(1), self.row(1), ir.Load(WIDE, W, self.player())))
        assert isinstance(domain.type, SetOf | ListOf)
        index = FREE + self.loops
        assert isinstance(domain.type.of, Int)
        self.loops += 1
        self.locals.append((index, domain.type.of))
        inner = ir.ForEach(index, domain, self.body(depth - 1, 2), 0)
        self.locals.pop()
        return inner

    def loop(self, depth: int) -> ir.Stmt:
        limit = ir.Const(Int(0, 5), self.dice.randrange(6))
        return ir.Loop(limit, self.truth(2), self.body(depth - 1, 2), 0)

    def guarded(self, depth: int) -> ir.Stmt:
        number = self.guards = self.guards + 1
        self.open.append(number)
        inner = self.body(depth - 1, 3)
        self.open.pop()
        return ir.Guarded(number, inner)

    def left(self, depth: int) -> ir.Stmt:
        if not self.open:
            return self.branch(depth)
        return ir.If(self.truth(1), (ir.Leave(self.dice.choice(self.open)),))

    def batch(self, depth: int) -> ir.Stmt:
        outer, self.batched = self.batched, True
        inner = ir.Batch(self.body(depth - 1, 3), 0)
        self.batched = outer
        return inner

    def call(self, depth: int) -> ir.Stmt:
        if not self.calls or self.batched:
            return ir.TestEndings(self.dice.random() < 0.5)
        return ir.Call(
            self.dice.randrange(self.calls), (self.op("narrow", self.number(1), kind=Int(-9, 9)),), None, 0
        )
