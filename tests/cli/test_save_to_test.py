"""Saves as tests: each is run before it is given, and the test leads to the state of the save."""

import re
from pathlib import Path

import pytest

from dsl.engine.piles import as_scripted
from dsl.testing.from_save import joined, lean
from tests.cli.conftest import DUEL, Run, changed
from tests.figures.from_saves import written
from tests.soak import only_when_long, some

THORNS = Path(__file__).parent.parent / "thorns"


def saved(run: Run, game: str, at: int) -> str:
    run("play", game, "--auto", "--seed", "4", "--record", "whole.json")
    run("replay", "whole.json", "--until", str(at), "-o", "part.json")
    return "part.json"


def test_a_state_is_given_and_what_was_under_way_is_run(run: Run) -> None:
    file = saved(run, DUEL, 3)
    found = run("save-to-test", file, "--title", "two have marched")
    assert "it gives the state" in found.stderr
    assert found.stdout.startswith('test "two have marched":\n    given:\n')
    assert "        place knight of red at a2\n" in found.stdout
    assert "        move spark_1 to hand(blue)\n" in found.stdout
    assert "    run skirmish\n" in found.stdout


def test_what_is_in_the_middle_is_played_from_the_beginning(run: Run) -> None:
    found = run("save-to-test", saved(run, DUEL, 2))
    assert "plays from the beginning, because it stands in the middle" in found.stderr
    assert "    shuffles frost\n    rolls 5\n" in found.stdout
    assert "    red: march(knight, a2)\n" in found.stdout


def test_a_test_is_added_to_a_file_and_runs_there(run: Run) -> None:
    Path("duel/tests").mkdir(parents=True)
    Path("duel/duel.scn").write_text(Path(DUEL, "duel.scn").read_text())
    for at in (2, 3):
        run("save-to-test", saved(run, "duel", at), "-o", "duel/tests/saves.scn")
    assert run("test", "duel").stdout == "3 tests passed\n"
    text = Path("duel/tests/saves.scn").read_text().replace("expect glory is 7", "expect glory is 8")
    Path("duel/tests/saves.scn").write_text(text)
    assert "2 of 3 tests passed" in run("test", "duel", code=1).stdout


@pytest.mark.parametrize("game", ["knockback", "overwatch", "outposts"])
def test_saves_of_thorny_games(run: Run, game: str) -> None:
    run("play", str(THORNS / game), "--auto", "--seed", "3", "--record", "whole.json")
    for at in some((1, 2, 5, 12, 23), 2):
        run("replay", "whole.json", "--until", str(at), "-o", "part.json")
        told = run("save-to-test", "part.json").stderr
        assert "it was run, and leads to the state of the save" in told


def test_equal_cards_are_named_by_their_order(run: Run) -> None:
    run("play", str(THORNS / "rebuttal"), "--auto", "--seed", "3", "--record", "whole.json")
    run("replay", "whole.json", "--until", "12", "-o", "part.json")
    told = run("save-to-test", "part.json")
    assert "it was run, and leads to the state of the save" in told.stderr
    named = re.findall(r"let (\w+) = first c in \w+ where c.kind is \w+", told.stdout)
    assert named and all(f"{each})" in told.stdout or f"{each}," in told.stdout for each in named[-1:])


def test_saves_that_cannot_be_trusted(run: Run) -> None:
    bad = changed(Path(saved(run, DUEL, 3)), {"choices": [[0, [99]]]})
    assert "error[E0503]" in run("save-to-test", bad, code=1).stderr
    other = changed(Path("part.json"), {"program": "00" * 32})
    assert "error[E0504]" in run("save-to-test", other, code=2).stderr
    assert "in .scn" in run("save-to-test", "part.json", "-o", "x.txt", code=2).stderr
    assert "E0001" in run("save-to-test", "none.json", code=2).stderr


@pytest.mark.parametrize("game", ["cristal_et_acier", only_when_long("risk_halo")])
def test_positions_of_whole_games_are_written_as_they_are_formatted(game: str) -> None:
    found = written(game, 2)
    assert found.faults == []
    assert found.given + found.played == 2


