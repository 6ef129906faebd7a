"""What memos bring: random games of the same seeds without them, with those of values, and with tables of what reads no
state too, in turn, by the processor's time.

All modules are made here, and neither comes from the cache.
"""

from __future__ import annotations

import time
from statistics import median
from unittest.mock import patch

from dsl.engine.machine import Machine
from dsl.resources import games
from dsl.wasm import memos, pure_memos
from dsl.wasm.module import Module
from tests.benchmark.speed import pinned
from tests.figures.targets import ROOT, Target, target

LARGE = "examples/scenarios/la_grande_plaine.scn"
"""A map of 40 × 30 hexes."""
NEVER = 1 << 62
"""More than anything weighs: with it nothing has a memo."""
GAMES = {"cristal_et_acier": 400, "me_ccg": 400, "risk_halo": 400, "command_and_conquer": 60}
"""How many in a window; otherwise `FEW`."""
FEW = 20


def made(machine: Machine, value: int, pure: int) -> Module:
    """The module of a program in which values, and what reads no state, have memos if they weigh so much."""
    with patch.object(memos, "HEAVY", value), patch.object(pure_memos, "HEAVY", pure):
        return Module.of(machine, cache=False)


def show(windows: int, only: str | None = None) -> int:
    """Prints the table; yields how many games went otherwise with memos than without."""
    print(f"On {pinned()}, medians of {windows} windows.\n")
    print(
        "| game | games in a window | without memos, decisions/s | of values | times | and tables | times |"
    )
    print("|---|---|---|---|---|---|---|")
    found = [target(name) for name in games()] + [Target(LARGE, str(ROOT / LARGE))]
    return sum(_differs(each, windows) for each in found if only in {None, each.name, each.what})


def _differs(each: Target, windows: int) -> bool:
    machine, number = each.machine(), GAMES.get(each.what, FEW)
    options: dict[str, str | int] = {"mode": each.mode} if each.mode else {}
    weights = (NEVER, NEVER), (memos.HEAVY, NEVER), (memos.HEAVY, pure_memos.HEAVY)
    modules = [made(machine, *each) for each in weights]
    paces: list[list[float]] = [[] for _ in modules]
    alike = True
    for window in range(windows):
        told = []
        for module, rates in zip(modules, paces, strict=True):
            begun = time.process_time()
            played = module.playouts(number, seed=window * number, options=options)
            rates.append(played.decisions / (time.process_time() - begun))
            told.append((played.decisions, played.ends, played.lengths, sorted(played.failures)))
        alike &= all(each == told[0] for each in told)
    none, values, all_ = map(median, paces)
    print(
        f"| {each.name} | {number} | {none:,.0f} | {values:,.0f} | {values / none:.2f} |"
        f" {all_:,.0f} | {all_ / none:.2f} |"
        f"{'' if alike else ' differs'}",
        flush=True,
    )
    return not alike
