"""How fast it plays, reads and begins: `python -m tests.figures speed`.

A machine that others share is noisy. So each measurement is a median over several windows, with the lowest
and the highest beside it, and before each window a fixed loop of plain Python is timed: the last column says
how many turns of that loop one unit of work costs, which another machine, or another hour, changes far less.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median

from dsl.compiler import build
from dsl.diagnostics import Diagnostics
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.linker.modules import Modules
from dsl.syntax.parser import parse
from tests.figures.targets import MAIN, ROOT, target

TURNS = 400_000
GAMES = {"tic_tac_toe": 15_000, MAIN: 3_000}
"""Decisions a second that random play should reach."""


@dataclass(slots=True)
class Measured:
    """Units of work a second (or seconds, for what is done once), window by window."""

    rates: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    """Turns of the fixed loop for one unit of work."""

    def add(self, rate: float, loop: float) -> None:
        self.rates.append(rate)
        self.turns.append(loop / rate)


def loop_rate(clock: Callable[[], float] = time.perf_counter) -> float:
    """Turns a second of a loop that does what interpreted rules do: compare, index, add, store."""
    numbers, total = [3, 1, 4, 1, 5, 9, 2, 6], 0
    begun = clock()
    for turn in range(TURNS):
        at = turn & 7
        if numbers[at] > 2:
            total += numbers[at]
        numbers[at] = total & 15
    return TURNS / (clock() - begun)


def in_windows(work: Callable[[], int], windows: int, seconds: float) -> Measured:
    """Repeats work, which says how many units it did, for some seconds in each window."""
    found = Measured()
    for _ in range(windows):
        loop, done, begun = loop_rate(), 0, time.perf_counter()
        while (now := time.perf_counter()) - begun < seconds:
            done += work()
        found.add(done / (now - begun), loop)
    return found


def play(machine: Machine) -> Callable[[], int]:
    """Plays one more random game; counts its decisions."""
    seeds = iter(range(10**9))

    def game() -> int:
        playing = Game.start(machine, seed=next(seeds))
        dice, taken = playing.state[0] & 0xFFFF, 0
        while count := playing.count:
            dice = dice * 25173 + 13849 & 0xFFFF
            playing.choose(dice * count >> 16)
            taken += 1
        return taken

    return game


def compile_parts(what: str) -> tuple[int, Callable[[], int], Callable[[], int]]:
    """How many lines a game has with its tests; to parse them; to elaborate and verify what was parsed."""
    modules = Modules(Diagnostics(), tests=True)
    modules.open(what)
    sources = list(modules.sources.values())
    lines = sum(source.text.count("\n") + 1 for source in sources)

    def read() -> int:
        for source in sources:
            parse(source, Diagnostics())
        return lines

    def check() -> int:
        modules.diagnostics = Diagnostics()
        assert build(modules) is not None
        return lines

    return lines, read, check


def commands() -> Iterator[tuple[str, list[str], bool]]:
    """What a person waits for: its name, the command, and whether the cache is emptied before each time."""
    scenarii = [sys.executable, "-m", "dsl.cli.main"]
    yield "`python -c pass`", [sys.executable, "-c", "pass"], False
    yield "`scenarii --help`", [*scenarii, "--help"], False
    yield f"`scenarii check {MAIN}`, nothing cached", [*scenarii, "check", MAIN], True
    yield f"`scenarii check {MAIN}`, from the cache", [*scenarii, "check", MAIN], False


def timed(command: list[str], windows: int, fresh: bool) -> Measured:
    """Runs a command several times, each in a process of its own."""
    found = Measured()
    with tempfile.TemporaryDirectory() as folder:
        for window in range(windows + 1):
            home = f"{folder}/{window if fresh else 0}"
            environment = {**os.environ, "SCENARII_CACHE": home, "PYTHONHASHSEED": "0"}
            loop, begun = loop_rate(), time.perf_counter()
            subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
            seconds = time.perf_counter() - begun
            if window:
                found.add(1 / seconds, loop)
    return found


def show(windows: int, seconds: float) -> int:
    """Prints three tables."""
    print(f"The fixed loop: {loop_rate() / 1e6:.1f} million turns a second.\n")
    print("| random play | decisions/s (lowest to highest) | aim | turns of the loop per decision |")
    print("|---|---|---|---|")
    for name, aim in GAMES.items():
        found = in_windows(play(target(name).machine()), windows, seconds)
        print(f"| {name} | {_spread(found.rates)} | {aim:,} | {median(found.turns):,.0f} |", flush=True)
    lines, read, check = compile_parts(MAIN)
    print(f"\n| {MAIN}, {lines} lines with its tests | lines/s | turns of the loop per line |")
    print("|---|---|---|")
    for name, work in {"parse": read, "check what was parsed": check}.items():
        found = in_windows(work, windows, seconds)
        print(f"| {name} | {_spread(found.rates)} | {median(found.turns):,.0f} |", flush=True)
    print("\n| command | seconds (lowest to highest) | million turns of the loop |")
    print("|---|---|---|")
    for name, command, fresh in commands():
        found = timed(command, windows, fresh)
        spread = _spread([1 / rate for rate in found.rates], ".2f")
        print(f"| {name} | {spread} | {median(found.turns) / 1e6:.2f} |", flush=True)
    return 0


def _spread(rates: list[float], form: str = ",.0f") -> str:
    return f"{median(rates):{form}} ({min(rates):{form}} to {max(rates):{form}})"
