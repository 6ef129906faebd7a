"""Expressions of small random programs, beyond those that the oracle makes: sets, bags, rows, cards and fields."""

from __future__ import annotations

import random
from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, SetOf, Type
from tests.engine.oracle import BAG, HAND, ROW, SMALL, SPAN, WIDE, Maker
from tests.ir.builders import CARDS, PLAYERS, World, everyone, member, num, op

A, B, C, D, S, W, H, BAGS, SPANS, ROWS, YES, SCORE, PILE, ORDER, IN_PLAY, OUT = range(16)
PILES = 2
LOCALS: tuple[Type, ...] = (Int(-9, 9), Int(0, 30), SMALL, WIDE, BAG, ROW, Id(CARDS), SetOf(Id(CARDS)), SPAN)
FREE = len(LOCALS)
"""Locals from here on are bound by loops, each of its own; those that expressions bind come behind."""
LOOPS = 4
FIELD, COUNT, MARK, TOKEN = 3, 21, 16, 17
TOKENS = Int(0, 3)
FIELDS = SetOf(Id(FIELD))
LINES = ir.Const(ListOf(FIELDS, 4), (0b111, 0b111000, 0b1001001, 0b100000000000000000111))


class Bound(list[tuple[int, Type]]):
    """The locals that are bound around; what each number has ever held stays known in `kinds`."""

    def __init__(self, kinds: dict[int, Type]) -> None:
        super().__init__()
        self.kinds = kinds

    def append(self, each: tuple[int, Type]) -> None:
        self.kinds[each[0]] = each[1]
        super().append(each)


