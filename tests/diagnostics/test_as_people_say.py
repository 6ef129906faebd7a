"""Lines of tests, values and mods that are said as people say them: each message says what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.testing.runner import run_tests

GAME = """game g:
    players red, blue
    rounds 2
type Suit = hearts | spades
table Kind:
    | id    | rank |
    | scout |    3 |
piece Man of Kind, one each for each Player:
    owner: Player
    at: Suit
    aim: 0..3 = 0
state of Player:
    gold: 0..9 = 3
value most -> 0..9 = 5
value price(m: Man) -> 0..9 = m.rank
action pay(n: 1..2) by p: p.gold loses n
setup: for p in Player: place scout of p at hearts
round: nothing
"""
GAME = GAME.replace("setup: for", "setup:\n    for")
IN_TESTS = {
    "given: scout of red at hearts": "write `place scout of red at hearts`",
    "red chooses scout": "write `red: scout`",
    "expect red.gold to be 3": "write `expect red.gold is 3`",
    "expect price(scout of red) is 3": "write `scout at PLACE`",
    'expect red.gold is "2"': "write `expect red.gold is 2`",
    'expect ended "rich"': 'write `expect ended("rich")`',
    'expect illegal pay(2) by red because "poor"': "write `because [ID]`, with the id behind",
    "run the game": "write `run PHASE`",
    "run pay(1) by red with roll 3": "write `rolls 3`, and `run pay(1) by red` below it",
    "given: blue to move": "write `run ACTION by blue`",
    "given: take away scout of red": "write `take away (scout at PLACE)`",
    "given: remove scout of red": "write `take away (scout at PLACE)`",
    "expect red.gold is between 1 and 3": "write `expect red.gold in 1..3`",
    "given: gold = 5": "`gold` is a field of Player, and each has its own: say whose, as in `red.gold = ...`",
    "run round": "the actions are: pay; a test plays the rounds where it has moves and no `run`",
    "given: place heart of red at hearts": "kinds of pieces are: scout",
    "expect red.gold is in 1..3": "write `expect red.gold in 1..3`",
}
AT_THE_MARGIN = {
    "extend type Suit: clubs | bells": "write `extend type Suit = clubs | bells`",
    "extend type Suit: clubs": "write `extend type Suit = clubs`",
    "remove Player.gold": "say the declaration of `Player` again without it, behind `replace`",
    "change Man.aim: 0..2 = 1": "write `change ROW: aim = VALUE` for a column",
    "change red: gold = 9": "`red` is a player, and no row: with what a field begins is said under",
    "forbid pay when .gold > 2": "write a value between `when` and `.`",
    "after setup: pay(1) by red": "a `setup:` of a scenario or mod is done behind that of the game",
    "value half -> 0..9 rounded up = most / 2": "write `value half -> 0..9 = most / 2, rounded up`",
    "value half -> 0..9, rounded down = most / 2  [house]": "write `value half -> 0..9 = most / 2, rounded down`",
}


def hint(folder: Path, files: dict[str, str], mods: tuple[str, ...] = ()) -> str:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    found = compile_game(str(folder / "g.scn"), [str(folder / each) for each in mods], tests=True)
    first = next(each for each in found.diagnostics if each.is_error)
    return first.hint or (first.fix.label if first.fix else "")


@pytest.mark.parametrize("line", IN_TESTS)
def test_a_line_of_a_test(line: str, tmp_path: Path) -> None:
    assert hint(tmp_path, {"g.scn": f'{GAME}test "x":\n    {line}\n    expect red.gold is 3\n'}).startswith(
        IN_TESTS[line]
    )


@pytest.mark.parametrize("line", AT_THE_MARGIN)
def test_a_line_of_a_mod(line: str, tmp_path: Path) -> None:
    mod = f'mod m for g:\n    note "a mod"\n{line}\n'
    assert AT_THE_MARGIN[line] in hint(tmp_path, {"g.scn": GAME, "m.scn": mod}, ("m.scn",))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("replace value price(m: Suit) -> 0..9 = 1", "price"),
        ("replace piece Man of Kind, one each for each Player:\n    owner: Player\n    at: Suit", "Man"),
        ("remove Man", "remove Man"),
    ],
)
def test_what_the_game_uses_otherwise_is_told_in_the_mod(line: str, what: str, tmp_path: Path) -> None:
    """Also where what does not fit is an argument of what was replaced, a field, or a kind of the pieces."""
    game = GAME.replace("round: nothing", "round:\n    for m in Man where price(m) > 1: m.aim = 1")
    (tmp_path / "g.scn").write_text(game, encoding="utf-8")
    (tmp_path / "m.scn").write_text(f'mod m for g:\n    note "a mod"\n{line}\n', encoding="utf-8")
    assert not compile_game(str(tmp_path / "g.scn")).diagnostics.has_errors
    errors = [
        each
        for each in compile_game(str(tmp_path / "g.scn"), [str(tmp_path / "m.scn")]).diagnostics
        if each.is_error
    ]
    assert {(Path(each.file).name, each.span.text if each.span else "") for each in errors} == {
        ("m.scn", what)
    }
    assert all(Path(each.labels[0].span.source.name).name == "g.scn" for each in errors)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ('    expect ended("rich")', "the game goes on"),
        ('    given: red.gold = 9\n    red: pay(1)\n    expect ended("rich")', 'it ended with "poor"'),
    ],
)
def test_how_a_game_ended_is_told(lines: str, why: str, tmp_path: Path) -> None:
    game = GAME.replace("round: nothing", "round: turn\nphase turn:\n    red chooses: pay(n) for n in 1..2")
    game += 'victory p "rich" when p.gold > 9\nvictory p "poor" when p.gold is 8\n'
    (tmp_path / "g.scn").write_text(f'{game}test "x":\n{lines}\n', encoding="utf-8")
    found = compile_game(str(tmp_path / "g.scn"), tests=True)
    assert found.program is not None, list(found.diagnostics)
    (made,) = run_tests(found.program)
    assert why in made.message
