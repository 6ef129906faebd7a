"""Statistics: counts, shares with their intervals, lengths."""

from collections import Counter

import pytest

from dsl.simulation.tally import Played, Tally, interval, mean_between, student

# R. G. Newcombe, "Two-sided Confidence Intervals for the Single Proportion", Statistics in Medicine 17 (1998), table I
KNOWN = {
    (81, 263): (0.2553, 0.3662),
    (15, 148): (0.0624, 0.1605),
    (0, 20): (0.0, 0.1611),
    (1, 29): (0.0061, 0.1718),
    (20, 20): (0.8389, 1.0),
}


@pytest.mark.parametrize("case", KNOWN, ids=str)
def test_the_interval_of_a_share(case: tuple[int, int]) -> None:
    assert interval(*case) == pytest.approx(KNOWN[case], abs=5e-5)


@pytest.mark.parametrize(
    ("freedom", "deviate"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_the_deviates_of_student(freedom: int, deviate: float) -> None:
    assert student(freedom) == pytest.approx(deviate, abs=0.004)


def test_where_a_mean_lies() -> None:
    """The sleep of ten patients, as W. S. Gosset ("Student") has it in "The probable error of a mean" (1908): in tenths
    of an hour the gains by one drug are 7, -16, -2, -12, -1, 34, 37, 8, 0, 20.
    """
    found = mean_between(Counter((7, -16, -2, -12, -1, 34, 37, 8, 0, 20)))
    assert found == pytest.approx((-5.298, 20.298), abs=0.01)
    assert mean_between(Counter((4,))) is None and mean_between({}) is None


def test_of_nothing_nothing_is_known() -> None:
    assert interval(0, 0) == (0.0, 1.0)


def tally(*lengths: int) -> Tally:
    found = Tally()
    found.add(0, [Played(1, 0, length, length + 1) for length in lengths])
    return found


def test_quantiles_are_lengths_that_occur() -> None:
    found = tally(3, 9, 4, 4, 7, 20, 5, 6)
    assert [found.quantile(k, 4) for k in range(5)] == [3, 4, 5, 7, 20]
    assert (found.choices, found.decisions) == (58, 66)
    assert [tally(8).quantile(k, 4) for k in range(5)] == [8] * 5
    assert tally().quantile(1, 2) == 0


def test_tallies_of_games_that_follow_each_other_merge() -> None:
    played = [
        Played(1, 0, 5, 6),
        Played(0, 0, 0, 0, "E0601"),
        Played(3, 1, 4, 4),
        Played(0, 0, 0, 0, "E0602"),
        Played(0, -2, 9, 12),
        Played(0, 0, 0, 0, "E0601"),
    ]
    whole, first, second = Tally(), Tally(), Tally()
    whole.add(10, played)
    first.add(10, played[:3])
    second.add(13, played[3:])
    first.merge(second)
    assert first == whole
    assert whole.first == {"E0601": 11, "E0602": 13}
    assert (whole.games, whole.played) == (3, 6)
    assert (whole.wins(0), whole.wins(1)) == (2, 1)
