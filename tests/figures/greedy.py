"""A player of The Green Conquest with a purpose: it looks one choice ahead, so that games are won and lost."""

from __future__ import annotations

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.players.random_player import RandomPlayer
from tests.figures.green_conquest import Field, camp_of
from tests.figures.stops import Stop
from tests.figures.watch import deeds

LOST, HEART, NEAR, IDLE = 60, 12, 1, 40
"""What a vehicle, a heart, a step towards an opponent and a vehicle in its camp are worth."""


class Greedy:
    """Takes the option after which the clan that chooses stands best; among equals, any."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.field = Field(machine)
        self.dice = RandomPlayer(seed)

    def index(self, game: Game) -> int:
        """The number of the option that it takes."""
        state = game.state
        side = self.field.sides[self.field.reader.value(state, "active")]
        worth = []
        for number in range(game.count):
            game.choose(number)
            worth.append(self.worth(game.state, side))
            game.undo()
        best = [number for number, each in enumerate(worth) if each == max(worth)]
        return best[self.dice.index(len(best))]

    def worth(self, state: tuple[int, ...], side: str) -> int:
        """How a clan stands: its hearts and vehicles, less those of its opponents, and how near it is to them."""
        field, hearts = self.field, self.field.reader.numbers(state, "hearts")
        gone = field.flags(state, "destroyed")
        total = 0
        prey = []
        for v in field.fleet(state):
            cell = field.where(state, v)
            foe = field.hostile(state, side, field.side(state, v))
            value = -LOST if gone[v] else HEART * hearts[v]
            total += -value if foe else value
            if foe and cell is not None and camp_of(cell) is None:
                prey.append(cell)
        for v in field.fleet(state):
            cell = field.where(state, v)
            if cell is None or field.side(state, v) != side:
                continue
            if camp_of(cell) is not None:
                total -= IDLE
            aims = prey or [(7, 7)]
            total -= NEAR * min(abs(cell[0] - x) + abs(cell[1] - y) for x, y in aims)
        return total


def played(machine: Machine, seed: int, mode: str) -> tuple[Game, list[str]]:
    """A whole game among greedy players, with clans as they are printed; and what did not hold in it."""
    options: dict[str, str | int] = {
        "mode": mode,
        "clan_building": "preset",
        "placement": "default",
        "no_progress_limit": 60,
    }
    game, player, watch = (
        Game.start(machine, seed=seed, options=options, telling=True),
        Greedy(machine, seed),
        Field(machine),
    )
    faults = list(watch.at(Stop(game, game.state, deeds=deeds(game))))
    while game.count:
        game.choose(player.index(game))
        faults += watch.at(Stop(game, game.state, deeds=deeds(game)))
    return game, faults
