"""OpenSpiel (Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019): its random rollouts
in C++, and its games move by move.

The rollouts are those of its evaluator for tree search, `RandomRolloutEvaluator`. A search of one simulation evaluates
the position it is given and nothing else, so that one call from Python plays as many games as the evaluator is to play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.examples import CLASSICS, FOLDER

NAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "hex": "hex",
    "reversi": "othello",
}
"""The classics, and what they are called there; their rules are the same."""


@dataclass(frozen=True, slots=True)
class Other:
    """A game of ours that OpenSpiel has, perhaps with rules that differ a little."""

    path: Path
    theirs: str
    """What it is called there."""
    aim: float
    """So many times the decisions a second of OpenSpiel are aimed at; 0: none is named."""
    differs: str
    """Which rules differ; empty: none."""
    python: bool = True
    """Is it played in Python too? Not where one game takes many seconds there."""


GAMES = Path(__file__).resolve().parent / "games"
"""Games that are here to be measured, and no examples."""
CHESS = "OpenSpiel ends a game in which neither has the men to mate; here it goes on, for 300 moves of each at most"
OTHERS = {
    "chess": Other(FOLDER / "chess", "chess", 2.0, CHESS),
    "chess_by_rays": Other(GAMES / "chess_by_rays.scn", "chess", 2.0, CHESS),
    "chess_of_pieces": Other(GAMES / "chess_of_pieces.scn", "chess", 2.0, CHESS, python=False),
    "draughts": Other(
        FOLDER / "draughts",
        "checkers",
        5.0,
        "OpenSpiel's is a draw after forty moves without a capture, and has no rule for repetition; here it is a draw "
        "after forty moves of each without a capture or a man's step, or when a position stands for the third time",
    ),
    "go_9x9": Other(
        FOLDER / "go" / "nine.scn",
        "go(board_size=9)",
        3.0,
        "OpenSpiel's is played with a komi of 7.5, and counts the area after 162 moves too; here there is no komi, a "
        "game that two passes have not ended by then is a draw, and no position may stand twice with the same player "
        "to move",
    ),
    "nine_mens_morris": Other(FOLDER / "nine_mens_morris", "nine_mens_morris", 0.0, ""),
}


def path_of(name: str) -> Path:
    """Where a game that is played beside OpenSpiel's stands."""
    return OTHERS[name].path if name in OTHERS else CLASSICS / name


def called(name: str) -> str:
    """What a game is called in OpenSpiel."""
    return OTHERS[name].theirs if name in OTHERS else NAMES[name]


def rollouts(name: str, games: int, seed: int = 7) -> Callable[[], int]:
    """A function that plays so many games in C++, and yields how many."""
    import pyspiel

    game = pyspiel.load_game(called(name))
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
    state: Any = pyspiel.load_game(called(name)).new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        moves += len(legal) > 1
        state.apply_action(chance.choice(legal))
    first, second = state.returns()
    return (first > 0) | (second > 0) << 1, moves


def mean_choices(name: str, games: int) -> float:
    """How often there is a choice in a random game, on average."""
    return sum(played(name, seed)[1] for seed in range(games)) / games
