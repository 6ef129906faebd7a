"""What the Python interface costs: a choice, a clone, a snapshot, a playout, a node of `perft`.

Each is done for a while, several times, and the fastest time stands, in microseconds of the processor and in turns of a
fixed loop of plain Python, which is as slow as the machine is busy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import dsl
from tests.figures.speed import loop_rate

GAMES = ("examples/chess", "cristal_et_acier", "command_and_conquer")
WINDOW = 0.2
"""Seconds of one measurement."""


def show(windows: int) -> int:
    """Prints the table."""
    print("| game | engine | what | µs of the processor | turns of the fixed loop |")
    print("|---|---|---|---|---|")
    for name in GAMES:
        for engine in ("wasm", "python"):
            program = dsl.load(name, engine=engine, ask_always=True)
            game = program.start(seed=1, telling=False)
            for _ in range(6):
                game.choose(0)
            for what, once, units in _done(program, game):
                best = min(_measured(once) for _ in range(windows)) / units
                turns = best * loop_rate(time.process_time)
                print(f"| {program.name} | {engine} | {what} | {best * 1e6:.1f} | {turns:.0f} |", flush=True)
    return 0


def _done(program: dsl.Program, game: dsl.Game) -> Iterator[tuple[str, Callable[[], object], int]]:
    """What is measured: its name, how it is done, and how many of it that is."""

    def step() -> None:
        game.clone().choose(0)

    data = game.snapshot()
    depth = 3 if program.engine == "wasm" else 2
    yield "clone and choose", step, 1
    yield "numbers of all options", lambda: game.decision and game.decision.ids, 1
    yield "snapshot", game.snapshot, 1
    yield "restore, checked", lambda: program.restore(data, telling=False), 1
    yield f"node of perft({depth})", lambda: dsl.perft(game, depth), dsl.perft(game, depth)
    if program.engine == "wasm":
        choices = dsl.playout(game, 5, seed=1).choices
        yield "choice of a playout", lambda: dsl.playout(game, 5, seed=1), choices


def _measured(once: Callable[[], object]) -> float:
    """Seconds of the processor for one."""
    count, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < WINDOW:
        once()
        count += 1
    return spent / count
