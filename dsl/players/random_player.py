"""The player that takes every option as likely, from a generator of its own."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.engine import chance
from dsl.engine.decision import Decision, Option
from dsl.engine.game import Game

APART = 0x9E3779B97F4A7C15
"""Keeps the choices of a seed apart from the dice of a game with the same seed."""


class RandomPlayer:
    """Chooses by chance, and the same for the same seed; the game's own generator is not touched."""

    def __init__(self, seed: int = 0) -> None:
        self._state = [0, 0, 0, 0]
        chance.seed(self._state, seed * APART + 1)

    def choose(self, game: Game, decision: Decision) -> Option:
        """One of the options, each as likely."""
        return decision.options[self.index(len(decision.options))]

    def index(self, count: int) -> int:
        """A number below `count`: for playing fast, by `game.count` and `game.choose(number)`."""
        return chance.below(self._state, count)

    @property
    def state(self) -> tuple[int, ...]:
        """The generator, to go on from later."""
        return tuple(self._state)

    @state.setter
    def state(self, state: Sequence[int]) -> None:
        self._state[:] = state
