"""Sharing many games out: in this process, or among several; in portions that grow until they take a while.

The games of a simulation have seeds that follow each other, and are counted in the order of their seeds. So one that is
broken off has counted the first of them, and another of so many games gives the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil
from time import perf_counter
from typing import Protocol

from dsl.engine.display import in_language
from dsl.engine.failure import Unplayable
from dsl.ir.program import Program
from dsl.players.seats import RANDOM
from dsl.simulation.playing import ENGINES, Engine, OneByOne, Options
from dsl.simulation.standing import score
from dsl.simulation.tally import Tally, interval
from dsl.workers import deaf, heard, processes

PORTION = 0.2
"""How many seconds a portion should take: between two the bar moves on, and Ctrl-C is heard."""
MOST = 100_000
"""Games of a portion."""
AHEAD = 2
"""Portions for each process that wait for it."""
FIRST_MARK = 50
"""Seeds after which it is first looked whether they are enough. To stop at an interval as narrow as it is to be is the
rule of Y. S. Chow and H. Robbins, "On the Asymptotic Theory of Fixed-Width Sequential Confidence Intervals for the
Mean", The Annals of Mathematical Statistics 36 (1965), 457-462; it needs some games before the first look.
"""

Progress = Callable[[int, int], None]


class Lost(Exception):
    """Those who play elsewhere can no longer."""


class Waiting(Protocol):
    """A portion that is being played elsewhere."""

    def result(self) -> tuple[Tally, float]:
        """What it came to, and the seconds that it took. Raises `Lost`."""

    def cancel(self) -> object:
        """Nobody waits for it any more."""


class Workers(Protocol):
    """Those who play elsewhere."""

    @property
    def jobs(self) -> int:
        """How many they are."""

    @property
    def portion(self) -> float:
        """How many seconds a portion should take."""

    def submit(self, seed: int, games: int) -> Waiting:
        """Hands out a portion: so many games from a seed on. Raises `Lost`."""


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
    exchanged: bool = False
    """Is each seed played once for each way in which the kinds of players can be moved round the seats?"""
    of_seed: int = 1
    """How many games that makes of one seed."""
    counted: bool = False
    """Is it counted what is chosen and had? Then the games are moved on one choice after the other."""
    ruled: bool = False
    """Is it counted which rules take effect, too?"""
    listed: bool = False
    """Is each game kept by itself, too?"""
    language: str = ""
    """In which language what is counted is called; empty: the game's own."""
    until: float | None = None
    """Half the width of an interval of confidence at which games end before their number."""

    def made(self, program: Program) -> Engine:
        """The engine that plays them. Raises `StartError`, `SeatError` or `Unplayable`."""
        if self.players or self.counted:
            from dsl.simulation.seated import SeatedEngine

            players = self.players or (RANDOM,)
            words = in_language(program, self.language)
            engine = SeatedEngine.of(words, self.options, players, self.steps, exchanged=self.exchanged)
            engine.counted = self.counted
            engine.ruled = self.ruled
            engine.listed = self.listed
            return engine
        plain = ENGINES[self.engine](program, self.options, watched=self.watched, steps=self.steps)
        return OneByOne(plain) if self.listed else plain


@dataclass(slots=True)
class Simulation:
    """What was played."""

    wanted: Wanted
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    earlier: int = 0
    """Games that were played before, in a run that this one goes on with."""
    sure: bool = False
    """Did it end since the interval was as narrow as it was to be?"""
    lost: str = ""
    """Why no more could be played, where a process ended before its time."""
    on_count: Callable[[Tally], None] | None = None

    @property
    def complete(self) -> bool:
        """Have all games been played that were wanted, or as many as make it sure?"""
        return self.tally.played >= self.wanted.games or self.sure

    @property
    def half(self) -> float:
        """Half the width of the interval that is asked for: of the first kind's score where seats are exchanged, else
        the widest of the players' shares of wins.
        """
        tally = self.tally
        if self.wanted.exchanged:
            return score(tally.pairs, self.wanted.of_seed).half
        players = max((who.bit_length() for who in tally.winners), default=1) or 1
        shares = (interval(tally.wins(player), tally.games) for player in range(players))
        return max((high - low) / 2 for low, high in shares)

    def look(self) -> None:
        """Notes whether the games are enough, where it is time to look."""
        wanted, played = self.wanted, self.tally.played
        if wanted.until is not None and played >= FIRST_MARK * wanted.of_seed:
            marked = played == next_mark(played - 1, wanted.of_seed)
            self.sure = marked and self.half <= wanted.until


