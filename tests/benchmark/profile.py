"""Where random play spends its steps: for each game the heads that take most of them, alone and with all they ask.

Both engines count the same steps, and equal games give equal figures; the time that a step takes differs.
"""

from __future__ import annotations

from dsl.simulation.profiling import Entry, Profiled, ProfilingEngine
from tests.benchmark.speed import library

GAMES = 4
MOST = 4
"""Heads that are named."""


def show(games: int, only: str | None) -> int:
    """Prints a row for each game, each mode for itself, or for one."""
    print("| game | random games | decisions | steps per decision | of all steps (with what it asks for) |")
    print("|---|---|---|---|---|")
    for each in library(only):
        options: dict[str, str | int] = {"mode": each.mode} if each.mode else {}
        playing = ProfilingEngine(each.machine().given, options)
        tally = playing.play(0, games)
        found = Profiled(playing.machine.program, playing.machine.profile, lambda _: "")
        heads = ", ".join(_told(head, found.steps) for head in found.heads[:MOST])
        steps = found.steps / max(1, tally.decisions)
        print(f"| {each.name} | {tally.played} | {tally.decisions:,} | {steps:,.0f} | {heads} |", flush=True)
    return 0


def _told(head: Entry, steps: int) -> str:
    own, whole = (cost.steps / steps for cost in (head.own, head.total))
    return f"`{head.name}` {own:.0%} ({whole:.0%})"
