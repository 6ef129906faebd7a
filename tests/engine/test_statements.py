"""Statements, each tried in a procedure of the small game."""

from dataclasses import replace

import pytest

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.script import Script
from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.types import NONE, TRUTH, Id, Int, ListOf, SetOf, Type
from tests.ir.builders import (
    CARDS,
    HAND,
    HEAP,
    LAST,
    PLAYERS,
    SCORE,
    TAKEN,
    everyone,
    member,
    num,
    numbers,
    op,
    small,
)
from tests.ir.builders import (
    test_of as truth,
)

ANA, BOB = member(PLAYERS, 0), member(PLAYERS, 1)
HEAP_NOW = ir.Load(Int(0, 20), HEAP)


def tried(
    *body: ir.Stmt, locals_: tuple[Type, ...] = (), result: Type | None = None, script: Script | None = None
) -> tuple[Game, object]:
    """The small game after a procedure with this body, and what that returned."""
    game = small()
    more = p.Procedure("tried", 0, locals_, result, body)
    machine = Machine(replace(game, procedures=(*game.procedures, more)))
    playing = Game.start(machine, seed=1, script=script)
    return playing, playing.run_procedure(len(game.procedures))


def heap(game: Game) -> int:
    value = game.evaluate(HEAP_NOW)
    assert isinstance(value, int)
    return value


def local(index: int, kind: Type = Int(0, 20)) -> ir.Local:  # noqa: B008
    return ir.Local(kind, index)


def failure(*body: ir.Stmt, locals_: tuple[Type, ...] = ()) -> RuleFailure:
    with pytest.raises(RuleFailure) as caught:
        tried(*body, locals_=locals_)
    return caught.value


def lose(amount: int, *, saturates: bool = False) -> ir.Change:
    return ir.Change(HEAP, None, None, num(amount), saturates, True, 0)


def test_a_write_outside_the_range_fails_at_its_site() -> None:
    found = failure(ir.Store(HEAP, None, None, num(21), 0))
    assert (found.code, found.site, found.about) == ("E0601", 0, HEAP)
    assert found.place is not None
    assert failure(lose(8)).code == "E0601"


def test_a_change_saturates_on_request() -> None:
    game, _ = tried(lose(8, saturates=True))
    assert heap(game) == 0


def test_a_failure_leaves_the_game_where_it_was() -> None:
    base = small()
    more = p.Procedure("tried", 0, (), None, (lose(3), lose(8)))
    game = Game.start(Machine(replace(base, procedures=(*base.procedures, more))), seed=1)
    before = game.fingerprint
    with pytest.raises(RuleFailure):
        game.run_procedure(1)
    assert game.fingerprint == before
    assert game.count == 3


def test_a_loop_runs_while_its_condition_holds_and_no_longer_than_its_limit() -> None:
    going = truth("gt", HEAP_NOW, num(4))
    assert heap(tried(ir.Loop(num(10), going, (lose(1),), 0))[0]) == 4
    assert heap(tried(ir.Loop(num(2), going, (lose(1),), 0))[0]) == 5
    assert heap(tried(ir.Loop(num(0), going, (lose(1),), 0))[0]) == 7


def test_leaving_goes_to_the_end_of_the_block_with_that_number() -> None:
    inner = ir.ForEach(0, numbers(1, 3), (ir.If(truth("eq", local(0), num(2)), (ir.Leave(1),)), lose(1)), 0)
    body = ir.Guarded(1, (ir.Guarded(2, (inner, lose(2))), lose(2)))
    assert heap(tried(body, locals_=(Int(0, 20),))[0]) == 6
    near = ir.ForEach(0, numbers(1, 3), (ir.Guarded(2, (ir.Leave(2), lose(1))), lose(1)), 0)
    assert heap(tried(near, locals_=(Int(0, 20),))[0]) == 4


def test_a_set_that_is_iterated_over_is_fixed_at_entry() -> None:
    kind = SetOf(Id(CARDS))
    hand = ir.Load(kind, HAND, ANA)
    card = ir.Local(Id(CARDS), 0)
    body = (
        ir.Store(HAND, ANA, None, ir.Const(kind, 0b101), 0),
        ir.ForEach(
            0, hand, (ir.Store(HAND, ANA, None, op(kind, "union", hand, everyone(CARDS, 5)), 0), lose(1)), 0
        ),
    )
    game, _ = tried(*body, ir.Give(card), locals_=(Id(CARDS),), result=Id(CARDS))
    assert heap(game) == 5
    assert game.evaluate(hand) == 0b11111


def test_lists_are_written_whole_and_by_item() -> None:
    kind = ListOf(Int(1, 3), 8)
    taken = ir.Load(kind, TAKEN)
    longer = op(ListOf(Int(1, 3), 9), "append", taken, num(2))
    body = (ir.Store(TAKEN, None, None, longer, 0), ir.Store(TAKEN, None, None, longer, 0))
    game, _ = tried(*body, ir.Store(TAKEN, None, num(1), num(3), 0))
    assert game.evaluate(taken) == (2, 3)
    assert game.evaluate(ir.LoadItem(Int(1, 3), TAKEN, None, num(1))) == 3
    assert failure(ir.Store(TAKEN, None, num(0), num(1), 0)).code == "E0604"
    full = ir.Const(ListOf(Int(1, 3), 9), (1,) * 9)
    assert failure(ir.Store(TAKEN, None, None, full, 0)).code == "E0601"


