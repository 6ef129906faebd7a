"""`reachable`: can a goal be made true by few choices of one ask, without chance and without others'
choices?
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from dsl.catalogue import tr
from dsl.engine import layout
from dsl.engine.failure import ChanceMet, RuleFailure
from dsl.engine.runtime import Run
from dsl.ir.program import DECISIONS, FRAME_HEAD, TOP

if TYPE_CHECKING:
    from dsl.engine.machine import Choice

SLOTS = 10
"""Slots of a state whose copy takes one step more."""

GIVEN_UP = ("E0608", "E0613")
"""Failures that are no answer of a search: there were too many steps."""

Found = TypeVar("Found")
Goal = Callable[[list[int]], object]
Ask = tuple[int, int, int]


def reach(
    state: list[int], run: Run, routine: int, args: tuple[layout.Plain, ...], goal: Goal, *, limit: int
) -> bool:
    """Searches breadth first on copies that run the routine alone; the goal counts at each decision, the first
    one too, and at the end. What could be chosen there is asked only where the search goes on from it.

    The first decision that the routine comes to is the one ask whose options count, and its player the only
    one who chooses. A branch that meets chance, another decision, or a rule that fails leads nowhere.
    """
    scratch = Run(run.machine, certain=True)
    scratch.steps = run.steps
    start = alone(scratch, state, routine, args)

    def holds(there: list[int]) -> object:
        run.steps = scratch.steps  # the goal counts its steps where it was written
        try:
            return goal(there)
        finally:
            scratch.steps = run.steps

    try:
        found = _search(scratch, start, holds, limit)
    except RuleFailure as failure:
        if failure.code != "E0608":
            raise
        message = tr(
            "a search found nothing within the {budget} steps of a decision, and was given up",
            budget=f"{run.machine.budget:,}",
        )
        failure.code, failure.message = "E0613", message
        raise
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
    if not _arrives(run, start):
        return False
    if goal(start):
        return True
    ask: Ask | None = None
    waiting, known = [start], {tuple(start)}
    for _ in range(limit):
        following = []
        for state in waiting:
            taken = state[DECISIONS]
            choices = _choices(run, state)
            if state[DECISIONS] > taken and goal(state):
                return True
            if not choices or (ask is not None and _ask(run, state) != ask):
                continue
            ask = ask or _ask(run, state)
            for choice in choices:
                run.steps += 1 + len(state) // SLOTS
                copy = _chosen(run, state, choice)
                if not _arrives(run, copy) or tuple(copy) in known:
                    continue
                if goal(copy):
                    return True
                known.add(tuple(copy))
                following.append(copy)
        waiting = following
    return False


def _arrives(run: Run, state: list[int]) -> bool:
    """Runs to the next decision or to the end, without asking for options; false where the branch leads
    nowhere.
    """
    return _led(lambda: run.machine.to_decision(run.machine.plain, state, run)) is not None


def _choices(run: Run, state: list[int]) -> list[Choice] | None:
    """The options at a decision; where there is only one, it is taken at once, and they are those of the next."""
    return _led(lambda: run.machine.run(run.machine.plain, state, run))


def _led(going: Callable[[], Found]) -> Found | None:
    """What goes on, if neither chance nor a rule that fails stops it."""
    try:
        return going()
    except ChanceMet:
        return None
    except RuleFailure as failure:
        if failure.code in GIVEN_UP:
            raise
        return None


def _ask(run: Run, state: list[int]) -> Ask:
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
