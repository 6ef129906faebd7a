"""A program that can be played: what `dsl.load` gives."""

from __future__ import annotations

from collections.abc import Mapping

from dsl.engine.game import Game
from dsl.engine.machine import Machine


class Playable(Machine):
    """A machine that starts games; any number of games share one."""

    @property
    def name(self) -> str:
        """The game's name."""
        return self.program.name

    def start(
        self, *, seed: int = 0, options: Mapping[str, str | int] | None = None, telling: bool = True
    ) -> Game:
        """A new game at its first decision; `telling` keeps a log, and costs a little time."""
        return Game.start(self, seed=seed, options=options, telling=telling)