class Expressions(Maker):
    """Makes them of the locals that are bound and the variables of a program."""

    def __init__(self, made: World, dice: random.Random) -> None:
        super().__init__(made.program(0) if made.routines else _bare(made), dice)
        self.made = made
        self.loops = 0
        self.guards = 0
        self.open: list[int] = []
        self.batched = False
        self.calls = 0
        self.asks = 0
        self.begin(LOCALS)

    def begin(self, given: tuple[Type, ...]) -> None:
        """A new function, with some locals."""
        self.kinds_of: dict[int, Type] = dict(enumerate(given))
        self.locals = Bound(self.kinds_of)
        self.loops = 0
        self.count = FREE + LOOPS
        for index, kind in enumerate(given):
            if isinstance(kind, Int):
                self.locals.append((index, kind))

    def table(self) -> tuple[Type, ...]:
        """The types of the locals of the function that was made."""
        return tuple(self.kinds_of.get(index, Int(0, 0)) for index in range(max(self.kinds_of) + 1))

    # ------------------------------------------------------------ expressions

    def _number(self, depth: int) -> ir.Expr:
        if depth > 1 and self.asks and self.dice.random() < 0.1:
            index = self.dice.randrange(self.asks)
            argument = self.op("narrow", self.number(depth - 2), kind=Int(-5, 9))
            return ir.Ask(self.made.values[index].result, index, (argument,))
        return super()._number(depth)

    def truth(self, depth: int) -> ir.Expr:
        if depth > 0 and self.dice.random() < 0.15:
            return self.fields(self.dice.choice(("any", "every")))
        return super().truth(depth)

    def fields(self, kind: str) -> ir.Expr:
        """A fold over fields, by what stands on each; some stand inside another over lines of fields."""
        outer = self.dice.random() < 0.5
        line = self.count = self.count + 1
        if outer:
            self.locals.append((line, FIELDS))
        field = self.count = self.count + 1
        self.locals.append((field, Id(FIELD)))
        domain: ir.Expr = ir.Local(FIELDS, line) if outer else everyone(FIELD, COUNT)
        condition = self.mark(field)
        if self.dice.random() < 0.3:
            condition = self.op(self.dice.choice(("and", "or")), condition, self.mark(field))
        where, body = (condition, None) if kind == "any" and self.dice.random() < 0.3 else (None, condition)
        inner: ir.Expr = ir.Fold(TRUTH, kind, field, domain, where, body)
        self.locals.pop()
        if outer:
            self.locals.pop()
            inner = ir.Fold(TRUTH, self.dice.choice(("any", "every")), line, LINES, None, inner)
        return inner

    def mark(self, field: int) -> ir.Expr:
        """What stands on a field, in a form that all fields can be asked at once, or not."""
        held = ir.Load(Id(PLAYERS, optional=True), MARK, ir.Local(Id(FIELD), field))
        match self.dice.randrange(6):
            case 0:
                return self.op("is_none", held)
            case 1:
                return self.op(self.dice.choice(("eq", "ne")), held, self.player())
            case 3 | 4:
                token = ir.Load(TOKENS, TOKEN, ir.Local(Id(FIELD), field))
                other = ir.Load(Int(-5, 9), A) if self.dice.random() < 0.2 else num(self.dice.randrange(5))
                return self.op(self.dice.choice(("eq", "ne")), token, other)
            case 2:
                printed = ir.Lookup(Int(0, 3), 1, (ir.Local(Id(FIELD), field),))
                return self.op(self.dice.choice(("eq", "ge")), printed, num(self.dice.randrange(4)))
            case _:
                return self.op("not", self.op("is_none", held))

    def token(self, field: ir.Expr) -> ir.Stmt:
        """More or fewer tokens on a field."""
        if self.dice.random() < 0.3:
            field = member(FIELD, self.dice.randrange(COUNT))
        amount = num(self.dice.randrange(1, 3))
        if self.dice.random() < 0.5:
            return ir.Change(
                TOKEN, field, None, amount, self.dice.random() < 0.7, self.dice.random() < 0.3, 0
            )
        return ir.Store(TOKEN, field, None, amount, 0)

    def marked(self, depth: int) -> ir.Stmt:
        """Marks a field, and looks for the first that is free; or puts tokens there, outside of batches alone."""
        player = ir.Const(Id(PLAYERS, optional=True), self.dice.choice((0, 1, NONE)))
        index = self.count = self.count + 1
        self.locals.append((index, Id(FIELD)))
        free = self.mark(index)
        self.locals.pop()
        found = ir.Fold(Id(FIELD, optional=True), "first", index, everyone(FIELD, COUNT), None, free)
        field = ir.Op(Id(FIELD), "else_", (found, member(FIELD, self.dice.randrange(COUNT))))
        if not self.batched and self.dice.random() < 0.6:
            return self.token(field)
        return ir.Store(MARK, field, None, player, 0)

    def set(self, depth: int) -> ir.Expr:
        if self.dice.random() < 0.15:
            return ir.Local(*self.dice.choice(((SMALL, 2), (WIDE, 3))))
        if depth > 0 and self.dice.random() < 0.1:
            low, high = num(self.dice.randint(-3, 4)), num(self.dice.randint(0, 90))
            return self.op("between", low, high, kind=SetOf(Int(-4, 100)))
        return super().set(depth)

    def card(self, depth: int) -> ir.Expr:
        match self.dice.randrange(4):
            case 0:
                return member(CARDS, self.dice.randrange(5))
            case 1:
                return ir.Local(Id(CARDS), 6)
            case 2:
                return self.op("some", ir.Load(Id(CARDS, optional=True), D, self.player()))
            case _:
                found = ir.Op(Id(CARDS, optional=True), "only", (self.cards(depth),))
                return ir.Op(Id(CARDS), "else_", (found, member(CARDS, 2)))

    def player(self) -> ir.Expr:
        return member(PLAYERS, self.dice.randrange(2))

    def cards(self, depth: int) -> ir.Expr:
        match self.dice.randrange(6 if depth > 0 else 3):
            case 0:
                return ir.Load(HAND, H, self.player())
            case 1:
                return ir.Local(HAND, 7)
            case 2:
                return everyone(CARDS, 5)
            case 3:
                name = self.dice.choice(("union", "meet", "minus"))
                return op(HAND, name, self.cards(depth - 1), self.cards(depth - 1))
            case 4:
                return op(HAND, "bag_set", self.bag(depth - 1))
            case _:
                return op(HAND, "single", self.card(depth - 1))

    def bag(self, depth: int) -> ir.Expr:
        match self.dice.randrange(6 if depth > 0 else 3):
            case 0:
                return ir.Load(BAG, BAGS)
            case 1:
                return ir.Local(BAG, 4)
            case 2:
                return ir.Const(BAG, tuple(self.dice.randrange(3) for _ in range(5)))
            case 3:
                count = ir.Const(Int(1, 1), 1)
                return op(BAG, "bag_put", self.bag(depth - 1), self.card(depth - 1), count)
            case 4:
                both = op(BagOf(CARDS, 6), "bag_add", self.bag(depth - 1), self.bag(depth - 1))
                return op(BAG, "narrow", both)
            case _:
                return op(BAG, "bag_sub", self.bag(depth - 1), self.bag(depth - 1))

    def row(self, depth: int) -> ir.Expr:
        match self.dice.randrange(4 if depth > 0 else 2):
            case 0:
                return ir.Load(ROW, ROWS)
            case 1:
                return ir.Local(ROW, 5)
            case 2:
                element = self.op("narrow", self.number(depth - 1), kind=Int(0, 5))
                longer = ListOf(Int(0, 5), 5)
                return op(ROW, "narrow", op(longer, "append", self.row(depth - 1), element))
            case _:
                return ir.Op(ROW, "if", (self.truth(depth - 1), self.row(depth - 1), self.row(depth - 1)))


def _bare(made: World) -> p.Program:
    nothing = p.Routine("r", 0, (), (), p.FRAME_HEAD, None, (ir.Block((), ir.Return()),))
    return replace(made, routines=[nothing]).program(0)
