"""The games that come along and the examples with their tests, each compiled once in a process."""

from __future__ import annotations

from functools import cache

from dsl.compiler import compile_game
from dsl.diagnostics.render import render_all
from dsl.ir.program import Program


@cache
def shipped(what: str) -> Program:
    """The program of a name or a folder."""
    made = compile_game(what, tests=True)
    if made.program is None:
        raise SystemExit(render_all(made.diagnostics, color=False))
    return made.program
