"""Values, prohibitions, explanations, endings."""

from dataclasses import replace

import pytest

from dsl.engine.explain import Term
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.views import HIDDEN as UNSEEN
from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.program import OUT
from dsl.ir.types import TRUTH, Id, Int
from tests.engine.skirmish import LUCK, ROUND, skirmish
from tests.ir.builders import PLAYERS, World, idle, num, op, truth, world
from tests.ir.builders import test_of as op_truth

X = ir.Local(Int(0, 9), 0)


def valued(*clauses: p.ValueClause, rounding: str | None = None, result: Int = Int(0, 50)) -> Game:  # noqa: B008
    made = world()
    made.clauses.extend(p.Clause("modify", f"M{n}", (f"M-{n}",), False, (), PLACE, "") for n in range(9))
    made.value("v", (Int(0, 9),), result, X, clauses, rounding=rounding)
    return Game.start(Machine(idle(made)))


PLACE = p.Place("game.scn", 1, 1, 1, 10)


def clause(
    number: int,
    stage: str,
    operand: int,
    *,
    divisor: int | None = None,
    when: ir.Expr | None = None,
    over: tuple[int, ...] = (),
) -> p.ValueClause:
    by = None if divisor is None else num(divisor)
    return p.ValueClause(number, stage, truth() if when is None else when, num(operand), by, over)


def asked(game: Game, x: int) -> object:
    return game.evaluate(ir.Ask(Int(0, 50), 0, (num(x),)))


def failing(game: Game, x: int) -> RuleFailure:
    with pytest.raises(RuleFailure) as caught:
        asked(game, x)
    return caught.value


def test_stages_come_in_their_order_whatever_the_order_of_the_clauses() -> None:
    game = valued(
        clause(0, "at_most", 20), clause(1, "plus", 1), clause(2, "times", 3), clause(3, "becomes", 4)
    )
    assert asked(game, 9) == 13
    account = game.account(0, (9,))
    assert (account.base, account.result) == (9, 13)
    assert account.terms == (
        Term(3, "becomes", 4, 1, 4),
        Term(2, "times", 3, 1, 4),
        Term(1, "plus", 1, 1, 13),
        Term(0, "at_most", 20, 1, 13),
    )


def test_all_times_are_one_fraction_that_is_rounded_once() -> None:
    halves = (clause(0, "times", 3, divisor=2), clause(1, "times", 3, divisor=2))
    assert asked(valued(*halves, rounding="down"), 3) == 6
    assert asked(valued(*halves, rounding="up"), 3) == 7
    assert asked(valued(*halves), 4) == 9
    assert failing(valued(*halves), 3).code == "E0609"


def test_two_that_set_one_value_conflict_unless_they_agree() -> None:
    assert asked(valued(clause(0, "becomes", 4), clause(1, "becomes", 4)), 1) == 4
    found = failing(valued(clause(0, "becomes", 4), clause(1, "becomes", 5)), 1)
    assert (found.code, found.clauses[:2]) == ("E0607", (0, 1))


def test_crossed_bounds_conflict() -> None:
    found = failing(valued(clause(0, "at_least", 6), clause(1, "at_most", 5)), 1)
    assert (found.code, found.clauses[:2]) == ("E0607", (0, 1))
    assert asked(valued(clause(0, "at_least", 6), clause(1, "at_most", 8)), 1) == 6


def test_a_result_outside_the_range_fails_with_its_terms() -> None:
    found = failing(valued(clause(0, "plus", 9), result=Int(0, 10)), 5)
    assert found.code == "E0601"
    assert "5" in found.message
    assert "M-0" in found.message


def test_a_clause_that_is_overruled_does_not_stand() -> None:
    small = op_truth("lt", X, num(5))
    game = valued(clause(0, "plus", 9, over=(1,)), clause(1, "plus", 1, when=small))
    assert asked(game, 3) == 4
    assert asked(game, 6) == 15
    chain = valued(clause(0, "plus", 9, over=(1,)), clause(1, "plus", 1, over=(2,)), clause(2, "plus", 2))
    assert asked(chain, 3) == 14


def test_why_not_names_all_prohibitions_that_stand() -> None:
    game = Game.start(Machine(skirmish()), seed=1)
    found = game.why_not("move", (0, 3))
    assert not found.offered
    assert [each.reason for each in found.refusals] == ["too far"]
    found = game.why_not("move", (0, 7))
    assert [each.reason for each in found.refusals] == ["taken: b2"]
    assert game.why_not("move", (0, 3)).refusals[0].clause == game.refusals(0, (0, 3))[0].clause


@pytest.mark.parametrize("args", [(), (0,), (0, 3, 1)])
def test_why_not_tells_how_many_arguments_an_action_takes(args: tuple[int, ...]) -> None:
    game = Game.start(Machine(skirmish()), seed=1)
    with pytest.raises(TypeError, match=rf"`move` takes 2 arguments \(.*\), not {len(args)}"):
        game.why_not("move", args)
    with pytest.raises(TypeError, match="takes 2 arguments"):
        game.refusals(0, args)


