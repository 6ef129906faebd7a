"""Random games of every game and mode in compiled code, held to what is promised: `python -m tests.figures promises`.

Every second batch of games has rulings and options by chance, the others go by those that hold unless chosen otherwise.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context

from dsl.authoring.trials import ending_name
from dsl.engine.failure import StartError
from dsl.engine.promises import lines_of
from dsl.ir.program import Program
from dsl.testing.promise_games import drawn
from dsl.testing.promises import options_of, without_tests
from dsl.wasm.module import Module
from dsl.wasm.statistics import Statistics
from tests.figures.targets import Target, named, targets
from tests.shipped import shipped

BATCH = 50
MOST_SHOWN = 10


@dataclass(slots=True)
class Batch:
    """What some games came to, with the options that were chosen for them."""

    found: Statistics
    options: dict[str, str] = field(default_factory=dict)


@cache
def watching(what: str) -> Module:
    """The module that watches a game, made once in a process."""
    return Module.of(without_tests(shipped(what, tests=True)), watched=True)


def played(target: Target, number: int, games: int) -> Batch:
    """The batch of a number: games with seeds from `number * BATCH` on, which any process plays alike."""
    module = watching(target.what)
    program = module.program
    chosen: dict[str, str | int] = dict(drawn(program, number))
    if target.mode:
        chosen["mode"] = target.mode
    try:
        found = module.playouts(games, seed=number * BATCH, options=chosen)
    except StartError:  # the mode is not for so many players
        chosen.pop("players", None)
        found = module.playouts(games, seed=number * BATCH, options=chosen)
    numbers = {name: value for name, value in chosen.items() if isinstance(value, int)}
    mode = {"mode": target.mode} if target.mode else {}
    return Batch(found, options_of(program, numbers) | mode)


def show(games: int, jobs: int, game: str = "") -> int:
    """Prints a line for each target, or those of one game; 1 if a promise was broken or a rule failed."""
    print("| game | random games | lines | looked at | broken, or failed | how they ended | s |")
    print("|---|---|---|---|---|---|---|")
    failed = False
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for target in named(game) if game else targets():
            begun, total, faults = time.perf_counter(), Statistics(), list[str]()
            numbers = range(-(-games // BATCH))
            counts = [min(BATCH, games - number * BATCH) for number in numbers]
            program = watching(target.what).program
            for batch in pool.map(played, [target] * len(numbers), numbers, counts):
                total.add(batch.found)
                faults += _faults(program, target, batch)
            print(_row(target, program, total, len(faults), time.perf_counter() - begun), flush=True)
            for fault in faults[:MOST_SHOWN]:
                print(f"  {fault}")
            failed = failed or bool(faults)
    return int(failed)


def _row(target: Target, program: Program, total: Statistics, faults: int, seconds: float) -> str:
    ends: dict[str, int] = {}
    for (reason, _), count in total.ends.most_common():
        name = ending_name(program, reason)
        ends[name] = ends.get(name, 0) + count
    told = ", ".join(f"{name} {count}" for name, count in ends.items())
    lines = len(lines_of(program))
    return f"| {target.name} | {total.games} | {lines} | {total.stops} | {faults} | {told} | {seconds:.0f} |"


def _faults(program: Program, target: Target, batch: Batch) -> Iterator[str]:
    settings = "".join(f" --option {name}={value}" for name, value in batch.options.items())
    lines = lines_of(program)
    for seed, choices, line, code in batch.found.breaches:
        promise, held = lines[line]
        why = f" (E{code:04})" if code else ""
        command = f"scenarii play {target.what}{settings} --auto --seed {seed} --until {choices + 1}"
        yield f'always "{promise.title}": {held.text}{why}: {command}'
    for seed, code in batch.found.failures:
        yield f"a rule fails: E{code:04}: scenarii play {target.what}{settings} --auto --seed {seed}"
