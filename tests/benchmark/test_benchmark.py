"""The classic games are those of OpenSpiel, where that is installed; and the benchmark counts what it says."""

import pytest

from tests.benchmark.rules import compared, program
from tests.benchmark.speed import Contender, engine
from tests.benchmark.spiel import NAMES
from tests.examples import classics

FAR = 4.5
"""Standard errors: farther apart than this are 4 figures of 5 games once in 7,000 runs of equal rules."""


def test_the_five_are_measured() -> None:
    assert sorted(NAMES) == [folder.name for folder in classics()]


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_as_in_open_spiel(name: str) -> None:
    pytest.importorskip("pyspiel")
    found = compared(name, 1500, seed=20)
    assert [each for each in found if abs(each.deviation) > FAR] == []


def test_a_window_counts_games() -> None:
    found = engine("python", program("tic_tac_toe"), {})
    found.window(0.05)
    assert found.rate > 0
    assert 5 <= found.decisions / found.games <= 9
    assert 5 <= found.pace / found.rate <= 9
    counted = Contender(lambda: 10)
    counted.window(0.01)
    counted.window(0.01)
    assert len(counted.rates) == 2
    assert counted.rate > 1000
