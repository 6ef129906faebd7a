"""A game as a Gymnasium environment, for one learner; the others choose by a function of what they see.

env = SeatEnv(dsl.load("my_game.scn"), "red")
seen, info = env.reset(seed=1)
seen, reward, terminated, truncated, info = env.step(info["legal"][0])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from dsl.adapters.acting import Actions, checked, rewards
from dsl.adapters.observing import Observer
from dsl.api.game import Game, Option, View
from dsl.api.program import Program

LIMITS = np.iinfo(np.int32)

Policy = Callable[[View], Option]
"""Chooses one of the options of a view (`view.decision.options`)."""


class SeatEnv(gymnasium.Env[dict[str, Any], int]):
    """The seat of one player."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - the form that Gymnasium asks for

    def __init__(
        self,
        program: Program,
        player: str,
        *,
        others: Policy | None = None,
        options: Mapping[str, str | int] | None = None,
        by_place: bool | None = None,
        most: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`others` choose for all other players, by chance where it is None; the rest is as for `GameEnv`. Raises
        ValueError for a player that there is not.
        """
        checked(program, most, render_mode)
        if others is not None and not callable(others):
            raise TypeError(f"`others` is a function of a view, not {others!r}")
        if player not in program.players:
            raise ValueError(f"there is no player `{player}`: {', '.join(program.players)}")
        self.render_mode = render_mode
        self._program, self._player, self._others = program, player, others
        self._options, self._most = options, most
        self._game: Game | None = None
        self._observer, self._actions = Observer(program), Actions(program, by_place=by_place)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(LIMITS.min, LIMITS.max, (self._observer.size,), np.int32),
                "action_mask": spaces.Box(0, 1, (self._actions.count,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self._actions.count)  # type: ignore[assignment]

    @property
    def game(self) -> Game:
        """The game under way, with all that is hidden from the learner. Raises ValueError before `reset`."""
        if self._game is None:
            raise ValueError("there is no game before `reset`")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a game; equal seeds give equal games. In `options`, `settings` are for this game alone."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**31))
        settings = (options or {}).get("settings", self._options)
        self._game = self._program.start(seed=number, options=settings, telling=False)
        self._let_others()
        return self._seen()

    def step(self, action: int) -> tuple[dict[str, Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Chooses, and lets the others choose until it is the learner's turn again. Raises `IllegalChoice`."""
        self.game.choose(self._actions.option(self.game, action))
        self._let_others()
        seen, info = self._seen()
        return seen, rewards(self.game)[self._player], self.game.is_over, self._is_cut(), info

    def _is_cut(self) -> bool:
        return self._most is not None and not self.game.is_over and self.game.taken >= self._most

    def _let_others(self) -> None:
        while (decision := self.game.decision) is not None and decision.player != self._player:
            if self._is_cut():
                return
            if self._others is None:
                self.game.choose(int(self.np_random.integers(len(decision))))
            else:
                self.game.choose(self._others(self.game.view(decision.player)))

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        mask, decision = np.zeros(self._actions.count, np.int8), self.game.decision
        legal = [] if decision is None or decision.player != self._player else self._actions.legal(self.game)
        mask[legal] = 1
        row = np.array(self._observer.row(self.game, self._player), np.int32)
        return {"observation": row, "action_mask": mask}, {"legal": legal}

    def render(self) -> str:
        """Who must choose, or how it ended."""
        return repr(self.game.decision or self.game.outcome)
