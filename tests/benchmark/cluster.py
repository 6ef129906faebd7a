"""What a cluster costs and brings: the same games by one process, then by 1, 2 and 4 workers on this machine; and a
table on paper for more workers, by what a portion was measured to cost.

On paper a worker has a machine of its own, and a scheduler hands out portions one after the other. So so many workers
bring at most portion / (portion + overhead) of their number, and never more than one portion in each `scheduling`.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from time import perf_counter

from dsl.compiler import compile_game
from dsl.simulation.cluster import PORTION, SCHEDULED, Cluster, connected
from dsl.simulation.running import Wanted, simulate
from tests.cluster import running

GAME = "cristal_et_acier"
WORKERS = (1, 2, 4)
PAPER = (10, 100, 1000)
PORTIONS = 300
"""Portions of one game, by which it is measured what a portion costs."""


def show(games: int) -> int:
    """Prints both tables."""
    import dask

    program = compile_game(GAME).program
    assert program is not None
    wanted = Wanted(games, seed=1)
    alone = simulate(program, wanted)
    print(f"{program.name}, {games:,} games, {os.cpu_count()} processors\n")
    print("| by | seconds | games/s | times | bytes sent | bytes back |\n|---|---|---|---|---|---|")
    print(f"| one process | {alone.seconds:.1f} | {games / alone.seconds:,.0f} | 1.00 | | |")
    cost = waiting = size = 0.0
    for workers in WORKERS:
        with (
            tempfile.TemporaryDirectory() as folder,
            running(Path(folder), workers) as found,
            dask.config.set(found.config),
            connected(found.address, program, wanted) as cluster,
        ):
            simulate(program, Wanted(workers * 4, seed=0), workers=cluster)
            before = cluster.received
            there = simulate(program, wanted, workers=cluster)
            assert there.tally == alone.tally
            sent, back = cluster.sent, cluster.received - before
            if workers == 1:
                cost, waiting, size = _cost(cluster)
        times = alone.seconds / there.seconds
        speed = games / there.seconds
        what = f"{workers} worker{'s' * (workers > 1)}"
        print(
            f"| {what} | {there.seconds:.1f} | {speed:,.0f} | {times:.2f} | {sent:,} | {back:,} |", flush=True
        )
    print(
        f"\na portion costs {cost * 1e3:.1f} ms where others wait, {waiting * 1e3:.1f} ms by itself, ", end=""
    )
    print(f"and brings {size:,.0f} bytes back\n")
    print("| workers, on paper | a portion, s | portions/s | bytes back/s | times |\n|---|---|---|---|---|")
    for workers in PAPER:
        portion = max(PORTION, SCHEDULED * workers)
        rate = min(workers / (portion + waiting), 1 / cost)
        print(f"| {workers:,} | {portion:.1f} | {rate:,.0f} | {rate * size:,.0f} | {rate * portion:,.0f} |")
    return 0


def _cost(cluster: Cluster) -> tuple[float, float, float]:
    """Seconds of a portion beside its games, where many are handed out at once and by itself; and its bytes."""
    before, begun = cluster.received, perf_counter()
    handed_out = [cluster.submit(seed, 1) for seed in range(PORTIONS)]
    played = sum(each.result()[1] for each in handed_out)
    together = perf_counter() - begun - played
    single = 0.0
    for seed in range(PORTIONS // 10):
        begun = perf_counter()
        _, playing = cluster.submit(seed, 1).result()
        single += perf_counter() - begun - playing
    size = (cluster.received - before) / (PORTIONS + PORTIONS // 10)
    return max(together / PORTIONS, 1e-6), single / (PORTIONS // 10), size
