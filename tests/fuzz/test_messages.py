"""The short run of the count of messages that find a slip; the long one is `python -m tests.fuzz messages`."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from tests.fuzz.messages import covers, spoil
from tests.fuzz.slips import Slip

SLIPS = 150


def test_messages_find_the_slip(tmp_path: Path) -> None:
    found = [each for each in (spoil("program", 3, number, tmp_path) for number in range(SLIPS)) if each.code]
    assert len(found) > SLIPS / 2
    assert [each.told for each in found if each.code == "fault"] == []
    assert sum(each.covers for each in found) >= 0.9 * len(found)


def test_what_covers_a_slip(tmp_path: Path) -> None:
    path = tmp_path / "mutant.scn"
    path.write_text("game g:\n    players ann\n    rounds 3\nstate:\n    gold: 0..9\nround: glod gains 1\n")
    (told,) = compile_game(str(path)).diagnostics
    assert covers(told, path.name, Slip("", frozenset({6})))
    assert covers(told, path.name, Slip("", frozenset({5}))), (
        "the place where the name that was meant is declared"
    )
    assert covers(told, path.name, Slip("", frozenset(), frozenset({"glod"})))
    assert not covers(told, path.name, Slip("", frozenset({3}), frozenset({"ann"})))
    assert not covers(told, "other.scn", Slip("", frozenset({6})))
