"""When a game ends, and for whom."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.engine.bits import bits
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

    Those who win in one instant win together if they are of one team, and so does all of the team, out or not;
    else they oppose each other, and the game is a draw. A defeat puts a player out; those who are left win when
    they are one, or of one team, and where nobody is left nobody does.
    """
    program = run.machine.program
    held = {index: found for index in chosen if (found := _holds(state, run, index))}
    winners, reason = _of_kind(program, held, "victory")
    out, last = _of_kind(program, held, "defeat")
    state[OUT] |= out
    draws, even = _of_kind(program, held, "draw")
    if winners:
        finish(state, _together(state, run, reason, winners), reason)
    elif out and (over := _survivors(state, run, last)) is not None:
        finish(state, over, last)
    elif draws:
        finish(state, 0, even)


def _together(state: list[int], run: Run, ending: int, winners: int) -> int:
    """All who win where these do, a bit for each: their team, or 0 where they are not of one."""
    team = run.machine.program.endings[ending].team
    if team is None:
        return winners if winners.bit_count() == 1 else 0
    function = run.machine.function(("team", ending), (team,), (0,))
    all_of_them = winners
    for player in bits(winners):
        (allies,) = function(state, run, 0, player)
        if winners & ~(allies | 1 << player):
            return 0
        all_of_them |= allies
    return all_of_them


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


def _survivors(state: list[int], run: Run, ending: int) -> int | None:
    """Who wins by being left, a bit for each (0: nobody is left); none while the game goes on."""
    count = len(run.machine.program.domains[run.machine.program.players].members)
    left = ((1 << count) - 1) & ~state[OUT]
    if not left:
        return 0
    return (_together(state, run, ending, left) or None) if count > 1 else None
