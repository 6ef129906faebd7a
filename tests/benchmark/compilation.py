"""How long a program takes to become machine code: translated, compiled, and taken from the cache.

Seconds are those of the clock, the lowest of some runs. A compiled module is taken from a cache of its own folder, in
this process, as every command takes it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import wasmtime

from dsl.cache import Cache
from dsl.engine.machine import Machine
from dsl.wasm.module import binary, new_engine
from dsl.wasm.store import compiled
from tests.figures.targets import targets

Made = TypeVar("Made")


def show(runs: int) -> None:
    """A line for each game of the library and each example."""
    print(
        "| program | WebAssembly, kB | machine code, kB | translated, s | compiled, s | from the cache, ms |"
    )
    print("|---|---|---|---|---|---|")
    for each in {each.what: each for each in targets()}.values():
        machine = each.machine()
        name = each.name.partition(":")[0]
        with tempfile.TemporaryDirectory() as folder:
            print(f"| {name} | {' | '.join(_columns(machine, Cache(Path(folder)), runs))} |", flush=True)


def _columns(machine: Machine, cache: Cache, runs: int) -> list[str]:
    translated, code = _lowest(lambda: binary(machine.program), runs)
    made, module = _lowest(lambda: wasmtime.Module(new_engine(), code), runs)
    compiled(new_engine(), machine.hash, cache, lambda: code)
    kept, _ = _lowest(lambda: compiled(new_engine(), machine.hash, cache, _never), runs)
    sizes = [f"{len(each) / 1000:.0f}" for each in (code, module.serialize())]
    return [*sizes, f"{translated:.2f}", f"{made:.2f}", f"{kept * 1000:.0f}"]


def _never() -> bytes:
    raise AssertionError("the module is not in the cache")


def _lowest(make: Callable[[], Made], runs: int) -> tuple[float, Made]:
    """The shortest of some runs, in seconds, and what the last of them made."""
    taken: list[float] = []
    for _ in range(runs):
        begun = time.perf_counter()
        made = make()
        taken.append(time.perf_counter() - begun)
    return min(taken), made
