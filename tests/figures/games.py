"""Random games of every target, watched at every stop: `python -m tests.figures games`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from dsl.engine.failure import RuleFailure
from tests.figures.play import table
from tests.figures.targets import Target, named, targets
from tests.figures.watch import watched

BATCH = 50


@dataclass(slots=True)
class Tally:
    """What some games came to."""

    games: int = 0
    decisions: int = 0
    faults: list[str] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.faults += other.faults
        self.ends += other.ends


def watched_games(target: Target, seeds: Iterable[int]) -> Tally:
    """Plays a game for each seed, and looks at each stop."""
    machine, tally = target.machine(), Tally()
    for seed in seeds:
        at = table(machine, seed, target.mode)
        name = f"{target.name}, seed {seed}, {dict(at.options) or 'no options'}"
        try:
            game = at.start(machine, telling=True)
            tally.faults += [f"{name}: {fault}" for fault in watched(machine, game, at.player())]
        except RuleFailure as failure:
            tally.faults.append(f"{name}: the rules fail: {failure} at {failure.place}")
            continue
        outcome = game.outcome
        tally.games += 1
        tally.decisions += len(game.choices)
        tally.ends["no end" if outcome is None else outcome.label or outcome.kind] += 1
    return tally


def show(each: int, jobs: int, game: str = "") -> int:
    """Prints a line for each target, or those of one game; 1 if anything did not hold."""
    print("| game | random games | decisions | rule failures and broken invariants | how they ended | s |")
    print("|---|---|---|---|---|---|")
    failed = False
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for target in named(game) if game else targets():
            begun, tally = time.perf_counter(), Tally()
            batches = [range(first, min(first + BATCH, each)) for first in range(0, each, BATCH)]
            for part in pool.map(watched_games, [target] * len(batches), batches):
                tally.add(part)
            seconds = time.perf_counter() - begun
            ends = ", ".join(f"{end} {count}" for end, count in tally.ends.most_common())
            print(
                f"| {target.name} | {tally.games} | {tally.decisions} | {len(tally.faults)} | {ends} "
                f"| {seconds:.0f} |",
                flush=True,
            )
            for fault in tally.faults[:10]:
                print(f"  {fault}")
            failed = failed or bool(tally.faults)
    return int(failed)
