"""A statement of which nothing says what it writes may have written all that it names: no fact outlives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.elaborate.bodies import writes
from dsl.syntax import ast

GAME = """game ward:
    title "Ward"
    players ann, ben
    rounds 2
state:
    leader: Player? = ann
state of Player:
    gold: 0..9
action earn:
    if leader is not none:
        for q in Player where q is leader: q.gold gains up to 1
        leader.gold gains up to 1
round: earn
draw "Over" otherwise
"""


@pytest.mark.parametrize("said", [True, False])
def test_a_statement_that_nothing_is_said_of_leaves_no_fact(
    said: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not said:
        others = tuple(each for each in writes.KEEPING if each is not ast.For)
        monkeypatch.setattr(writes, "KEEPING", others)
    path = tmp_path / "ward.scn"
    path.write_text(GAME, encoding="utf-8")
    found = compile_game(str(path)).diagnostics
    assert [each.code.id for each in found] == ([] if said else ["E0303"])
