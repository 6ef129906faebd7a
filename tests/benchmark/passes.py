"""What each pass brings: random games of the same seeds without and with it, in turn, by the processor's time.

The others are on. Modules are made here, and none comes from the cache.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.passes.pipeline import OPTIONAL, PASSES
from dsl.players.random_player import RandomPlayer
from dsl.resources import games
from dsl.wasm.module import Module
from tests.benchmark.speed import pinned
from tests.benchmark.spiel import OTHERS
from tests.examples import classics
from tests.figures.targets import Target, target

Play = Callable[[int], int]
"""Plays the game of a seed; yields the decisions that were taken."""


def show(windows: int, seconds: float, only: str | None = None) -> int:
    """Prints the table."""
    print(f"On {pinned()}, medians of {windows} windows of {seconds:g} s.\n")
    print(
        "| game | pass | wasm, decisions/s | without it | times | Python, decisions/s | without it | times |"
    )
    print("|---|---|---|---|---|---|---|---|")
    written = [*(Target(each.stem, str(each)) for each in classics())]
    written += [Target(name, str(each.path)) for name, each in OTHERS.items()]
    for each in (*map(target, games()), *written):
        if only in {None, each.name, each.what}:
            program = each.machine().given
            options: dict[str, str | int] = {"mode": each.mode} if each.mode else {}
            for name in filter(OPTIONAL.__contains__, PASSES):
                machines = [Machine(program, without=without) for without in ((), (name,))]
                cells = []
                for way in (_inside, _python):
                    most, least = _paces(
                        [way(each, machine, options) for machine in machines], windows, seconds
                    )
                    cells += [f"{most:,.0f}", f"{least:,.0f}", f"{most / least:.2f}"]
                print(f"| {each.name} | {name} | {' | '.join(cells)} |", flush=True)
    return 0


def _inside(_: Target, machine: Machine, options: dict[str, str | int]) -> Play:
    module = Module.of(machine, cache=False)
    return lambda seed: module.playouts(8, seed=8 * seed, options=options).decisions


def _python(at: Target, machine: Machine, options: dict[str, str | int]) -> Play:
    def play(seed: int) -> int:
        player, taken = RandomPlayer(seed), 0
        try:
            game = Game.start(machine, seed=seed, options=options, telling=False)
            while game.count:
                game.choose(player.index(game.count))
                taken += 1
        except RuleFailure:
            pass
        return taken

    return play


def _paces(ways: list[Play], windows: int, seconds: float) -> list[float]:
    """Decisions a second of each way; in a window all play the games of the same seeds, game by game in turn."""
    for play in ways:
        play(0)
    found: list[list[float]] = [[] for _ in ways]
    seed = 0
    for _ in range(windows):
        taken, spent = [0] * len(ways), [0.0] * len(ways)
        while sum(spent) < seconds:
            for n, play in enumerate(ways):
                begun = time.process_time()
                taken[n] += play(seed)
                spent[n] += time.process_time() - begun
            seed += 1
        for rates, n, time_spent in zip(found, taken, spent, strict=True):
            rates.append(n / time_spent)
    return [median(each) for each in found]
