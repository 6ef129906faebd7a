"""Games between players that think and players that do not: an engine with a kind of player on each seat.

Where seats are exchanged each seed is played several times: with the kinds of players as they were given, and then each
moved on by a seat, and so on until all have sat everywhere. So nobody has the better seat, and chance favours nobody:
common random numbers and a balanced design, which take away from the variance what is not of the players. Kinds that
sit by teams are moved on by teams, so that partners stay partners.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import DECISIONS, OUT, REASON, WINNERS, Program
from dsl.players.random_player import RandomPlayer
from dsl.players.seats import RANDOM, Teams, kind_of, seats_of
from dsl.players.teams import teams_of
from dsl.search.thinker import Thinker
from dsl.simulation.counting import Counting, Counts
from dsl.simulation.holding import Watcher
from dsl.simulation.playing import Options
from dsl.simulation.tally import Played, Tally


class SeatedEngine:
    """Plays games with a kind of player for each seat, or one for all; the rules are run by the machine.

    Equal seeds give equal games where no seat thinks for so many seconds. Raises `SeatError` for seats that the game
    does not have, and while it plays `Unplayable` where somebody cannot think.
    """

    def __init__(
        self, machine: Machine, options: Options, players: tuple[str, ...], *, exchanged: bool = False
    ) -> None:
        self.machine = machine
        self.options = options
        self.thinker = Thinker(machine)
        fresh = Game.fresh(machine, options=options)
        out, teams = fresh.state[OUT], teams_of(fresh)
        self.seats = seats_of(machine.program, players, out, teams)
        self.seatings = seatings(self.seats, out, teams) if exchanged else (self.seats,)
        """Who sits where in the games of one seed."""
        self.exchanged = exchanged
        self.counted = False
        """Is it counted what is chosen and had?"""
        self.ruled = False
        """Is it counted which rules take effect, too? Then the rules are run by Python, which counts them."""
        self.listed = False
        """Is each game kept by itself?"""
        self._kinds = kinds_of(players)
        self._out = out

    @classmethod
    def of(
        cls,
        program: Program,
        options: Options,
        players: tuple[str, ...],
        steps: int | None = None,
        *,
        exchanged: bool = False,
    ) -> SeatedEngine:
        """On the fast engine. Raises `Unplayable` where it cannot play the program: what thinks needs it."""
        from dsl.wasm.available import need_wasmtime

        need_wasmtime()
        from dsl.wasm.machine import FastMachine

        return cls(FastMachine(program, steps=steps), options, players, exchanged=exchanged)

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it; where seats are exchanged, so many in all, from the
        first of the games of this seed on. The games of a seed are not to be torn apart.
        """
        found, each = Tally(rows=[] if self.listed else None), len(self.seatings)
        if self.counted:
            found.counts = Counts()
        for number in range(games // each):
            played = [self._one(seed + number, seats, found.counts) for seats in self.seatings]
            for seats, one in zip(self.seatings, played, strict=True):
                found.add(seed + number, (one,), seats)
            if self.exchanged:
                self._count(found, played)
        return found

    def _count(self, found: Tally, played: list[Played]) -> None:
        """Counts the games of a seed by kinds of players; seeds with a game in which a rule failed are left out."""
        if any(each.failure for each in played):
            return
        points, everybody = 0, (1 << len(self._kinds)) - 1
        for seats, each in zip(self.seatings, played, strict=True):
            won = 0
            for seat, kind in enumerate(seats):
                if each.winners >> seat & 1 and not self._out >> seat & 1:
                    won |= 1 << self._kinds.index(kind)
            found.kinds[won] += 1
            points += 1 if won in {0, everybody} else 2 * (won & 1)
        found.pairs[points] += 1

    def _one(self, seed: int, seats: tuple[str, ...], counts: Counts | None) -> Played:
        counting = Counting(self._watcher) if counts is not None else None
        try:
            game = self.played(seed, seats, counting)
        except RuleFailure as failure:
            return Played(0, 0, 0, 0, failure.code)
        if counts is not None and counting is not None:
            playing = [seat for seat in range(len(seats)) if not self._out >> seat & 1]
            counting.end(game.state, counts, playing, alone=len(seats) == 1)
        return Played(game.state[WINNERS], game.state[REASON], len(game.choices), game.state[DECISIONS])

    @cached_property
    def _watcher(self) -> Watcher:
        return Watcher(self.machine.program)

    def played(self, seed: int, seats: tuple[str, ...] = (), counting: Counting | None = None) -> Game:
        """The game of a seed, at its end; with these kinds of players, or as they were given. `counting` is told of all
        that happens.
        """
        seats = seats or self.seats
        chance, made = RandomPlayer(seed), 0
        game = Game.start(self.machine, seed=seed, options=self.options, covering=self.ruled)
        while game.count:
            if counting is not None:
                counting.stop(game.state, game.hits)
            player = game.player
            assert player is not None
            kind = seats[player]
            if kind == RANDOM:
                number = chance.index(game.count)
            elif game.count == 1:
                number = 0
            else:
                number = self.thinker.choice(kind, game.state, seed=seed, made=made)
            if counting is not None and game.decision is not None:
                counting.choice(game.decision, number)
            game.choose(number)
            made += 1
        if counting is not None:
            counting.stop(game.state, game.hits)
        return game


def kinds_of(players: Iterable[str]) -> tuple[str, ...]:
    """The kinds of players that were asked for, each once, in the order in which they were."""
    return tuple(dict.fromkeys(map(kind_of, players)))


def seatings(seats: tuple[str, ...], out: int = 0, teams: Teams = ()) -> tuple[tuple[str, ...], ...]:
    """The kinds of players moved on by one seat after the other, those apart who are out; each seating once. Where all
    of each team are of one kind they are moved on by one team.
    """
    places: list[tuple[int, ...]] = [(seat,) for seat in range(len(seats)) if not out >> seat & 1]
    if teams and all(len({seats[seat] for seat in team}) == 1 for team in teams):
        places = [tuple(team) for team in teams]
    found: dict[tuple[str, ...], None] = {}
    for turn in range(len(places)):
        moved = list(seats)
        for at, place in enumerate(places):
            kind = seats[places[(at - turn) % len(places)][0]]
            for seat in place:
                moved[seat] = kind
        found[tuple(moved)] = None
    return tuple(found)
