"""One program that holds every node, operator and kind of the IR, well made."""

from __future__ import annotations

from dataclasses import replace

from dsl.ir import limits
from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf
from tests.ir.builders import (
    CARDS,
    CELLS,
    PLACE,
    PLAYERS,
    World,
    everyone,
    member,
    none_of,
    num,
    numbers,
    op,
    test_of,
    truth,
    world,
)

BAG, HELD = BagOf(CARDS, 3), Int(0, 3)
PAIR = Record(("low", "high"), (Int(1, 6), Int(1, 6)))
DICE = ListOf(Int(1, 6), 3)
SPOTS, FAR, BITS = SetOf(Id(CELLS)), SetOf(Id(3)), SetOf(Int(1, 6))
CARD, CELL, PLAYER = Id(CARDS), Id(CELLS), Id(PLAYERS)
MAYBE_CARD = Id(CARDS, optional=True)
POSITIONS = ListOf(Int(0, limits.MAX_STORED), 2 * limits.MAX_POSITIONS)
SUPPLY, RANGE, THROWN, PILE, ORDER, PLAYED, GONE, DEPTH, RULING, IN_PLAY, OUT_OF_PLAY, STOOD, LAST = range(13)


def everything() -> p.Program:
    """The program."""
    made = world()
    made.domain("Place", ("a1", "a2", "a3", "c0", "c1", "c2", "c3", "c4"), "union", (CELLS, CARDS))
    _variables(made)
    _heads(made)
    _procedures(made)
    _routines(made)
    made.endings.append(
        p.Ending(
            "victory",
            None,
            test_of("eq", ir.Local(PLAYER, 0), member(PLAYERS, 1)),
            (PLAYER,),
            True,
            False,
            0,
            0,
        )
    )
    made.endings.append(p.Ending("draw", None, truth(False), (), False, True, None, None))
    made.endings.append(p.Ending("defeat", 1, truth(False), (), False, False, None, None))
    program = made.program(0)
    alike = p.Alike(CARDS, IN_PLAY, OUT_OF_PLAY, (PILE,), (0, 0, 1, 2, 2))
    return replace(
        program,
        size=program.size + 500,
        rules=(p.Rule("X-1", "Titre", "declared", ("X-2",), "note", (("en", "Title"),)),),
        history=p.History(STOOD, LAST, (SUPPLY, PLAYED), (alike,), "sums"),
    )


def _variables(made: World) -> None:
    made.clause("[X-1]")
    made.var("supply", BAG, ir.Const(BAG, (1, 0, 2, 0, 3)))
    made.var("range", PAIR, ir.Const(PAIR, (1, 6)), of=PLAYERS)
    made.var("thrown", DICE, ir.Const(DICE, (6, 1)))
    made.var("pile", Id(PLAYERS, optional=True), none_of(PLAYERS), of=CARDS, role="pile")
    made.var("order", Int(0, 4), num(0), of=CARDS, role="order")
    made.var("played", TRUTH, truth(), of=CARDS)
    seen = test_of("eq", ir.Local(PLAYER, 1), member(PLAYERS, 0))
    made.var("gone", TRUTH, truth(False), of=CARDS, audience=seen)
    made.var("depth", Int(0, 2), num(0), role="depth")
    made.var("ruling", Int(0, 1), num(0), role="option")
    cards = SetOf(Id(CARDS))
    made.var("in play", cards, ir.Const(cards, 31), role="in_play")
    made.var("out of play", cards, ir.Const(cards, 0), role="out_of_play")
    made.var("positions", POSITIONS, ir.Const(POSITIONS, ()), role="history")
    made.var("last to choose", Id(PLAYERS, optional=True), none_of(PLAYERS), role="history")
    made.table("kinds", CELL, ((0, 5),), (0, 1, 2, 0, 1))
    made.table("groups", SPOTS, ((1, 2), (0, 2)), (1, 2, 3, 7))
    owners = (-1, -1), (PLAYERS, 1)
    piles = "deck", "discard"
    made.pools.append(
        p.Pool("card", CARDS, 0, IN_PLAY, OUT_OF_PLAY, PILE, ORDER, piles, None, owners, (0, 1))
    )
    made.options.append(p.Option("reading", "ruling", ("reach", "exceed"), None, 1, RULING, 0, 0))
    made.options.append(p.Option("count", "option", (), (0, 1), 1, RULING, None, None))
    made.boards.append(
        p.Board(
            "map",
            "squares",
            CELLS,
            (0, 1, 2),
            (0, 0, 0),
            (2, 5, 2),
            "",
            ("a", "b", "c"),
            groups=(p.Grouping(PLAYERS, (1, NONE, 0)),),
        )
    )
    step = p.TestStep
    steps = (
        step("option", index=0, numbers=(1,)),
        step("given", index=2),
        step("rolls", numbers=(6, 1)),
        step("do", player=member(PLAYERS, 0), action=0, args=(member(PLAYERS, 0), num(2)), site=0),
        step("illegal", action=0, args=(member(PLAYERS, 0), num(2)), ids=("X-1",), among=True),
        step("expect", args=(truth(),)),
        step("error", text="E0601"),
    )
    made.tests.append(p.Test("title", ("X-9",), ("X-1",), steps, PLACE))
    held = (p.Held(truth(), "true", 0), p.Held(truth()))
    made.promises.append(p.Promise("always", ("X-8",), (), held, PLACE))


