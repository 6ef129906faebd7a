"""What is said where a row stands for a piece, a cell for dice, and a kind before what is extended."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game

GAME = """game g:
    players ann
    rounds 2
type Mood = calm | wild
table Kind:
    | id    | rank |
    | scout |    3 |
piece Unit of Kind, up to 2 each:
    owner: Player
    at: Cell?
map m on squares:
    \"\"\"
    . . .
    . _ .
    \"\"\"
round: nothing
"""
SAID = {
    "a field of the pieces": (
        "value v -> bool = scout.owner is ann",
        "`scout` is a row of the table `Kind` here, and `owner` is a field of its pieces",
        "any x in Unit where x is scout and x.owner",
    ),
    "no such cell": (
        "value v -> bool = any u in Unit where u.at is d12",
        "there is no `d12` here",
        "from `a1` to `c2`; dice are rolled with `roll 1d12`",
    ),
    "a hole": ("value v -> bool = any u in Unit where u.at is b1", "there is no `b1` here", "a hole"),
    "a kind before a table": (
        "extend table Kind:\n    | id | rank |\n    | ram | 2 |",
        "`extend` is followed by the name alone, `Kind`, without `table`",
        "`extend Kind:`",
    ),
    "a type": (
        "extend type Mood:\n    fierce: 0..9",
        "`extend` is followed by the name alone, `Mood`, without `type`",
        "`extend type Mood = ...`",
    ),
    "a state": (
        "extend state of Player:\n    gold: 0..9",
        "`extend` is followed by the name alone, `Player`, without `state of`",
        "`extend Player:`",
    ),
}


@pytest.mark.parametrize(("line", "message", "hint"), SAID.values(), ids=SAID)
def test_it_says_what_was_meant(line: str, message: str, hint: str, tmp_path: Path) -> None:
    path = tmp_path / "g.scn"
    path.write_text(f"{GAME}{line}\n", encoding="utf-8")
    (found,) = compile_game(str(path)).diagnostics
    assert found.message == message
    assert hint in found.hint
