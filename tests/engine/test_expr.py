"""Generated code against the naive reading of the same expressions."""

import random

import pytest

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad
from dsl.ir.types import TRUTH, Id, Int, SetOf
from dsl.ir.verify.expressions import Known, Scope
from tests.engine.oracle import BAG, HAND, SPAN, Maker, Oracle, state_world
from tests.ir.builders import CARDS, PLAYERS, idle

PROGRAM = idle(state_world())
GAME = Game.start(Machine(PROGRAM))
ORACLE = Oracle(PROGRAM)


def both(e: ir.Expr) -> tuple[object, object]:
    """What the engine and the oracle say."""
    try:
        engine: object = ORACLE.read(e.type, GAME.evaluate(e))
    except RuleFailure as failure:
        engine = failure.code
    try:
        oracle: object = ORACLE.value(e, {})
    except RuleFailure as failure:
        oracle = failure.code
    return engine, oracle


def made(seed: int) -> ir.Expr | None:
    maker = Maker(PROGRAM, random.Random(seed))
    try:
        e = (maker.truth, maker.number, maker.set)[seed % 3](5)
        Scope(Known(PROGRAM), None).check(e)
        return e
    except Bad:
        return None


@pytest.mark.parametrize("batch", range(20))
def test_random_expressions_mean_what_their_nodes_say(batch: int) -> None:
    tried = 0
    for seed in range(batch * 100, batch * 100 + 100):
        e = made(seed)
        if e is None:
            continue
        tried += 1
        engine, oracle = both(e)
        assert engine == oracle, (seed, e)
    assert tried > 40


CARD, PLAYER = Id(CARDS), Id(PLAYERS)
BAG_NOW, HAND_NOW = ir.Load(BAG, 7), ir.Load(HAND, 6, ir.Const(PLAYER, 1))
UNION = Id(CARDS)


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (ir.Op(Int(0, 3), "bag_get", (BAG_NOW, ir.Const(CARD, 4))), 3),
        (ir.Op(BAG, "bag_put", (BAG_NOW, ir.Const(CARD, 0), ir.Const(Int(0, 3), 2))), (2, 2, 1, 0, 3)),
        (ir.Op(BAG, "bag_sub", (BAG_NOW, ir.Const(BAG, (0, 1, 0, 0, 0)))), (0, 1, 1, 0, 3)),
        (ir.Op(BAG, "bag_sub", (BAG_NOW, ir.Const(BAG, (1, 0, 0, 0, 0)))), "E0601"),
        (ir.Op(HAND, "bag_set", (BAG_NOW,)), frozenset({1, 2, 4})),
        (ir.Op(TRUTH, "inside", (ir.Const(Int(0, 9), 7), ir.Load(SPAN, 8))), 1),
        (ir.Op(TRUTH, "inside", (ir.Const(Int(0, 9), 8), ir.Load(SPAN, 8))), 0),
        (ir.Op(SPAN, "record", (ir.Const(Int(-3, 3), 1), ir.Const(Int(0, 9), 2))), (1, 2)),
        (ir.Op(TRUTH, "has", (HAND_NOW, ir.Load(Id(CARDS, optional=True), 3, ir.Const(PLAYER, 0)))), 1),
        (ir.Op(Id(CARDS, optional=True), "next", (HAND_NOW, ir.Const(CARD, 2))), 4),
        (ir.Op(Id(CARDS, optional=True), "only", (HAND_NOW,)), 1),
        (ir.Op(TRUTH, "out", (ir.Const(PLAYER, 0),)), 0),
        (ir.Op(Int(0, 3), "sub", (ir.Const(Int(3, 3), 3), ir.Op(TRUTH, "not", (ir.Load(TRUTH, 10),)))), 3),
        (ir.Op(Int(0, 4), "id", (ir.Const(CARD, 3),)), 3),
        (ir.Op(Id(PLAYERS), "cast", (ir.Const(CARD, 3), ir.Const(Int(-2, -2), -2))), 1),
        (ir.Op(Id(PLAYERS), "cast", (ir.Const(CARD, 4), ir.Const(Int(-2, -2), -2))), "E0604"),
        (ir.Op(SetOf(Id(PLAYERS)), "cast", (HAND_NOW, ir.Const(Int(-1, -1), -1))), frozenset({0, 1})),
        (ir.Op(SetOf(Int(0, 9)), "between", (ir.Const(Int(3, 3), 3), ir.Const(Int(2, 2), 2))), frozenset()),
    ],
)
def test_each_operator_on_an_example(op: ir.Expr, expected: object) -> None:
    assert both(op) == (expected, expected)


def test_folds_nest_deeper_than_loops_of_python_do() -> None:
    body: ir.Expr = ir.Const(Int(1, 1), 1)
    two = ir.Const(SetOf(Int(0, 1)), 3)
    high = 1
    for depth in range(12):
        high *= 2
        body = ir.Fold(Int(0, high), "sum", 20 + depth, two, None, body)
    assert GAME.evaluate(body) == 2**12


@pytest.mark.parametrize("depth", [0, 1, 30])
def test_a_closure_goes_on_until_nothing_is_new(depth: int) -> None:
    cards, one = SetOf(CARD), SetOf(Int(0, 1))
    card, everything = ir.Local(CARD, 1), ir.Const(cards, 0b11111)
    following = ir.Op(Id(CARDS, optional=True), "next", (everything, card))
    body = ir.Op(cards, "single", (following,))
    stopped = ir.Op(TRUTH, "ne", (card, ir.Const(CARD, 3)))
    for where, last in ((None, 5), (stopped, 4)):
        found: ir.Expr = ir.Op(
            Int(0, 5), "size", (ir.Fold(cards, "closure", 1, ir.Const(cards, 2), where, body),)
        )
        for number in range(depth):
            found = ir.Fold(Int(0, 5), "sum", 20 + number, ir.Const(one, 1), None, found)
        assert GAME.evaluate(found) == last - 1


def test_a_long_chain_of_conditions_goes_no_deeper() -> None:
    small = SetOf(Int(0, 200))
    chain: ir.Expr = ir.Const(Int(0, 200), 200)
    found = ir.Local(Int(0, 200), 1)
    for number in reversed(range(100)):
        numbers = ir.Const(small, 1 << number)
        test = ir.Fold(TRUTH, "any", 2, numbers, None, ir.Op(TRUTH, "eq", (ir.Local(Int(0, 200), 2), found)))
        chain = ir.Op(Int(0, 200), "if", (test, ir.Const(Int(0, 200), 199 - number), chain))
    for given, expected in ((0, 199), (42, 157), (99, 100), (100, 200)):
        value = ir.LetIn(Int(0, 200), 1, ir.Const(Int(0, 200), given), chain)
        assert GAME.evaluate(value) == expected
