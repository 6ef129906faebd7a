"""The ends of what the verifier lets through: both engines do the same there, and what the words of the IR say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.ir import nodes as ir
from dsl.ir.program import DECISIONS, TOP, Program, Value, ValueClause
from dsl.ir.types import NONE, Int, ListOf, SetOf
from dsl.ir.verify.program import verify
from dsl.wasm.game import Game as Inside
from dsl.wasm.machine import FastMachine
from dsl.wasm.module import Module
from tests.ir.builders import PLAYERS, member, num, numbers, op, test_of, truth, with_main, world

WIDE = Int(-(2**40), 2**40)
SMALL = SetOf(Int(0, 5))
N, LIST, BIG, SET, MAYBE = range(5)
BIG_LOAD = ir.Load(Int(0, 2**31 - 1), BIG)
SQUARE = op(Int(0, 2**62), "mul", BIG_LOAD, BIG_LOAD)
LEAST = op(Int(-(2**41), 2**41), "sub", op(WIDE, "neg", BIG_LOAD), num(1))
"""The number that stands for none, where none cannot be."""


def program(*body: ir.Stmt, values: tuple[Value, ...] = ()) -> Program:
    made = world()
    made.var("n", Int(0, 99), num(7))
    made.var("list", ListOf(Int(0, 9), 3), ir.Const(ListOf(Int(0, 9), 3), (4, 5, 6)))
    made.var("big", Int(0, 2**31 - 1), num(2**31 - 1))
    made.var("set", SMALL, ir.Const(SMALL, 7))
    made.var("maybe", Int(0, 9, optional=True), ir.Const(Int(0, 9, optional=True), NONE))
    made.clause("a rule", "modify")
    made.values += values
    offer = ir.Offer("pass", (), None, None, (), made.text("go"), (), 1)
    ask = ir.Decide(member(PLAYERS, 0), (offer,), None, (), False, None, 0)
    found = with_main(made, ir.Block((), ask), ir.Block(body, ir.Jump(0)), locals_=(Int(1, 6), Int(0, 9)))
    assert not list(verify(found))
    return found


def outcomes(body: tuple[ir.Stmt, ...], values: tuple[Value, ...] = ()) -> list[object]:
    """What each engine makes of some statements: the variables, or the code of the rule that failed."""
    made, found = program(*body, values=values), []
    for start in (lambda: Game.start(Machine(made)), lambda: Inside.start(Module.of(made, cache=False))):
        game = start()
        try:
            game.choose(0)
            found.append(game.state[11:20])
        except RuleFailure as failure:
            found.append(failure.code)
    assert found[0] == found[1]
    return found


def number(value: ir.Expr) -> tuple[ir.Stmt, ...]:
    return (ir.Store(N, None, None, value, 0),)


def chosen(value: ir.Expr) -> tuple[ir.Stmt, ...]:
    return (ir.Store(SET, None, None, value, 0),)


FAILS = {
    "an index that is 0 in its lowest 32 bits": (
        number(ir.LoadItem(Int(0, 9), LIST, None, op(Int(0, 2**62), "mul", SQUARE, num(0)))),
        None,
    ),
    "an index beyond 32 bits": (
        number(
            ir.LoadItem(
                Int(0, 9),
                LIST,
                None,
                op(Int(0, 2**33), "mul", num(2), op(Int(0, 2**32), "add", BIG_LOAD, num(1))),
            )
        ),
        "E0604",
    ),
    "a constant that is in no such set": (chosen(op(SMALL, "single", num(100))), "E0601"),
    "a constant below all in a set": (chosen(op(SMALL, "single", num(-1))), "E0601"),
    "a set moved far beyond": (chosen(op(SMALL, "cast", ir.Load(SMALL, SET), num(10**10))), None),
    "a set moved far below": (chosen(op(SMALL, "cast", ir.Load(SMALL, SET), num(-(10**10)))), None),
    "a member moved beyond 32 bits": (
        number(op(Int(0, 99), "cast", BIG_LOAD, num(2**31 - 1))),
        "E0604",
    ),
    "the number of none, narrowed": (
        (ir.Store(MAYBE, None, None, op(Int(0, 9, optional=True), "narrow", LEAST), 0),),
        "E0601",
    ),
    "the number of none, alone in a set": (chosen(op(SMALL, "single", LEAST)), "E0601"),
    "the number of none, moved": (number(op(Int(0, 99), "cast", LEAST, num(5))), "E0604"),
    "the number of none, compared": (number(test_of("le", LEAST, num(3))), None),
    "a truth declared as a wide number": (
        number(op(Int(0, 99), "narrow", op(WIDE, "and", truth(), test_of("lt", num(1), num(2))))),
        None,
    ),
    "a fold declared as a wide number": (
        number(op(Int(0, 99), "narrow", ir.Fold(WIDE, "any", 1, numbers(0, 9), None, truth()))),
        None,
    ),
    "the first of a set, declared wide": (
        number(
            op(
                Int(0, 99),
                "some",
                ir.Fold(Int(0, 99, optional=True), "first", 1, numbers(2, 9), None, truth()),
            )
        ),
        None,
    ),
    "numbers between ends beyond 64 bits": (
        chosen(
            op(
                SMALL,
                "between",
                op(Int(0, 2**63 - 1), "mul", SQUARE, num(0)),
                op(Int(-3, 5), "min", num(5), SQUARE),
            )
        ),
        None,
    ),
    "an amount beyond 32 bits": (
        (ir.Change(N, None, None, op(Int(0, 2**33), "mul", num(4), BIG_LOAD), True, False, 0),),
        None,
    ),
}


@pytest.mark.parametrize("name", FAILS)
def test_both_engines_do_the_same(name: str) -> None:
    body, code = FAILS[name]
    first = outcomes(body)[0]
    assert (first if isinstance(first, str) else None) == code


def test_what_a_set_becomes_is_in_the_form_of_the_result() -> None:
    """Clauses of one value may be sets with other ends: bit 0 stands for another number."""
    clause = ValueClause(0, "becomes", truth(), ir.Const(SetOf(Int(2, 5)), 3), None, ())
    value = Value("v", (), (), (), SMALL, ir.Load(SMALL, SET), (clause,), ("becomes",), None, None)
    made = program(*chosen(ir.Ask(SMALL, 0, ())), values=(value,))
    game = Game.start(Machine(made))
    game.choose(0)
    assert game.state[11 + 1 + 4 + 1] == 0b1100


def test_more_options_than_a_choice_has() -> None:
    made = world()
    wide = tuple(ir.OfferVar(index, numbers(0, 299), None) for index in range(2))
    offers = tuple(
        ir.Offer("pass", wide, None, None, (), made.text("go"), (), 1, None, made.clause(f"line {k}", "menu"))
        for k in range(2)
    )
    ask = ir.Decide(member(PLAYERS, 0), offers, None, (), False, None, 0)
    found = with_main(made, ir.Block((), ask), ir.Block((), ir.Return()), locals_=(Int(0, 299),) * 2)
    assert not list(verify(found))
    with pytest.raises(RuleFailure) as caught:
        Game.start(Machine(found))
    assert caught.value.code == "E0612"
    assert caught.value.clauses[0] == offers[1].menu  # the line that has one too many
    with pytest.raises(RuleFailure, match="E0612"):
        Game.start(FastMachine(found, cache=False))


# ---------------------------------------------------------------- saves


def _slots(program: Program) -> tuple[Machine, list[int]]:
    machine = Machine(program)
    game = Game.start(machine)
    game.choose(0)
    return machine, list(game.state)


def set_top(state: list[int], program: Program) -> None:
    state[TOP] = 10**6


def no_frames(state: list[int], program: Program) -> None:
    state[TOP] = -1
    state[program.frames :] = [0] * (program.size - program.frames)


def itself(state: list[int], program: Program) -> None:
    state[program.frames + 2] = program.frames


def past_the_bound(state: list[int], program: Program) -> None:
    state[DECISIONS] = program.decisions


def another_frame(state: list[int], program: Program) -> None:
    state[program.frames] = 1


def below_zero(state: list[int], program: Program) -> None:
    state[11] = -1


EDITS: dict[str, tuple[Callable[[list[int], Program], None], str]] = {
    "nowhere": (set_top, "the last frame is nowhere"),
    "idle": (no_frames, "nothing is running"),
    "in a circle": (itself, "a frame stands where it cannot stand"),
    "past the bound": (past_the_bound, "more decisions"),
    "of another routine": (another_frame, "a frame"),
    "negative": (below_zero, "a value of `n` is outside its range"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_save_is_refused_in_words(name: str) -> None:
    edit, words = EDITS[name]
    machine, state = _slots(program(ir.SetLocal(0, num(3))))
    edit(state, machine.program)
    data = packed(machine.hash, state)
    told = []
    for found in (Game.restore(machine, data), Inside.restore(Module.of(machine.program, cache=False), data)):
        assert isinstance(found, list)
        assert [each.code.id for each in found] == ["E0503"]
        told.append(found[0].message)
    assert words in told[0] and told[0] == told[1]


def test_a_local_that_has_its_value_is_not_blank_in_a_save() -> None:
    """Where every way to a block gives a local a value, zeros are none, unless they are one of its values."""
    made = world()
    offer = ir.Offer("pass", (), None, None, (), made.text("go"), (), 1)
    ask = ir.Decide(member(PLAYERS, 0), (offer,), None, (), False, None, 0)
    table = made.table("t", Int(0, 9), ((1, 6),), tuple(range(6)))
    made.var("n", Int(0, 9), num(7))
    read = ir.Store(0, None, None, ir.Lookup(Int(0, 9), table, (ir.Local(Int(1, 6), 0),)), 0)
    blocks = (
        ir.Block((ir.SetLocal(0, num(3)),), ir.Jump(2)),
        ir.Block((read,), ir.Jump(2)),
        ir.Block((), ask),
    )
    found = with_main(made, *blocks, locals_=(Int(1, 6), Int(1, 6)))
    assert not list(verify(found))
    machine = Machine(found)
    state = list(Game.start(machine).state)
    assert isinstance(Game.restore(machine, packed(machine.hash, state)), Game)
    state[found.frames + 3] = 0
    refused = Game.restore(machine, packed(machine.hash, state))
    assert isinstance(refused, list) and "outside its range" in refused[0].message
