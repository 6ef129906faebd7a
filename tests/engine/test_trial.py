"""Trials: what holds after an action that is then not done, on both engines, where rules fail and where secrets lie."""

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from tests.wasm.agree import Counting, agreed

FAILING = """
game failing:
    players red, blue
    rounds 9

state:
    n: 0..20 = 17
    due: 0..3 = 0
    pair: set of 0..9 = {}

action add(k: 0..9) by p "add {k}":
    note(k)
    together:
        warn(1)
        tally(k)
action note(k: 0..9): pair = pair + {k}
action tally(k: 0..9): n gains k
action warn(k: 0..3): due = k
action wait by p "wait": n loses up to 1

forbid add when k is not 5 and (n > 19 after add(k))

action both(k: 0..9) by p "both {k}":
    together:
        warn(2 if (due is 1 after add(k)) else 3)
        tally(1)

round:
    for p in order of play:
        p chooses:
            add(k) for k in 0..2
            both(k) for k in 0..3 when n < 18
            wait
            pass
"""


def program(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "game.scn"
    path.write_text(text, encoding="utf-8")
    compiled = compile_game(str(path))
    assert compiled.program is not None, compiled.diagnostics
    return compiled.program


def test_both_engines_fail_alike_within_a_trial_and_keep_nothing_of_it(tmp_path: Path) -> None:
    found = agreed(Counting(program(tmp_path, FAILING)), range(60), 60, cache=False)
    assert found.failures
    assert not found.differences


def test_a_rule_that_fails_within_a_trial_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    game = Game.start(Machine(program(tmp_path, FAILING)), seed=1)
    assert game.decision is not None
    labels = [each.label() for each in game.decision.options]
    assert "add 2" in labels  # 17 + 2 is no more than 19
    before = game.fingerprint
    with pytest.raises(RuleFailure) as caught:
        game.choose(labels.index("add 2"))  # then n is 19, and a trial of adding 2 leaves the range
    assert caught.value.code == "E0601"
    assert game.fingerprint == before


def test_a_trial_tells_nothing(tmp_path: Path) -> None:
    game = Game.start(Machine(program(tmp_path, FAILING)), seed=1, telling=True)
    assert game.decision is not None
    labels = [each.label() for each in game.decision.options]
    game.choose(labels.index("both 1"))
    told = [each.text() for each in game.log]
    assert any("both 1" in each for each in told)
    assert not any("add" in each for each in told)
    marked = {game.machine.program.clauses[each].name for each in game.marks}
    assert "both" in marked and "warn" in marked
    assert "add" not in marked
