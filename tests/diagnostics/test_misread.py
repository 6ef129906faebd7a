"""Slips whose first message once sent the author elsewhere: what is said now, and that nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic

GAME = """game small:
    players ann, bob
    rounds 3

type Size = little | large
type Ground = plain | bog

state of Cell:
    ground: Ground

table Kind:
    | id    | hp: 1..9 | size: Size |
    | guard |        3 | little     |
    | rider |        2 | large      |

piece Unit of Kind, up to 4:
    owner: Player
    at: Cell?
    wounds: 0..9

area camp of Player

legend terrain:
    "~" = bog

map field on squares:
    legend like terrain:
        "A" = camp of ann
    \"\"\"
    A . ~ .
    . ~ . .
    \"\"\"

state:
    gold: 0..9 = 2

value strength(u: Unit) -> 0..20 = u.hp
setup:
    place guard of ann at a2
    place rider of bob at d1

action step(u: Unit, c: Cell) by p: u.at = c
action earn(n: 1..3) by p: gold gains n

round:
    for p in order of play:
        p chooses:
            step(u, c) for u in Unit, c in Cell where u.owner is p
            earn(n) for n in 1..3
"""

SLIPS = {
    'test "t":\n    given: gold == 3\n    expect gold is 3\n': "`=` gives a value to a field",
    'test "t":\n    given: guard at a1\n    expect gold is 3\n': "place guard at a1",
    'test "t":\n    given:\n        guard at a1\n    expect gold is 3\n': "place guard at a1",
    'test "t":\n    given: a1 = bog\n    expect gold is 3\n': "`a1.ground = ...`",
    'test "t":\n    expect guard at a2\n': "`guard.at is a2`",
    'test "t":\n    expect gold is 2 or 3\n': "`gold in {2, 3}`",
    'test "t":\n    expect wounds is 0\n': "as in `u.wounds`",
    'test "t":\n    expect won ann\n': "`expect won(ann)`",
    'test "t":\n    expect ann wins\n': "`expect won(ann)`",
    'test "t":\n    ann: step guard b2\n    expect gold is 2\n': "`ann: step(guard, b2)`",
    'test "t":\n    ann: earn 2\n    expect gold is 4\n': "`ann: earn(2)`",
    "modify strength: +1 if u is guard [house]\n": "`when` says in which case a clause holds",
    "change rider.hp = 3\n": "`change rider: hp = 3`",
    "extend Kind with column armour = 1\n": "`armour: 0..9 = 1`",
}


def told(tmp_path: Path, text: str, *mods: str) -> list[Diagnostic]:
    path = tmp_path / "small.scn"
    path.write_text(text, encoding="utf-8")
    files = []
    for number, mod in enumerate(mods):
        files.append(str(tmp_path / f"mod_{number}.scn"))
        Path(files[-1]).write_text(f'mod m{number} for small:\n    note "a mod"\n\n{mod}', encoding="utf-8")
    found = compile_game(str(path), mods=files, tests=True).diagnostics
    return [each for each in found if each.is_error]


@pytest.mark.parametrize("text", SLIPS)
def test_the_hint_says_what_was_meant(text: str, tmp_path: Path) -> None:
    (only,) = told(tmp_path, GAME + text)
    assert SLIPS[text] in only.hint


@pytest.mark.parametrize("text", ["expect legal guard to b2", "expect ann to move"])
def test_to_is_a_range_between_numbers_only(text: str, tmp_path: Path) -> None:
    (only,) = told(tmp_path, f'{GAME}test "t":\n    {text}\n')
    assert only.fix is None or only.fix.replacement != ".."


def test_on_is_at_where_something_is_placed(tmp_path: Path) -> None:
    (only,) = told(tmp_path, f'{GAME}test "t":\n    given: place guard of ann on a1\n    expect gold is 2\n')
    assert only.fix is not None and only.fix.replacement == "at"


def test_a_sign_of_a_legend_without_quotes_is_quoted_alone(tmp_path: Path) -> None:
    (only,) = told(tmp_path, GAME.replace('"A" = camp', "A = camp"))
    assert only.fix is not None and only.fix.replacement == '"A"'


@pytest.mark.parametrize(
    "drawing", ["    A . ~ .\n    . ~ .\n", "    A.~.\n    .~..\n"], ids=["a short line", "no spaces"]
)
def test_cells_of_a_broken_drawing_are_no_second_fault(drawing: str, tmp_path: Path) -> None:
    (only,) = told(tmp_path, GAME.replace("    A . ~ .\n    . ~ . .\n", drawing))
    assert only.span is not None and only.span.text in drawing


def test_a_citation_that_a_clause_is_over_stands_in_brackets(tmp_path: Path) -> None:
    rules = 'forbid step when gold is 2 "no" [SK-2]\nallow step when u is guard, over SK-2 [house]\n'
    (only,) = told(tmp_path, GAME + rules)
    assert only.fix is not None and only.fix.replacement == "[SK-2]"


def test_a_table_read_by_two_values_says_which_columns_it_needs(tmp_path: Path) -> None:
    table = "table siege(die: 1..2, walls: 0..1) -> 0..3:\n    |   | 0 |\n    | 1 | 1 |\n    | 2 | 2 |\n"
    (only,) = told(tmp_path, GAME + table)
    assert "`walls: 0..1`" in only.hint


MODS = {
    "a dropped row": "replace table Kind:\n    | id | hp: 1..9 | size: Size |\n    | guard | 3 | little |\n",
    "a dropped column": (
        "replace table Kind:\n    | id | size: Size |\n    | guard | little |\n    | rider | large |\n"
    ),
    "a dropped member": "replace type Size = small | large\n",
    "a dropped ground": "replace type Ground = plain | swamp\n",
    "another parameter": "replace action earn(n: 1..3, m: 1..2) by p: gold gains n\n",
    "a smaller map": 'replace map field on squares:\n    legend like terrain\n    """\n    . ~\n    """\n',
    "another map": 'map wood on squares:\n    legend like terrain\n    """\n    . ~\n    """\n',
    "a dropped sign": 'replace legend terrain:\n    "!" = bog\n',
}


@pytest.mark.parametrize("name", MODS)
def test_what_a_mod_replaces_is_told_at_its_line(name: str, tmp_path: Path) -> None:
    (only,) = told(tmp_path, GAME, MODS[name])
    assert Path(only.file).name == "mod_0.scn"
    assert [Path(each.span.source.name).name for each in only.labels] == ["small.scn"]


def test_a_slip_in_the_game_stays_its_own_with_a_mod_that_replaces_something_else(tmp_path: Path) -> None:
    (only,) = told(
        tmp_path, GAME.replace("gold gains n", "gold gains m"), MODS["a dropped sign"].replace("!", "~")
    )
    assert Path(only.file).name == "small.scn"


def test_a_column_of_two_types_of_which_one_is_spoilt_is_told_once(tmp_path: Path) -> None:
    spoilt = GAME.replace("| guard |        3 |", '| guard |        3 "x" |').replace("hp: 1..9", "hp")
    extra = "piece Wall, up to 2:\n    at: Cell?\n\ntype Thing = Unit | Wall\n\n"
    (only,) = told(tmp_path, f"{spoilt}{extra}value left(t: Thing) -> 0..9 = t.hp or 3\n")
    assert (only.code.value, only.span.text) == ("E0307", '3 "x"')


def test_many_names_behind_one_action_are_told_at_once(tmp_path: Path) -> None:
    words = "and run " * 400
    (only,) = told(tmp_path, f'{GAME}test "t":\n    run earn {words},, x\n')
    assert (only.code.value, only.span.text) == ("E0101", "and")


def test_only_what_stands_at_a_fault_can_be_what_a_mod_has_replaced(tmp_path: Path) -> None:
    """A text for players that holds the name of something replaced says nothing of that."""
    value = "value might(u: Unit) -> 0..20 = 3\n"
    slip = 'allow step when gold is 2 "might counts"\n'
    (only,) = told(tmp_path, GAME + value + slip, f"replace {value}")
    assert Path(only.file).name == "small.scn"


def test_a_piece_called_like_a_table_of_effects_is_told_as_declared_twice(tmp_path: Path) -> None:
    modes = "mode short:\n    change rider: hp = 3\n\nmode long:\n    change rider: hp = 4\n\n"
    table = "table Blow:\n    | id  | n: 0..9 | effect by p |\n    | hit | 1 | -      |\n    | cut | 1 | -      |\n\n"
    play = "action strike(b: Blow) by p: b.effect by p\n\npiece Blow of Kind, up to 2 each:\n    at: Cell?\n"
    (only,) = told(tmp_path, GAME + modes + table + play)
    assert (only.code.value, only.span.text) == ("E0202", "Blow")
