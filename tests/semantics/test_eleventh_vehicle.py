"""An eleventh vehicle as one mod: the game's own tests hold beside its own, and random games with it keep their
promises.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from dsl.compiler import Compiled, compile_game
from dsl.engine.machine import Machine
from dsl.players.random_player import RandomPlayer
from dsl.testing.exercise import exercised
from dsl.testing.runner import run_tests
from tests.figures.play import Table
from tests.figures.watch import watched

MOD = Path(__file__).resolve().parents[2] / "examples" / "mods" / "le_phare.scn"
OWN = {"PH-01", "PH-02", "PH-03", "PH-04"}
COUNTS_TEN = "ce que disent les dix cartes"
"""The one test that is about how many kinds there are."""


@cache
def shipped() -> Compiled:
    return compile_game("green_conquest", [str(MOD)], tests=True)


def test_the_tests_of_the_game_and_of_the_vehicle_pass() -> None:
    made = shipped()
    assert [each.message for each in made.diagnostics] == []
    assert made.program is not None
    results = run_tests(made.program)
    assert [each.title for each in results if not each.passed] == [COUNTS_TEN]
    assert {id_ for each in results if each.passed for id_ in each.pins} >= OWN


@pytest.mark.slow
def test_it_is_drafted_and_shines_in_random_games() -> None:
    program = shipped().program
    assert program is not None
    machine = Machine(program)
    game = Table(2).start(machine, telling=True)
    assert list(watched(machine, game, RandomPlayer(2))) == []
    assert game.outcome is not None
    assert exercised(machine, 1, seed=2).ids(program) >= {"PH-01", "PH-02"}
