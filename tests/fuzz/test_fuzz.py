"""The short run of the harness: some hundred mutations of programs, and a few of whole games.

The long one is `python -m tests.fuzz --programs 20000 --games 300`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.corpus import ROOT, programs
from tests.fuzz.edited import carry_out as carry_out_edited
from tests.fuzz.work import Task, carry_out
from tests.shipped import built

PROGRAMS = 200
GAMES = 6
CHUNK = 50


@pytest.mark.parametrize("first", range(0, PROGRAMS, CHUNK))
def test_mutated_programs(first: int, tmp_path: Path) -> None:
    found = [carry_out(Task("program", 2, number), tmp_path) for number in range(first, first + CHUNK)]
    assert [(each.name, each.fault) for each in found if each.fault] == []


@pytest.mark.slow
def test_mutated_games(tmp_path: Path) -> None:
    found = [carry_out(Task("game", 2, number), tmp_path) for number in range(GAMES)]
    assert [(each.name, each.fault) for each in found if each.fault] == []


def test_the_programs_that_are_mutated_are_good() -> None:
    for program in programs():
        compiled = built(ROOT / program.name, tests=True)
        assert [each.message for each in compiled.diagnostics if each.is_error] == [], program.name


def test_edited_programs_are_refused_or_played_alike() -> None:
    """As `python -m tests.fuzz programs --count 40` does."""
    found = [carry_out_edited(7, number)[0] for number in range(40)]
    assert [result.fault for result in found if result.fault] == []
    assert {result.outcome for result in found} >= {"refused", "played"}
