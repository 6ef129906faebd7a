"""The scenarios of the examples: each is content alone, short, and holds its own tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.testing.runner import run_tests
from tests.shipped import shipped
from tests.soak import some

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "scenarios"


SCENARIOS = sorted(FOLDER.glob("*.scn"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_is_short_and_its_tests_hold(path: Path) -> None:
    """The tests of every second one; in the long run of all."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    if path not in some(SCENARIOS, 2):
        shipped(path)
        return
    results = run_tests(shipped(path, tests=True))
    assert results and [each.title for each in results if not each.passed] == []
