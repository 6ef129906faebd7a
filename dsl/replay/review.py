"""Which choices of a game cost most, as a computer player sees it: `reviewed(searcher, ...)`.

Each decision is thought about with what its player may know there. What was chosen was often tried less than what is
best, and its expectation is known less well: it is taken to be better by half the inverse root of its visits, the
deviation of a share of so many games, so that no choice is blamed by chance alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from dsl.search.searcher import Advice

WORTH_TELLING = 0.05
"""Expectations that fall by less are not told."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A choice after which less was to be expected than after the best one; expectations from 0 (lost) to 1 (won)."""

    player: int
    chosen: int
    """The number of the option that was chosen."""
    best: int
    """The number of the option that promises most."""
    expectation: float
    """What the choice promises."""
    missed: float
    """What the best one promises."""
    cost: float
    """By how much more, at least, the best one promises."""


def slip_of(found: Advice, chosen: int) -> Slip | None:
    """What a choice cost by what was found at its decision; none where it is as good as the best, or may be."""
    mine, best = found.options[chosen], found.best
    if mine.number == best.number:
        return None
    doubt = 0.0 if mine.proven else 0.5 / sqrt(max(mine.visits, 1))
    hoped = min(1.0, mine.expectation + doubt)
    cost = best.expectation - hoped
    if cost < WORTH_TELLING:
        return None
    return Slip(found.player, chosen, best.number, mine.expectation, best.expectation, cost)
