"""`COND after ACTION(...)`: a condition judged as if something had been done, and nothing of it kept."""

from __future__ import annotations

from collections.abc import Callable

from dsl.engine.runtime import Run


def tried(state: list[int], run: Run, trial: Callable[[list[int], Run], bool]) -> bool:
    """Does a condition hold after what is tried? Both run on a copy of the state, with a run of their own that tells
    nobody anything; steps and, in covering code, the clauses that take effect count where it is asked.
    """
    scratch = Run(run.machine, certain=True, covering=run.covering)
    scratch.steps, scratch.hits = run.steps, run.hits
    try:
        return trial(list(state), scratch)
    finally:
        run.steps = scratch.steps
