"""Random games that are looked at wherever they stop: are the promises kept there?

A game's seed is that of `scenarii play --auto`. Games of odd seeds are played with options by chance, the others as the
rules come. The reference engine plays first, as most games are short. What is left behind `SHORT` stops is played by
compiled code, and by the reference once more where that sees a breach: it tells what was broken, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, Literal

from dsl.engine.failure import RuleFailure, StartError, Unplayable
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.promises import NONE_YET, Broken, Watch
from dsl.ir.program import Program
from dsl.players.random_player import RandomPlayer
from dsl.testing.promises import options_of, unkept, without_tests
from dsl.wasm.available import need_wasmtime

if TYPE_CHECKING:
    from dsl.wasm.module import Module

Progress = Callable[[int, int], None]
SHORT = 500
"""Stops that the reference looks at before a module is made, which takes it some seconds for a large game."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A game that broke a promise: the first line that did not hold, at the first stop where one did not.

    `decision` is the number of the decision that is to be made there, or would be if the game had not ended; `why` is
    told of the line. Without a line a rule failed, and `why` says which.
    """

    seed: int
    options: dict[str, str]
    decision: int
    broken: Broken | None
    why: str


@dataclass(slots=True)
class Watched:
    """What random games came to; of each no more than its first breach."""

    games: int = 0
    stops: int = 0
    breaches: list[Breach] = field(default_factory=list)


def watched(
    machine: Machine,
    games: int,
    seed: int = 0,
    *,
    but: Set[int] = NONE_YET,
    compiled: bool = True,
    on_progress: Progress | None = None,
) -> Watched:
    """Plays random games with seeds from `seed` on, and looks at all lines of promises but some.

    With `compiled`, long ones are played by compiled code, where this machine and the program allow it; what is
    found is the same.
    """
    found, watch = Watched(), Watch(machine)
    module: Module | None = None
    for number in range(seed, seed + games):
        if on_progress is not None:
            on_progress(number - seed + 1, games)
        found.games += 1
        if module is None:
            before, left = found.stops, SHORT - found.stops if compiled else None
            breach = _played(machine, number, watch, but, found, left)
            if breach is not LONG:
                found.breaches += [breach] if isinstance(breach, Breach) else []
                continue
            found.stops = before
            module = _module(machine)
            compiled = module is not None
        stops = None if module is None else _unbroken(module, machine, number)
        if stops is not None:
            found.stops += stops
            continue
        breach = _played(machine, number, watch, but, found)
        found.breaches += [breach] if isinstance(breach, Breach) else []
    return found


class _Long(Enum):
    LONG = auto()


LONG: Final = _Long.LONG
"""A game that went on behind the stops that were left."""


def _played(
    machine: Machine, seed: int, watch: Watch, but: Set[int], found: Watched, left: int | None = None
) -> Breach | Literal[_Long.LONG] | None:
    """The game of a seed on the reference: what it broke, if anything; at most `left` stops are looked at."""
    player, options, made = RandomPlayer(seed), dict[str, str](), 0
    try:
        game, options = started(machine, seed)
        while left is None or made < left:
            found.stops += 1
            for broken in watch.broken(game.state, but):
                return Breach(seed, options, made + 1, broken, unkept(game, broken))
            if not game.count:
                return None
            game.choose(player.index(game.count))
            made += 1
    except RuleFailure as failure:
        return Breach(seed, options, made + 1, None, f"a rule fails: {failure.code}: {failure.message}")
    return LONG


def _module(machine: Machine) -> Module | None:
    """A module that looks at all promises, and has nothing of the tests, which are more than the rules; none where
    there can be none.
    """
    try:
        need_wasmtime()
        from dsl.wasm.module import Module

        return Module.of(Machine(without_tests(machine.program), steps=machine.budget), watched=True)
    except Unplayable:
        return None


def _unbroken(module: Module, machine: Machine, seed: int) -> int | None:
    """How many stops the game of a seed has; none where there is anything to tell of it, or no room to play it."""
    chosen = drawn(machine.program, seed)
    try:
        try:
            told = module.playouts(1, seed=seed, options=chosen)
        except StartError:
            chosen.pop("players", None)
            told = module.playouts(1, seed=seed, options=chosen)
    except (StartError, Unplayable):
        return None
    return None if told.failures or told.breaches or told.unfinished else told.stops


def started(machine: Machine, seed: int) -> tuple[Game, dict[str, str]]:
    """The game of a seed at its beginning, and the options that are not as they come; where their mode is not for so
    many players, it is played with as many as it takes.
    """
    program, chosen = machine.program, drawn(machine.program, seed)
    try:
        return Game.start(machine, seed=seed, options=chosen), options_of(program, chosen)
    except StartError:
        chosen.pop("players", None)
        return Game.start(machine, seed=seed, options=chosen), options_of(program, chosen)


def drawn(program: Program, seed: int) -> dict[str, int]:
    """A choice for each option by chance, for games of odd seeds; none for those of even ones."""
    player, found = RandomPlayer(-seed), dict[str, int]()
    for option in program.options if seed % 2 else ():
        low, high = option.range if option.range is not None else (0, len(option.choices) - 1)
        found[option.name] = low + player.index(high - low + 1)
    return found
