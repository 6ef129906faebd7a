"""How many random decisions a second the engine takes: `python -m tests.engine.bench`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from tests.engine import games
from tests.engine.skirmish import skirmish
from tests.ir import builders

GAMES: dict[str, Callable[[], Program]] = {
    "tic-tac-toe": games.tic_tac_toe,
    "heap": builders.small,
    "skirmish": skirmish,
}


def measured(program: Program, seconds: float, *, telling: bool = False) -> tuple[float, int]:
    """Decisions a second over whole random games, and how many games there were."""
    machine = Machine(program)
    Game.start(machine, telling=telling)
    dice, taken, played = random.Random(1), 0, 0
    begin = time.perf_counter()
    while (now := time.perf_counter()) - begin < seconds:
        game = Game.start(machine, seed=played, telling=telling)
        while count := game.count:
            game.choose(int(dice.random() * count))
            taken += 1
        played += 1
    return taken / (now - begin), played


def main() -> None:
    for name, build in GAMES.items():
        for telling in (False, True):
            begin = time.perf_counter()
            Machine(build()).plain  # noqa: B018
            compiled = time.perf_counter() - begin
            rate, played = measured(build(), 3.0, telling=telling)
            kind = "telling" if telling else "plain"
            print(
                f"{name:12} {kind:8} {rate:10.0f} decisions/s  {played} games, compiled in {compiled:.3f} s"
            )


if __name__ == "__main__":
    main()
