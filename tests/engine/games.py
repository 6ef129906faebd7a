"""Games by hand for the engine's tests and its benchmark."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.types import TRUTH, Id, Int, ListOf, SetOf
from tests.ir.builders import World, everyone, member, num, op
from tests.ir.builders import test_of as truth_of

PLAYER, CELL = 0, 1
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
CELLS = SetOf(Id(CELL))


def tic_tac_toe() -> p.Program:
    """Two players mark nine cells in turn; a line wins, a full board is a draw."""
    made = World()
    made.domain("Player", ("cross", "nought"), "player")
    made.domain("Cell", tuple(f"{c}{r}" for r in (1, 2, 3) for c in "abc"), "cell")
    turn = made.var("turn", Id(PLAYER), member(PLAYER, 0))
    marks = made.var("marks", CELLS, ir.Const(CELLS, 0), of=PLAYER)
    player, cell = ir.Local(Id(PLAYER), 0), ir.Local(Id(CELL), 1)
    every = ir.Const(SetOf(Id(PLAYER)), 3)
    taken = ir.Fold(TRUTH, "any", 2, every, None, truth_of("has", _marks(marks, _local(PLAYER, 2)), cell))
    need = p.Prohibition(made.clause("T-1", "need"), "need", taken, made.text("taken"), (), ())
    put = made.procedure(
        "mark",
        (
            ir.Store(
                marks, player, None, op(CELLS, "union", _marks(marks, player), op(CELLS, "single", cell)), 0
            ),
            ir.Log(made.text("{0} marks {1}"), (player, cell), None, "do"),
        ),
        params=(Id(PLAYER), Id(CELL)),
    )
    made.action("mark", (Id(PLAYER), Id(CELL)), (need,), by=0, procedure=put, locals_=(Id(PLAYER),))
    _endings(made, marks)
    _rounds(made, turn, put)
    return made.program(0)


def _local(domain: int, index: int) -> ir.Local:
    return ir.Local(Id(domain), index)


def _marks(var: int, owner: ir.Expr) -> ir.Load:
    return ir.Load(CELLS, var, owner)


def _endings(made: World, marks: int) -> None:
    lines = ir.Const(ListOf(CELLS, 8), LINES)
    full = truth_of("subset", ir.Local(CELLS, 1), _marks(marks, _local(PLAYER, 0)))
    wins = ir.Fold(TRUTH, "any", 1, lines, None, full)
    both = op(CELLS, "union", _marks(marks, member(PLAYER, 0)), _marks(marks, member(PLAYER, 1)))
    over = truth_of("eq", op(Int(0, 9), "size", both), num(9))
    made.endings.append(
        p.Ending("victory", None, wins, (Id(PLAYER), CELLS), False, False, made.text("a line"), None)
    )
    made.endings.append(p.Ending("draw", None, over, (), False, False, made.text("full"), None))


def _rounds(made: World, turn: int, put: int) -> None:
    active = ir.Load(Id(PLAYER), turn)
    cell = _local(CELL, 0)
    offer = ir.Offer(
        "do",
        (ir.OfferVar(0, everyone(CELL, 9), None),),
        ir.Judge(TRUTH, 0, (active, cell)),
        0,
        (active, cell),
        made.text("mark {0}"),
        (cell,),
        1,
    )
    other = op(
        Id(PLAYER), "if", truth_of("eq", active, member(PLAYER, 0)), member(PLAYER, 1), member(PLAYER, 0)
    )
    made.routine(
        "main",
        (
            ir.Block((), ir.Decide(active, (offer,), made.text("where?"), (), True, None, 0)),
            ir.Block(
                (
                    ir.Call(put, (active, cell), None, 0),
                    ir.TestEndings(False),
                    ir.Store(turn, None, None, other, 0),
                ),
                ir.Jump(0),
            ),
        ),
        locals_=(Id(CELL),),
    )
