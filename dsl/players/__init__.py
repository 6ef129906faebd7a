"""Those who choose: each player is a function from a decision, as its side may see it, to an option."""

from __future__ import annotations

from typing import Protocol

from dsl.engine.decision import Decision, Option
from dsl.engine.game import Game


class Player(Protocol):
    """Somebody who chooses one of a decision's options."""

    def choose(self, game: Game, decision: Decision) -> Option:
        """The option that is chosen. The game is for looking at, not for playing on."""
        ...
