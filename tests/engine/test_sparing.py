"""A machine that generates its functions as they are called plays as one that has them all."""

from pathlib import Path

import pytest

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.players.random_player import RandomPlayer
from dsl.testing.runner import run_tests
from tests.shipped import shipped

FAILING = """game broken:
    players red, blue
    rounds 20

state:
    n: 0..3 = 0

value next(x: 0..9) = x + 1

action step by p "Step":
    n = next(n)

round:
    for p in order of play:
        p chooses:
            step
            pass
"""


def program_of(target: str) -> Program:
    return shipped(target, tests=True)


@pytest.fixture(scope="module")
def program() -> Program:
    return program_of("cristal_et_acier")


@pytest.mark.parametrize("variant", ["plain", "telling", "covering"])
def test_games_are_the_same(program: Program, variant: str) -> None:
    ends = []
    for sparing in (False, True):
        machine = Machine(program, sparing=sparing)
        telling, covering = variant == "telling", variant == "covering"
        game, player = Game.start(machine, seed=3, telling=telling, covering=covering), RandomPlayer(3)
        found = []
        while game.count:
            game.choose(player.index(game.count))
            found.append((game.state, [(each.kind, each.label, each.args) for each in game.log]))
        ends.append((found, game.hits))
    assert ends[0] == ends[1]


def test_tests_are_the_same(program: Program) -> None:
    found = [
        [(each.title, each.passed, each.message) for each in run_tests(Machine(program, sparing=sparing))]
        for sparing in (False, True)
    ]
    assert found[0] == found[1]
    assert len(found[0]) > 100


def test_a_failure_is_told_at_the_same_place(tmp_path: Path) -> None:
    (tmp_path / "broken.scn").write_text(FAILING, encoding="utf-8")
    program, told = program_of(str(tmp_path / "broken.scn")), []
    for sparing in (False, True):
        game = Game.start(Machine(program, sparing=sparing), seed=1)
        with pytest.raises(RuleFailure) as failure:
            while True:
                game.choose(0)
        told.append((failure.value.code, failure.value.message, failure.value.place, game.state))
    assert told[0] == told[1]
    assert told[0][2] is not None