def simulate(
    program: Program,
    wanted: Wanted,
    jobs: int = 1,
    on_progress: Progress | None = None,
    *,
    engine: Engine | None = None,
    earlier: Tally | None = None,
    on_count: Callable[[Tally], None] | None = None,
    workers: Workers | None = None,
) -> Simulation:
    """Plays games, in this process by an engine where one is given, or by `workers` elsewhere. Broken off by Ctrl-C, or
    by the loss of those who play, it gives what has been counted. `earlier` is what a run of the same games had counted
    that this one goes on with; `on_count` is told what is counted by now, whenever that has changed.
    """
    found = Simulation(wanted)
    if earlier is not None:
        found.tally.merge(earlier)
        found.earlier = found.tally.played
        found.tally.decisions = 0
    found.on_count = on_count
    begun = perf_counter()
    if on_progress is not None:
        on_progress(found.earlier, wanted.games)
    with suppress(KeyboardInterrupt), heard() as interrupted:

        def counted(done: int, of: int) -> None:
            if on_progress is not None:
                on_progress(done, of)
            interrupted()

        found.look()
        if found.complete:
            pass
        elif workers is not None:
            _by_others(workers, found, counted)
        elif jobs == 1 or engine is not None:
            _here(program, found, counted, engine)
        else:
            _elsewhere(program, found, jobs, counted)
    found.seconds = perf_counter() - begun
    return found


class _Portions:
    """The games that are still to be handed out. Games of one seed stay together, and none is handed out across a mark:
    a number of games after which it is looked whether they are enough, so that what is counted then hangs neither on
    the size of portions nor on the number of processes.
    """

    def __init__(self, wanted: Wanted, earlier: int = 0, seconds: float | None = None) -> None:
        self.seconds = PORTION if seconds is None else seconds
        self.each = wanted.of_seed
        self.done = earlier
        self.seed = wanted.seed + earlier // self.each
        self.left = wanted.games - earlier
        self.size = 1
        self.marked = wanted.until is not None

    def next(self) -> tuple[int, int]:
        """The first seed of a portion, and how many games it has."""
        seeds = max(1, min(self.size, self.left) // self.each)
        if self.marked:
            seeds = min(seeds, (next_mark(self.done, self.each) - self.done) // self.each)
        seed, games = self.seed, seeds * self.each
        self.seed, self.left, self.done = seed + seeds, max(0, self.left - games), self.done + games
        return seed, games

    def took(self, games: int, seconds: float) -> None:
        """Portions grow, though not at once, as long as they are done in no time."""
        fitting = int(games * self.seconds / max(seconds, 1e-6))
        self.size = max(1, min(fitting, 4 * games, MOST))


def next_mark(games: int, each: int = 1) -> int:
    """The next number of games at which it is looked whether they are enough: each a tenth more than the last."""
    mark = FIRST_MARK
    while mark * each <= games:
        mark += max(1, mark // 10)
    return mark * each


def _counted(engine: Engine, seed: int, games: int) -> tuple[Tally, float]:
    begun = perf_counter()
    return engine.play(seed, games), perf_counter() - begun


def _here(program: Program, found: Simulation, on_progress: Progress, engine: Engine | None) -> None:
    wanted = found.wanted
    engine = engine or wanted.made(program)
    portions = _Portions(wanted, found.earlier)
    while portions.left and not found.sure:
        _count(found, *_counted(engine, *portions.next()), portions, on_progress)


def _elsewhere(program: Program, found: Simulation, jobs: int, on_progress: Progress) -> None:
    """In several processes."""
    wanted = found.wanted
    try:
        with processes(jobs, _open, program, replace(wanted, options=dict(wanted.options))) as pool:
            _hand_out(_Processes(pool, jobs), found, on_progress)
    except (BrokenProcessPool, Unplayable) as error:
        found.lost = str(error)


def _by_others(workers: Workers, found: Simulation, on_progress: Progress) -> None:
    try:
        _hand_out(workers, found, on_progress)
    except Lost as error:
        found.lost = str(error)


def _hand_out(workers: Workers, found: Simulation, on_progress: Progress) -> None:
    """What they give is counted in the order in which it was handed out."""
    portions = _Portions(found.wanted, found.earlier, workers.portion)
    waiting = deque[Waiting]()
    while (portions.left or waiting) and not found.sure:
        while portions.left and len(waiting) < workers.jobs * AHEAD:
            waiting.append(workers.submit(*portions.next()))
        _count(found, *waiting[0].result(), portions, on_progress)
        waiting.popleft()
    for each in waiting:
        each.cancel()


class _Processes:
    """Processes of a pool."""

    def __init__(self, pool: ProcessPoolExecutor, jobs: int) -> None:
        self._pool, self.jobs, self.portion = pool, jobs, PORTION

    def submit(self, seed: int, games: int) -> Waiting:
        """A portion for the next process that is free; the first ones start their process."""
        with deaf():
            try:
                return self._pool.submit(_portion, seed, games)
            except OSError as error:
                raise BrokenProcessPool(f"no process can be started: {error.strerror}") from None


def _count(
    found: Simulation, tally: Tally, seconds: float, portions: _Portions, on_progress: Progress
) -> None:
    found.tally.merge(tally)
    portions.took(tally.played, seconds)
    wanted, played = found.wanted, found.tally.played
    total = wanted.games
    found.look()
    if wanted.until is not None and played >= FIRST_MARK * wanted.of_seed:
        total = min(total, max(played, ceil(played * (found.half / wanted.until) ** 2)))
    if found.on_count is not None:
        found.on_count(found.tally)
    on_progress(played, played if found.sure else total)


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
