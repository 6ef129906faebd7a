"""How kinds of players fare that meet with equal seeds, the seats exchanged: shares with intervals, and Elo.

Games of one seed are alike (the same deck, the same dice as long as the same is chosen), so they are no independent
trials. The variance is that of the means of the seeds, and the interval that of as many independent games as would have
it: a design effect (L. Kish, "Survey Sampling", 1965, section 8.2) in the interval of Wilson, which does well for
shares of clustered samples (N. Dean and M. Pagano, "Evaluating Confidence Interval Methods for Binomial Proportions in
Clustered Surveys", Journal of Survey Statistics and Methodology 3 (2015), 484-503).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, log10, sqrt
from statistics import NormalDist
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


def wilson(share: float, trials: float, z: float = Z) -> Share:
    """The score interval of a share of so many independent trials, which need not be whole (see `tally.interval`)."""
    if trials <= 0:
        return Share(share, 0.0, 1.0)
    spread = z * z / trials
    middle, half = share + spread / 2, z * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return Share(share, 0.0 if share == 0 else max(0.0, low), 1.0 if share == 1 else min(1.0, high))


def difference(one: tuple[int, int], other: tuple[int, int], comparisons: int = 1) -> Share:
    """By how much a share is greater than another one, each as hits and trials, with its interval: the hybrid score
    interval (method 10) of R. G. Newcombe, "Interval Estimation for the Difference Between Independent Proportions",
    Statistics in Medicine 17 (1998), 873-890. Of several `comparisons` each has a confidence so much higher that all
    together have 95 % (Bonferroni). Equal seeds make shares alike, if anything: then it is wider than it need be.
    """
    z = NormalDist().inv_cdf(1 - 0.025 / max(1, comparisons))
    first, second = (wilson(hits / trials if trials else 0.5, trials, z) for hits, trials in (one, other))
    middle = first.share - second.share
    low = middle - sqrt((first.share - first.low) ** 2 + (second.high - second.share) ** 2)
    high = middle + sqrt((first.high - first.share) ** 2 + (second.share - second.low) ** 2)
    return Share(middle, low, high)


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


DRAWN = 1.0
"""A drawn game for each pair that met, beside those played: without it whoever has won every game would be endlessly
strong (a prior, as in R. Coulom, "Whole-History Rating", Computers and Games 2008).
"""
ROUNDS = 10_000


class Meeting(NamedTuple):
    """What came of games between two: the points of the first, 1 for a win and 1/2 for a draw, of so many games."""

    first: str
    second: str
    points: float
    games: float


class Rating(NamedTuple):
    """How strong somebody is in Elo, and half of the width of its interval of 95 %: both against the first of all."""

    name: str
    points: float
    half: float


def ratings(meetings: Sequence[Meeting]) -> list[Rating]:
    """The strength of everybody who has met, the first at 0: the likeliest by the model of R. A. Bradley and M. E.
    Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39 (1952), 324-345, found by the algorithm of D. R.
    Hunter, "MM Algorithms for Generalized Bradley-Terry Models", The Annals of Statistics 32 (2004), 384-406. The
    intervals are those of the inverse of the Fisher information at that place. All must hang together by meetings.
    """
    names = list(dict.fromkeys(name for each in meetings for name in (each.first, each.second)))
    count = len(names)
    points, games = [0.0] * count, [[0.0] * count for _ in range(count)]
    for each in meetings:
        one, two = names.index(each.first), names.index(each.second)
        points[one] += each.points + DRAWN / 2
        points[two] += each.games - each.points + DRAWN / 2
        games[one][two] += each.games + DRAWN
        games[two][one] += each.games + DRAWN
    strength = [1.0] * count
    for _ in range(ROUNDS):
        fresh = [
            points[n] / sum(games[n][k] / (strength[n] + strength[k]) for k in range(count) if games[n][k])
            for n in range(count)
        ]
        fresh = [each / fresh[0] for each in fresh]
        moved = max(abs(a / b - 1) for a, b in zip(fresh, strength, strict=True))
        strength = fresh
        if moved < 1e-9:
            break
    information = [[_information(n, k, games, strength) for k in range(1, count)] for n in range(1, count)]
    scale = ELO / log(10)
    errors = [0.0, *(sqrt(each) for each in _inverse_diagonal(information))]
    return [
        Rating(name, scale * log(each), Z * scale * error)
        for name, each, error in zip(names, strength, errors, strict=True)
    ]


def _information(n: int, k: int, games: list[list[float]], strength: list[float]) -> float:
    """The Fisher information of the logarithms of two strengths."""
    if n != k:
        return -games[n][k] * strength[n] * strength[k] / (strength[n] + strength[k]) ** 2
    return -sum(_information(n, other, games, strength) for other in range(len(games)) if other != n)


def _inverse_diagonal(matrix: list[list[float]]) -> list[float]:
    """The diagonal of the inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(n == k) for k in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        rows[n] = [each / rows[n][n] for each in rows[n]]
        for k in range(size):
            if k != n:
                factor = rows[k][n]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[n], strict=True)]
    return [rows[n][size + n] for n in range(size)]
