"""Commands name what they speak of as whoever types it does: modes, the files of mods, columns behind the 26th."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.cli.board import drawings
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from tests.cli.conftest import Run

WIDE = """game wide:
    players ann, bob
    rounds 3
map land on squares(30, 2)
state:
    n: 0..3
action go(c: Cell) by p "Go to {c}": n gains up to 1
action stay by p "Stay": nothing
round:
    for p in order of play:
        p chooses:
            go(a1)
            stay
"""
FAILING = """mod failing for wide:
    title en "Failing"

after go: n gains 3
after stay: n gains 3
"""


@pytest.fixture(autouse=True)
def wide(run: Run) -> None:
    Path("mods").mkdir()
    Path("wide.scn").write_text(WIDE)
    Path("mods/failing.scn").write_text(FAILING)


def test_a_mode_is_an_option_of_the_game(run: Run) -> None:
    assert "'--option mode=NAME'" in run("play", "wide.scn", "--mode", "quick", code=2).stderr
    assert "mode=NAME" not in run("check", "wide.scn", "--mode", "quick", code=2).stderr
    assert "mode=NAME" not in run("play", "wide.scn", "--modem", "quick", code=2).stderr


def test_the_file_of_a_mod_has_the_name_that_it_was_given(run: Run) -> None:
    told = run("play", "wide.scn", "--with", "mods/failing.scn", "--auto", "--seed", "1", code=1).stderr
    assert "--> mods/failing.scn:" in told


def test_so_it_has_before_the_first_move(run: Run) -> None:
    Path("mods/failing.scn").write_text(FAILING + "setup:\n    n = 2\n    n gains 2\n")
    told = run("play", "wide.scn", "--with", "mods/failing.scn", "--auto", "--seed", "1", code=1).stderr
    assert "--> mods/failing.scn:8:" in told


def test_two_letters_have_room() -> None:
    program = compile_game("wide.scn").program
    assert program is not None
    machine = Machine(program)
    (found,) = drawings(machine, list(Game.start(machine, seed=1).state), None, "")
    lines = [line.plain for line in found.lines]
    letters = next(line for line in lines if line.split()[:2] == ["a", "b"])
    cells = next(line for line in lines if line.startswith("  1 "))
    assert letters.split()[-4:] == ["aa", "ab", "ac", "ad"]
    assert [cells[letters.index(each)] for each in ("a ", "b ", "aa", "ad")] == ["."] * 4
