"""Games as they come along, of the library and of the examples: compiled once in a run of the tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from dsl.diagnostics.render import render_all
from dsl.ir.program import Program
from dsl.library import Build, build
from tests.kept import kept


def shipped(what: str | Path, mods: Sequence[str | Path] = (), *, tests: bool = False) -> Program:
    """The program of a name, a file or a folder with mods."""
    made = built(what, mods, tests=tests)
    if made.program is None:
        raise SystemExit(render_all(made.diagnostics, color=False))
    return made.program


def built(what: str | Path, mods: Sequence[str | Path] = (), *, tests: bool = False) -> Build:
    """What compiling it gave."""
    return _built(str(what), tuple(str(each) for each in mods), tests)


@lru_cache(maxsize=8)
def _built(what: str, mods: tuple[str, ...], tests: bool) -> Build:
    return build(what, mods, tests=tests, cache=kept())
