"""Small random programs: every kind of variable, statement and decision, put together by chance and verified."""

from __future__ import annotations

import random
from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf
from tests.engine.oracle import HAND, SMALL, state_world
from tests.ir.builders import CARDS, PLAYERS, World, everyone, member, none_of, num, numbers, op
from tests.ir.builders import test_of as truth_of
from tests.wasm.programs.expressions import (
    COUNT,
    FIELD,
    IN_PLAY,
    LOCALS,
    ORDER,
    OUT,
    PILE,
    PILES,
    SCORE,
    TOKENS,
    A,
    S,
)
from tests.wasm.programs.statements import Programs

MANY = 60


def small_program(seed: int) -> p.Program:
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
