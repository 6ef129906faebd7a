"""Random games on an engine: each from a seed, in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import DECISIONS, REASON, WINNERS, Program
from dsl.players.random_player import RandomPlayer

Options = Mapping[str, str | int]


class Played(NamedTuple):
    """How a random game went.

    `winners` has a bit for each player who won, `reason` is the ending (-2 the bound), `decisions` counts all that
    were taken, also those with one option. A game in which a rule failed has the code of its error.
    """

    winners: int
    reason: int
    decisions: int
    failure: str = ""


class Engine(Protocol):
    """What plays random games."""

    def play(self, seed: int, games: int) -> list[Played]:
        """So many games, with this seed and those that follow it."""
        ...


class PythonEngine:
    """The reference: one game after the other, by the player of `scenarii play --auto`."""

    def __init__(self, program: Program, options: Options) -> None:
        self.machine = Machine(program)
        self.options = options

    def play(self, seed: int, games: int) -> list[Played]:
        """So many games, with this seed and those that follow it."""
        return [self._one(each) for each in range(seed, seed + games)]

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


ENGINES: dict[str, type[PythonEngine]] = {"python": PythonEngine}
"""The engines by their names; the first is taken where none is named."""
