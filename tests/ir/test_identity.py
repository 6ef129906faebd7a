"""What names a program in saves: what can change play, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.codec import encode
from dsl.ir.identity import bare, identity
from dsl.ir.program import Program
from dsl.ir.verify.program import verify

GAME = """game pennies:
    players ann "Ann", bob
    rounds 4
    rulebook PE "Pennies"
table Coin:
    | id     | rules en: text |
    | copper | Spend it.      |
    | silver | -              |
state of Player:
    purse: 0..9 = 3
value left(p: Player, n: 1..2) -> -2..9 = p.purse - n
action give(n: 1..2) by p "Give {n}": [PE-01]
    need p.purse > n "too poor" [PE-02]
    p.purse loses n
    say en "{p} is poorer"
round:
    for p in order of play:
        p may: give(n) for n in 1..2
victory p "rich" when p.purse < 1 [PE-03]
"""
SAME = {
    "a comment": ("rounds 4", "rounds 4  # long enough\n# and more"),
    "layout": ('by p "Give {n}": [PE-01]', 'by p "Give {n}":          [PE-01]\n'),
    "a better word": ("too poor", "not enough pennies"),
    "a translation": ('say en "{p} is poorer"', 'say en "{p} is poorer" fr "{p} est plus pauvre"'),
    "how a menu's line is written": ("for n in 1..2", "for n in (1..2)"),
    "a label of the game": ("    players", '    title en "Pennies"\n    players'),
    "a label of a player": ("bob\n", 'bob "Bob" fr "Robert"\n'),
    "a label of a field": ("purse: 0..9 = 3", 'purse: 0..9 = 3, called "Purse"'),
    "a label of a value": ("p.purse - n", 'p.purse - n, called "Rest"'),
    "a label of a parameter": ("left(p: Player, n: 1..2)", 'left(p: Player, n: 1..2 "Price")'),
    "a label of an ending": ('victory p "rich"', "victory p"),
    "a label of an action": (' "Give {n}"', ""),
    "what a label shows": ("Give {n}", "{p} gives {n} of {p.purse}"),
    "what a line of the log shows": ("{p} is poorer", "{p} has {p.purse}"),
    "what is printed on a card": ("| -     ", "| Keep. "),
    "a reason": (' "too poor"', ""),
    "words that are said twice": ("too poor", "rich"),
    "a question": ("p may: give", 'p may "Give away": give'),
    "a citation": ("[PE-02]", "[PE-04, house]"),
    "a promise": ("victory p", 'always "few": every p in Player satisfies p.purse <= 9\nvictory p'),
    "a test": ("victory p", 'test "three each":\n    expect ann.purse is 3\nvictory p'),
}
OTHER = {
    "a number": ("p.purse > n", "p.purse > 2"),
    "a name": ("purse", "money"),
    "an initial value": ("= 3", "= 4"),
    "a bound": ("rounds 4", "rounds 5"),
    "what is done": ("p.purse loses n", "p.purse loses 1"),
    "a line of the log less": ('    say en "{p} is poorer"\n', ""),
    "an option more": ("round:", "option slow: true | false = true\nround:"),
}


SECRET = """game pennies:
    players ann "Ann", bob
    rounds 4
state of Player:
    purse: 0..9 = 3, seen by self
action look by p:
    let held = p.purse
    for q in Player where q is p:
        say "{q} has {held}"
round:
    for p in order of play:
        p may: look
"""


def compiled(folder: Path, text: str) -> Program:
    path = folder / "pennies.scn"
    path.write_text(text, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return program


@pytest.mark.parametrize("what", SAME)
def test_what_only_tells_is_left_out(tmp_path: Path, what: str) -> None:
    before, after = compiled(tmp_path, GAME), compiled(tmp_path, GAME.replace(*SAME[what]))
    assert identity(before) == identity(after)
    game = Game.start(Machine(before), seed=1)
    game.choose(0)
    again = Game.restore(Machine(after), game.snapshot())
    assert isinstance(again, Game)
    assert again.fingerprint == game.fingerprint


@pytest.mark.parametrize("what", OTHER)
def test_what_changes_play_is_not(tmp_path: Path, what: str) -> None:
    assert identity(compiled(tmp_path, GAME)) != identity(compiled(tmp_path, GAME.replace(*OTHER[what])))


def test_the_version_of_the_document_is_left_out(tmp_path: Path) -> None:
    """What plays is written as it was before, and saves from then are good."""
    program = compiled(tmp_path, GAME)
    assert identity(replace(program, version=program.version - 1)) == identity(program)


def test_what_is_left_is_a_program(tmp_path: Path) -> None:
    assert list(verify(bare(compiled(tmp_path, GAME)))) == []


def test_who_may_read_a_line_of_the_log_is_left_out(tmp_path: Path) -> None:
    before = compiled(tmp_path, SECRET)
    assert "veiled" in encode(before).decode()
    assert "veiled" not in encode(bare(before)).decode()
