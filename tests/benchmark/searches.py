"""Playouts a second of the tree search beside OpenSpiel's, in one run, in turn, on one processor; and bytes for each.

Both search from the first position, UCT with a proof of wins and losses, one random game for each simulation, played
to its end: what OpenSpiel calls `MCTSBot` with a `RandomRolloutEvaluator` of one rollout, in C++. For a playout a
search adds one entry of 32 bytes at most, to a table that has room for a third more, rounded up to a power of two.
OpenSpiel adds a node for each option of the position that it expands; its bytes are by how much the process grows
while it holds a tree.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.search.searcher import Searcher
from dsl.wasm.searching import ENTRY
from tests.benchmark.rules import program
from tests.benchmark.speed import pinned
from tests.benchmark.spiel import NAMES, OTHERS, called

LEAST, MOST = 200, 200_000
"""A window has at least and at most so many playouts."""
TO_THE_END = 1 << 30
"""More choices than any game has: nothing is judged before its end."""
HOLDING = 2_000
"""At least so many playouts make the tree whose bytes are told."""
EAGER = 1.4
"""The constant of UCB1 for results from -1 to 1: twice ours, which is for results from 0 to 1."""
MEMORY = 1 << 14
"""MiB that OpenSpiel may use: never all of it."""
STATM = Path("/proc/self/statm")


def theirs(name: str, seed: int = 7) -> Callable[[int], Any]:
    """A function that searches OpenSpiel's first position with so many simulations, and yields the root of its tree."""
    import pyspiel

    game = pyspiel.load_game(called(name))
    state = game.new_initial_state()

    def search(playouts: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, EAGER, playouts, MEMORY, True, seed, False)
        return bot.mcts_search(state)

    return search


def ours(name: str, seed: int = 7) -> Callable[[int], int]:
    """A function that searches our first position with so many playouts, and yields the bytes of its tree."""
    machine = Machine(program(name))
    searcher = Searcher(machine)
    state = Game.start(machine, seed=seed).state

    def search(playouts: int) -> int:
        advice = searcher.think(state, playouts=playouts, seed=seed, cut=TO_THE_END)
        if advice.playouts < playouts or advice.failed:
            raise RuntimeError(f"{name}: {advice.playouts} of {playouts} playouts, {advice.failed} failed")
        return ENTRY << searcher.bits(playouts)

    return search


def _paced(search: Callable[[int], Any], playouts: int) -> float:
    """Playouts a second of one search."""
    begun = time.process_time()
    search(playouts)
    return playouts / (time.process_time() - begun)


def grown(name: str, playouts: int) -> float | None:
    """By how many bytes for each playout this process is larger while it holds OpenSpiel's tree; none where that is not
    told. It is for a process that has played nothing yet: one that has takes what it has given back.
    """
    search = theirs(name)
    if not STATM.exists():
        return None
    gc.collect()
    before = _resident()
    root = search(playouts)
    found = _resident() - before
    assert root.explore_count == playouts
    return found / playouts


def _resident() -> int:
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def show(windows: int, seconds: float, only: str | None = None) -> int:
    """Prints the table."""
    print(f"On {pinned()}, medians of {windows} windows.\n")
    print("| game | playouts | OpenSpiel, playouts/s | ours | times | OpenSpiel, bytes a playout | ours |")
    print("|---|---|---|---|---|---|---|")
    for name in (*NAMES, *OTHERS):
        if only in {None, name}:
            _row(name, windows, seconds)
    return 0


def _row(name: str, windows: int, seconds: float) -> None:
    there, here = theirs(name), ours(name)
    playouts = max(LEAST, min(MOST, int(_paced(there, LEAST) * seconds)))
    many = max(playouts, HOLDING)
    with get_context("spawn").Pool(1) as pool:
        held = pool.apply(grown, (name, many))
    size = here(many)
    paces: tuple[list[float], list[float]] = ([], [])
    for _ in range(windows):
        paces[0].append(_paced(there, playouts))
        paces[1].append(_paced(here, playouts))
    one, two = median(paces[0]), median(paces[1])
    bytes_there = "" if held is None else f"{held:,.0f}"
    columns = (f"{one:,.0f}", f"{two:,.0f}", f"{two / one:.2f}", bytes_there, f"{size / many:,.0f}")
    print(f"| {name} | {playouts:,} | {' | '.join(columns)} |")
