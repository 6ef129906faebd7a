"""Random games that count which clauses take effect.

A clause takes effect if it stood and changed a value, refused an option or ran; a row if it was read with effect;
a field if it was written. Every second game is played with options at random, the others as the rules come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsl.engine.failure import RuleFailure, StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.players.random_player import RandomPlayer


@dataclass(frozen=True, slots=True)
class Exercised:
    """How often each clause took effect in some games; `failures` are those that a rule ended."""

    games: int
    hits: dict[int, int]
    failures: tuple[str, ...] = ()

    def ids(self, program: Program) -> frozenset[str]:
        """The ids of the clauses that took effect."""
        return frozenset(each for clause in self.hits for each in program.clauses[clause].ids)


def exercised(
    machine: Machine, games: int, seed: int = 0, on_progress: Callable[[int, int], None] | None = None
) -> Exercised:
    """Plays random games, with seeds from `seed` on; `on_progress` is told how many are played, and of how many."""
    hits: dict[int, int] = {}
    failures = []
    choices: dict[int, set[int]] = {}
    for number in range(seed, seed + games):
        if on_progress is not None:
            on_progress(number - seed + 1, games)
        player = RandomPlayer(number)
        options = _options(machine.program, player) if number % 2 else {}
        for index, option in enumerate(machine.program.options):
            choices.setdefault(index, set()).add(options.get(option.name, option.default))
        try:
            found = _played(machine, number, options, player)
        except RuleFailure as failure:
            at = f" ({failure.place.file}:{failure.place.line})" if failure.place else ""
            failures.append(f"seed {number}: {failure.code}: {failure.message}{at}")
            continue
        for clause, count in found.items():
            hits[clause] = hits.get(clause, 0) + count
    for index, option in enumerate(machine.program.options):
        if option.clause is not None and len(choices.get(index, ())) > 1:
            hits[option.clause] = hits.get(option.clause, 0) + 1
    return Exercised(games, hits, tuple(failures))


def _played(machine: Machine, seed: int, options: dict[str, int], player: RandomPlayer) -> dict[int, int]:
    game = _started(machine, seed, options)
    while game.count:
        game.choose(player.index(game.count))
    return game.hits


def _started(machine: Machine, seed: int, options: dict[str, int]) -> Game:
    """A game with these options; where their mode is not for so many players, with as many as it takes."""
    try:
        return Game.start(machine, seed=seed, options=options, covering=True)
    except StartError:
        rest = {name: choice for name, choice in options.items() if name != "players"}
        return Game.start(machine, seed=seed, options=rest, covering=True)


def _options(program: Program, player: RandomPlayer) -> dict[str, int]:
    """A choice for each option, by chance."""
    found = {}
    for option in program.options:
        low, high = option.range if option.range is not None else (0, len(option.choices) - 1)
        found[option.name] = low + player.index(high - low + 1)
    return found
