"""What must hold at every stop, whatever was chosen: in every game, and in those that are known by name.

The engine knows no game; what watches it may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import faults_of
from dsl.ir.program import DECISIONS, TOP
from dsl.players.random_player import RandomPlayer
from tests.figures.cristal import Campaign
from tests.figures.green_conquest import Field
from tests.figures.me_ccg import Table
from tests.figures.rows import Grid
from tests.figures.stops import Stop, Watch

KNOWN: dict[str, Callable[[Machine], Watch]] = {
    "cristal_et_acier": Campaign,
    "green_conquest": Field,
    "me_ccg": Table,
    "tic_tac_toe": Grid,
    "connect_four": Grid,
}


class General:
    """What holds in any game: each value in its range, each frame where it may stand, an end that is one."""

    def __init__(self, machine: Machine) -> None:
        self.program = machine.program
        self.taken = -1

    def at(self, stop: Stop) -> Iterator[str]:
        yield from faults_of(self.program, list(stop.state))
        if stop.state[DECISIONS] <= self.taken:
            yield "the count of decisions does not grow"
        self.taken = stop.state[DECISIONS]
        if stop.game.count == 0 and stop.game.outcome is None:
            yield "nothing can be chosen, and the game has not ended"
        if stop.game.count and stop.state[TOP] < 0:
            yield "something can be chosen, and nothing is running"


def watches(machine: Machine) -> list[Watch]:
    """Those that follow a game of a machine."""
    special = KNOWN.get(machine.program.name)
    return [General(machine), *([special(machine)] if special is not None else [])]


def watched(machine: Machine, game: Game, player: RandomPlayer) -> Iterator[str]:
    """Plays a telling game to its end; says what did not hold, and where."""
    eyes = watches(machine)
    stop = Stop(game, game.state, deeds=deeds(game))
    while True:
        for eye in eyes:
            yield from (f"after {len(game.choices)} choices: {fault}" for fault in eye.at(stop))
        if not game.count:
            return
        stop = _gone_on(game, player.index(game.count))


def _gone_on(game: Game, number: int) -> Stop:
    decision = game.decision
    assert decision is not None
    option = decision.options[number]
    action, values = option.action or "", option.values
    game.choose(number)
    return Stop(game, game.state, action, values, deeds(game))


def deeds(game: Game) -> tuple[str, ...]:
    """The phases and actions that took place since the last choice, each as often as it did."""
    clauses = game.machine.program.clauses
    found = (clauses[mark] for mark in game.marks)
    return tuple(each.name for each in found if each.kind in {"phase", "action"})
