"""How a game grows: `python -m tests.figures scale` writes a base-building game of each size, checks and plays it.

Each size has a process of its own. There `scenarii check` runs without a cache, and random games are played in compiled
code, choice by choice, with the steps that each stretch took; and the first choices on both engines at once, whose
states, options and steps must be equal. A size of which anything fails is told, and the command ends with 1.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.ir.codec import encode
from dsl.players.random_player import RandomPlayer
from dsl.wasm.module import Module
from tests.figures.outposts import COPIES, Size, write
from tests.figures.targets import ROOT
from tests.wasm.agree import Counting, agreed

BOTH = 60
"""Choices of a game that are made by the engine in Python, and on both side by side."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a size came to. Seconds are of the processor; steps are those of one decision."""

    size: Size
    checked: float
    megabytes: int
    document: int
    """Bytes of the program."""
    compiled: float
    games: int
    choices: int
    seconds: float
    """Of the games in compiled code."""
    python: float
    """Decisions a second of the engine in Python."""
    steps: int
    """Of all choices together."""
    most: int
    failures: tuple[str, ...]

    @property
    def rate(self) -> float:
        return self.choices / self.seconds if self.seconds else 0.0

    @property
    def mean(self) -> float:
        return self.steps / max(1, self.choices)


def measured(size: Size, games: int) -> Measured:
    """Checks and plays a size; nothing of it may fail."""
    with tempfile.TemporaryDirectory() as folder:
        home = write(Path(folder), size)
        checked, megabytes, told = _check(home)
        program = compile_game(str(home)).program
    if program is None or told:
        return Measured(size, checked, megabytes, 0, 0, 0, 0, 0, 0, 0, 0, (told or "it does not compile",))
    machine = Counting(program)
    begun = time.process_time()
    module = Module.of(machine, cache=False)
    instance = module.instance()
    compiled, failures = time.process_time() - begun, []
    choices = steps = most = 0
    begun = time.process_time()
    for seed in range(games):
        player = RandomPlayer(seed)
        module.prepare(instance, {})
        module.seed(instance, seed)
        status = instance.calls["begin"]()
        while status == 1:
            steps, most = steps + instance.steps, max(most, instance.steps)
            choices += 1
            status = instance.calls["choose"](player.index(instance.count))
        if status < 0:
            failures.append(f"seed {seed}: a rule fails with E{-status:04}")
    seconds = time.process_time() - begun
    begun, taken, player = time.process_time(), 0, RandomPlayer(0)
    game = Game.start(machine, seed=0)
    while game.count and taken < BOTH:
        game.choose(player.index(game.count))
        taken += 1
    python = taken / (time.process_time() - begun)
    failures += agreed(machine, [0], BOTH, cache=False).differences
    return Measured(
        *(size, checked, megabytes, len(encode(program)), compiled, games, choices, seconds, python),
        *(steps, most, tuple(failures)),
    )


def _check(home: Path) -> tuple[float, int, str]:
    """`scenarii check` of a game: seconds of the processor, megabytes at most, and what it told if it failed."""
    environment = {**os.environ, "SCENARII_CACHE": "off", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "dsl", "check", os.fspath(home)]
    before = os.times()
    found = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    after = os.times()
    taken = after.children_user + after.children_system - before.children_user - before.children_system
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    return taken, largest, found.stdout + found.stderr if found.returncode else ""


def show(kinds: Iterable[int], maps: Iterable[tuple[int, int]], games: int) -> int:
    """Prints a line for each size, and how much more than the first it takes; 1 if any failed."""
    print(
        "| kinds | map | pieces | check, s | MB | program, kB | compiled, s | decisions/s | in Python | steps | most |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    found: list[Measured] = []
    for size in [Size(each, *field) for each in kinds for field in maps]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            one = pool.submit(measured, size, games).result()
        found.append(one)
        print(
            f"| {size.kinds} | {size.columns} × {size.rows} | {size.kinds * COPIES} | {one.checked:.2f} "
            f"| {one.megabytes} | {one.document // 1000:,} | {one.compiled:.2f} | {one.rate:,.0f} "
            f"| {one.python:,.0f} | {one.mean:,.0f} | {one.most:,} |",
            flush=True,
        )
        for failure in one.failures:
            print(f"  {failure}")
    first = found[0]
    print("\n| kinds | cells | content × cells | check | program | time of a decision | steps of one |")
    print("|---|---|---|---|---|---|---|")
    for one in found:
        grown = (one.size.kinds / first.size.kinds) * (one.size.cells / first.size.cells)
        ratios = (
            one.checked / first.checked,
            one.document / max(1, first.document),
            first.rate / (one.rate or 1),
            one.mean / max(1, first.mean),
        )
        print(
            f"| {one.size.kinds} | {one.size.cells:,} | {grown:.1f} | "
            + " | ".join(f"{each:.1f}" for each in ratios)
            + " |"
        )
    return int(any(each.failures for each in found))
