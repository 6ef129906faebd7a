"""When a game ends, and for whom."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.engine.runtime import Run
from dsl.ir.program import OUT, REASON, STATUS, WINNERS, Ending, Program

BOUND = -2
"""The reason of a game that its bound ended, and that no ending says anything about."""


def test_endings(state: list[int], run: Run, at_once: bool) -> None:
    """Tests the endings on one state: all conditions are read before any of them has an effect."""
    if not state[STATUS]:
        chosen = run.machine.endings_at_once if at_once else run.machine.endings
        settle(state, run, chosen)


def end_at_bound(state: list[int], run: Run) -> None:
    """Ends a game whose bound is reached: what is declared for that case holds, or nobody wins."""
    settle(state, run, run.machine.endings_otherwise)
    if not state[STATUS]:
        finish(state, 0, BOUND)


def settle(state: list[int], run: Run, chosen: Iterable[int]) -> None:
    """Victories first, then defeats, then draws.

    One winner of an instant wins. Several winners of one instant oppose each other, and the game is a draw. A
    defeat puts a player out; the last who is left of several wins, and where nobody is left nobody does.
    """
    program = run.machine.program
    held = {index: found for index in chosen if (found := _holds(state, run, index))}
    winners, reason = _of_kind(program, held, "victory")
    out, last = _of_kind(program, held, "defeat")
    state[OUT] |= out
    draws, even = _of_kind(program, held, "draw")
    if winners:
        finish(state, winners if winners.bit_count() == 1 else 0, reason)
    elif out and (over := _survivors(program, state)) is not None:
        finish(state, over, last)
    elif draws:
        finish(state, 0, even)


def finish(state: list[int], winners: int, reason: int) -> None:
    """Ends the game."""
    state[STATUS], state[WINNERS], state[REASON] = 1, winners, reason


def _holds(state: list[int], run: Run, index: int) -> int:
    """The players for whom an ending holds, a bit for each; all of them for a draw."""
    program, condition = run.machine.program, run.machine.plain.endings[index]
    ending = program.endings[index]
    if ending.kind == "draw":
        return int(bool(condition(state, run, 0)))
    found = 0
    for player in _asked(program, state, ending):
        if condition(state, run, player):
            found |= 1 << player
    return found


def _asked(program: Program, state: list[int], ending: Ending) -> list[int]:
    everyone = range(len(program.domains[program.players].members))
    named = everyone if ending.who is None else [ending.who]
    return [player for player in named if not state[OUT] >> player & 1]


def _of_kind(program: Program, held: dict[int, int], kind: str) -> tuple[int, int]:
    """The players of all endings of a kind that hold, and the first of these endings."""
    players, first = 0, -1
    for index, found in held.items():
        if program.endings[index].kind == kind:
            players |= found
            first = index if first < 0 else first
    return players, first


def _survivors(program: Program, state: list[int]) -> int | None:
    """Who wins by being left, as a bit (0: nobody is left); none while the game goes on."""
    count = len(program.domains[program.players].members)
    left = [player for player in range(count) if not state[OUT] >> player & 1]
    if not left:
        return 0
    return 1 << left[0] if count > 1 and len(left) == 1 else None
