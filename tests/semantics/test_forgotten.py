"""Mods of Command & Conquer: a third faction against either base side, other rules, other numbers, and all together."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.library import Build
from dsl.testing.runner import run_tests
from tests.shipped import built
from tests.soak import SOAK, long, only_when_long

GAME = "command_and_conquer"
SEED = 1
MODS = Path(__file__).resolve().parents[2] / "examples" / "mods"
FACTION, AGAINST_GDI, AGAINST_NOD = (
    MODS / "les_oublies" / f"{name}.scn" for name in ("les_oublies", "contre_gdi", "contre_nod")
)
RULES, NUMBERS = MODS / "guerre_longue.scn", MODS / "blindes_legers.scn"


def shipped(*mods: Path, tests: bool = True) -> Build:
    return built(GAME, mods, tests=tests)


@cache
def machine(*mods: Path) -> Machine:
    program = shipped(*mods).program
    assert program is not None
    return Machine(program)


def pinned(*mods: Path, ids: Iterable[str]) -> set[str]:
    """What the tests pin, of the game and of its mods, or, but in the long run, those of them that name one of the ids;
    none may fail.
    """
    made = shipped(*mods)
    assert [each.message for each in made.diagnostics] == []
    results = run_tests(machine(*mods), ids=() if SOAK else ids)
    assert [each.title for each in results if not each.passed] == []
    return {id_ for each in results for id_ in each.pins}


@pytest.mark.slow
def test_tests_of_the_game_hold_with_the_mods_together() -> None:
    """Of the game's own those of every twelfth rule."""
    own = {
        *(f"OU-{n:02}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10)),
        "GL-01",
        "GL-02",
        "GL-03",
    }
    game = {f"CNC-{number:03}" for number in range(1, 329, 12)}
    assert pinned(FACTION, RULES, NUMBERS, ids=own | game) >= own


@pytest.mark.parametrize("mod", [only_when_long(RULES), NUMBERS], ids=lambda mod: mod.stem)
def test_each_mod_compiles_alone(mod: Path) -> None:
    """Their tests and those of the game are run with the mods together."""
    made = shipped(mod, tests=False)
    assert [each.message for each in made.diagnostics] == []
    assert made.program is not None


@pytest.mark.slow
@pytest.mark.parametrize("mod", [pytest.param(AGAINST_GDI, marks=long), AGAINST_NOD], ids=["gdi", "nod"])
def test_the_faction_plays_against_either_side_and_the_tests_of_the_game_hold(mod: Path) -> None:
    """The faction's own, and of the game two rules."""
    wanted = {"OU-01", "OU-11", "CNC-011", "CNC-023"}
    own = {f"OU-{number:02}" for number in range(1, 12)}
    assert pinned(mod, ids=wanted | own) >= wanted
    game = Game.start(machine(mod), seed=SEED)
    chance = random.Random(SEED)
    while game.count:
        game.choose(chance.randrange(game.count))
    assert game.outcome is not None


def test_nobody_commands_it_twice() -> None:
    assert {each.code.id for each in shipped(AGAINST_GDI, AGAINST_NOD, tests=False).diagnostics} == {"E0015"}


def test_what_two_mods_both_change_is_told_at_both(tmp_path: Path) -> None:
    other = tmp_path / "tours.scn"
    other.write_text(
        f'mod tours for {GAME}:\n    note "towers"\nchange guard_tower: cost = 6\n', encoding="utf-8"
    )
    (told,) = shipped(NUMBERS, other, tests=False).diagnostics
    assert told.code.id == "E0409"
