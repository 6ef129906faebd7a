"""A game as a PettingZoo environment, in which agents act one after another (AEC).

    env = GameEnv(dsl.load("my_game.scn"))
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else seen["action_mask"].nonzero()[0][0])

An observation has the row of `dsl.adapters.observing` under `observation`, and under `action_mask` a 1 for each action
that the agent can take now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from dsl.adapters.acting import Actions, checked, rewards
from dsl.adapters.observing import Observer
from dsl.api.game import Game
from dsl.api.program import Program
from dsl.engine.failure import IllegalChoice

LIMITS = np.iinfo(np.int32)


class GameEnv(AECEnv):  # type: ignore[misc]
    """One game after another of a program; agents are its players, by their names in the rules."""

    def __init__(
        self,
        program: Program,
        *,
        options: Mapping[str, str | int] | None = None,
        by_place: bool | None = None,
        most: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`options` set what `Program.settings` has; `by_place` is explained in `dsl.adapters.acting`; after `most`
        choices a game is cut off (truncated).
        """
        super().__init__()
        checked(program, most, render_mode)
        self.metadata = {"name": f"{program.name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(program.players)
        self._program, self._options, self._most = program, options, most
        self._observer, self._actions = Observer(program), Actions(program, by_place=by_place)
        self._game: Game | None = None
        row = spaces.Box(LIMITS.min, LIMITS.max, (self._observer.size,), np.int32)
        mask = spaces.Box(0, 1, (self._actions.count,), np.int8)
        self.observation_spaces = {
            each: spaces.Dict({"observation": row, "action_mask": mask}) for each in self.possible_agents
        }
        self.action_spaces = {each: spaces.Discrete(self._actions.count) for each in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """The game under way, with all that is hidden from agents. Raises ValueError before `reset`."""
        if self._game is None:
            raise ValueError("there is no game before `reset`")
        return self._game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; without a seed the one after the last. In `options`, `settings` are for this game alone."""
        self._seed = seed if seed is not None else getattr(self, "_seed", -1) + 1
        settings = (options or {}).get("settings", self._options)
        self._game = self._program.start(seed=self._seed, options=settings, telling=False)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {each: {} for each in self.agents}
        self._stop()

    def _stop(self) -> None:
        """Takes in where the game has come to."""
        decision = self.game.decision
        is_cut = self._most is not None and self.game.taken >= self._most
        if decision is not None and not is_cut:
            self.agent_selection = decision.player
            return
        self.rewards = rewards(self.game)
        self.terminations = dict.fromkeys(self.agents, decision is None)
        self.truncations = dict.fromkeys(self.agents, decision is not None)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it can do, where it is its turn."""
        mask = np.zeros(self._actions.count, np.int8)
        decision = self.game.decision
        if decision is not None and decision.player == agent and not any(self.truncations.values()):
            mask[self._actions.legal(self.game)] = 1
        return {"observation": np.array(self._observer.row(self.game, agent), np.int32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Does what the agent whose turn it is has chosen. Raises `IllegalChoice` for what its mask does not have."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalChoice(f"it is the turn of {agent}, who has not ended: an action is needed")
        self._cumulative_rewards[agent] = 0.0
        self.game.choose(self._actions.option(self.game, action))
        self._clear_rewards()
        self._stop()
        self._accumulate_rewards()

    def render(self) -> str:
        """Who must choose, or how it ended."""
        return repr(self.game.decision or self.game.outcome)

    def close(self) -> None:
        """There is nothing to put away."""
