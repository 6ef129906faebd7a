"""What lies under the pieces: areas in the legend, and what a game lays over its empty cells."""

from __future__ import annotations

from pathlib import Path

from dsl.cli.board import drawings
from dsl.cli.state import Overview
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.types import Int

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


PIECES = """game yard:
    players red, blue
    rounds 2
map yard on squares(3, 1)
table Kind:
    | id  | name en |
    | hut | Hut     |
piece House of Kind, up to 3 each:
    owner: Player
    at: Cell?
    built: bool
type Stage = begun "only begun"
value outline(h: House) -> Stage? = none if h.built else begun
setup:
    place hut of red at a1
    place hut of red at b1 with built = true
    place hut of blue at c1
round:
    for p in order of play:
        p may "Go?": wait
action wait: nothing
"""


def test_pieces_that_the_game_outlines_have_a_hollow_sign_of_their_owner(tmp_path: Path) -> None:
    lines, legend = drawn(started(tmp_path, PIECES))
    assert lines[0] == ["1", "hu○", "hu●", "hu△"]
    assert {"● red", "○ red, only begun", "△ blue, only begun", "hu Hut"} <= set(legend)


def test_only_who_sees_what_an_outline_reads_is_shown_it(tmp_path: Path) -> None:
    game = started(tmp_path, PIECES.replace("built: bool", "built: bool, seen by owner"))
    lines, legend = drawn(game)
    assert lines[0] == ["1", "hu○", "hu●", "hu▲"]
    assert "○ red, only begun" in legend and not any("△" in each for each in legend)


def test_an_outline_without_an_owner_stands_behind_the_piece(tmp_path: Path) -> None:
    free = (
        PIECES.replace("    owner: Player\n", "").replace(" of red at", " at").replace(" of blue at", " at")
    )
    lines, legend = drawn(started(tmp_path, free))
    assert lines[0] == ["1", "hu+", "hu", "hu+"]
    assert "+ only begun" in legend


def test_beside_fields_with_words_those_without_are_shown_only_where_all_is_asked_for(tmp_path: Path) -> None:
    game = started(tmp_path, GAME)

    def line(*, whole: bool) -> str:
        return Overview(game.machine, list(game.state), 0, "en").globals(whole=whole)

    assert line(whole=True) == "Here a1"
    game.choose(
        next(n for n in range(game.count) if game.decision and game.decision.options[n].action == "rest")
    )
    assert line(whole=True) == "Here a1 · tired yes"
    assert line(whole=False) == "Here a1"


def test_an_area_is_called_in_the_players_words(tmp_path: Path) -> None:
    called = GAME.replace("area dry_ford", 'area dry_ford, called fr "Gué" en "Ford"')
    game = started(tmp_path, called)
    assert "F Ford" in drawn(game)[1]
    (drawing,) = drawings(game.machine, list(game.state), 0, "fr")
    assert "F Gué" in [each.plain for each in drawing.legend]


def test_what_says_nothing_is_left_out_and_sets_are_listed(tmp_path: Path) -> None:
    fields = """state:
    seen: set of Cell, called "Seen"
    last: Cell?, called "Last"
    over: bool, called "Over"
    steps: 0..9, called "Steps"
"""
    game = started(
        tmp_path,
        GAME.replace(
            "action walk(c: Cell) by p: here = c",
            f"{fields}action walk(c: Cell) by p:\n    seen gains c\n    here = c",
        ),
    )

    def line() -> str:
        return Overview(game.machine, list(game.state), 0, "en").globals()

    assert line() == "Here a1 · Steps 0"
    game.choose(0)
    assert line() == "Here b1 · Seen b1 · Steps 0"


def test_of_a_large_set_the_first_members_are_named(tmp_path: Path) -> None:
    wide = GAME.replace("    . . F\n    R . .", "    . . F . . . .\n    R . . . . . .").replace(
        "    tired: bool", '    tired: bool\n    seen: set of Cell, called "Seen"'
    )
    game = started(tmp_path, wide + "setup:\n    for c in Cell: seen gains c\n")
    told = Overview(game.machine, list(game.state), 0, "en").globals()
    assert told == "Here a1 · Seen 14 (a1, b1, c1, d1, e1, f1, …)"


def test_areas_are_called_as_their_author_calls_them() -> None:
    path = Path(__file__).resolve().parents[1] / "corpus" / "language" / "good" / "area_names.scn"
    made = compile_game(str(path))
    assert made.program is not None
    game = Game.start(Machine(made.program), seed=0)
    (english,), (french,) = (drawings(game.machine, list(game.state), 0, each) for each in ("en", "fr"))
    assert {"F the ford", "s shore", "B Camp (Bob)"} <= {each.plain for each in english.legend}
    assert {"F le gué", "B Camp (Bob)"} <= {each.plain for each in french.legend}


def test_what_is_asked_of_a_state_is_known_by_what_it_says(tmp_path: Path) -> None:
    """Not by its place in memory, where the next expression may lie when this one is gone."""
    game = started(tmp_path, GAME)
    eyes = Sight(game.machine, list(game.state), None)
    found = [eyes.evaluated(ir.Const(Int(0, 999), number), {}) for number in range(500)]
    assert found == list(range(500))
