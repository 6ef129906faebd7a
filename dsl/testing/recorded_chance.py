"""A game played again with an ear for chance: every throw, pick and shuffle, in order, as a test would script them."""

from __future__ import annotations

from dsl.engine.game import Game
from dsl.engine.runtime import Run


class HeardGame(Game):
    """A game that keeps what chance gave, as kinds of script lines with their numbers or kinds of cards, of a pick what
    it is called, if anything, and its number.
    """

    heard: list[tuple[str, tuple[int | str, ...]]]

    def _run(self) -> Run:
        if not hasattr(self, "heard"):
            self.heard = []
        run = super()._run()
        run.heard = self.heard
        return run
