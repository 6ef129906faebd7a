"""A game of middling size by hand: twelve units on 36 cells, which move and fire, with dice, a deck and a
secret.

Each turn a player activates up to three of his units; each moves up to three times and may then fire.
"""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.types import NONE, TRUTH, Id, Int, ListOf, SetOf, Type
from tests.ir.builders import World, everyone, member, num, op
from tests.ir.builders import test_of as truth

PLAYER, CELL, UNIT, CARD = 0, 1, 2, 3
SIDE, UNITS = 6, 12
CELLS, UNIT_SET = SetOf(Id(CELL)), SetOf(Id(UNIT))
MAYBE_CELL = Id(CELL, optional=True)
TURN, AT, HP, USED, ROUND, LUCK, STRENGTH, IN_PLAY, OUT, PILE, ORDER, STEPS = range(12)
OWNER, AROUND, START = range(3)


def load(var: int, kind: Type, owner: ir.Expr | None = None) -> ir.Load:
    return ir.Load(kind, var, owner)


def unit(index: int) -> ir.Local:
    return ir.Local(Id(UNIT), index)


def cell(index: int) -> ir.Local:
    return ir.Local(Id(CELL), index)


def owner(u: ir.Expr) -> ir.Lookup:
    return ir.Lookup(Id(PLAYER), OWNER, (u,))


def turn() -> ir.Load:
    return load(TURN, Id(PLAYER))


def around(u: ir.Expr) -> ir.Expr:
    """The cells beside a unit, none where it is nowhere."""
    at = load(AT, MAYBE_CELL, u)
    nowhere = truth("is_none", at)
    beside = ir.Lookup(CELLS, AROUND, (op(Id(CELL), "some", at),))
    return op(CELLS, "if", nowhere, ir.Const(CELLS, 0), beside)


def skirmish() -> p.Program:
    made = World()
    made.domain("Player", ("red", "blue"), "player")
    made.domain("Cell", tuple(f"{'abcdef'[x]}{y + 1}" for y in range(SIDE) for x in range(SIDE)), "cell")
    made.domain("Unit", tuple(f"u{n}" for n in range(UNITS)), "piece")
    made.domain("Card", tuple(f"card{n}" for n in range(5)), "piece")
    _variables(made)
    _tables(made)
    _values(made)
    fight = _actions(made)
    _main(made)
    _activate(made, fight)
    _endings(made)
    return made.program(0)


def _variables(made: World) -> None:
    made.var("turn", Id(PLAYER), member(PLAYER, 0))
    made.var("at", MAYBE_CELL, ir.Lookup(Id(CELL), START, (unit(0),)), of=UNIT)
    weak = op(Int(2, 3), "add", num(2), load(STRENGTH, Int(0, 1)))
    made.var("hp", Int(0, 3), weak, of=UNIT)
    made.var("used", UNIT_SET, ir.Const(UNIT_SET, 0))
    made.var("round", Int(0, 60), num(0), role="round")
    mine = truth("eq", ir.Local(Id(PLAYER), 0), ir.Local(Id(PLAYER), 1))
    made.var("luck", Int(0, 200), num(0), of=PLAYER, audience=mine)
    made.var("strength", Int(0, 1), num(0), role="option")
    made.var("in_play", SetOf(Id(CARD)), ir.Const(SetOf(Id(CARD)), 31), role="in_play")
    made.var("out", SetOf(Id(CARD)), ir.Const(SetOf(Id(CARD)), 0), role="out_of_play")
    made.var("pile", Int(0, 1, optional=True), num(0), of=CARD, role="pile")
    made.var("order", Int(0, 4), op(Int(0, 4), "id", ir.Local(Id(CARD), 0)), of=CARD, role="order")
    made.var("steps", Int(0, 3), num(0))
    made.options.append(
        p.Option("strength", "option", ("weak", "strong"), None, 1, STRENGTH, None, made.clause("S-0"))
    )
    made.pools.append(p.Pool("Card", CARD, None, IN_PLAY, OUT, PILE, ORDER, ("deck", "discard")))


