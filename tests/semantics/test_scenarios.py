"""The scenarios of the examples: each is content alone, short, and holds its own tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.testing.runner import run_tests

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "scenarios"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.scn")), ids=lambda path: path.stem)
def test_a_scenario_is_short_and_its_tests_hold(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    made = compile_game(str(path), [], tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    results = run_tests(made.program)
    assert results and [each.title for each in results if not each.passed] == []
