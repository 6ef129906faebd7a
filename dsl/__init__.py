"""Scenarii: a language for the rules, content and scenarios of board games, its compiler, and an
engine that plays whatever was compiled.

    import dsl

    program = dsl.load("my_game.scn")                 # a game by name, a path, or a compiled file
    game = program.start(seed=7)
    while (decision := game.decision) is not None:
        game.choose(decision.options[0])
    game.outcome
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dsl.api.game import (
        HIDDEN,
        Decision,
        Game,
        Option,
        Outcome,
        SaveError,
        View,
        WhyNot,
    )
    from dsl.api.program import Compilation, Field, Program, Setting, compile, games, load
    from dsl.api.search import Playouts, perft, perft_divide, playout
    from dsl.api.thinking import Advice, Weighed, think
    from dsl.diagnostics import Diagnostic
    from dsl.engine.failure import IllegalChoice, RuleFailure, StartError, Unplayable
    from dsl.library import LoadError

__all__ = [
    "HIDDEN",
    "Advice",
    "Compilation",
    "Decision",
    "Diagnostic",
    "Field",
    "Game",
    "IllegalChoice",
    "LoadError",
    "Option",
    "Outcome",
    "Playouts",
    "Program",
    "RuleFailure",
    "SaveError",
    "Setting",
    "StartError",
    "Unplayable",
    "View",
    "Weighed",
    "WhyNot",
    "compile",
    "games",
    "load",
    "perft",
    "perft_divide",
    "playout",
    "think",
]

_HOMES = {
    **dict.fromkeys(
        ("HIDDEN", "Decision", "Game", "Option", "Outcome", "SaveError", "View", "WhyNot"), "dsl.api.game"
    ),
    **dict.fromkeys(
        ("Compilation", "Field", "Program", "Setting", "compile", "games", "load"), "dsl.api.program"
    ),
    **dict.fromkeys(("Playouts", "perft", "perft_divide", "playout"), "dsl.api.search"),
    **dict.fromkeys(("Advice", "Weighed", "think"), "dsl.api.thinking"),
    **dict.fromkeys(("IllegalChoice", "RuleFailure", "StartError", "Unplayable"), "dsl.engine.failure"),
    "Diagnostic": "dsl.diagnostics",
    "LoadError": "dsl.library",
}
"""Where each name of the public interface lives; it is imported when it is first asked for."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dsl' has no attribute '{name}'")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
