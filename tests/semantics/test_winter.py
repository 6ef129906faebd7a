"""A map, objectives and a card for Risk Halo as two mods: content alone, checked and played like the game's own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests
from tests.shipped import built, shipped

GAME = "risk_halo"
MODS = Path(__file__).resolve().parents[2] / "examples" / "mods"
MAP, CARDS = MODS / "le_glacier.scn", MODS / "long_hiver.scn"
OWN = {"LH-01", "LH-02", "LH-03", "LH-04"}
SEED = 1


def broken(*mods: Path) -> tuple[set[str], set[str]]:
    """The titles of the tests that do not pass, and the ids that those pin which do."""
    made = built(GAME, mods, tests=True)
    assert [each.message for each in made.diagnostics] == []
    assert made.program is not None
    results = run_tests(made.program)
    pins = {id_ for each in results if each.passed for id_ in each.cited}
    return {each.title for each in results if not each.passed}, pins


def test_with_the_map_all_tests_of_the_game_pass() -> None:
    assert broken(MAP)[0] == set()


def test_with_the_cards_all_tests_of_the_game_pass() -> None:
    failing, pins = broken(MAP, CARDS)
    assert failing == set()
    assert pins >= OWN


def test_a_border_from_one_side_only_is_told_where_it_stands(tmp_path: Path) -> None:
    text, there = MAP.read_text(encoding="utf-8"), "GLA12, GLA18, "
    assert text.count(there) == 1
    path = tmp_path / MAP.name
    path.write_text(text.replace(there, "GLA18, "), encoding="utf-8")
    (told,) = compile_game(GAME, [str(path)]).diagnostics
    assert told.span is not None
    line = next(n for n, text in enumerate(text.splitlines(), 1) if text.lstrip().startswith("| GLA12"))
    assert (told.code.id, told.span.line) == ("E0107", line)


TERRITORY = "extend Territory:\n    | id | name en | region | adjacent |\n"
REGION = "extend Region:\n    | id | name en | board | bonus |\n"
SLIPS = {
    "a territory that nothing reaches": (TERRITORY + "    | FAR01 | Far | horn | - |\n", {"W0412"}),
    "a region without territory or bonus, and a territory in two": (
        REGION + "    | far | Far | anvil | - |\n" + TERRITORY + "    | FAR01 | Far | horn, heel | - |\n",
        {"E0107", "E0310", "E0307"},
    ),
}


@pytest.mark.parametrize(("rows", "codes"), SLIPS.values(), ids=SLIPS)
def test_what_does_not_hold_together_is_told_at_its_row(rows: str, codes: set[str], tmp_path: Path) -> None:
    path = tmp_path / "far.scn"
    path.write_text(f'mod far for risk_halo:\n    note "far"\n{rows}', encoding="utf-8")
    found = compile_game(GAME, [str(path)]).diagnostics
    assert {each.code.id for each in found} == codes
    assert all(each.span is not None and each.span.source.name.endswith("far.scn") for each in found)


@pytest.mark.parametrize(("mode", "theatre"), [("one_on_one", "Glacier"), ("objective", "Ice and Iron")])
def test_random_games_on_the_map_end(mode: str, theatre: str) -> None:
    program = shipped(GAME, [MAP, CARDS])
    modes = next(each for each in program.options if each.name == "mode").choices
    game = Game.start(Machine(program), seed=SEED, options={"mode": modes.index(mode)}, covering=True)
    game.choose(theatre)
    chance = random.Random(SEED)
    while game.count:
        game.choose(chance.randrange(game.count))
    assert game.outcome is not None
    if mode == "objective":
        assert {cited for clause in game.hits for cited in program.clauses[clause].ids} >= OWN
