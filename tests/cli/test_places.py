"""A game of a single file is called by that file's name, wherever a place in it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

GAME = """game alone:
    players ann
    rounds 2
state:
    n: 0..3
ruling which: one | two = one "Which?"
action bump(k: 0..9): n gains k
round: bump(8)
test "x":
    run bump(8)
    expect n is 0
"""


SHOWN = {
    ("play", "alone.scn", "--auto"): 1,
    ("simulate", "alone.scn", "--games", "1", "--engine", "python"): 1,
    ("test", "alone.scn", "--format", "junit"): 1,
    ("test", "alone.scn"): 1,
    ("rules", "alone.scn", "--rulings"): 0,
}
"""What shows a place in the game, with the code that it ends with."""


@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
def test_a_place_is_called_by_its_file(arguments: tuple[str, ...], run: Run) -> None:
    Path("alone.scn").write_text(GAME, encoding="utf-8")
    shown = run(*arguments, code=SHOWN[arguments]).output
    assert "alone.scn" in shown
    assert "alone/alone.scn" not in shown