def test_moves_of_one_player_stand_on_one_line() -> None:
    lines = ["rolls 2", "ann: play(ace)", "ann: pass", "ann: pass", "bob: pass", "picks 3", "bob: pass"]
    assert list(joined(lines)) == [
        "rolls 2",
        "ann: play(ace); pass 2 times",
        "bob: pass",
        "picks 3",
        "bob: pass",
    ]


def test_pieces_that_no_other_line_names_have_no_name() -> None:
    lines = [
        "    place scout of red at a1 as scout_1",
        "    place scout of red at a2 as scout_2",
        "    scout_2.left = 1",
    ]
    assert list(lean(lines)) == ["    place scout of red at a1", *lines[1:]]


def test_a_shuffle_is_written_by_kinds_as_far_as_it_matters() -> None:
    kinds, names = (0, 0, 1, 1), ("ace", "king")
    assert as_scripted([0, 1, 2, 3], [2, 0, 1, 3], kinds, names) == ("king",)
    assert as_scripted([0, 1, 2, 3], [3, 0, 2, 1], kinds, names) == (3, "ace", "king")
    assert as_scripted([0, 1, 2, 3], [0, 1, 2, 3], kinds, names) == (0,)


LISTS = """game lists:
    players ann, bob
    rounds 4

state:
    order: list of Player up to 4
    seen: list of 1..3 up to 9

action go(n: 1..3) by p "Go {n}": seen gains n

setup:
    for p in order of play: order gains p

phase turns:
    for p in order of play:
        p chooses: go(n) for n in 1..3

round: turns
"""


def test_lists_are_given_and_expected_element_by_element(run: Run) -> None:
    Path("lists.scn").write_text(LISTS)
    run("play", "lists.scn", "--auto", "--seed", "1", "--record", "whole.json")
    run("replay", "whole.json", "--until", "3", "-o", "part.json")
    found = run("save-to-test", "part.json")
    assert "it gives the state" in found.stderr
    assert re.search(r"^        seen gains \d\n        seen gains \d\n", found.stdout, re.MULTILINE)
    assert " = empty" not in found.stdout
    assert "    expect length(order) is 2 and order[1] is ann and order[2] is bob\n" in found.stdout
    assert re.search(
        r"expect length\(seen\) is 2 and seen\[1\] is \d and seen\[2\] is \d$", found.stdout, re.MULTILINE
    )


PICKED = """game picked:
    title en "Picked"
    players ann, bob
    rounds 4
type Mood = calm | wild | odd
{more}
table Kind:
    | id  |
    | orc |
    | elf |
map board on squares(2, 2)
piece Unit of Kind, up to 4 each:
    at: Cell?
state:
    mood: Mood
    struck: Player?
    there: Cell?
    many: 0..9
setup:
    place orc at a1
    place orc at b1
    place elf at a2
action lightning by p "Lightning":
    random u in Unit
    u.at = b2
    random m in Mood
    mood = m
    random q in Player
    struck = q
    random c in Cell
    there = c
    random n in 1..9
    many = n
round:
    for p in order of play:
        p may: lightning
"""


@pytest.mark.parametrize("more", ["", "type Beast = wild | tame"])
def test_what_was_picked_is_written_by_its_name(run: Run, more: str) -> None:
    """By its number where another thing has the name, or it is not the first piece of its kind."""
    Path("picked.scn").write_text(PICKED.replace("{more}", more), encoding="utf-8")
    found = set[str]()
    for seed in range(12):
        run("play", "picked.scn", "--auto", "--seed", str(seed), "--record", "whole.json")
        run("replay", "whole.json", "--until", "5", "-o", "part.json")
        told = run("save-to-test", "part.json")
        assert "it was run, and leads to the state of the save" in told.stderr
        for line in re.findall(r"picks (.*)", told.stdout):
            unit, mood, player, cell, number = line.split(", ")
            assert re.fullmatch(r"orc|elf|\d", unit) and re.fullmatch("ann|bob", player)
            assert re.fullmatch("[ab][12]", cell) and number.isdigit()
            found |= {unit, mood}
    assert found >= {"orc", "elf", "calm", "odd", "1" if more else "wild"}
    assert ("wild" in found) is not bool(more)
