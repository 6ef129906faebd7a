"""What many games came to: who won how often, how they ended, how long they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import pi, sqrt, tan
from typing import NamedTuple

from dsl.simulation.counting import Counts


class Played(NamedTuple):
    """How a random game went.

    `winners` has a bit for each player who won, `reason` is the ending (-2 the bound). `choices` were made; `decisions`
    also counts what was taken at once, as there was no other. A game in which a rule failed has the code of its error,
    one that broke a promise the number of the line and the code of the error that came of reading it, or none.
    """

    winners: int
    reason: int
    choices: int
    decisions: int
    failure: str = ""
    broken: tuple[int, str] | None = None


class Row(NamedTuple):
    """A game by itself: its seed, who sat where (nothing said: chance on all seats), and how it went."""

    seed: int
    seats: tuple[str, ...]
    played: Played


class Breach(NamedTuple):
    """A line of what is promised, broken: in how many games, and the first of them with the choices made in it."""

    games: int
    seed: int
    choices: int
    code: str


CONFIDENCE = 0.95
Z = 1.959963984540054
"""The normal deviate that 95 % of all lie within."""


def interval(hits: int, trials: int) -> tuple[float, float]:
    """The share that lies behind so many hits, with a confidence of 95 %: the score interval of E. B. Wilson,
    "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American Statistical
    Association 22 (1927), 209-212. Of no trials nothing is known.
    """
    if not trials:
        return 0.0, 1.0
    share, spread = hits / trials, Z * Z / trials
    middle = share + spread / 2
    half = Z * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return (0.0 if not hits else low), (1.0 if hits == trials else high)


def student(freedom: int) -> float:
    """The deviate of Student's distribution that 95 % of all lie within: exact for one and two degrees of freedom, else
    by the expansion of M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.5, which is
    less than 0.004 off.
    """
    if freedom == 1:
        return tan(pi * CONFIDENCE / 2)
    if freedom == 2:
        return CONFIDENCE * sqrt(2 / (1 - CONFIDENCE**2))
    powers = [Z**n for n in range(10)]
    terms = ((1, 1), (5, 16, 3), (3, 19, 17, -15), (79, 776, 1482, -1920, -945))
    divisors = (4, 96, 384, 92160)
    found = Z
    for number, (term, divisor) in enumerate(zip(terms, divisors, strict=True), 1):
        odd = [2 * number + 1 - 2 * each for each in range(number + 1)]
        found += sum(factor * powers[power] for factor, power in zip(term, odd, strict=True)) / (
            divisor * freedom**number
        )
    return found


def mean_between(counts: Mapping[int, int]) -> tuple[float, float] | None:
    """Where the mean lies of what was counted so often, with a confidence of 95 %, by Student's t; of fewer than two
    nothing is known.
    """
    trials = sum(counts.values())
    if trials < 2:
        return None
    mean = sum(value * count for value, count in counts.items()) / trials
    squares = sum((value - mean) ** 2 * count for value, count in counts.items())
    half = student(trials - 1) * sqrt(squares / (trials - 1) / trials)
    return mean - half, mean + half


@dataclass(slots=True)
class Tally:
    """The statistics of some games; those in which a rule failed are counted apart."""

    games: int = 0
    """Those that came to their end."""
    winners: Counter[int] = field(default_factory=Counter)
    """By those who won, a bit for each."""
    reasons: Counter[int] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    """By the number of choices."""
    decisions: int = field(default=0, compare=False)
    """All that were taken, for the speed."""
    failures: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)
    """For each code the first seed with which a rule failed so."""
    kinds: Counter[int] = field(default_factory=Counter)
    """Where the seats are exchanged: by the kinds of players that won, a bit for each in their order."""
    pairs: Counter[int] = field(default_factory=Counter)
    """The same: by the half points that the first kind got from all games of one seed."""
    counts: Counts | None = None
    """What was chosen, where that is counted."""
    stops: int = 0
    """Where the promises of the game were looked at, if they were."""
    breaches: dict[int, Breach] = field(default_factory=dict)
    """For each line of a promise the games that broke it first, and ended there."""
    rows: list[Row] | None = None
    """Each game by itself, where that is asked for."""

    def add(self, seed: int, played: Iterable[Played], seats: tuple[str, ...] = ()) -> None:
        """Counts games with this seed and those that follow it."""
        for number, each in enumerate(played, seed):
            if self.rows is not None:
                self.rows.append(Row(number, seats, each))
            if each.failure:
                self.failures[each.failure] += 1
                self.first.setdefault(each.failure, number)
                continue
            if each.broken is not None:
                line, code = each.broken
                self.breach(line, Breach(1, number, each.choices, code))
                continue
            self.games += 1
            self.winners[each.winners] += 1
            self.reasons[each.reason] += 1
            self.lengths[each.choices] += 1
            self.decisions += each.decisions

    def breach(self, line: int, found: Breach) -> None:
        """Counts games that broke a line, the first of them behind those that are counted already."""
        known = self.breaches.get(line, found._replace(games=0))
        self.breaches[line] = known._replace(games=known.games + found.games)

    def merge(self, other: Tally) -> None:
        """Counts the games of another tally, whose seeds are greater."""
        self.games += other.games
        self.winners += other.winners
        self.reasons += other.reasons
        self.lengths += other.lengths
        self.decisions += other.decisions
        self.failures += other.failures
        self.first = other.first | self.first
        self.kinds += other.kinds
        self.pairs += other.pairs
        if other.counts is not None:
            self.counts = self.counts or Counts()
            self.counts.merge(other.counts)
        if other.rows is not None:
            self.rows = [] if self.rows is None else self.rows
            self.rows += other.rows
        self.stops += other.stops
        for line, found in other.breaches.items():
            self.breach(line, found)

    @property
    def played(self) -> int:
        """All games, also those in which a rule failed or a promise was broken."""
        return self.games + self.failures.total() + sum(each.games for each in self.breaches.values())

    @property
    def choices(self) -> int:
        """Of all games that came to their end."""
        return sum(length * count for length, count in self.lengths.items())

    def wins(self, player: int) -> int:
        """In how many games a player won, alone or with others."""
        return sum(count for who, count in self.winners.items() if who >> player & 1)

    def quantile(self, numerator: int, denominator: int) -> int:
        """The least length that at least this share of the games does not exceed (the inverse of the distribution:
        type 1 in R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50
        (1996), 361-365).
        """
        below = 0
        for length in sorted(self.lengths):
            below += self.lengths[length]
            if below * denominator >= self.games * numerator:
                return length
        return 0