def _heads(made: World) -> None:
    clause, number = 0, Int(0, 6)
    amount = ir.Local(number, 0)
    clauses = (
        p.ValueClause(clause, "becomes", truth(False), num(3), None, (2,)),
        p.ValueClause(clause, "times", truth(), num(3), num(2), ()),
        p.ValueClause(clause, "plus", test_of("gt", amount, num(2)), num(1), None, ()),
        p.ValueClause(clause, "at_least", truth(), num(1), None, ()),
        p.ValueClause(clause, "at_most", truth(), num(9), None, ()),
    )
    made.value("strength", (number,), Int(0, 9), amount, clauses, rounding="down")
    made.text("missing: {0}")
    reason = len(made.texts) - 1
    prohibitions = (
        p.Prohibition(
            clause, "need", test_of("gt", ir.Local(number, 1), num(5)), reason, (ir.Local(number, 1),), (2,)
        ),
        p.Prohibition(clause, "forbid", truth(False), None, (), ()),
        p.Prohibition(clause, "allow", truth(), None, (), ()),
    )
    made.action("strike", (PLAYER, number), prohibitions, by=0, procedure=0)


def _pure() -> tuple[ir.Expr, ...]:
    """An expression for each operator and fold."""
    a, b, wide = num(4), num(-3), Int(-50, 50)
    supply, spots, bits = ir.Load(BAG, SUPPLY), everyone(CELLS, 3), numbers(1, 6)
    thrown, pair, ids = (
        ir.Load(DICE, THROWN),
        ir.Load(PAIR, RANGE, member(PLAYERS, 1)),
        ir.Const(MAYBE_CARD, 2),
    )
    cell = member(CELLS, 1)
    sums = [
        op(wide, name, a, b) for name in ("add", "sub", "mul", "min", "max", "div_down", "div_up", "div_zero")
    ]
    orders = [test_of(name, a, b) for name in ("eq", "ne", "lt", "le", "gt", "ge")]
    return (
        *sums,
        *orders,
        *(op(wide, "neg", a), op(wide, "abs", b)),
        *(test_of("and", *orders[:3]), test_of("or", *orders[:2]), test_of("not", orders[0])),
        *(op(wide, "if", orders[0], a, b), op(CARD, "else_", ids, member(CARDS, 0))),
        *(test_of("is_none", ids), op(CARD, "some", ids)),
        *(op(SPOTS, name, spots, op(SPOTS, "single", cell)) for name in ("union", "meet", "minus")),
        *(test_of("has", spots, cell), op(Int(0, 3), "size", spots), test_of("subset", spots, spots)),
        *(op(Id(CELLS, optional=True), "next", spots, cell), op(Id(CELLS, optional=True), "only", spots)),
        *(op(HELD, "bag_get", supply, member(CARDS, 1)), op(Int(0, 15), "bag_size", supply)),
        op(BAG, "bag_put", supply, member(CARDS, 1), num(2)),
        *(op(BagOf(CARDS, 6), "bag_add", supply, supply), op(BAG, "bag_sub", supply, supply)),
        op(SetOf(CARD), "bag_set", supply),
        *(op(Int(0, 3), "length", thrown), op(Int(1, 6), "item", thrown, num(0))),
        *(op(ListOf(Int(1, 6), 4), "append", thrown, num(3)), op(BITS, "list_set", thrown)),
        *(
            op(Int(1, 6), "field", pair, num(1)),
            op(PAIR, "record", num(2), num(3)),
            test_of("inside", a, pair),
        ),
        *(
            op(Int(0, 2), "id", cell),
            op(Id(3), "cast", cell, num(0)),
            op(FAR, "cast", everyone(CARDS, 5), num(3)),
        ),
        *(op(CARD, "cast", ir.Const(Id(3), 6), num(-3)), op(Int(0, 5), "narrow", sums[0])),
        op(BITS, "between", num(2), num(5)),
        ir.Const(Int(0, 9, optional=True), NONE),
        *(ir.LoadItem(HELD, SUPPLY, None, member(CARDS, 2)), ir.LoadItem(Int(1, 6), THROWN, None, num(0))),
        ir.LoadItem(Int(1, 6), RANGE, member(PLAYERS, 0), num(1)),
        *(ir.Lookup(CELL, 0, (member(CARDS, 3),)), ir.Lookup(SPOTS, 1, (num(2), num(1)))),
        *(ir.Ask(Int(0, 9), 0, (num(5),)), ir.Judge(TRUTH, 0, (member(PLAYERS, 0), num(5)))),
        ir.Trial(TRUTH, 2, (), truth()),
        *(test_of("out", member(PLAYERS, 0)), test_of("won", member(PLAYERS, 0)), test_of("over")),
        op(Int(-2, 5), "reason"),
        *_folds(bits),
    )


