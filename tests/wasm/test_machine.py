"""Games moved on in WebAssembly and told by Python against games that are Python's alone; and changing over."""

import random
from functools import cache
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.failure import Disagreement, RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.script import Script
from dsl.ir.program import TOP, Program
from dsl.players.random_player import RandomPlayer
from dsl.wasm.assembly import NO_ROOM
from dsl.wasm.game import Game as Inside
from dsl.wasm.machine import FastMachine
from tests.engine.skirmish import skirmish
from tests.examples import CLASSICS, RUIN
from tests.ir.builders import small
from tests.shipped import shipped
from tests.soak import without_largest

FILES = (
    "command_and_conquer",
    "cristal_et_acier",
    "me_ccg",
    "green_conquest",
    "risk_halo",
    str(CLASSICS / "reversi"),
    *(str(Path("tests/thorns").resolve() / each) for each in ("rebuttal", "overwatch")),
)
BUILT = {"small": small, "skirmish": skirmish}
ALL = (*BUILT, *FILES)
MOST = 120
"""Choices of a game that is compared."""


def named(name: str) -> str:
    return Path(name).name


@cache
def program(name: str) -> Program:
    return BUILT[name]() if name in BUILT else shipped(name)


@cache
def machines(name: str) -> tuple[Machine, FastMachine]:
    return Machine(program(name)), FastMachine(program(name))


@pytest.mark.parametrize("name", without_largest(ALL), ids=named)
def test_what_is_told_is_the_same(name: str) -> None:
    slow, fast = machines(name)
    for seed in range(2):
        ours, theirs = (Game.start(each, seed=seed, telling=True) for each in (fast, slow))
        player = RandomPlayer(seed)
        for _ in range(MOST):
            assert ours.state == theirs.state
            assert ours.marks == theirs.marks
            assert ours.sums() == theirs.sums()
            if not theirs.count:
                break
            assert ours.decision is not None and theirs.decision is not None
            assert ours.decision.raw == theirs.decision.raw
            index = player.index(theirs.count)
            ours.choose(index)
            theirs.choose(index)
        assert ours.outcome == theirs.outcome
        assert ours.log == theirs.log
        assert [each.before for each in ours.log] == [each.before for each in theirs.log]
        assert ours.why() == theirs.why()
        assert ours.view(0).values == theirs.view(0).values


@pytest.mark.parametrize("name", ALL, ids=named)
def test_a_game_changes_engine_at_every_decision(name: str) -> None:
    """Python, then WebAssembly alone, then both together: each takes the game where the one before left it, in the
    middle of rules too, takes choices back there, and comes to the same.
    """
    slow, fast = machines(name)
    alone, dice = Game.start(slow, seed=3), random.Random(4)
    data, nested = alone.snapshot(), 0
    for number in range(MOST):
        if not alone.count:
            break
        nested += alone.state[TOP] > slow.program.frames
        engine = number % 3
        game: Game | Inside | object
        if engine == 1:
            game = Inside.restore(fast.module, data)
        else:
            game = Game.restore(fast if engine else slow, data, telling=number % 2 == 0)
        assert isinstance(game, Game | Inside)
        assert game.count == alone.count
        index, other = dice.randrange(alone.count), dice.randrange(alone.count)
        game.choose(other)
        game.undo()
        assert game.snapshot() == data
        raw = alone.decision.raw[index] if alone.decision is not None else index
        game.choose(raw if dice.random() < 0.5 else index)
        alone.choose(index)
        assert game.fingerprint == alone.fingerprint
        assert game.outcome == alone.outcome
        data = game.snapshot()
    assert data == alone.snapshot()
    assert nested or name in {"small", "skirmish", str(CLASSICS / "reversi")}


@pytest.mark.parametrize("name", ["skirmish", "cristal_et_acier"])
def test_what_was_chosen_in_one_engine_is_taken_back_in_the_other(name: str) -> None:
    slow, fast = machines(name)
    begun = Game.start(slow, seed=5)
    ours = Game.restore(fast, begun.snapshot(), telling=True)
    assert isinstance(ours, Game)
    states = [ours.state]
    for _ in range(5):
        ours.choose(ours.count - 1)
        states.append(ours.state)
    inside = Inside.restore(fast.module, ours.snapshot())
    assert isinstance(inside, Inside)
    inside.choose(0)
    inside.undo()
    assert inside.state == states[-1]
    for state in reversed(states[:-1]):
        ours.undo()
        assert ours.state == state
    assert ours.log == begun.log == []
    twin = ours.clone()
    twin.choose(0)
    assert ours.state == states[0] != twin.state


def ruin(folder: Path) -> Program:
    (folder / "ruin").mkdir()
    (folder / "ruin/ruin.scn").write_text(RUIN)
    found = compile_game(str(folder / "ruin")).program
    assert found is not None
    return found


@pytest.mark.parametrize("telling", [False, True])
def test_a_rule_that_fails_is_told_with_its_place(telling: bool, tmp_path: Path) -> None:
    found = ruin(tmp_path)
    told = []
    for machine in (Machine(found), FastMachine(found, cache=False)):
        game = Game.start(machine, seed=1, telling=telling)
        with pytest.raises(RuleFailure) as caught:
            while True:
                before = game.state
                game.choose(game.count - 1)
        assert game.state == before and game.count == 3
        told.append(
            (caught.value.code, caught.value.message, caught.value.place, caught.value.clauses, before)
        )
    assert told[0] == told[1]


def test_another_state_in_the_module_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    _, fast = machines("cristal_et_acier")
    game = Game.start(fast, seed=1, telling=True)
    original = fast.led

    def wrong(state: list[int]) -> object:
        found = original(state)
        assert not isinstance(found, int)
        found[0][fast.program.vars[0].offset] ^= 1
        return found

    monkeypatch.setattr(fast, "led", wrong)
    with pytest.raises(Disagreement):
        game.choose(0)
    monkeypatch.setattr(fast, "led", lambda _: -601)
    with pytest.raises(Disagreement, match="E0601"):
        game.choose(0)


def test_where_a_module_has_no_room_python_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, fast = machines("cristal_et_acier")
    monkeypatch.setattr(fast, "led", lambda _: -NO_ROOM)
    ours, theirs = (Game.start(each, seed=2) for each in (fast, slow))
    ours.choose(0)
    theirs.choose(0)
    assert ours.state == theirs.state


@pytest.mark.parametrize("given", [{"covering": True}, {"script": Script(rolls=[3] * 50)}])
def test_what_only_python_can_do_is_left_to_it(
    given: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, fast = machines("cristal_et_acier")
    monkeypatch.setattr(fast, "led", lambda _: pytest.fail("the module was asked"))
    game = Game.start(fast, seed=1, **given)  # type: ignore[arg-type]
    game.choose(0)
    assert bool(game.hits) == ("covering" in given)
