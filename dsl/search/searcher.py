"""Thinks about a decision: `Searcher(machine).think(state, ...)`.

The search is UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning", 2006): games are played on from the
decision, down a tree of what was tried, then by chance; what comes of each goes into the tree. It runs inside the
compiled module (`dsl/wasm/search.wat`). Chance is drawn anew in each game; its outcomes, as far as everybody sees them,
are nodes of the tree (chance nodes), so that what comes next may hang on them.
Between two players who see everything, wins and losses are proven as long as no chance comes in (MCTS-Solver: Winands,
Björnsson and Saito 2008), and what is proven is not tried again.

Who thinks may know only what he sees. Where something is hidden from him the games begin in turn in worlds that he
cannot tell from the real one, each drawn from all that he does not see, and all worlds share a tree (information-set
search, ISMCTS: Cowling, Powley and Whitehouse 2012). They are made from one world that stands for all of them, so that
what he chooses does not hang on what he does not see.

Equal positions, seeds and numbers of playouts give equal trees on every machine: the numbers are those of IEEE 754, and
chance is the generator of the games.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NoReturn

from dsl.catalogue import tr
from dsl.engine.failure import RuleFailure, Unplayable
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.ir.program import Program
from dsl.ir.worth import declared, worths
from dsl.search.worlds import Worlds
from dsl.wasm.instance import Instance
from dsl.wasm.module import Module, signed_64
from dsl.wasm.searching import (
    DEEPEST,
    ENTRY,
    MERGED,
    MOST_BITS,
    MOST_ROOTS,
    OWN,
    SEARCHING,
    SETTLED,
    search_module,
)

ASKS = 1
EAGER, VALUED_EAGER = 0.7, 0.2
"""How much what was seldom tried is preferred: the constant of UCB1, for results from 0 to 1. Where the author says
what a position is worth, results lie close together, and with less of it the tree goes deeper (see the figures of the
computer players).
"""
OWN_EAGER, OWN_DEEP, OWN_CUT = 0.1, 16, 30
"""The same where a player looks to the end of his own consecutive choices; how many of these the tree may reach, and
how many are made by chance behind it.
"""
MOST_LOOKS = 50_000_000
"""At each game all options are looked at: a player who looks to the end of his own turn plays so few that these are so
many looks at most, however many options there are.
"""
ENOUGH = 2
"""Of what was tried at most so many times less than the most tried option, he takes what promises most."""
CUT, SOON = 200, 10
"""Choices by chance after which a game is judged by what its position is worth: where its author says what that is, a
few, which takes less time (see the figures of the computer players); else so many that most games end before.
"""
PER_WORLD = 20
"""At least so many playouts for each world."""
DRAWING = 0.1
"""The share of the time in which worlds may be drawn."""
CALL = 0.05
"""A call plays for about so many seconds: between calls the host can stop."""
MOST_PLAYOUTS = 100_000_000
LEAST_BITS = 10
"""The tree has at least so many entries, as a power of two."""
_ENTRY = struct.Struct("<qiidii")

Progress = Callable[[int, float], None]
"""Is told how many games were played, and for how many seconds."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """An option, and what came of trying it."""

    number: int
    visits: int
    """In how many games it was tried."""
    expectation: float
    """What its player got from these on average: 1 for a win, 0 for a loss; 0.5 where it was never tried."""
    proven: bool = False
    """Is it proven that its player wins by it, or loses?"""

    @property
    def rank(self) -> tuple[int, int, float, int]:
        """The greater, the better: first what wins for certain, and of this what was proven sooner; last what loses."""
        certain = 0 if not self.proven else 1 if self.expectation == 1 else -1
        return certain, -self.visits if certain == 1 else self.visits, self.expectation, -self.number


@dataclass(frozen=True, slots=True)
class Advice:
    """What came of thinking about a decision."""

    player: int
    """Who is asked."""
    options: tuple[Weighed, ...]
    """All options in their order."""
    playouts: int
    """How many games were played."""
    failed: int
    """In how many of them a rule failed."""
    worlds: int
    """How many worlds they began in: 1 where nothing is hidden from the player."""

    @property
    def best(self) -> Weighed:
        """One that wins for certain, of these that which was tried least; else the option that was tried most and does
        not lose for certain, of several that which promises most, then the first.
        """
        return max(self.options, key=lambda each: each.rank)

    @property
    def ranked(self) -> list[Weighed]:
        """The options, the best first."""
        return sorted(self.options, key=lambda each: each.rank, reverse=True)


def limits(program: Program) -> tuple[int, float]:
    """How many choices are made by chance before a game is judged, and the constant of UCB1, as suits a program."""
    return (CUT, EAGER) if declared(program) is None else (SOON, VALUED_EAGER)


class Searcher:
    """Thinks about positions of a program. Raises `Unplayable` where the program cannot be compiled."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.module: Module = search_module(machine)
        self.cut, self.eager = limits(machine.program)
        self._fast = 1.0
        """Games a second, as measured last in a call that took its time; the tree is as large as they need."""

    @cached_property
    def _instance(self) -> Instance:
        return self.module.instance(SEARCHING)

    @cached_property
    def _worlds(self) -> Worlds:
        return Worlds(self.machine, self._instance)

    def think(
        self,
        state: tuple[int, ...],
        *,
        playouts: int | None = None,
        seconds: float = 1.0,
        seed: int = 0,
        deep: int = DEEPEST,
        cut: int | None = None,
        eager: float | None = None,
        progress: Progress | None = None,
        interruptible: bool = False,
        settled: bool = False,
        own: bool = False,
        merged: bool = False,
    ) -> Advice:
        """Plays on from a state at a decision: so many games, or for so many seconds, or until the decision is decided:
        all options are proven, or where that is `settled`, one that wins. With `own` nothing behind the consecutive
        choices of whoever is asked counts. With `merged` outcomes of chance are
        not told apart (open loop).

        `deep` is how many choices the tree may reach, `cut` how many are made by chance behind it before the position
        is judged, `eager` the constant of UCB1 (none: what suits the game). Where it is `interruptible` Ctrl-C ends it,
        and what was found so far counts. Raises `Unplayable` where nothing is asked, or there is no memory for it, and
        `RuleFailure` where what the position is worth to a player cannot be computed.
        """
        instance = self._instance
        cut = self.cut if cut is None else cut
        eager = self.eager if eager is None else eager
        self._open(instance, playouts, seconds)
        player = self._put(instance, list(state))
        if code := instance.calls["search_worth"]():
            self._fail(state, -code)
        instance.calls["seed_player"](signed_64(seed))
        drawn = self._worlds.drawn(list(state), player, seed)
        how = SETTLED * settled | OWN * own | MERGED * merged
        done = failed = 0
        begun = time.perf_counter()
        worlds = self._begin(instance, state, drawn, playouts, begun + seconds * DRAWING)
        try:
            for count, faults in self._played(instance, playouts, begun + seconds, (deep, cut, eager, how)):
                done, failed = done + count, failed + faults
                if solved := instance.calls["search_solved"]():
                    done = solved
                if progress is not None:
                    progress(done, time.perf_counter() - begun)
                if solved:
                    break
        except KeyboardInterrupt:
            if not done or not interruptible:
                raise
        self._put(instance, list(state))
        options = tuple(self._weighed(instance, number) for number in range(instance.count))
        return Advice(player, options, done, failed, worlds)

    def compare(self, state: tuple[int, ...], *, seed: int = 0, times: int = 8) -> Advice:
        """Looks from a state to the end of the consecutive choices of whoever is asked: plays so many games for each
        option, and judges by what the position is worth where somebody else chooses next. In a game for one, where
        that has no end, one choice ahead. Of thousands of options fewer are tried: see `MOST_LOOKS`.
        """
        self._open(self._instance, 1, 0)
        self._put(self._instance, list(state))
        count, program = self._instance.count, self.machine.program
        alone = len(program.domains[program.players].members) == 1
        return self.think(
            state,
            playouts=max(1, min(count * times, MOST_LOOKS // count)),
            seed=seed,
            deep=1 if alone else OWN_DEEP,
            cut=0 if alone else OWN_CUT,
            eager=OWN_EAGER,
            own=True,
        )

    def bits(self, games: int) -> int:
        """How many entries the tree of so many games has, as a power of two."""
        return min(max((games * 4 // 3).bit_length(), LEAST_BITS), MOST_BITS)

    # ------------------------------------------------------------ inside

    def _open(self, instance: Instance, playouts: int | None, seconds: float) -> None:
        """Makes room for the tree: a game adds one entry at most."""
        games = playouts if playouts is not None else ceil(seconds * max(self._fast, 100_000))
        bits = self.bits(games)
        if instance.calls["search_open"](bits) < 0:
            raise Unplayable(tr("there is no memory for a tree of {size} MiB", size=(ENTRY << bits) >> 20))

    def _put(self, instance: Instance, state: list[int]) -> int:
        """Stands where a state says; yields who is asked."""
        instance.put(state)
        if instance.calls["look"]() != ASKS or not instance.count:
            raise Unplayable("nothing can be chosen there")
        return instance.player

    def _fail(self, state: tuple[int, ...], code: int) -> NoReturn:
        """Raises what fails where it is computed what a position is worth; the reference engine says it."""
        machine, program = self.module.machine, self.machine.program
        game = Game.restore(machine, packed(machine.hash, list(state)))
        if isinstance(game, Game):
            for player in range(len(program.domains[program.players].members)):
                for each in worths(program, player):
                    game.evaluate(each)
        raise RuleFailure(f"E{code:04}", "what the position is worth to a player cannot be computed")

    def _begin(
        self,
        instance: Instance,
        state: tuple[int, ...],
        drawn: Iterator[list[int]] | None,
        playouts: int | None,
        until: float,
    ) -> int:
        """Says from which worlds games begin, one after the other: as many as suit so many playouts, or as can be drawn
        in time. Yields how many they are.
        """
        most = 1 if drawn is None else MOST_ROOTS if playouts is None else _worlds(playouts)
        for number in range(most):
            if number and playouts is None and time.perf_counter() >= until:
                return number
            self._put(instance, list(state) if drawn is None else next(drawn))
            if instance.calls["search_from"]() < 0:
                if number:
                    return number
                raise Unplayable(tr("there is no memory for a search"))
        return most

    def _played(
        self, instance: Instance, wanted: int | None, until: float, limits: tuple[int, int, float, int]
    ) -> Iterator[tuple[int, int]]:
        """Plays so many games, or until a time, from where `search_from` was called, in turn: after each call how many,
        and in how many of them a rule failed. Each thought begins with one game, and a call plays twice as many as the
        last one at most: how fast another position was, such as one near the end, says nothing of this one.
        """
        left = wanted if wanted is not None else MOST_PLAYOUTS
        fast = 1.0
        while left > 0:
            count = min(left, max(1, int(fast * CALL)))
            begun = time.perf_counter()
            failed = instance.calls["search_on"](count, *limits)
            now = time.perf_counter()
            fast = min(count / max(now - begun, 1e-6), 2 * count / CALL)
            if now - begun >= CALL / 2:
                self._fast = fast
            yield count, failed
            left -= count
            if wanted is None and now >= until:
                return

    def _weighed(self, instance: Instance, number: int) -> Weighed:
        address = instance.calls["search_entry"](number)
        if not address:
            return Weighed(number, 0, 0.5)
        _, visits, _, total, player, proven = _ENTRY.unpack(instance.bytes_at(address, _ENTRY.size))
        if proven:
            return Weighed(number, visits, float(proven == player + 1), proven=True)
        return Weighed(number, visits, total / visits if visits else 0.5)


def _worlds(playouts: int) -> int:
    return max(1, min(MOST_ROOTS, playouts // PER_WORLD))