def _folds(bits: ir.Expr) -> tuple[ir.Expr, ...]:
    die = ir.Local(Int(1, 6), 4)
    even = test_of("gt", die, num(2))
    kinds = {
        "any": (TRUTH, None, even),
        "every": (TRUTH, even, truth()),
        "count": (Int(0, 6), even, None),
        "sum": (Int(0, 36), None, die),
        "all": (BITS, even, None),
        "first": (Int(1, 6, optional=True), None, even),
        "least": (BITS, None, op(Int(-6, -1), "neg", die)),
        "most": (BITS, None, die),
        "lowest": (Int(1, 6, optional=True), None, die),
        "highest": (Int(1, 6, optional=True), None, die),
    }
    folds = [ir.Fold(kind, name, 4, bits, where, body) for name, (kind, where, body) in kinds.items()]
    folds.append(ir.Fold(BITS, "union", 4, bits, even, op(BITS, "single", die)))
    folds.append(ir.Fold(ListOf(Int(1, 6), 6), "ordered", 4, bits, even, op(Int(-6, -1), "neg", die)))
    card = ir.Local(CARD, 2)
    alone = op(SetOf(CARD), "single", card)
    folds.append(ir.Fold(SetOf(CARD), "closure", 2, everyone(CARDS, 5), None, alone))
    return (*folds, ir.LetIn(TRUTH, 4, num(3), test_of("eq", die, num(3))))


