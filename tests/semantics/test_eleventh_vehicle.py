"""An eleventh vehicle as one mod: the game's own tests hold beside its own, and random games with it keep their
promises.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.library import Build
from dsl.players.random_player import RandomPlayer
from dsl.testing.runner import run_tests
from tests.figures.play import Table
from tests.figures.watch import watched
from tests.shipped import built
from tests.soak import SOAK, long

MOD = Path(__file__).resolve().parents[2] / "examples" / "mods" / "le_phare.scn"
OWN = {"PH-01", "PH-02", "PH-03", "PH-04"}
COUNTS_TEN = "ce que disent les dix cartes"
"""The one test that is about how many kinds there are."""


def shipped() -> Build:
    return built("green_conquest", [MOD], tests=True)


@cache
def machine() -> Machine:
    program = shipped().program
    assert program is not None
    return Machine(program)


def test_the_tests_of_the_game_and_of_the_vehicle_pass() -> None:
    """Of the game's own those of every third rule."""
    assert [each.message for each in shipped().diagnostics] == []
    some = OWN | {f"TGC-{number:03}" for number in range(1, 400, 3)}
    results = run_tests(machine(), ids=() if SOAK else some)
    assert {each.title for each in results if not each.passed} <= {COUNTS_TEN}
    assert {id_ for each in results if each.passed for id_ in each.pins} >= OWN


@long
def test_it_is_drafted_and_shines_in_random_games() -> None:
    game = Table(2).start(machine(), telling=True)
    assert list(watched(machine(), game, RandomPlayer(2))) == []
    assert game.outcome is not None
    assert took_effect(machine(), {"PH-01", "PH-02"}, seed=2) >= {"PH-01", "PH-02"}


def took_effect(machine: Machine, wanted: set[str], seed: int) -> set[str]:
    """The ids of what takes effect in a random game, which is played until all that are wanted are among them."""
    game, player = Game.start(machine, seed=seed, covering=True), RandomPlayer(seed)
    found: set[str] = set()
    while game.count and not found >= wanted:
        game.choose(player.index(game.count))
        found = {id_ for clause in game.hits for id_ in machine.program.clauses[clause].ids}
    return found
