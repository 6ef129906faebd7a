"""Games between players that think and players that do not: an engine with a kind of player on each seat."""

from __future__ import annotations

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import DECISIONS, OUT, REASON, WINNERS, Program
from dsl.players.random_player import RandomPlayer
from dsl.players.seats import RANDOM, seats_of
from dsl.search.thinker import Thinker
from dsl.simulation.playing import Options
from dsl.simulation.tally import Played, Tally


class SeatedEngine:
    """Plays games with a kind of player for each seat, or one for all; the rules are run by the machine.

    Equal seeds give equal games where no seat thinks for so many seconds. Raises `SeatError` for seats that the game
    does not have, and while it plays `Unplayable` where somebody cannot think.
    """

    def __init__(self, machine: Machine, options: Options, players: tuple[str, ...]) -> None:
        self.machine = machine
        self.options = options
        self._thinker = Thinker(machine)
        out = Game.fresh(machine, options=options).state[OUT]
        self.seats = seats_of(machine.program, players, out)

    @classmethod
    def of(
        cls, program: Program, options: Options, players: tuple[str, ...], steps: int | None = None
    ) -> SeatedEngine:
        """On the fast engine. Raises `Unplayable` where it cannot play the program: what thinks needs it."""
        from dsl.wasm.available import need_wasmtime

        need_wasmtime()
        from dsl.wasm.machine import FastMachine

        return cls(FastMachine(program, steps=steps), options, players)

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        found = Tally()
        found.add(seed, (self._one(each) for each in range(seed, seed + games)))
        return found

    def _one(self, seed: int) -> Played:
        try:
            game = self.played(seed)
        except RuleFailure as failure:
            return Played(0, 0, 0, 0, failure.code)
        return Played(game.state[WINNERS], game.state[REASON], len(game.choices), game.state[DECISIONS])

    def played(self, seed: int) -> Game:
        """The game of a seed, at its end."""
        chance, made = RandomPlayer(seed), 0
        game = Game.start(self.machine, seed=seed, options=self.options)
        while game.count:
            player = game.player
            assert player is not None
            kind = self.seats[player]
            if kind == RANDOM:
                game.choose(chance.index(game.count))
            elif game.count == 1:
                game.choose(0)
            else:
                game.choose(self._thinker.choice(kind, game.state, seed=seed, made=made))
            made += 1
        return game
