"""How near other players are to winning, as far as one may know it; what `look` tells of a player."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.authoring.look_up import Looking
from dsl.cli.goals import goals, others
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = Path(__file__).parents[1] / "browser" / "games" / "race.scn"


def started(folder: Path, more: str = "") -> Game:
    path = folder / "race.scn"
    path.write_text(GAME.read_text(encoding="utf-8").replace('"Bleu"', f'"Bleu"{more}'), encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return Game.start(Machine(made.program), seed=0)


def test_what_counts_openly_towards_the_victory_of_another_is_told(tmp_path: Path) -> None:
    """Not his gold, which he alone sees; nor, as two play, what my own line compares."""
    game = started(tmp_path)
    (mine,) = goals(game.machine, game.state, 0, "en")
    assert mine == "victory: points (0 / 5) · rich (0 / 8) · ahead (0 : 2) · last"
    assert list(others(game.machine, game.state, 0, "fr")) == ["victoire (Bleu) : des points (2 / 5)"]
    assert list(others(game.machine, game.state, None, "en")) == []


def test_of_several_others_it_is_told_how_they_compare(tmp_path: Path) -> None:
    game = started(tmp_path, ', green "Green"')
    assert list(others(game.machine, game.state, 0, "en")) == [
        "victory (Blue): points (2 / 5) · ahead (2 : 0)",
        "victory (Green): points (0 / 5) · ahead (0 : 2)",
    ]


@pytest.mark.parametrize(("viewer", "told"), [(0, ["Strength"]), (1, ["Strength", "Secret"])])
def test_look_at_a_player_tells_what_the_viewer_may_know(
    tmp_path: Path, viewer: int, told: list[str]
) -> None:
    game = started(tmp_path)
    (blue,) = Looking(game.machine, game.state, (viewer,), "en").up("blue")
    rich = "rich (4 / 8)" if viewer else "rich"
    assert [each for each in blue.state if each[0] == "victory"] == [
        ("victory", "points (2 / 5)"),
        ("victory", rich),
        ("victory", "ahead (2 : 0)"),
        ("victory", "last"),
    ]
    assert [name for name, _ in blue.state if name in {"Strength", "Secret"}] == told
    assert ("Strength", "5") in blue.state


PLACES = """game roads:
    players ann "Ann", bob "Bob", eve "Eve"
    rounds 4
table Town:
    | id    | name en | name fr |
    | ford  | Ford    | Gué     |
    | abbey | Abbey   | Abbaye  |
    | mill  | Mill    | Moulin  |
state of Player:
    place: Town = ford, called en "Place" fr "Lieu"
    aim: Town = mill, called en "Aim" fr "But", seen by self
state:
    market: Town = abbey, called en "Market" fr "Marché"
setup: eve.place = abbey
round:
    for p in order of play:
        p chooses:
            go(t) for t in Town
action go(t: Town) by p en "go to {t}": p.place = t
"""


def test_look_at_a_place_tells_who_is_there(tmp_path: Path) -> None:
    """As far as the viewer may know: what each aims at he alone sees."""
    path = tmp_path / "roads.scn"
    path.write_text(PLACES, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    game = Game.start(Machine(made.program), seed=0)

    def state(name: str, language: str) -> tuple[tuple[str, str], ...]:
        (found,) = Looking(game.machine, game.state, (0,), language).up(name)
        return found.state

    assert state("ford", "en") == (("Place", "Ann, Bob"),)
    assert state("abbaye", "fr") == (("Lieu", "Eve"), ("Marché", ""))
    assert state("mill", "en") == (("Aim", "Ann"),)
