"""How many rules of each rulebook random play exercises, in all modes: `python -m tests.figures exercised`.

Directed, the player prefers what was chosen least so far. With mods, each plays its share of the games: richer starts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from dsl.engine.machine import Machine
from dsl.ir.program import Clause, Program
from dsl.resources import games as library
from dsl.testing.exercise import Exercised, exercised
from dsl.testing.mutate import MutationReport
from dsl.testing.rules import RulesReport, report
from tests.shipped import shipped


def reported(
    name: str, games: int, directed: bool = False, mods: Sequence[str] = (), plain: int | None = None
) -> RulesReport:
    """The report of `scenarii rules` without what tests notice, which takes most of its time.

    The game as it is plays `plain` games, where that is said, and the game with each of the mods as many as the others;
    else all play as many. What took effect with a mod counts for the clauses that the game has itself.
    """
    program = compiled(name, tests=True)
    share = (games - plain) // len(mods) if mods and plain is not None else games // (1 + len(mods))
    play = exercised(Machine(program), games - share * len(mods), directed=directed)
    for mod in mods:
        modded = compiled(name, (mod,))
        found = exercised(Machine(modded), share, seed=play.games, directed=directed)
        play = together(program, play, modded, found)
    return report(program, MutationReport((), (), ()), play)


def compiled(name: str, mods: Sequence[str] = (), *, tests: bool = False) -> Program:
    """A game with mods; tests of the game need not hold with a mod, such as one with a map of its own."""
    return shipped(name, mods, tests=tests)


def together(program: Program, play: Exercised, modded: Program, found: Exercised) -> Exercised:
    """What was played of a game, and what was with a mod, by the clauses of the game."""
    numbers = {_key(each): number for number, each in enumerate(program.clauses)}
    hits = dict(play.hits)
    for clause, count in found.hits.items():
        if (number := numbers.get(_key(modded.clauses[clause]))) is not None:
            hits[number] = hits.get(number, 0) + count
    failures = (*play.failures, *found.failures)
    return replace(play, games=play.games + found.games, hits=hits, failures=failures)


def _key(clause: Clause) -> tuple[object, ...]:
    """A clause is the same in two programs where it is so named, reads so and stands at the same place."""
    return clause.kind, clause.name, clause.ids, clause.text, clause.place


def show(
    games: int, game: str = "", directed: bool = False, mods: Sequence[str] = (), plain: int | None = None
) -> int:
    """Prints a line for each game of the library with a rulebook; 1 if a game failed."""
    print("| game | random games | rules that apply | exercised | share | not exercised | s |")
    print("|---|---|---|---|---|---|---|")
    failed = False
    for name in library():
        if game not in {"", name}:
            continue
        begun = time.perf_counter()
        found = reported(name, games, directed, mods, plain)
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
