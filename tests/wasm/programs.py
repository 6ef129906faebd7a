"""Small random programs: every kind of variable, statement and decision, put together by chance and verified."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.kinds import Bad
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, SetOf, Type
from tests.engine.oracle import BAG, HAND, ROW, SMALL, SPAN, WIDE, Maker, state_world
from tests.ir.builders import CARDS, PLAYERS, World, everyone, member, none_of, num, numbers, op
from tests.ir.builders import test_of as truth_of

A, B, C, D, S, W, H, BAGS, SPANS, ROWS, YES, SCORE, PILE, ORDER, IN_PLAY, OUT = range(16)
PILES = 2
LOCALS: tuple[Type, ...] = (Int(-9, 9), Int(0, 30), SMALL, WIDE, BAG, ROW, Id(CARDS), SetOf(Id(CARDS)), SPAN)
FREE = len(LOCALS)
"""Locals from here on are bound by loops, each of its own; those that expressions bind come behind."""
LOOPS = 4
MANY = 60
FIELD, COUNT, MARK, TOKEN = 3, 21, 16, 17
TOKENS = Int(0, 3)
FIELDS = SetOf(Id(FIELD))
LINES = ir.Const(ListOf(FIELDS, 4), (0b111, 0b111000, 0b1001001, 0b100000000000000000111))
Made = TypeVar("Made")


class Bound(list[tuple[int, Type]]):
    """The locals that are bound around; what each number has ever held stays known in `kinds`."""

    def __init__(self, kinds: dict[int, Type]) -> None:
        super().__init__()
        self.kinds = kinds

    def append(self, each: tuple[int, Type]) -> None:
        self.kinds[each[0]] = each[1]
        super().append(each)


class Programs(Maker):
    """Makes statements and routines too."""

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

    # ------------------------------------------------------------ statements

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


def _bare(made: World) -> p.Program:
    nothing = p.Routine("r", 0, (), (), p.FRAME_HEAD, None, (ir.Block((), ir.Return()),))
    return replace(made, routines=[nothing]).program(0)


def random_program(seed: int) -> p.Program:
    """The program of a seed."""
    dice = random.Random(seed)
    made = state_world()
    _things(made)
    maker = Programs(made, dice)
    _values(made, maker)
    for number in range(3):
        maker.begin(LOCALS)
        body = maker.body(3, 4)
        made.procedure(f"p{number}", body, params=LOCALS[:1], locals_=maker.table()[1:])
        maker.calls = number + 1
    for name in ("inner", "main"):
        _routine(made, maker, name)
    for kind in ("victory", "defeat", "draw"):
        score = ir.Load(Int(-20, 20), SCORE, member(PLAYERS, dice.randrange(2)))
        holds = truth_of("gt", score, num(dice.randint(5, 19)))
        once = dice.random() < 0.5
        made.endings.append(p.Ending(kind, None, holds, (Id(PLAYERS),), once, False, None, None))
    return replace(made.program(1), decisions=MANY)


def _things(made: World) -> None:
    made.var("score", Int(-20, 20), num(0), of=PLAYERS)
    kind = Int(0, PILES - 1, optional=True)
    third = op(TRUTH, "eq", ir.Local(Id(CARDS), 0), member(CARDS, 4))
    made.var("pile", kind, ir.Op(kind, "if", (third, ir.Const(kind, NONE), ir.Const(kind, 0))), of=CARDS)
    place = op(Int(0, 4), "id", ir.Local(Id(CARDS), 0))
    made.var("order", Int(0, 4), ir.Op(Int(0, 4), "if", (third, num(0), place)), of=CARDS)
    made.var("in_play", HAND, ir.Const(HAND, 0))
    made.var("out", HAND, ir.Const(HAND, 0))
    made.domain("Field", tuple(f"f{n}" for n in range(COUNT)))
    made.var("mark", Id(PLAYERS, optional=True), none_of(PLAYERS), of=FIELD)
    made.var("token", TOKENS, num(0), of=FIELD)
    made.table("sort", Int(0, 3), ((0, COUNT),), tuple(n * 7 % 4 for n in range(COUNT)))
    made.pools.append(p.Pool("cards", CARDS, None, IN_PLAY, OUT, PILE, ORDER, ("deck", "discard")))


def _values(made: World, maker: Programs) -> None:
    for number in range(2):
        clauses: list[p.ValueClause] = []
        for _ in range(maker.dice.randrange(4)):
            stage = maker.dice.choice(("becomes", "times", "plus", "at_least", "at_most"))
            divisor = num(maker.dice.randint(1, 3)) if stage == "times" else None
            operand = num(maker.dice.randint(-3, 6)) if stage == "times" else _plain(maker)
            over = (0,) if clauses and maker.dice.random() < 0.4 else ()
            clause = made.clause(f"[V-{number}]", "modify")
            clauses.append(p.ValueClause(clause, stage, _condition(maker), operand, divisor, over))
        base = _plain(maker)
        made.value(f"v{number}", LOCALS[:1], Int(-60, 60), base, tuple(clauses), rounding="down")
        maker.asks = number + 1


def _plain(maker: Programs) -> ir.Expr:
    """A number of an argument and the state, without other locals."""
    match maker.dice.randrange(3):
        case 0:
            return ir.Local(LOCALS[0], 0)
        case 1:
            return ir.Load(Int(-5, 9), A)
        case _:
            return op(Int(0, 7), "size", ir.Load(SMALL, S))


def _condition(maker: Programs) -> ir.Expr:
    name = maker.dice.choice(("lt", "ge", "eq", "ne"))
    return truth_of(name, _plain(maker), num(maker.dice.randint(-1, 6)))


def _routine(made: World, maker: Programs, name: str) -> None:
    """In a round somebody chooses, and something follows; the main routine enters the other one on the way."""
    maker.begin(LOCALS)
    main = name == "main"
    again: ir.Terminator = ir.Jump(1) if main else ir.Return()
    blocks = (
        ir.Block(() if main else maker.body(1, 1), ir.Jump(1)),
        ir.Block((), maker.sure(lambda: _decide(made, maker))),
        ir.Block(maker.body(2, 2), ir.Enter(0, (), 3, 0) if main else ir.Jump(3)),
        ir.Block(maker.body(1, 1), ir.Branch(maker.sure(lambda: maker.truth(2)), 4, 5)),
        ir.Block((), again),
        ir.Block(maker.body(1, 1), again),
    )
    made.routine(name, blocks, locals_=maker.table())


def _decide(made: World, maker: Programs) -> ir.Decide:
    offers = []
    for _ in range(3):
        domain = maker.dice.choice((numbers(-2, 6), ir.Load(SMALL, S), everyone(CARDS, 5)))
        assert isinstance(domain.type, SetOf)
        index = 6 if isinstance(domain.type.of, Id) else 0
        variables = (ir.OfferVar(index, domain, maker.truth(1) if maker.dice.random() < 0.5 else None),)
        guard = maker.truth(2) if maker.dice.random() < 0.6 else None
        bound = ir.Local(LOCALS[index], index)
        offers.append(ir.Offer("take", variables, guard, None, (bound,), made.text("{0}"), (bound,), 2))
    offers.append(ir.Offer("pass", (), maker.truth(2), None, (), made.text("pass"), (), 2))
    kind = Id(PLAYERS, optional=True)
    who = ir.Op(kind, "if", (maker.truth(1), member(PLAYERS, 0), member(PLAYERS, 1)))
    return ir.Decide(who, tuple(offers), None, (), maker.dice.random() < 0.5, 5, 0)