def _procedures(made: World) -> None:
    done = made.text("{0} does {1}")
    told = tuple(ir.Log(made.text("{0}"), (each,), 0) for each in _pure())
    player, card = ir.Local(PLAYER, 0), ir.Local(CARD, 2)
    body: tuple[ir.Stmt, ...] = (
        *told,
        ir.Mark(0),
        ir.Roll(3, num(2), 6, 0),
        ir.RollList(5, num(3), 6, 0),
        ir.Pick(2, everyone(CARDS, 5), 0),
        ir.Pick(2, everyone(CARDS, 5), 0, ir.Load(BAG, SUPPLY)),
        ir.MoveCard(0, card, op(Int(0, 1), "id", player), True, 0),
        ir.ShufflePile(0, num(1), 0),
        ir.Store(THROWN, None, None, ir.Local(DICE, 5), 0),
        ir.Store(RANGE, player, num(0), num(3), 0),
        ir.Change(SUPPLY, None, card, num(1), True, False, 0),
        ir.Change(SUPPLY, None, None, ir.Load(BAG, SUPPLY), True, True, 0),
        ir.Call(1, (num(3),), 6, 0),
        ir.If(
            test_of("gt", ir.Local(Int(0, 100), 6), num(3)),
            (ir.Fail("E0604", 0),),
            (ir.Refused(0, (player, num(6)), 0),),
        ),
        ir.Log(done, (player, card), None, "do"),
        ir.TestEndings(True),
    )
    locals_ = (CARD, Int(0, 60), Int(1, 6), DICE, Int(0, 100))
    made.procedure("strike", body, params=(PLAYER, Int(0, 6)), locals_=locals_)
    made.procedure("loops", _loops(), params=(Int(0, 6),), locals_=(Int(0, 100), CARD), result=Int(0, 100))
    made.procedure("given", (ir.Mark(0),))


def _loops() -> tuple[ir.Stmt, ...]:
    total = ir.Local(Int(0, 100), 1)
    more = ir.SetLocal(1, op(Int(0, 100), "min", op(Int(0, 101), "add", total, num(1)), num(100)))
    stop = ir.If(test_of("gt", total, num(9)), (ir.Leave(0),))
    batch = ir.Batch((ir.Store(PLAYED, ir.Local(CARD, 2), None, truth(False), 0),), 0)
    return (
        ir.SetLocal(1, num(0)),
        ir.Guarded(0, (ir.ForEach(2, everyone(CARDS, 5), (more, stop, batch), 0), more)),
        ir.Loop(ir.Local(Int(0, 6), 0), test_of("lt", total, num(50)), (more,), 0),
        ir.Give(total),
    )


def _routines(made: World) -> None:
    ask, picked, player = made.text("{0}?"), ir.Local(Int(1, 6), 0), member(PLAYERS, 0)
    offers = (
        ir.Offer(
            "do",
            (ir.OfferVar(0, numbers(1, 6), truth()),),
            truth(),
            0,
            (player, picked),
            ask,
            (picked,),
            1,
            0,
        ),
        ir.Offer(
            "take",
            (ir.OfferVar(1, everyone(CARDS, 5), None),),
            None,
            None,
            (ir.Local(CARD, 1),),
            ask,
            (num(1),),
            3,
        ),
        ir.Offer("pass", (), None, None, (), made.text("pass"), (), 3),
        ir.Offer("stop", (), None, None, (), made.text("stop"), (), 4),
    )
    again = test_of("lt", ir.Load(Int(0, 2), DEPTH), num(2))
    goal = test_of("gt", ir.Load(Int(0, 2), DEPTH), num(1))
    blocks = (
        ir.Block((), ir.Decide(player, offers, ask, (num(1),), True, 4, 0)),
        ir.Block((ir.Call(0, (player, picked), None, 0),), ir.Branch(again, 2, 4)),
        ir.Block((ir.Change(DEPTH, None, None, num(1), False, False, 0),), ir.Enter(1, (picked,), 5, 0)),
        ir.Block((), ir.Jump(4)),
        ir.Block((), ir.Return()),
        ir.Block((ir.TakeResult(2),), ir.Jump(4)),
    )
    made.routine("main", blocks, locals_=(Int(1, 6), CARD, Int(0, 6)))
    one = ir.Offer("pass", (), ir.Reach(TRUTH, 2, (), goal, 3), None, (), made.text("pass"), (), 1)
    inner = (
        ir.Block((), ir.Decide(none_of(PLAYERS), (one,), None, (), False, 1, 0)),
        ir.Block((), ir.Enter(0, (), 2, 0)),
        ir.Block((), ir.Return(ir.Local(Int(0, 6), 0))),
    )
    made.routine("inner", inner, params=(Int(0, 6),), result=Int(0, 6))
    wait = ir.Offer("pass", (), None, None, (), made.text("wait"), (), 1)
    made.routine(
        "menu", (ir.Block((), ir.Decide(player, (wait,), None, (), True, None, 0)), ir.Block((), ir.Return()))
    )