def test_in_a_batch_amounts_add_up_before_the_range_is_checked() -> None:
    gain = ir.Change(HEAP, None, None, num(16), False, False, 0)
    assert heap(tried(ir.Batch((gain, lose(5)), 0))[0]) == 18
    assert failure(ir.Batch((gain,), 0)).code == "E0601"
    assert heap(tried(ir.Batch((lose(5, saturates=True), lose(5, saturates=True)), 0))[0]) == 0


def test_in_a_batch_everything_reads_the_entry_state() -> None:
    more = op(Int(1, 21), "add", HEAP_NOW, num(1))
    twice = (ir.Store(HEAP, None, None, more, 0), ir.Store(SCORE, ANA, None, HEAP_NOW, 0))
    game, _ = tried(ir.Batch(twice, 0))
    assert heap(game) == 8
    assert game.evaluate(ir.Load(Int(0, 60), SCORE, ANA)) == 7


def test_in_a_batch_equal_writes_agree_and_different_ones_conflict() -> None:
    five, six = ir.Store(HEAP, None, None, num(5), 0), ir.Store(HEAP, None, None, num(6), 0)
    assert heap(tried(ir.Batch((five, five), 0))[0]) == 5
    assert failure(ir.Batch((five, six), 0)).code == "E0603"
    assert failure(ir.Batch((five, lose(1)), 0)).code == "E0603"
    kind = SetOf(Id(CARDS))
    hands = [ir.Store(HAND, ANA, None, ir.Const(kind, each), 0) for each in (1, 1, 2)]
    assert tried(ir.Batch(tuple(hands[:2]), 0))[0].evaluate(ir.Load(kind, HAND, ANA)) == 1
    assert failure(ir.Batch(tuple(hands), 0)).code == "E0603"


def test_procedures_called_in_a_batch_keep_their_writes_back() -> None:
    base = small()
    hurt = p.Procedure("hurt", 1, (Id(PLAYERS),), None, (ir.Store(HEAP, None, None, num(3), 0), lose_score()))
    index = len(base.procedures)
    calls = (ir.Call(index, (ANA,), None, 0), ir.Call(index, (BOB,), None, 0))
    both = p.Procedure("both", 0, (), None, (ir.Batch(calls, 0), lose(1)))
    game = Game.start(Machine(replace(base, procedures=(*base.procedures, hurt, both))))
    game.run_procedure(index + 1)
    assert heap(game) == 2
    assert game.evaluate(ir.Load(Int(0, 60), SCORE, BOB)) == 7


def lose_score() -> ir.Change:
    return ir.Change(SCORE, ir.Local(Id(PLAYERS), 0), None, HEAP_NOW, False, False, 0)


def test_chance_follows_a_script() -> None:
    script = Script(rolls=[9, 2, 6, 4], picks=[3])
    dice, kind = Int(2, 12), ListOf(Int(1, 6), 3)
    body = (
        ir.Roll(0, num(2), 6, 0),
        ir.RollList(1, num(3), 6, 0),
        ir.Pick(2, everyone(CARDS, 5), 0),
        ir.Store(HEAP, None, None, local(0, dice), 0),
        ir.Store(LAST, None, None, ir.Local(Id(CARDS), 2), 0),
        ir.Give(ir.Local(kind, 1)),
    )
    game, result = tried(*body, locals_=(dice, kind, Id(CARDS)), result=kind, script=script)
    assert heap(game) == 9
    assert result == (6, 4, 2)
    assert game.evaluate(ir.Load(Id(CARDS, optional=True), LAST)) == 3
    assert script.left() == {}


def test_a_pick_from_nothing_fails() -> None:
    assert failure(ir.Pick(0, ir.Const(SetOf(Id(CARDS)), 0), 0), locals_=(Id(CARDS),)).code == "E0605"


def test_too_many_steps_fail() -> None:
    rounds = ir.ForEach(0, numbers(1, 2000), (ir.Loop(num(1000), truth("ge", HEAP_NOW, num(0)), (), 0),), 0)
    assert failure(rounds, locals_=(Int(1, 2000),)).code == "E0608"


def test_the_rules_can_fail_themselves() -> None:
    assert failure(ir.Fail("E0605", 0)).code == "E0605"


def test_none_is_stored_where_it_may_stand() -> None:
    none = ir.Const(Id(CARDS, optional=True), NONE)
    game, _ = tried(ir.Store(LAST, None, None, none, 0))
    assert game.evaluate(truth("is_none", ir.Load(Id(CARDS, optional=True), LAST))) == 1
    assert failure(ir.Store(HEAP, None, None, ir.Const(Int(0, 5, optional=True), NONE), 0)).code == "E0601"


def test_a_truth_is_stored_as_a_number() -> None:
    game, _ = tried(ir.Store(HEAP, None, None, truth("gt", HEAP_NOW, num(3)), 0))
    assert all(type(slot) is int for slot in game.state)
    assert TRUTH.high == 1


def test_a_long_chain_of_cases_goes_no_deeper_and_can_be_left() -> None:
    chain: tuple[ir.Stmt, ...] = (lose(7),)
    for number in reversed(range(60)):
        then: tuple[ir.Stmt, ...] = (lose(2), ir.Leave(1)) if number == 30 else (lose(1),)
        chain = (ir.If(truth("eq", local(0, Int(0, 60)), num(number)), then, chain),)
    for given, left in ((0, 5), (30, 5), (59, 5), (60, 0)):
        body = (ir.SetLocal(0, num(given)), ir.Guarded(1, (*chain, lose(1, saturates=True))))
        game, _ = tried(*body, locals_=(Int(0, 60),))
        assert heap(game) == left, given
