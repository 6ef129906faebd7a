"""A drawing shows the state as it is: no two things with one sign, no sign whose field has changed, each sign told."""

from __future__ import annotations

from pathlib import Path

from dsl.cli.board import Drawing, drawings
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

MEN = """game men:
    players white, black
    rounds 3
map board on squares(4, 2)
table Man:
    | id         | name en |
    | white_pawn | ♙       |
    | white_king | ♔       |
    | black_pawn | Pawn    |
    | black_king | King    |
    | bishop     | Bishop  |
table Mark:
    | id         |
    | safe_one   |
    | safe_two   |
    | safe_three |
    | safe_four  |
    | safe_five  |
state of Cell:
    man: Man?
value overlay(c: Cell) -> Mark? = safe_five if c is d2 else (safe_one if c is c2 else none)
setup:
    a1.man = white_pawn
    b1.man = white_king
    c1.man = black_pawn
    d1.man = black_king
    a2.man = bishop
action go(c: Cell) by p "Go": c.man = none
round:
    for p in order of play:
        p chooses: go(c) for c in Cell
"""
GROUND = """game ground:
    players ann, bob
    rounds 9
table Ground:
    | id     | name en |
    | plain  | Plain   |
    | forest | Forest  |
    | lava   | Lava    |
state of Cell:
    ground: Ground
    ore: 0..20, called "Ore"
    dry: bool, called "Dry"
map m on squares:
    legend:
        "." = plain
        "f" = forest
        "o" = plain, ore = 5
        "d" = plain, dry
    \"\"\"
    . o o f
    o d f .
    \"\"\"
action dig(c: Cell) by p "Dig {c}": c.ore loses up to 3
action fell(c: Cell) by p "Fell {c}": c.ground = plain
action burn(c: Cell) by p "Burn {c}": c.ground = lava
action wet(c: Cell) by p "Wet {c}": c.dry = false
action flood(c: Cell) by p "Flood {c}": c.dry = true
round:
    for p in order of play:
        p chooses:
            dig(c) for c in Cell
            fell(c) for c in Cell
            burn(c) for c in Cell
            wet(c) for c in Cell
            flood(c) for c in Cell
"""


def begun(tmp_path: Path, text: str) -> Game:
    path = tmp_path / f"{text.split()[1].rstrip(':')}.scn"
    path.write_text(text, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return Game.start(Machine(program), seed=1)


def drawn(game: Game) -> tuple[list[list[str]], dict[str, str]]:
    """The signs of the cells, row by row, and the legend."""
    found: Drawing
    (found,) = drawings(game.machine, list(game.state), None, "")
    rows = [line.plain.split()[1:] for line in found.lines[:-1]]
    legend = dict(line.plain.split(" ", 1) for line in found.legend)
    return rows, legend


def test_no_two_things_have_one_sign_and_each_is_told(tmp_path: Path) -> None:
    rows, legend = drawn(begun(tmp_path, MEN))
    (above, below) = rows
    assert below == ["♙", "♔", "bp", "bk"] and above[0] == "bi"
    assert len({*above, *below}) == 8  # five men, two marks, and an empty cell
    told = {"white pawn", "white king", "Pawn", "King", "Bishop", "safe_one", "safe_five"}
    assert set(legend.values()) == told
    assert set(legend) == {*above, *below} - {"."}


def test_a_sign_of_the_map_is_not_drawn_after_its_field_has_changed(tmp_path: Path) -> None:
    game = begun(tmp_path, GROUND)
    assert drawn(game)[0] == [[".", "o", "o", "f"], ["o", "d", "f", "."]]
    assert drawn(game)[1] == {"o": "Ore 5", "d": "Dry", "f": "Forest"}
    for label in ("Dig a1", "Fell d2", "Burn c1", "Wet b1", "Dig b2", "Dig b2", "Flood d1"):
        game.choose(label)
    rows, legend = drawn(game)
    assert rows == [[".", ".", "o", "."], ["2", ".", "la", "d"]]
    assert legend == {"2": "Ore 2", "la": "Lava", "o": "Ore 5", "d": "Dry"}


def test_what_no_sign_says_is_told_to_have_changed(tmp_path: Path) -> None:
    game = begun(tmp_path, GROUND)
    game.choose("Flood a1")
    rows, legend = drawn(game)
    assert rows[1][0] == "·" and legend["·"] == "Dry: yes"
