"""Whoever is named after a colour is shown in it."""

from pathlib import Path

from dsl.cli.palette import COLOURS, colour_of
from dsl.library import load

GAME = """game colours:
    players {players}
    rounds 1
round:
    for p in order of play:
        p may: pass
"""


def _colours(tmp_path: Path, *players: str) -> list[str]:
    path = tmp_path / "colours.scn"
    path.write_text(GAME.format(players=", ".join(players)))
    program = load(path, environment={"SCENARII_CACHE": "off"}).program
    return [colour_of(program, program.players, number) for number in range(len(players))]


def test_colours_by_name_in_two_languages(tmp_path: Path) -> None:
    assert _colours(tmp_path, "red", "blue", "vert", "team_yellow") == ["red", "blue", "green", "yellow"]


def test_others_take_what_is_left(tmp_path: Path) -> None:
    assert _colours(tmp_path, "ann", "green", "bob") == [COLOURS[1], "green", COLOURS[2]]
