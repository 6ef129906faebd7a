"""Random games on an engine: each from a seed, in a few numbers."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import DECISIONS, REASON, WINNERS, Program
from dsl.players.random_player import RandomPlayer
from dsl.simulation.tally import Played, Tally
from dsl.wasm.module import MOST_CHOICES, Module, signed_64

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
            return Played(0, 0, 0, failure.code)
        state = game.state
        return Played(state[WINNERS], state[REASON], state[DECISIONS])


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
        module = Module.of(program)
        self.instance = module.instance()
        module.prepare(self.instance, options)
        self.instance.calls["keep_fresh"]()

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        found = Tally()
        for first in range(seed, seed + games, AT_ONCE):
            found.merge(_tally(first, self.rows(first, min(AT_ONCE, seed + games - first))))
        return found

    def rows(self, seed: int, games: int) -> bytes:
        """A `ROW` for each of at most `AT_ONCE` games."""
        at = self.instance.calls["playouts"](signed_64(seed), games, MOST_CHOICES)
        return self.instance.bytes_at(at, ROW.size * games)


AT_ONCE = 4096
"""Games of one call into a module."""
ROW = struct.Struct("<6i")
"""What a module tells of a game: reason, winners, decisions, choices, status (less than 0: the number of an error)."""


def _tally(seed: int, data: bytes) -> Tally:
    """Rows, of which many are alike."""
    found = Tally()
    rows = Counter(ROW.iter_unpack(data))
    for (reason, winners, decisions, _, status, _), count in rows.items():
        if status < 0:
            continue
        found.games += count
        found.winners[winners] += count
        found.reasons[reason] += count
        found.lengths[decisions] += count
    if found.games * ROW.size < len(data):
        for number, row in enumerate(ROW.iter_unpack(data), seed):
            if row[4] < 0:
                found.add(number, (Played(0, 0, 0, f"E{-row[4]:04}"),))
    return found


ENGINES: dict[str, Callable[[Program, Options], Engine]] = {"wasm": WasmEngine, "python": PythonEngine}
"""The engines by their names; the first is taken where none is named."""
