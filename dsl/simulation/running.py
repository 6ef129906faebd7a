"""Sharing many games out: in this process, or among several; in portions that grow until they take a while.

The games of a simulation have seeds that follow each other, and are counted in the order of their seeds. So one that is
broken off has counted the first of them, and another of so many games gives the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from time import perf_counter

from dsl.engine.failure import Unplayable
from dsl.ir.program import Program
from dsl.simulation.playing import ENGINES, Engine, Options
from dsl.simulation.tally import Tally
from dsl.workers import deaf, processes

PORTION = 0.2
"""How many seconds a portion should take: between two the bar moves on, and Ctrl-C is heard."""
MOST = 100_000
"""Games of a portion."""
AHEAD = 2
"""Portions for each process that wait for it."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games are to be played."""

    games: int
    seed: int = 0
    options: Options = field(default_factory=dict)
    engine: str = next(iter(ENGINES))
    watched: bool = False
    """Is what the program promises looked at, wherever a game stops? A game that breaks it ends there."""
    steps: int | None = None
    """How many may be taken between two decisions; none: as many as the game's size gives it."""
    players: tuple[str, ...] = ()
    """The kind of player of each seat, or one for all; none: chance plays for all of them."""

    def made(self, program: Program) -> Engine:
        """The engine that plays them. Raises `StartError`, `SeatError` or `Unplayable`."""
        if self.players:
            from dsl.simulation.seated import SeatedEngine

            return SeatedEngine.of(program, self.options, self.players, self.steps)
        return ENGINES[self.engine](program, self.options, watched=self.watched, steps=self.steps)


@dataclass(slots=True)
class Simulation:
    """What was played."""

    wanted: Wanted
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    lost: str = ""
    """Why no more could be played, where a process ended before its time."""

    @property
    def complete(self) -> bool:
        """Have all games been played that were wanted?"""
        return self.tally.played >= self.wanted.games


def simulate(
    program: Program,
    wanted: Wanted,
    jobs: int = 1,
    on_progress: Progress | None = None,
    *,
    engine: Engine | None = None,
) -> Simulation:
    """Plays games by chance, in this process by an engine where one is given. Broken off by Ctrl-C, or by the loss of a
    process, it gives what has been counted.
    """
    found = Simulation(wanted)
    begun = perf_counter()
    if on_progress is not None:
        on_progress(0, wanted.games)
    try:
        if jobs == 1 or engine is not None:
            _here(program, found, on_progress, engine)
        else:
            _elsewhere(program, found, jobs, on_progress)
    except KeyboardInterrupt:
        pass
    found.seconds = perf_counter() - begun
    return found


class _Portions:
    """The games that are still to be handed out."""

    def __init__(self, wanted: Wanted) -> None:
        self.seed = wanted.seed
        self.left = wanted.games
        self.size = 1

    def next(self) -> tuple[int, int]:
        """The first seed of a portion, and how many games it has."""
        seed, games = self.seed, min(self.size, self.left)
        self.seed, self.left = seed + games, self.left - games
        return seed, games

    def took(self, games: int, seconds: float) -> None:
        """Portions grow, though not at once, as long as they are done in no time."""
        fitting = int(games * PORTION / max(seconds, 1e-6))
        self.size = max(1, min(fitting, 4 * games, MOST))


def _counted(engine: Engine, seed: int, games: int) -> tuple[Tally, float]:
    begun = perf_counter()
    return engine.play(seed, games), perf_counter() - begun


def _here(program: Program, found: Simulation, on_progress: Progress | None, engine: Engine | None) -> None:
    wanted = found.wanted
    engine = engine or wanted.made(program)
    portions = _Portions(wanted)
    while portions.left:
        _count(found, *_counted(engine, *portions.next()), portions, on_progress)


def _elsewhere(program: Program, found: Simulation, jobs: int, on_progress: Progress | None) -> None:
    """In several processes; what they give is counted in the order in which it was handed out."""
    wanted = found.wanted
    try:
        with processes(jobs, _open, program, replace(wanted, options=dict(wanted.options))) as pool:
            _hand_out(pool, found, jobs, on_progress)
    except (BrokenProcessPool, Unplayable) as error:
        found.lost = str(error)


def _hand_out(pool: ProcessPoolExecutor, found: Simulation, jobs: int, on_progress: Progress | None) -> None:
    portions, waiting = _Portions(found.wanted), deque[Future[tuple[Tally, float]]]()
    while portions.left or waiting:
        while portions.left and len(waiting) < jobs * AHEAD:
            waiting.append(_handed_out(pool, *portions.next()))
        _count(found, *waiting[0].result(), portions, on_progress)
        waiting.popleft()


def _handed_out(pool: ProcessPoolExecutor, seed: int, games: int) -> Future[tuple[Tally, float]]:
    """A portion for the next process that is free; the first ones start their process."""
    with deaf():
        try:
            return pool.submit(_portion, seed, games)
        except OSError as error:
            raise BrokenProcessPool(f"no process can be started: {error.strerror}") from None


def _count(
    found: Simulation, tally: Tally, seconds: float, portions: _Portions, on_progress: Progress | None
) -> None:
    found.tally.merge(tally)
    portions.took(tally.played, seconds)
    if on_progress is not None:
        on_progress(found.tally.played, found.wanted.games)


_engine: Engine | Unplayable
"""In a process that plays for another: its engine, or why it has none (there may not be memory for all processes)."""


def _open(program: Program, wanted: Wanted) -> None:
    """Makes the engine of a process."""
    global _engine  # noqa: PLW0603 - a process of a pool has nowhere else to keep it
    try:
        _engine = wanted.made(program)
    except Unplayable as error:
        _engine = error


def _portion(seed: int, games: int) -> tuple[Tally, float]:
    if isinstance(_engine, Unplayable):
        raise _engine
    return _counted(_engine, seed, games)
