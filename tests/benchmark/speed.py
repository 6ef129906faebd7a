"""Random games a second: both engines and OpenSpiel in one run, in turn, on one processor.

What is counted is the processor's time of this process, in several windows of which the median is shown. A window of
each contender comes before the next window of any, so that a machine that slows down does so for all. Ours counts who
won, how games ended and how long they were; OpenSpiel's yields the mean of what the players get.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

from dsl.ir.program import Program
from dsl.simulation.playing import ENGINES, Engine
from tests.benchmark.rules import program
from tests.benchmark.spiel import NAMES, OTHERS, mean_choices, rollouts
from tests.figures.speed import loop_rate
from tests.figures.targets import ROOT, Target, targets

LARGE = "examples/scenarios/la_grande_plaine.scn"
CALL = 0.05
"""How many seconds a call takes, about."""
FLOORS = {"tic_tac_toe": 2.0, "connect_four": 3.0, "breakthrough": 1.0, "hex": 1.0, "reversi": 2.0}
AIMS = {"tic_tac_toe": 3.2, "connect_four": 9.2, "breakthrough": 2.2, "hex": 2.2, "reversi": 5.3}
"""How much faster than OpenSpiel it must be; and where Regular Boardgames stands, compiled to C++."""
SAMPLE = 200
"""In so many random games of OpenSpiel choices are counted."""


@dataclass(slots=True)
class Contender:
    """Something that plays: games a second in each window, and decisions a game."""

    play: Callable[[], int]
    rates: list[float] = field(default_factory=list)
    games: int = 0
    decisions: int = 0
    paces: list[float] = field(default_factory=list)
    """Decisions a second in each window."""
    loops: list[float] = field(default_factory=list)
    """Turns a second of the fixed loop before each window."""

    def window(self, seconds: float) -> None:
        """Plays for a while."""
        self.loops.append(loop_rate(time.process_time))
        done, before, begun = 0, self.decisions, time.process_time()
        while (now := time.process_time()) - begun < seconds:
            done += self.play()
        self.rates.append(done / (now - begun))
        self.paces.append((self.decisions - before) / (now - begun))

    @property
    def pace(self) -> float:
        """Decisions a second; games differ in length, so this is not what comes of games a second and a length."""
        return median(self.paces)

    @property
    def turns(self) -> float:
        """Turns of the fixed loop for one decision."""
        return median(loop / pace for loop, pace in zip(self.loops, self.paces, strict=True))

    @property
    def rate(self) -> float:
        """Games a second."""
        return median(self.rates)


def engine(name: str, made: Program, options: dict[str, str | int]) -> Contender:
    """One of our engines, after a few games to get warm."""
    playing: Engine = ENGINES[name](made, options)
    begun, games = time.process_time(), 1
    tally = playing.play(0, games)
    while time.process_time() - begun < CALL:
        tally.merge(playing.play(tally.played, games))
        games *= 2
    at_once = max(1, int(tally.played * CALL / (time.process_time() - begun)))
    seed = tally.played

    def play() -> int:
        nonlocal seed
        seed += at_once
        part = playing.play(seed, at_once)
        found.games, found.decisions = found.games + part.games, found.decisions + part.decisions
        return part.played

    found = Contender(play)
    return found


def spiel(name: str) -> Contender:
    """OpenSpiel's rollouts, as many a call as take as long."""
    games = 1
    while True:
        play, begun = rollouts(name, games), time.process_time()
        play()
        if (taken := time.process_time() - begun) > CALL / 4:
            return Contender(rollouts(name, max(1, int(games * CALL / taken))))
        games *= 2


def measured(contenders: list[Contender], windows: int, seconds: float) -> None:
    """All of them in turn, again and again."""
    for _ in range(windows):
        for each in contenders:
            each.window(seconds)


def pinned() -> str:
    """Keeps this process on one processor, where the system can do that; says which."""
    if not hasattr(os, "sched_setaffinity"):
        return "any processor"
    last = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {last})
    return f"processor {last}"