def test_an_exception_lifts_what_it_is_over_and_nothing_else() -> None:
    program = skirmish()
    last = program.vars[ROUND].offset
    machine = Machine(program)
    state = list(Game.start(machine).state)
    args = (ir.Const(Id(2), 0), ir.Const(Id(1), 7))
    judge = machine.function("judge", (ir.Judge(TRUTH, 0, args),))
    game = Game.start(machine)
    assert judge(state, game._run(), 0) == (False,)
    state[last] = 59
    assert judge(state, game._run(), 0) == (True,)


def test_a_choice_can_be_explained_by_the_clauses_that_took_effect() -> None:
    game = Game.start(Machine(skirmish()), seed=1, telling=True)
    game.choose("activate u0")
    game.choose("move to a3")
    assert [each.ids for each in game.why()] == [("S-13",)]
    assert game.log[-1].text() == "u0 moves to a3"
    game.undo()
    assert game.why() == ()


def test_a_player_sees_what_is_his_and_no_more() -> None:
    game = Game.start(Machine(skirmish()), seed=1, telling=True)
    view = game.view(1)
    luck = view.values["luck"]
    assert not isinstance(luck, int | tuple)
    assert luck == {"red": UNSEEN, "blue": 0}
    assert view.values["order"] == dict.fromkeys((f"card{n}" for n in range(5)), UNSEEN)
    assert view.piles == {"Card": {"deck": 5, "discard": 0}}
    assert view.options == ()
    assert game.view(0).options


def test_the_log_hides_what_a_player_may_not_see() -> None:
    game = Game.start(Machine(skirmish()), seed=1, telling=True)
    for _ in range(2000):
        decision = game.decision
        assert decision is not None
        fire = [option for option in decision if option.action == "fire"]
        game.choose(fire[0] if fire else decision.options[game.fingerprint.encode()[0] % game.count])
        if fire:
            break
    entry = next(each for each in game.log if "fires" in each.text())
    shooter = int(entry.args[0] >= 6) if entry.args and entry.args[0] is not None else 0
    assert "?" not in entry.text("", shooter)
    assert entry.text("", 1 - shooter).endswith("luck ?")
    assert LUCK == 5


def ended(*endings: p.Ending) -> Game:
    made: World = world()
    made.endings.extend(endings)
    made.routine("main", (ir.Block((ir.TestEndings(False),), ir.Return()),))
    return Game.start(Machine(made.program(0)))


def ending(kind: str, condition: ir.Expr, *, who: int | None = None, otherwise: bool = False) -> p.Ending:
    return p.Ending(kind, who, condition, (Id(PLAYERS),), False, otherwise, None, None)


HE_IS_ANA = op_truth("eq", ir.Local(Id(PLAYERS), 0), ir.Const(Id(PLAYERS), 0))


def test_one_winner_wins_and_two_of_one_instant_draw() -> None:
    outcome = ended(ending("victory", HE_IS_ANA)).outcome
    assert outcome is not None
    assert (outcome.winners, outcome.kind) == (("ana",), "victory")
    outcome = ended(ending("victory", truth(), who=0), ending("victory", truth(), who=1)).outcome
    assert outcome is not None
    assert (outcome.winners, outcome.kind) == ((), "draw")


def test_a_defeat_puts_out_and_the_last_one_wins() -> None:
    game = ended(ending("defeat", HE_IS_ANA))
    assert game.state[OUT] == 1
    assert game.outcome is not None
    assert game.outcome.winners == ("bob",)
    nobody = ended(ending("defeat", truth())).outcome
    assert nobody is not None
    assert (nobody.winners, nobody.kind) == ((), "defeat")


def test_at_the_bound_what_is_declared_for_it_holds_or_nobody_wins() -> None:
    outcome = ended(ending("victory", HE_IS_ANA, otherwise=True)).outcome
    assert outcome is not None
    assert outcome.winners == ("ana",)
    game = ended()
    assert game.outcome is not None
    assert (game.outcome.kind, game.outcome.reason) == ("bound", -2)
    assert game.evaluate(op(TRUTH, "over")) == 1
    assert game.evaluate(op(Int(-2, -1), "reason")) == -2
    assert game.evaluate(op(TRUTH, "won", ir.Const(Id(PLAYERS), 0))) == 0


def test_the_bound_on_decisions_ends_the_game() -> None:
    program = replace(skirmish(), decisions=5)
    game = Game.start(Machine(program))
    taken = 0
    while game.count:
        game.choose(game.count - 1)
        taken += 1
    assert taken <= 5
    assert game.outcome is not None


def test_reaching_a_goal_is_searched_on_a_copy() -> None:
    program = skirmish()
    goal = op_truth("eq", ir.Load(Id(1, optional=True), 1, ir.Const(Id(2), 0)), ir.Local(Id(1), 0))
    game = Game.start(Machine(program))
    before = game.fingerprint
    for cell, limit, found in ((12, 1, 1), (18, 1, 0), (18, 2, 1), (7, 3, 0), (30, 3, 0)):
        reach = ir.Reach(TRUTH, 1, (ir.Const(Id(2), 0),), goal, limit)
        target = ir.LetIn(TRUTH, 0, ir.Const(Id(1), cell), reach)
        assert game.evaluate(target) == found, (cell, limit)
    assert game.fingerprint == before
