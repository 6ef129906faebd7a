"""Random games on an engine: each from a seed, in a few numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import DECISIONS, REASON, WINNERS, Program
from dsl.players.random_player import RandomPlayer
from dsl.simulation.tally import Played, Tally
from dsl.wasm.available import need_wasmtime

Options = Mapping[str, str | int]


class Engine(Protocol):
    """What plays random games. To make one raises `StartError` or `Unplayable`."""

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        ...


class PythonEngine:
    """The reference: one game after the other, by the player of `scenarii play --auto`."""

    def __init__(self, program: Program, options: Options) -> None:
        self.machine = Machine(program)
        self.options = options
        Game.fresh(self.machine, options=options)

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        found = Tally()
        found.add(seed, (self._one(each) for each in range(seed, seed + games)))
        return found

    def _one(self, seed: int) -> Played:
        try:
            game = played_out(self.machine, seed, self.options)
        except RuleFailure as failure:
            return Played(0, 0, 0, 0, failure.code)
        state = game.state
        return Played(state[WINNERS], state[REASON], len(game.choices), state[DECISIONS])


def played_out(machine: Machine, seed: int, options: Options) -> Game:
    """The random game of a seed, at its end; a rule that fails is raised."""
    player = RandomPlayer(seed)
    game = Game.start(machine, seed=seed, options=options)
    while game.count:
        game.choose(player.index(game.count))
    return game


class WasmEngine:
    """The fast one: whole games inside a module, many in one call."""

    def __init__(self, program: Program, options: Options) -> None:
        need_wasmtime()
        from dsl.wasm.module import Module

        self.module = Module.of(program)
        self.options = options
        self.module.prepare(self.module.instance(), options)

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        found = Tally()
        told = self.module.playouts(games, seed=seed, options=self.options)
        found.decisions = told.decisions
        for (reason, winners), count in told.ends.items():
            found.games += count
            found.winners[winners] += count
            found.reasons[reason] += count
        for number, code in sorted(told.failures):
            found.add(number, (Played(0, 0, 0, 0, f"E{code:04}"),))
        found.lengths = told.lengths
        return found


ENGINES: dict[str, Callable[[Program, Options], Engine]] = {"wasm": WasmEngine, "python": PythonEngine}
"""The engines by their names; the first is taken where none is named."""
