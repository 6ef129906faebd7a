"""Ten new cards as one mod: each conflict with a rule or with another card is told, and ranked by its author."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.compiler import Compiled, compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests
from tests.shipped import built, shipped
from tests.soak import SOAK, fewer

GAME = "me_ccg"
MOD = Path(__file__).resolve().parents[2] / "examples" / "mods" / "cartes_du_nord.scn"
UNRANKED = {
    ", over [ME-046]": "E0407",
    ", over [ME-097, NO-07]": "E0407",
    ", over [ME-074]": "E0407",
    ", over ceiling": "E0405",
    ", over [NO-08]": "E0405",
}
"""What each rank of the mod settles: rules of the book, a card of the game and one of the mod, a ceiling, and two cards
that clash only when both are played.
"""
CARDS = {f"NO-{number:02}" for number in range(1, 11)}
GAMES = fewer(4, 12)


def without(rank: str, folder: Path) -> Compiled:
    """The mod with one of its ranks left out."""
    text = MOD.read_text(encoding="utf-8")
    assert text.count(rank) == 1
    path = folder / MOD.name
    path.write_text(text.replace(rank, ""), encoding="utf-8")
    return compile_game(GAME, [str(path)])


@pytest.mark.slow
def test_the_cards_compile_and_tests_of_the_game_and_of_the_cards_pass() -> None:
    """Of the game's own those of every third rule."""
    made = built(GAME, [MOD], tests=True)
    assert [each.message for each in made.diagnostics] == []
    assert made.program is not None
    some = CARDS | {f"ME-{number:03}" for number in range(1, 400, 3)}
    results = run_tests(made.program, ids=() if SOAK else some)
    assert [f"{each.title}: {each.message}" for each in results if not each.passed] == []
    own = {cited for each in results if Path(each.place.file).name == MOD.name for cited in each.cited}
    assert own >= CARDS


@pytest.mark.parametrize("rank", UNRANKED)
def test_a_conflict_that_is_not_ranked_is_an_error_where_it_stands(rank: str, tmp_path: Path) -> None:
    line = next(n for n, text in enumerate(MOD.read_text(encoding="utf-8").splitlines(), 1) if rank in text)
    (told,) = without(rank, tmp_path).diagnostics
    assert told.span is not None
    assert (told.code.id, told.span.line) == (UNRANKED[rank], line)


def test_random_games_with_the_cards_end_and_all_of_them_are_played() -> None:
    program = shipped(GAME, [MOD], tests=True)
    machine, played = Machine(program), set[str]()
    for seed in range(GAMES):
        covering = not played >= CARDS  # which takes twice as long
        game, chance = Game.start(machine, seed=seed, covering=covering), random.Random(seed)
        while game.count:
            game.choose(chance.randrange(game.count))
        assert game.outcome is not None
        played |= {cited for clause in game.hits for cited in program.clauses[clause].ids}
    assert played >= CARDS or not SOAK
    assert played
