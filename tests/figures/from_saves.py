"""Positions of random games as tests: `python -m tests.figures from_saves`.

Of each game of the library some positions are taken, each from a game of its own, and written as `save-to-test` does:
every test is compiled with its game, run, and leads to the position. It is counted how many gave the state,
how many play from the beginning, and how many could not be made; and whether each is as `scenarii format` lays it out.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

from dsl.cli.save_to_test import _compiler
from dsl.format.layout import formatted
from dsl.resources import games
from dsl.source import Source
from dsl.testing.from_save import Untestable, Written, test_of
from tests.figures.play import table
from tests.figures.targets import Target

FARTHEST = 150
"""Choices before a position."""


@dataclass(slots=True)
class Made:
    """What became of the positions of a game."""

    given: int = 0
    played: int = 0
    lines: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, made: Written, where: str) -> None:
        if made.form == "given":
            self.given += 1
        else:
            self.played += 1
        self.lines += made.text.count("\n")
        if formatted(Source("test.scn", made.text)) != made.text:
            self.faults.append(f"{where}: not as it is formatted")


def written(name: str, positions: int) -> Made:
    """Positions of a game as tests."""
    machine, found = Target(name, name).machine(), Made()
    for seed in range(0, 2 * positions, 2):
        at = table(machine, seed)
        game, player = at.start(machine), at.player()
        for _ in range(random.Random(seed).randrange(FARTHEST)):
            if game.count:
                game.choose(player.index(game.count))
        where = f"{name}, seed {seed}, after {len(game.choices)} choices"
        try:
            made = test_of(machine, where, seed, dict(at.options), game.choices, _compiler(name, (), where))
        except Untestable as error:
            found.faults.append(f"{where}: {error}")
        else:
            found.add(made, where)
    return found


def show(positions: int, game: str = "") -> int:
    """Prints a line for each game; 1 if a position could not be written."""
    print(
        "| game | positions | state given | played from the beginning | not to be made | lines of a test | s |"
    )
    print("|---|---|---|---|---|---|---|")
    failed = False
    for name in [game] if game else games():
        begun = time.perf_counter()
        found = written(name, positions)
        made = found.given + found.played
        print(
            f"| {name} | {positions} | {found.given} | {found.played} | {len(found.faults)} "
            f"| {found.lines / max(made, 1):.0f} | {time.perf_counter() - begun:.0f} |",
            flush=True,
        )
        for each in found.faults:
            print(f"  {each}")
        failed = failed or bool(found.faults)
    return int(failed)
