"""Many random games on both engines, in several processes; a run that was stopped goes on where it was."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from dsl.files import write_atomically
from dsl.ir.program import Program
from tests.examples import CLASSICS
from tests.figures.targets import Target, targets
from tests.shipped import shipped
from tests.wasm.agree import Counting, Tally, agreed
from tests.wasm.programs import random_program
from tests.wasm.programs.boards import random_board

THORNS = ("volley", "rebuttal", "overwatch", "knockback", "outposts")
THORN_FOLDER = Path(__file__).resolve().parent.parent / "thorns"
GAMES_AT_ONCE, PROGRAMS_AT_ONCE = 10, 50
GAMES_OF_A_PROGRAM, CHOICES_OF_A_PROGRAM = 3, 25


def compared() -> tuple[Target, ...]:
    """What is compared: every game in each of its modes, every example, and the thorn programs."""
    return (*targets(), *(Target(name, str(THORN_FOLDER / name)) for name in THORNS))


def chosen(names: list[str]) -> tuple[Target, ...]:
    """Those of some names: of one, of a game with modes, `classics`, or all."""
    known = compared()
    for name in names:
        if not any(_is(each, name) for each in known):
            raise SystemExit(
                f"no game `{name}`; there are: {', '.join(each.name for each in known)}, classics"
            )
    return tuple(each for each in known if not names or any(_is(each, name) for name in names))


@dataclass(slots=True)
class Done:
    """How far a run came: the next seed, and what was counted."""

    next: int
    games: int = 0
    decisions: int = 0
    failures: int = 0

    def add(self, seeds: range, tally: Tally) -> None:
        self.next = seeds.stop
        self.games += tally.games
        self.decisions += tally.decisions
        self.failures += tally.failures


class Soak:
    """Runs that are kept in a file, if one is named."""

    def __init__(self, jobs: int, state: Path | None) -> None:
        self.jobs, self.state = jobs, state
        kept = json.loads(state.read_text()) if state is not None and state.exists() else {}
        self.done = {name: Done(*numbers) for name, numbers in kept.items()}

    def games(self, target: Target, seed: int, games: int, decisions: int, off: str = "") -> bool:
        """Plays so many games, or as many as make so many decisions, with a pass turned `off`; was there no
        difference?
        """
        play = partial(_played, target, off)
        name = f"{target.name} without {off}" if off else target.name
        return self._run(name, play, seed, GAMES_AT_ONCE, games, decisions)

    def programs(self, seed: int, programs: int) -> bool:
        """Plays so many small random programs."""
        play = partial(_programs, random_program)
        return self._run("programs", play, seed, PROGRAMS_AT_ONCE, programs, None)

    def boards(self, seed: int, boards: int) -> bool:
        """Plays so many random board games."""
        return self._run("boards", partial(_programs, random_board), seed, PROGRAMS_AT_ONCE, boards, None)

    def _run(
        self,
        name: str,
        play: Callable[[range], Tally],
        seed: int,
        at_once: int,
        most: int,
        decisions: int | None,
    ) -> bool:
        begun = time.perf_counter()
        done = self.done.setdefault(name, Done(seed))
        wanted = range(done.next, seed + most)
        parts = [
            range(at, min(at + at_once, wanted.stop)) for at in range(wanted.start, wanted.stop, at_once)
        ]
        agree = True
        for part, tally in self._tallies(play, parts):
            if decisions is not None and done.decisions >= decisions:
                break
            for difference in tally.differences:
                print(f"{name}: {difference}", flush=True)
                agree = False
            if not agree:
                break
            done.add(part, tally)
            self._keep()
        seconds = time.perf_counter() - begun
        print(
            f"| {name} | {done.games} | {done.decisions} | {done.failures} | {'none' if agree else 'one'} "
            f"| {seconds:.0f} |",
            flush=True,
        )
        return agree

    def _tallies(self, play: Callable[[range], Tally], parts: list[range]) -> Iterator[tuple[range, Tally]]:
        """In the order of the parts, a few at a time, so that a run may stop early."""
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as pool:
            for at in range(0, len(parts), 4 * self.jobs):
                some = parts[at : at + 4 * self.jobs]
                yield from zip(some, pool.map(play, some), strict=True)

    def _keep(self) -> None:
        if self.state is not None:
            numbers = {name: astuple(done) for name, done in self.done.items()}
            write_atomically(self.state, json.dumps(numbers).encode())


def _is(target: Target, name: str) -> bool:
    if name == "classics":
        return Path(target.what).parent == CLASSICS
    return name in {target.name, target.name.partition(":")[0]}


def _played(target: Target, off: str, seeds: range) -> Tally:
    return agreed(machine_of(target.what, off), seeds, mode=target.mode)


def _programs(make: Callable[[int], Program], seeds: range) -> Tally:
    """Random programs; what differs is named by its seed."""
    total = Tally()
    for seed in seeds:
        program = Counting(make(seed))
        tally = agreed(program, range(GAMES_OF_A_PROGRAM), CHOICES_OF_A_PROGRAM, cache=False)
        total.differences += [f"program {seed}: {each}" for each in tally.differences]
        total.games += 1
        total.decisions += tally.decisions
        total.failures += tally.failures
    return total


@cache
def machine_of(what: str, off: str = "") -> Counting:
    """A game by its name or path, compiled once in a process, with a pass turned `off`."""
    return Counting(shipped(what), without={off} - {""})