def _tables(made: World) -> None:
    made.table("owner", Id(PLAYER), ((0, UNITS),), tuple(n * 2 // UNITS for n in range(UNITS)))
    beside = []
    for here in range(SIDE * SIDE):
        x, y = here % SIDE, here // SIDE
        near = [(x + dx, y + dy) for dx, dy in ((0, -1), (-1, 0), (1, 0), (0, 1))]
        beside.append(sum(1 << b * SIDE + a for a, b in near if 0 <= a < SIDE and 0 <= b < SIDE))
    made.table("around", CELLS, ((0, SIDE * SIDE),), tuple(beside))
    start = tuple(n + 6 if n < 6 else n + 18 for n in range(UNITS))
    made.table("start", Id(CELL), ((0, UNITS),), start)


def _values(made: World) -> None:
    forest = ir.Const(CELLS, 0b101101 << 12)
    hidden = truth("has", forest, load(AT, MAYBE_CELL, unit(0)))
    friends = ir.Fold(Int(0, 12), "count", 1, everyone(UNIT, UNITS), _friend(), None)
    clauses = (
        p.ValueClause(made.clause("S-1", "modify"), "plus", hidden, num(2), None, ()),
        p.ValueClause(made.clause("S-2", "modify"), "plus", truth("ge", friends, num(2)), num(1), None, ()),
        p.ValueClause(made.clause("S-3", "modify"), "times", hidden, num(3), num(2), (1,)),
        p.ValueClause(made.clause("S-4", "modify"), "at_most", ir.Const(TRUTH, 1), num(5), None, ()),
    )
    base = load(HP, Int(0, 3), unit(0))
    made.value("power", (Id(UNIT),), Int(0, 9), base, clauses, locals_=(Id(UNIT),), rounding="down")


def _friend() -> ir.Expr:
    """Is unit 1 a friend of unit 0, and beside it?"""
    near = truth("has", around(unit(0)), load(AT, MAYBE_CELL, unit(1)))
    return truth("and", truth("eq", owner(unit(1)), owner(unit(0))), near)


def _actions(made: World) -> tuple[int, int]:
    taken = ir.Fold(
        TRUTH, "any", 2, everyone(UNIT, UNITS), truth("eq", load(AT, MAYBE_CELL, unit(2)), cell(1)), None
    )
    far = truth("not", truth("has", around(unit(0)), cell(1)))
    moves = (
        p.Prohibition(made.clause("S-10", "need"), "need", far, made.text("too far"), (), ()),
        p.Prohibition(
            made.clause("S-11", "forbid"), "forbid", taken, made.text("taken: {0}"), (cell(1),), (2,)
        ),
        p.Prohibition(
            made.clause("S-12", "allow"), "allow", truth("eq", load(ROUND, Int(0, 60)), num(59)), None, (), ()
        ),
    )
    walk = made.procedure("move", _moving(made), params=(Id(UNIT), Id(CELL)))
    made.action("move", (Id(UNIT), Id(CELL)), moves, procedure=walk, locals_=(Id(UNIT),))
    target = load(AT, MAYBE_CELL, unit(1))
    reach = truth("not", truth("has", around(unit(0)), target))
    own = truth("eq", owner(unit(0)), owner(unit(1)))
    fires = (
        p.Prohibition(made.clause("S-20", "forbid"), "forbid", own, made.text("own"), (), ()),
        p.Prohibition(made.clause("S-21", "need"), "need", reach, made.text("out of reach"), (), ()),
    )
    hurt = made.procedure("hurt", _hurting(), params=(Id(UNIT),))
    draw = made.procedure("draw", _drawing(), locals_=(Id(CARD, optional=True), Id(CARD)))
    shots = made.procedure("fire", _firing(made, hurt, draw), params=(Id(UNIT), Id(UNIT)), locals_=DICE)
    made.action("fire", (Id(UNIT), Id(UNIT)), fires, procedure=shots)
    return walk, shots


DICE: tuple[Type, ...] = (Int(1, 6), ListOf(Int(1, 6), 3), Int(0, 3), Int(1, 6))


def _moving(made: World) -> tuple[ir.Stmt, ...]:
    return (
        ir.Mark(made.clause("S-13")),
        ir.Store(AT, unit(0), None, cell(1), 0),
        ir.Log(made.text("{0} moves to {1}"), (unit(0), cell(1)), None, "do"),
    )


def _hurting() -> tuple[ir.Stmt, ...]:
    return (ir.Change(HP, unit(0), None, num(1), True, True, 0),)


def _drawing() -> tuple[ir.Stmt, ...]:
    """The top card of the deck goes under the discard; an empty deck is made anew first."""
    card = ir.Local(Id(CARD), 1)
    cards = everyone(CARD, 5)
    in_pile = [truth("eq", load(PILE, Int(0, 1, optional=True), card), num(n)) for n in (0, 1)]
    first = truth("eq", load(ORDER, Int(0, 4), card), num(0))
    top = ir.Fold(Id(CARD, optional=True), "first", 1, cards, truth("and", in_pile[0], first), None)
    drawn = ir.Local(Id(CARD, optional=True), 0)
    discard = ir.Fold(SetOf(Id(CARD)), "all", 1, cards, in_pile[1], None)
    return (
        ir.If(
            truth("not", ir.Fold(TRUTH, "any", 1, cards, in_pile[0], None)),
            (
                ir.ForEach(1, discard, (ir.MoveCard(0, card, num(0), True, 0),), 0),
                ir.ShufflePile(0, num(0), 0),
            ),
        ),
        ir.SetLocal(0, top),
        ir.MoveCard(0, op(Id(CARD), "some", drawn), num(1), False, 0),
    )


def _firing(made: World, hurt: int, draw: int) -> tuple[ir.Stmt, ...]:
    roll, dice, hits = ir.Local(DICE[0], 2), ir.Local(DICE[1], 3), ir.Local(DICE[2], 4)
    power = ir.Ask(Int(0, 9), 0, (unit(0),))
    strong = truth("ge", op(Int(1, 15), "add", roll, power), num(7))
    sixes = ir.Fold(Int(0, 3), "count", 5, dice, truth("eq", ir.Local(Int(1, 6), 5), num(6)), None)
    dead = truth("eq", load(HP, Int(0, 3), unit(1)), num(0))
    return (
        ir.Call(draw, (), None, 0),
        ir.Roll(2, num(1), 6, 0),
        ir.RollList(3, num(3), 6, 0),
        ir.SetLocal(4, sixes),
        ir.Change(LUCK, owner(unit(0)), None, hits, True, False, 0),
        ir.Log(made.text("{0} fires at {1}: {2}, luck {3}"), (unit(0), unit(1), roll, _luck()), None, "do"),
        ir.If(strong, (ir.Batch((ir.Call(hurt, (unit(1),), None, 0),), 0),)),
        ir.If(dead, (ir.Store(AT, unit(1), None, ir.Const(MAYBE_CELL, NONE), 0),)),
        ir.TestEndings(True),
    )


def _luck() -> ir.Expr:
    return load(LUCK, Int(0, 200), owner(unit(0)))


def _main(made: World) -> None:
    chosen, moved = unit(0), ir.Local(Int(0, 3), 1)
    steps = load(STEPS, Int(0, 3))
    ready = truth(
        "and",
        truth("eq", owner(chosen), turn()),
        truth("gt", load(HP, Int(0, 3), chosen), num(0)),
        truth("not", truth("has", load(USED, UNIT_SET), chosen)),
    )
    offers = (
        ir.Offer(
            "take",
            (ir.OfferVar(0, everyone(UNIT, UNITS), ready),),
            None,
            None,
            (chosen,),
            made.text("activate {0}"),
            (chosen,),
            2,
        ),
        ir.Offer("pass", (), None, None, (), made.text("pass"), (), 4),
    )
    other = op(Id(PLAYER), "if", truth("eq", turn(), member(PLAYER, 0)), member(PLAYER, 1), member(PLAYER, 0))
    spent = op(UNIT_SET, "union", load(USED, UNIT_SET), op(UNIT_SET, "single", chosen))
    begin = (ir.Store(STEPS, None, None, num(3), 0), ir.Store(USED, None, None, ir.Const(UNIT_SET, 0), 0))
    finish = (
        ir.TestEndings(False),
        ir.Store(TURN, None, None, other, 0),
        ir.Change(ROUND, None, None, num(1), True, False, 0),
    )
    made.routine(
        "main",
        (
            ir.Block(begin, ir.Jump(1)),
            ir.Block((), ir.Decide(turn(), offers, made.text("which unit?"), (), True, 4, 0)),
            ir.Block((), ir.Enter(1, (chosen,), 3, 0)),
            ir.Block(
                (
                    ir.TakeResult(1),
                    ir.Store(USED, None, None, spent, 0),
                    ir.Change(STEPS, None, None, num(1), False, True, 0),
                ),
                ir.Branch(truth("and", truth("gt", steps, num(0)), truth("ge", moved, num(0))), 1, 4),
            ),
            ir.Block(finish, ir.Branch(truth("lt", load(ROUND, Int(0, 60)), num(60)), 0, 5)),
            ir.Block((), ir.Return()),
        ),
        locals_=(Id(UNIT), Int(0, 3)),
    )


def _activate(made: World, fight: tuple[int, int]) -> None:
    active, to, target, moved = unit(0), cell(1), unit(2), ir.Local(Int(0, 3), 3)
    near = truth("has", around(active), to)
    walk, shots = fight
    offers = (
        ir.Offer(
            "do",
            (ir.OfferVar(1, everyone(CELL, SIDE * SIDE), near),),
            truth("and", truth("lt", moved, num(3)), ir.Judge(TRUTH, 0, (active, to))),
            0,
            (active, to),
            made.text("move to {0}"),
            (to,),
            1,
        ),
        ir.Offer(
            "do",
            (ir.OfferVar(2, everyone(UNIT, UNITS), None),),
            ir.Judge(TRUTH, 1, (active, target)),
            1,
            (active, target),
            made.text("fire at {0}"),
            (target,),
            2,
        ),
        ir.Offer("stop", (), None, None, (), made.text("stop"), (), 3),
    )
    more = op(Int(0, 3), "narrow", op(Int(1, 4), "add", moved, num(1)))
    made.routine(
        "activate",
        (
            ir.Block((), ir.Decide(turn(), offers, made.text("what does {0} do?"), (active,), True, None, 0)),
            ir.Block((ir.Call(walk, (active, to), None, 0), ir.SetLocal(3, more)), ir.Jump(0)),
            ir.Block((ir.Call(shots, (active, target), None, 0),), ir.Jump(3)),
            ir.Block((), ir.Return(moved)),
        ),
        params=(Id(UNIT),),
        locals_=(Id(CELL), Id(UNIT), Int(0, 3)),
        result=Int(0, 3),
    )


def _endings(made: World) -> None:
    alive = truth(
        "and", truth("gt", load(HP, Int(0, 3), unit(1)), num(0)), truth("ne", owner(unit(1)), _player())
    )
    wiped = truth("not", ir.Fold(TRUTH, "any", 1, everyone(UNIT, UNITS), alive, None))
    lucky = truth("gt", load(LUCK, Int(0, 200), _player()), load(LUCK, Int(0, 200), _other()))
    cited = made.clause("S-30", "ending")
    kinds: tuple[Type, ...] = (Id(PLAYER), Id(UNIT))
    made.endings.append(p.Ending("victory", None, wiped, kinds, True, False, made.text("wiped out"), cited))
    made.endings.append(p.Ending("victory", None, lucky, kinds, False, True, made.text("luck"), None))


def _player() -> ir.Local:
    return ir.Local(Id(PLAYER), 0)


def _other() -> ir.Expr:
    return op(
        Id(PLAYER), "if", truth("eq", _player(), member(PLAYER, 0)), member(PLAYER, 1), member(PLAYER, 0)
    )
