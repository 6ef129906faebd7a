"""The first moves of a few random games: does a game begin at all, and does it go on?

    for stumble in rehearse(program):
        print(stumble.code, stumble.message, stumble.place, stumble.seed)

`check` does this with every game that compiles, so that what can be seen in play alone is not met by the first
player: a setup with a piece too many for its places, a row that takes a value out of its range. It is a look, and no
proof: many more games, to their ends, are played by `check --play`.

A game is begun in each of its modes, with the rulings and options that hold unless others are chosen, and once with the
fewest players: who is named in a rule may have no seat. All games of a
program share one budget of steps, counted as in play, so that what is found depends on the program alone. No constant
tables are made for so few moves: what play looks up takes more steps then. Where a rule takes too many of them, or
they do not last for `ENOUGH` decisions, all is played again as play does it, with tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from dsl.engine.failure import RuleFailure, StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.runtime import Run
from dsl.ir.program import STEPS, Place, Program
from dsl.passes.pipeline import OPTIONAL
from dsl.players.random_player import RandomPlayer

PLAYERS = "players"
"""The option that says how many play, in a game for several numbers."""
GAMES = 3
"""Games of each mode, with seeds from 0 on."""
DECISIONS = 100
"""How far a game is played."""
ENOUGH = 50
"""Decisions of all games."""
BUDGET = STEPS
"""Steps for all games of a program: as many as one decision of a small game may take in play."""
TOO_MANY_STEPS = ("E0608", "E0613")


@dataclass(frozen=True, slots=True)
class Stumble:
    """A rule that failed: the code of the failure, what it says, where the rule stands, and the game that shows it."""

    code: str
    message: str
    place: Place | None
    seed: int
    decisions: int
    """How many decisions had been taken: at 0 the game does not begin."""
    mode: str = ""
    """The mode of the game, where that is not the usual one."""
    players: int = 0
    """How many play, where that is not as many as can."""


class _Budgeted(Game):
    """A game whose stretches may take what the games before have left of a budget."""

    left: int = BUDGET
    _last: Run | None = None

    def _run(self) -> Run:
        self.settle()
        run = super()._run()
        run.steps = self.machine.budget - self.left
        self.blaming = self.left >= self.machine.budget  # running out of what is left is no fault of a rule
        self._last = run
        return run

    def settle(self) -> int:
        """What is left after the last stretch."""
        if self._last is not None:
            self.left = max(0, self.machine.budget - self._last.steps)
        return self.left


def rehearse(program: Program) -> tuple[Stumble, ...]:
    """The rules that fail in the first decisions of a few random games, each once, in the order of the games."""
    found, whole = _rehearsed(Machine(program, sparing=True, without=OPTIONAL))
    return found if whole else _rehearsed(Machine(program, sparing=True))[0]


def _rehearsed(machine: Machine) -> tuple[tuple[Stumble, ...], bool]:
    """What failed; and did the steps last, without tables, for what is to be seen?"""
    left, decisions, found = BUDGET, 0, dict[tuple[str, Place | None], Stumble]()
    for options, seed in _games(machine):
        left, taken, stumble = _play(machine, options, seed, left)
        decisions += taken
        if stumble is not None:
            found.setdefault((stumble.code, stumble.place), stumble)
        if not left:
            break
    whole = (left > 0 or decisions >= ENOUGH) and all(code not in TOO_MANY_STEPS for code, _ in found)
    return tuple(found.values()), whole


def _games(machine: Machine) -> Iterator[tuple[dict[str, str | int], int]]:
    """Which games are begun, as pairs of options and seed: the usual mode first, then with the fewest players, and each
    mode once before any a second time.
    """
    modes: list[dict[str, str | int]] = [
        {option.name: name}
        for option in machine.program.options
        if option.kind == "mode"
        for n, name in enumerate(option.choices)
        if n != option.default
    ]
    for seed in range(GAMES):
        yield {}, seed
        if not seed and (fewest := _fewest(machine)):
            yield {PLAYERS: fewest}, seed
        yield from ((mode, seed) for mode in modes)


def _fewest(machine: Machine) -> int:
    """How many players there are at least; 0 where there are always as many as can."""
    option = next((each for each in machine.program.options if each.name == PLAYERS), None)
    for count in range(1, option.range[1] if option is not None and option.range is not None else 0):
        with suppress(StartError):
            Game.fresh(machine, options={PLAYERS: count})
            return count
    return 0


def _play(
    machine: Machine, options: dict[str, str | int], seed: int, left: int
) -> tuple[int, int, Stumble | None]:
    """One game; yields the steps that are left behind it, and how many decisions were taken."""
    player, taken, game = RandomPlayer(seed), 0, None
    whole = left
    try:
        game = _Budgeted.fresh(machine, seed=seed, options=options)
        assert isinstance(game, _Budgeted)
        game.left = left
        game.begin()
        while left and game.count and taken < DECISIONS:
            left = whole = game.settle()
            game.choose(player.index(game.count))
            taken += 1
        return game.settle(), taken, None
    except RuleFailure as failure:
        if failure.code in TOO_MANY_STEPS and whole < machine.budget:
            return 0, taken, None
        left = game.settle() if isinstance(game, _Budgeted) else left
        players = int(options.get(PLAYERS, 0))
        mode = "" if players else "".join(str(each) for each in options.values())
        return left, taken, Stumble(failure.code, failure.message, failure.place, seed, taken, mode, players)
