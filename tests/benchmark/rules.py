"""Are our classic games OpenSpiel's, by their rules? Random games must end as often for each player, and be as long."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt

from dsl.ir.program import Program
from dsl.simulation.playing import ENGINES
from dsl.simulation.tally import Played, Tally
from tests.benchmark.spiel import NAMES, path_of, played
from tests.shipped import shipped


def program(name: str) -> Program:
    """A game that OpenSpiel has too."""
    return shipped(path_of(name))


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of both, and by how many standard errors they differ."""

    what: str
    ours: float
    theirs: float
    deviation: float


def compared(name: str, games: int, seed: int = 0) -> list[Compared]:
    """The share of each result, and the mean length."""
    ours, theirs = ENGINES["wasm"](program(name), {}).play(seed, games), Tally()
    theirs.add(
        seed, (Played(who, 0, moves, moves) for who, moves in (played(name, seed + n) for n in range(games)))
    )
    found = [_share(f"won by {who or 'nobody'}", ours, theirs, who) for who in (1, 2, 0)]
    return [*found, _length(ours, theirs)]


def _share(what: str, ours: Tally, theirs: Tally, who: int) -> Compared:
    one, two = ours.winners[who] / ours.games, theirs.winners[who] / theirs.games
    both = (ours.winners[who] + theirs.winners[who]) / (ours.games + theirs.games)
    error = sqrt(both * (1 - both) * (1 / ours.games + 1 / theirs.games))
    return Compared(what, one, two, (one - two) / error if error else 0.0)


def _length(ours: Tally, theirs: Tally) -> Compared:
    (one, first), (two, second) = _moments(ours.lengths), _moments(theirs.lengths)
    error = sqrt(first / ours.games + second / theirs.games)
    return Compared("choices", one, two, (one - two) / error if error else 0.0)


def _moments(lengths: Counter[int]) -> tuple[float, float]:
    """Mean and variance."""
    games = lengths.total()
    mean = sum(length * count for length, count in lengths.items()) / games
    return mean, sum((length - mean) ** 2 * count for length, count in lengths.items()) / games


def show(games: int) -> int:
    """Prints a table."""
    print("| game | figure | here | OpenSpiel | standard errors apart |")
    print("|---|---|---|---|---|")
    for name in NAMES:
        for each in compared(name, games):
            print(
                f"| {name} | {each.what} | {each.ours:.4f} | {each.theirs:.4f} | {each.deviation:+.1f} |",
                flush=True,
            )
    return 0
