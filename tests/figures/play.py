"""Random games, the same for the same seed: who plays, and under which rulings."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.engine.failure import StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.players.random_player import RandomPlayer


@dataclass(frozen=True, slots=True)
class Table:
    """A game about to begin: its seed, and the choices of its rulings and options."""

    seed: int
    options: tuple[tuple[str, int], ...] = ()

    def start(self, machine: Machine, *, telling: bool = False) -> Game:
        """Where the mode is not for so many players, as many play as it takes."""
        options = dict(self.options)
        try:
            return Game.start(machine, seed=self.seed, options=options, telling=telling)
        except StartError:
            options.pop("players", None)
            return Game.start(machine, seed=self.seed, options=options, telling=telling)

    def player(self) -> RandomPlayer:
        """A player whose chance is not the game's."""
        return RandomPlayer(self.seed * 2 + 1)


def table(machine: Machine, seed: int, mode: str = "") -> Table:
    """Games of even seeds go by the rulings that hold unless others are chosen, those of odd seeds by any; all of
    them in one mode, if it is named.
    """
    fixed = {
        each.name: each.choices.index(mode)
        for each in machine.program.options
        if mode and each.name == "mode"
    }
    if seed % 2 == 0:
        return Table(seed, tuple(fixed.items()))
    dice = RandomPlayer(-seed)
    chosen = []
    for option in machine.program.options:
        low, high = option.range if option.range is not None else (0, len(option.choices) - 1)
        number = low + dice.index(high - low + 1)
        chosen.append((option.name, fixed.get(option.name, number)))
    return Table(seed, tuple(chosen))


def played(machine: Machine, seed: int) -> Game:
    """A whole random game."""
    at = table(machine, seed)
    game, player = at.start(machine), at.player()
    while count := game.count:
        game.choose(player.index(count))
    return game
