"""A game as one of OpenSpiel's Python games.

    game = SpielGame(dsl.load("examples/chess", engine="wasm"))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    state.returns()

In a game with dice or shuffles the first node is one of chance, which draws the seed: OpenSpiel calls that sampled
stochastic. All later chance follows from the seed, so that a search that clones a state sees the dice to come; to learn
from whole games it does no harm.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from dsl.adapters.acting import Actions, rewards
from dsl.adapters.observing import Observer
from dsl.api.game import Game
from dsl.api.program import Program

SEEDS = 2**31
"""From how many a seed is drawn."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A program; `options` and `by_place` are as for `dsl.adapters.pettingzoo.GameEnv`."""

    def __init__(
        self,
        program: Program,
        params: Mapping[str, Any] | None = None,
        *,
        options: Mapping[str, str | int] | None = None,
        by_place: bool | None = None,
        seed: int | None = None,
    ) -> None:
        self.program, self.options, self.by_chance = program, options, program.has_chance
        self.actions, self.observer = Actions(program, by_place=by_place), Observer(program)
        self.random = random.Random(seed)
        secret = any(each.is_secret for each in program.fields.values())
        modes = pyspiel.GameType
        kind = pyspiel.GameType(
            short_name=f"scenarii_{program.name}",
            long_name=program.name,
            dynamics=modes.Dynamics.SEQUENTIAL,
            chance_mode=modes.ChanceMode.SAMPLED_STOCHASTIC
            if self.by_chance
            else modes.ChanceMode.DETERMINISTIC,
            information=modes.Information.IMPERFECT_INFORMATION
            if secret
            else modes.Information.PERFECT_INFORMATION,
            utility=modes.Utility.GENERAL_SUM,
            reward_model=modes.RewardModel.TERMINAL,
            max_num_players=len(program.players),
            min_num_players=len(program.players),
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.count,
            max_chance_outcomes=1 if self.by_chance else 0,
            num_players=len(program.players),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=program.most_decisions,
        )
        super().__init__(kind, info, dict(params or {}))

    def new_initial_state(self) -> SpielState:
        """A state at the first decision, or at the node of chance before it."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _SpielObserver:
        """What OpenSpiel's Python algorithms look at states with."""
        return _SpielObserver(self)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game of a program."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._spiel = game
        self._game: Game | None = None if game.by_chance else self._started(0)

    def _started(self, seed: int) -> Game:
        return self._spiel.program.start(seed=seed, options=self._spiel.options, telling=False)

    @property
    def game(self) -> Game:
        """The game under way. Raises ValueError before chance has begun it."""
        if self._game is None:
            raise ValueError("the game has not begun")
        return self._game

    def current_player(self) -> int:
        if self._game is None:
            return int(pyspiel.PlayerId.CHANCE)
        decision = self._game.decision
        if decision is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._spiel.program.players.index(decision.player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The one outcome of chance, behind which a seed is drawn."""
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return self._spiel.actions.legal(self.game) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        if self._game is None:
            self._game = self._started(self._spiel.random.randrange(SEEDS))
            return
        self._game.choose(self._spiel.actions.option(self._game, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "a seed"
        option = self._spiel.actions.option(self.game, action)
        return str(option)

    def is_terminal(self) -> bool:
        return self._game is not None and self._game.is_over

    def returns(self) -> list[float]:
        """1 for each winner at the end and -1 for the others; 0 for a draw, and while the game goes on."""
        if self._game is None:
            return [0.0] * len(self._spiel.program.players)
        found = rewards(self._game)
        return [found[each] for each in self._spiel.program.players]

    def __deepcopy__(self, memo: Any) -> SpielState:
        copy = SpielState.__new__(SpielState)
        pyspiel.State.__init__(copy, self._spiel)
        copy._spiel = self._spiel
        copy._game = None if self._game is None else self._game.clone()
        return copy

    def clone(self) -> SpielState:
        """The same state, to go on with apart."""
        return self.__deepcopy__({})

    def __str__(self) -> str:
        return "chance" if self._game is None else repr(self._game)


class _SpielObserver:
    """Makes tensors of what players see."""

    def __init__(self, game: SpielGame) -> None:
        self._spiel = game
        self.tensor = np.zeros(game.observer.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Puts what a player sees into the tensor."""
        name = self._spiel.program.players[player]
        self.tensor[:] = self._spiel.observer.row(state.game, name)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as text."""
        name = self._spiel.program.players[player]
        return " ".join(map(str, self._spiel.observer.row(state.game, name)))
