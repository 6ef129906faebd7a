"""How kinds of players fare that meet with equal seeds, the seats exchanged: shares with intervals, and Elo.

Games of one seed are alike (the same deck, the same dice as long as the same is chosen), so they are no independent
trials. The variance is that of the means of the seeds, and the interval that of as many independent games as would have
it: a design effect (L. Kish, "Survey Sampling", 1965, section 8.2) in the interval of Wilson, which does well for
shares of clustered samples (N. Dean and M. Pagano, "Evaluating Confidence Interval Methods for Binomial Proportions in
Clustered Surveys", Journal of Survey Statistics and Methodology 3 (2015), 484-503).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log10, sqrt
from typing import NamedTuple

from dsl.simulation.tally import Z

ELO = 400.0
"""Points of Elo for a factor of ten in the odds: A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978)."""
FEWEST = 10
"""Seeds from which the variance between them is estimated."""


class Share(NamedTuple):
    """A share, and between which bounds it lies with a confidence of 95 %."""

    share: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the width of the interval."""
        return (self.high - self.low) / 2


def wilson(share: float, trials: float) -> Share:
    """The score interval of a share of so many independent trials, which need not be whole (see `tally.interval`)."""
    if trials <= 0:
        return Share(share, 0.0, 1.0)
    spread = Z * Z / trials
    middle, half = share + spread / 2, Z * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return Share(share, 0.0 if share == 0 else max(0.0, low), 1.0 if share == 1 else min(1.0, high))


def score(pairs: Mapping[int, int], games: int) -> Share:
    """The mean score of a game (1 for a win, 1/2 where nobody or everybody wins) of the first kind, with its interval.

    `pairs` counts, for each sum of half points from the `games` of one seed, how many seeds had it.
    """
    seeds = sum(pairs.values())
    if not seeds:
        return Share(0.5, 0.0, 1.0)
    mean = sum(points * count for points, count in pairs.items()) / (2 * games * seeds)
    trials = float(seeds * games)
    if seeds >= FEWEST and 0 < mean < 1:
        squares = sum(count * (points / (2 * games) - mean) ** 2 for points, count in pairs.items())
        variance = squares / (seeds * (seeds - 1))
        if variance > 0:
            trials = min(mean * (1 - mean) / variance, 4 * trials)
    return wilson(mean, trials)


def elo(share: float) -> float:
    """By how many points of Elo a player is the stronger who scores so much on average; endless at 0 and 1."""
    if share <= 0:
        return float("-inf")
    return float("inf") if share >= 1 else ELO * log10(share / (1 - share))
