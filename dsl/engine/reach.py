"""`reachable`: can a goal be made true by few choices of one ask, without chance and without others'
choices?
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl.engine import layout
from dsl.engine.failure import ChanceMet, RuleFailure
from dsl.engine.runtime import Run
from dsl.ir.program import FRAME_HEAD, TOP

if TYPE_CHECKING:
    from dsl.engine.machine import Choice

SLOTS = 10
"""Slots of a state whose copy takes one step more."""

Goal = Callable[[list[int]], object]


def reach(
    state: list[int], run: Run, routine: int, args: tuple[layout.Plain, ...], goal: Goal, *, limit: int
) -> bool:
    """Searches breadth first on copies that run the routine alone; the goal counts at each stop, the first
    one too.

    The first decision that the routine comes to is the one ask whose options count, and its player the only
    one who chooses. A branch that meets chance, another decision, or a rule that fails leads nowhere.
    """
    scratch = Run(run.machine, certain=True)
    scratch.steps = run.steps
    start = alone(scratch, state, routine, args)
    try:
        found = _search(scratch, start, goal, limit)
    finally:
        run.steps = scratch.steps
    return found


def alone(run: Run, state: list[int], routine: int, args: tuple[layout.Plain, ...]) -> list[int]:
    """A copy of the state in which one routine is about to run and nothing else."""
    program = run.machine.program
    declared = program.routines[routine]
    base = program.frames
    copy = state[:base] + [0] * (program.size - base)
    copy[TOP], copy[base], copy[base + 2] = base, routine, -1
    for offset, kind, value in zip(declared.offsets, declared.locals, args, strict=False):
        layout.write(program, copy, base + FRAME_HEAD + offset, kind, value)
    return copy


def _search(run: Run, start: list[int], goal: Goal, limit: int) -> bool:
    options = _stop(run, start)
    if options is None:
        return False
    if goal(start):
        return True
    if not options:
        return False
    ask = _ask(run, start)
    waiting, known = [(start, options)], {tuple(start)}
    for _ in range(limit):
        following = []
        for state, choices in waiting:
            for choice in choices:
                run.steps += 1 + len(state) // SLOTS
                copy = _chosen(run, state, choice)
                further = _stop(run, copy)
                if further is None or tuple(copy) in known:
                    continue
                if goal(copy):
                    return True
                known.add(tuple(copy))
                if further and _ask(run, copy) == ask:
                    following.append((copy, further))
        waiting = following
    return False


def _stop(run: Run, state: list[int]) -> list[Choice] | None:
    """Runs to the next stop: its options, empty where nothing more is asked; none where the branch leads
    nowhere.
    """
    try:
        return run.machine.run(run.machine.plain, state, run) or []
    except ChanceMet:
        return None
    except RuleFailure as failure:
        if failure.code == "E0608":
            raise
        return None


def _ask(run: Run, state: list[int]) -> tuple[int, int, int]:
    """Which decision the state stands at, and whose it is."""
    frame = state[TOP]
    routine, block = state[frame], state[frame + 1]
    return routine, block, run.machine.plain.deciders[routine, block].player(state, run, frame)


def _chosen(run: Run, state: list[int], choice: Choice) -> list[int]:
    copy = list(state)
    frame = copy[TOP]
    decider = run.machine.plain.deciders[copy[frame], copy[frame + 1]]
    copy[frame + 1] = run.machine.bind(decider, copy, frame, choice)
    return copy
