"""What lies under the pieces: areas in the legend, and what a game lays over its empty cells."""

from __future__ import annotations

from pathlib import Path

from dsl.cli.board import drawings
from dsl.cli.state import Overview
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """game field:
    players red, blue
    rounds 3
table Hint:
    | id   | name en      |
    | near | next to here |
    | far  | far away     |
state:
    here: Cell = a1, called "Here"
    secret_count: 0..9
    tired: bool
area camp of Player
area dry_ford
map land on squares:
    legend:
        "R" = camp of red
        "F" = dry_ford
    \"\"\"
    . . F
    R . .
    \"\"\"
action walk(c: Cell) by p: here = c
action rest by p: tired = true
round:
    red chooses:
        walk(c) for c in around(here)
        rest
"""
OVER = """value overlay(c: Cell) -> Hint? = near if adjacent(c, here) else far if distance(c, here) > 2 else none
"""


def started(folder: Path, text: str) -> Game:
    path = folder / "field.scn"
    path.write_text(text, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return Game.start(Machine(made.program), seed=0)


def drawn(game: Game) -> tuple[list[list[str]], list[str]]:
    (drawing,) = drawings(game.machine, list(game.state), 0, "en")
    return [line.plain.split() for line in drawing.lines], [each.plain for each in drawing.legend]


def test_the_legend_says_which_area_a_sign_marks_and_whose_it_is(tmp_path: Path) -> None:
    lines, legend = drawn(started(tmp_path, GAME))
    assert lines[0] == ["2", ".", ".", "F"]
    assert {"F dry ford", "R camp (red)"} <= set(legend)


def test_empty_cells_show_what_the_game_lays_over_them(tmp_path: Path) -> None:
    lines, legend = drawn(started(tmp_path, GAME + OVER))
    assert lines[0] == ["2", "+", ".", "*"]
    assert lines[1][2:] == ["+", "."]
    assert {"+ next to here", "* far away"} <= set(legend)


def test_what_may_read_secrets_is_not_drawn(tmp_path: Path) -> None:
    hidden = GAME.replace("secret_count: 0..9", "secret_count: 0..9, seen by none") + OVER
    assert drawn(started(tmp_path, hidden))[0][0] == ["2", ".", ".", "F"]


def test_beside_fields_with_words_those_without_are_shown_when_they_say_something(tmp_path: Path) -> None:
    game = started(tmp_path, GAME)

    def line() -> str:
        return Overview(game.machine, list(game.state), 0, "en").globals()

    assert line() == "Here a1"
    game.choose(
        next(n for n in range(game.count) if game.decision and game.decision.options[n].action == "rest")
    )
    assert line() == "Here a1 · tired yes"
