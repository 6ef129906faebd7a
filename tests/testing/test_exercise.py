"""What random play exercises: in all modes, and of what has no code of its own."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.testing.exercise import exercised

GAME = """\
game purse:
    players 2..3: ann, bob, cid                                 [PU-1]
    rounds 2
    rulebook PU "The purse"

table Coin:
    | id     | copies |
    | copper |      3 |
    | silver |      2 |

piece Piece of Coin, copies each
pile bag of Piece, seen by none                                 [PU-2]
pile purse of Piece for each Player, seen by owner              [PU-3]
pile hole of Piece                                              [PU-4]

state of Player:
    points: 0..99

value worth(p: Player) -> 0..9 = 1                              [PU-5]
action take by p: p.points gains worth(p)

round:
    for p in Player:
        p chooses: take

mode plain "Plain":                                             [PU-6]
    players 2: ann, bob                                         [PU-7]
mode rich "Rich":                                               [PU-8]
    players 3: ann, bob, cid                                    [PU-9]
    value worth(p: Player) -> 0..9 = 3                          [PU-10]
    setup: draw 1 from bag to purse(ann)
mode odd like rich "Odd":                                       [PU-11]
    players 2: bob, cid                                         [PU-12]
    value worth(p: Player) -> 0..9 = 5                          [PU-13]
"""


def ids(folder: Path, games: int) -> set[str]:
    path = folder / "purse.scn"
    path.write_text(GAME, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    found = exercised(Machine(made.program), games)
    assert found.failures == ()
    return {each.removeprefix("PU-") for each in found.ids(made.program)}


def test_each_mode_is_played_in_turn_with_what_it_declares(tmp_path: Path) -> None:
    usual = {"1", "2", "5", "6", "7"}
    assert ids(tmp_path, 2) == usual
    rich = usual | {"3", "8", "9", "10"}
    assert ids(tmp_path, 4) == rich
    assert ids(tmp_path, 6) == rich | {"11", "12", "13"}


TABLES = """\
game tariffs:
    players ann, bob
    rounds 2
    rulebook TA "Tariffs"

table Toll:                                                     [TA-1]
    | id   | price |
    | road |     2 |                                            [TA-2]
    | ford |     1 |                                            [TA-3]
table Fine:                                                     [TA-4]
    | id   | price |
    | late |     2 |                                            [TA-5]
extend Toll:                                                    [TA-6]
    | id    | price |
    | ferry |     3 |
extend Fine:                                                    [TA-7]
    | id   | price |
    | lost |     5 |

state of Player:
    points: 0..99

action pay(t: Toll) by p: p.points gains t.price
action atone(f: Fine) by p: p.points gains f.price
round:
    for p in Player:
        p may: pay(t) for t in Toll
        if p.points > 50: atone(late) by p
"""


def test_a_table_is_exercised_with_a_row_of_it_and_so_is_what_adds_the_row(tmp_path: Path) -> None:
    path = tmp_path / "tariffs.scn"
    path.write_text(TABLES, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    assert exercised(Machine(program), 20).ids(program) == {"TA-1", "TA-2", "TA-3", "TA-6"}


MAPS = """\
game meadow:
    players ann, bob
    rounds 2
    rulebook ME "The meadow"
    map field

legend signs:
    "*" = grass                                                 [ME-1]
    "~" = wet                                                   [ME-2]
map field on squares(from_top):
    legend like signs
    \"\"\"
    * . .
    \"\"\"

state of Cell:
    grass: bool
    wet: bool
state of Player:
    seeds: 0..9 = given_to(self)
value given_to(p: Player) -> 0..9 = 2 if p is ann else 0        [ME-3]
value spare(p: Player) -> 0..9 = 2                              [ME-4]

window talk of ann, bob as who, in turn until both pass:        [ME-5]
    boast when who.seeds > 1
    pass
window whisper of ann, bob as who, in turn until both pass:     [ME-6]
    boast when who.seeds > 1
    pass
action boast by p: p.seeds loses 1

round:
    open talk
    if ann.seeds > 5: open whisper
"""


def test_lines_of_a_legend_windows_and_what_begins_are_exercised(tmp_path: Path) -> None:
    """Where the sign is on the map, where somebody was asked, and where a value begins a game."""
    path = tmp_path / "meadow.scn"
    path.write_text(MAPS, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    assert exercised(Machine(made.program), 4).ids(made.program) == {"ME-1", "ME-3", "ME-5"}


ORDERS = """\
game forge:
    players ann
    rounds 2
    rulebook FO "The forge"

state:
    iron: 0..99 = 1
action smelt:
    need iron < 99
    iron gains 1
action forge:
    need iron > 50
    iron loses 1

round:
    smelt otherwise: nothing                                    [FO-1]
    smelt otherwise:
        iron gains 2                                            [FO-2]
    forge otherwise: nothing                                    [FO-3]
    forge otherwise:
        iron gains 2                                            [FO-4]
"""


def test_a_citation_on_the_line_of_an_order_is_of_the_order_and_not_of_what_else_happens(
    tmp_path: Path,
) -> None:
    path = tmp_path / "forge.scn"
    path.write_text(ORDERS, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    assert exercised(Machine(made.program), 1).ids(made.program) == {"FO-1", "FO-3", "FO-4"}
