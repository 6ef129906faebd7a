"""How many rules of each rulebook random play exercises, in all modes: `python -m tests.figures exercised`."""

from __future__ import annotations

import time

from dsl.compiler import compile_game
from dsl.diagnostics.render import render_all
from dsl.engine.machine import Machine
from dsl.resources import games as library
from dsl.testing.exercise import exercised
from dsl.testing.mutate import MutationReport
from dsl.testing.rules import RulesReport, report


def reported(name: str, games: int) -> RulesReport:
    """The report of `scenarii rules` without what tests notice, which takes most of its time."""
    made = compile_game(name, tests=True)
    if made.program is None:
        raise SystemExit(render_all(made.diagnostics, color=False))
    return report(made.program, MutationReport((), (), ()), exercised(Machine(made.program), games))


def show(games: int, game: str = "") -> int:
    """Prints a line for each game of the library with a rulebook; 1 if a game failed."""
    print("| game | random games | rules that apply | exercised | share | not exercised | s |")
    print("|---|---|---|---|---|---|---|")
    failed = False
    for name in library():
        if game not in {"", name}:
            continue
        begun = time.perf_counter()
        found = reported(name, games)
        apply = [each for each in found.rules if each.applicable]
        if not apply:
            continue
        idle = [each.id for each in apply if not each.exercised]
        count = len(apply) - len(idle)
        print(
            f"| {name} | {games} | {len(apply)} | {count} | {100 * count / len(apply):.1f} % "
            f"| {', '.join(idle) or '-'} | {time.perf_counter() - begun:.0f} |",
            flush=True,
        )
        for failure in found.play.failures:
            print(f"  {failure}")
        failed = failed or bool(found.play.failures)
    return int(failed)
