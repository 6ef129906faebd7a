"""Folders: `check` and `test` take every game, scenario and mod in them, each under its own name."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from dsl.resources import game_folder, meant_game
from tests.cli.conftest import Run

GAME = """\
game mill:
    players ann, bob
    scenario dry
    rounds 2
table Crop:
    | id  | worth |
    | rye | 2     |
state:
    flour: 0..20
action grind(c: Crop) by p "Grind {c}": flour gains c.worth
value helper -> 0..20 = flour
round:
    for p in order of play:
        p chooses: grind(c) for c in Crop
test "one round":
    given: flour = 1
    run grind(rye) by ann
    expect helper is 3
"""
DRY = 'scenario dry for mill:\n    title "Dry"\n'
WET = 'scenario wet for mill:\n    title "Wet"\nsetup: flour = 9\ntest "wet":\n    expect flour >= 9\n'
MOD = 'mod oats for mill:\n    title "Oats"\nextend table Crop:\n    | id | worth |\n    | oats | 3 |\n'
MOD = MOD.replace("extend table", "extend")


@pytest.fixture
def games() -> Path:
    """A game with its usual scenario and another beside it, and mods in a folder beside."""
    folder = Path("all")
    for name, text in {
        "mill/mill.scn": GAME,
        "mill/dry.scn": DRY,
        "mill/wet.scn": WET,
        "mill/tests/mill_tests.scn": 'value twice -> -1..40 = 2 * flour\ntest "t":\n    expect twice >= 0\n',
        "mods/oats.scn": MOD + 'test "of the mod":\n    expect oats.worth is 3 and twice >= 0\n',
        "mods/beans.scn": MOD.replace("oats", "beans").replace("Oats", "Beans"),
        ".hidden/no.scn": "game no:\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_each_is_checked_under_its_own_name(run: Run, games: Path) -> None:
    told = run("check", "all").stdout.splitlines()
    names = [line.partition(":")[0] for line in told]
    assert names == ["all/mill", "all/mill/wet.scn", "all/mods/beans.scn", "all/mods/oats.scn"]
    assert all("all is well" in line for line in told)


def test_each_is_tested_under_its_own_name(run: Run, games: Path) -> None:
    told = run("test", "all").stdout.splitlines()
    assert told == [
        "all/mill: 2 tests passed",
        "all/mill/wet.scn: 1 test passed",
        "all/mods/beans.scn: no tests",
        "all/mods/oats.scn: 1 test passed",
        "4 tests passed",
    ]


def test_the_worst_makes_the_exit_code_and_the_others_go_on(run: Run, games: Path) -> None:
    beans = games / "mods/beans.scn"
    beans.write_text(beans.read_text().replace("| 3 |", "| three |"))
    result = run("check", "all", code=1)
    assert "all/mods/beans.scn: 1 error" in result.stdout
    assert "all/mods/oats.scn: all is well" in result.stdout
    result = run("test", "all", code=1)
    assert "all/mods/beans.scn: it does not compile" in result.stdout
    assert "all/mods/oats.scn: 1 test passed" in result.stdout
    assert result.stdout.endswith("4 tests passed, 1 of 4 does not compile\n")
    document = Xml.fromstring(run("test", "all", "--format", "junit", code=1).stdout.encode())
    assert {suite.get("name"): suite.get("errors") for suite in document} == {
        "all/mill": "0",
        "all/mill/wet.scn": "0",
        "all/mods/oats.scn": "0",
        "all/mods/beans.scn": "1",
    }
    assert run("test", "all", "nowhere", code=2)


def test_a_file_whose_header_cannot_be_read_is_not_passed_over(run: Run, games: Path) -> None:
    (games / "mods/peas.scn").write_text(MOD.replace("mod oats for", "mdo peas for"))
    assert "all/mods/peas.scn" in run("check", "all", code=1).stdout


def test_a_mod_put_on_top_does_not_stand_for_itself_too(run: Run, games: Path) -> None:
    (games / "mods/oats.scn").write_text(MOD)
    told = run("check", "all/mill", "all/mods", "--with", "all/mods/oats.scn", code=0).stdout
    assert "oats.scn: " not in told


def test_a_folder_with_one_game_is_named_as_it_was(run: Run, games: Path) -> None:
    (games / "mill/wet.scn").unlink()
    assert run("check", "all/mill").stdout.startswith("all/mill: all is well")
    assert run("test", "all/mill").stdout == "2 tests passed\n"


def test_a_folder_here_goes_before_a_game_of_the_library(run: Run, games: Path) -> None:
    name = "risk_halo"
    assert meant_game(name) == game_folder(name) is not None
    Path(name).mkdir()
    assert meant_game(name) == game_folder(name), "there is no game in it"
    Path(name, "own.scn").write_text(GAME.replace("    scenario dry\n", ""), encoding="utf-8")
    assert meant_game(name) is None
    assert run("check", name).stdout == f"{name}: all is well (1 file)\n"
    assert run("test", name).stdout == "1 test passed\n"
