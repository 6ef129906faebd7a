"""OpenSpiel (Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019): its random rollouts
in C++, and its games move by move.

The rollouts are those of its evaluator for tree search, `RandomRolloutEvaluator`. A search of one simulation evaluates
the position it is given and nothing else, so that one call from Python plays as many games as the evaluator is to play.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

NAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "hex": "hex",
    "reversi": "othello",
}
"""Our games, and what they are called there."""


def rollouts(name: str, games: int, seed: int = 7) -> Callable[[], int]:
    """A function that plays so many games in C++, and yields how many."""
    import pyspiel

    game = pyspiel.load_game(NAMES[name])
    evaluator = pyspiel.RandomRolloutEvaluator(games, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, seed, False)
    state = game.new_initial_state()

    def play() -> int:
        bot.mcts_search(state)
        return games

    return play


def played(name: str, seed: int) -> tuple[int, int]:
    """One random game, move by move: who won (a bit for each player), and how often there was a choice."""
    import pyspiel

    chance, moves = Random(seed), 0
    state: Any = pyspiel.load_game(NAMES[name]).new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        moves += len(legal) > 1
        state.apply_action(chance.choice(legal))
    first, second = state.returns()
    return (first > 0) | (second > 0) << 1, moves