def show_classics(windows: int, seconds: float, only: str | None = None) -> int:
    """Prints the table of the five, or of one of them; yields how many stand below their floor."""
    print(f"On {pinned()}, medians of {windows} windows of {seconds:g} s of its time (lowest to highest).\n")
    print(
        "| game | OpenSpiel, games/s | wasm, games/s | decisions/s | × OpenSpiel | floor | aim | Python, games/s | × |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    low = 0
    for name in NAMES if only is None else (only,):
        made = program(name)
        theirs, fast, slow = spiel(name), engine("wasm", made, {}), engine("python", made, {})
        measured([theirs, fast, slow], windows, seconds)
        ratio = fast.rate / theirs.rate
        low += ratio < FLOORS[name]
        print(
            f"| {name} | {_spread(theirs)} | {_spread(fast)} | {fast.pace:,.0f} | {ratio:.2f} "
            f"| {FLOORS[name]:g} | {AIMS[name]:g} | {_spread(slow)} | {slow.rate / theirs.rate:.4f} |",
            flush=True,
        )
    return low


def show_others(windows: int, seconds: float, only: str | None = None) -> int:
    """Prints the table of the others that OpenSpiel has, or of one of them; yields how many stand below their aim.

    Games are not equally long in both, as some rules differ: what is compared are decisions a second. OpenSpiel's are
    its games a second, times how often there is a choice in `SAMPLE` of its games.
    """
    print(f"On {pinned()}, medians of {windows} windows of {seconds:g} s of its time (lowest to highest).\n")
    print(
        "| game | OpenSpiel, games/s | choices a game | decisions/s "
        "| wasm, games/s | choices a game | decisions/s | × OpenSpiel | aim | Python, decisions/s | × |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    low = 0
    chosen = [name for name in OTHERS if only in {None, name}]
    for name in chosen:
        made, aim = program(name), OTHERS[name].aim
        theirs, fast = spiel(name), engine("wasm", made, {})
        slow = [engine("python", made, {})] if OTHERS[name].python else []
        measured([theirs, fast, *slow], windows, seconds)
        length = mean_choices(name, SAMPLE)
        pace = theirs.rate * length
        low += fast.pace / pace < aim
        print(
            f"| {name} | {_spread(theirs)} | {length:.0f} | {pace:,.0f} | {_spread(fast)} "
            f"| {fast.decisions / fast.games:.0f} | {fast.pace:,.0f} | {fast.pace / pace:.2f} "
            f"| {f'{aim:g}' if aim else '-'} "
            + ("".join(f"| {each.pace:,.0f} | {each.pace / pace:.4f} " for each in slow) or "| - | - ")
            + "|",
            flush=True,
        )
    print()
    for name in chosen:
        print(f"- {name}: {OTHERS[name].differs or 'the rules are the same'}.")
    return low


def show_library(windows: int, seconds: float, only: str | None = None) -> None:
    """Prints the table of the other games, each mode for itself, and of a large map; or of one of them."""
    print(f"On {pinned()}, medians of {windows} windows of {seconds:g} s of its time (lowest to highest).\n")
    print(
        "| game | wasm, games/s | decisions/s | turns of the loop per decision "
        "| Python, games/s | decisions/s | turns of the loop per decision | wasm × Python |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for each in library(only):
        options: dict[str, str | int] = {"mode": each.mode} if each.mode else {}
        made = each.machine().given
        fast, slow = engine("wasm", made, options), engine("python", made, options)
        measured([fast, slow], windows, seconds)
        print(
            f"| {each.name} | {_spread(fast)} | {fast.pace:,.0f} | {_turns(fast)} "
            f"| {_spread(slow)} | {slow.pace:,.0f} | {_turns(slow)} | {fast.rate / slow.rate:.0f} |",
            flush=True,
        )


def library(only: str | None) -> list[Target]:
    """The games but the classics, each mode for itself, and a map of 40 × 30 hexes; or some by their name."""
    found = [*(each for each in targets() if each.name not in NAMES), Target(LARGE, str(ROOT / LARGE))]
    return [each for each in found if only in {None, each.name, each.name.partition(":")[0]}]


def _turns(found: Contender) -> str:
    return f"{found.turns:,.0f}" if found.turns >= 100 else f"{found.turns:.1f}"


def _spread(found: Contender) -> str:
    form = ",.0f" if found.rate >= 10 else ".2f"
    return f"{found.rate:{form}} ({min(found.rates):{form}} to {max(found.rates):{form}})"
