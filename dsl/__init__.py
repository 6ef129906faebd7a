"""Scenarii: a language for the rules, content and scenarios of board games, its compiler, and an
engine that plays whatever was compiled.

    program = dsl.load("my_game")                   # a game by name, a path, or a compiled file
    game = program.start(seed=7)
    while (decision := game.decision) is not None:
        game.choose(decision.options[0])
    game.outcome
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dsl.engine.failure import IllegalChoice, RuleFailure, StartError
    from dsl.engine.game import Game
    from dsl.library import LoadError, load
    from dsl.playable import Playable

__all__ = ["Game", "IllegalChoice", "LoadError", "Playable", "RuleFailure", "StartError", "load"]

_HOMES = {
    "Game": "dsl.engine.game",
    "IllegalChoice": "dsl.engine.failure",
    "LoadError": "dsl.library",
    "Playable": "dsl.playable",
    "RuleFailure": "dsl.engine.failure",
    "StartError": "dsl.engine.failure",
    "load": "dsl.library",
}
"""Where each name of the public interface lives; it is imported when it is first asked for."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dsl' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
