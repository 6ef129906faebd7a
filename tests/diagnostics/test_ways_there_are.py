"""What the language has no word for is answered with the way that there is, and that way works."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests

GAME = """game small:
    players ann, bob
    rounds 8

state of Player:
    coins: 0..20 = 6
    bid: 0..20, seen by self
action take(n: 1..3) by p "Take {n}": p.coins gains up to n
round:
    for p in order of play:
        p chooses: take(n) for n in 1..3
{line}
victory p otherwise when p.coins > opponent(p).coins
"""
LEAST = "`chooses` has no least number: `up to N` may be none"


def messages(folder: Path, line: str) -> list[tuple[str, str]]:
    path = folder / "small.scn"
    path.write_text(GAME.replace("{line}", f"    {line}"), encoding="utf-8")
    return [(str(each.message), str(each.hint)) for each in compile_game(str(path)).diagnostics]


@pytest.mark.parametrize(
    ("said", "limit"),
    {"1 to 6": "5", "1..6": "5", "at least 1": "N", "between 1 and 6": "5", "1 or more": "N"}.items(),
)
def test_at_least_one_is_chosen_in_two_steps(tmp_path: Path, said: str, limit: str) -> None:
    ((message, hint),) = messages(tmp_path, f"ann chooses {said} us in 1..9")
    assert message == LEAST
    assert f"`chooses up to {limit} us in S where us is not one`" in hint
    done = "ann chooses one in 1..9\n    ann chooses up to 5 us in 1..9 where us is not one"
    assert messages(tmp_path, done) == []


def test_a_bound_of_each_goes_into_a_field(tmp_path: Path) -> None:
    ((message, hint),) = messages(tmp_path, "ann, bob secretly choose bid in 0..self.coins")
    assert message == "what is chosen in secret is chosen from the same things by all"
    assert "`p chooses n in 0..p.coins`" in hint
    done = "for p in order of play:\n        p chooses n in 0..p.coins\n        p.bid = n"
    assert messages(tmp_path, done) == []


LAST = """test "the last":
    given: round = {behind}
    ann: take(1)
    bob: take(3)
    expect {found}
"""


@pytest.mark.parametrize(
    ("behind", "found"),
    [(7, "ended and round is 8 and won(bob)"), (6, "not ended and round is 8"), (0, "round is 2")],
)
def test_rounds_that_are_given_lie_behind(tmp_path: Path, behind: int, found: str) -> None:
    path = tmp_path / "small.scn"
    text = GAME.replace("{line}", "") + LAST.replace("{behind}", str(behind)).replace("{found}", found)
    path.write_text(text, encoding="utf-8")
    program = compile_game(str(path), tests=True).program
    assert program is not None
    assert [each.message for each in run_tests(Machine(program)) if not each.passed] == []


def test_a_bound_that_is_chosen_counts_from_there_too(tmp_path: Path) -> None:
    path = tmp_path / "small.scn"
    chosen = LAST.replace("    given", "    option length = 5\n    given").replace("{behind}", "4")
    text = GAME.replace("rounds 8", "rounds length\nruling length: 5..8 = 6").replace("{line}", "")
    path.write_text(text + chosen.replace("{found}", "ended and won(bob)"), encoding="utf-8")
    program = compile_game(str(path), tests=True).program
    assert program is not None
    assert [each.message for each in run_tests(Machine(program)) if not each.passed] == []
