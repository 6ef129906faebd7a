"""Random games on an engine: each from a seed, in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

from dsl.engine.failure import RuleFailure, Unplayable
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.promises import Watch
from dsl.ir.program import DECISIONS, REASON, WINNERS, Program
from dsl.players.random_player import RandomPlayer
from dsl.simulation.tally import Breach, Played, Row, Tally
from dsl.wasm.available import need_wasmtime

Options = Mapping[str, str | int]


class Engine(Protocol):
    """What plays random games. To make one raises `StartError` or `Unplayable`."""

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        ...


class PythonEngine:
    """The reference: one game after the other, by the player of `scenarii play --auto`."""

    def __init__(
        self, program: Program, options: Options, *, watched: bool = False, steps: int | None = None
    ) -> None:
        self.machine = Machine(program, steps=steps)
        self.options = options
        self.watch = Watch(self.machine) if watched else None
        self.stops = 0
        Game.fresh(self.machine, options=options)

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        found = Tally()
        self.stops = 0
        found.add(seed, (self._one(each) for each in range(seed, seed + games)))
        found.stops = self.stops
        return found

    def _one(self, seed: int) -> Played:
        try:
            game, broken = self._watched(self.watch, seed) if self.watch else self._played(seed)
        except RuleFailure as failure:
            return Played(0, 0, 0, 0, failure.code)
        state = game.state
        return Played(state[WINNERS], state[REASON], len(game.choices), state[DECISIONS], broken=broken)

    def _played(self, seed: int) -> tuple[Game, None]:
        return played_out(self.machine, seed, self.options), None

    def _watched(self, watch: Watch, seed: int) -> tuple[Game, tuple[int, str] | None]:
        """A game to its end, or to where it breaks a promise: with the line, and the code of an error."""
        player = RandomPlayer(seed)
        game = Game.start(self.machine, seed=seed, options=self.options)
        while True:
            self.stops += 1
            for each in watch.broken(game.state):
                return game, (each.line, each.code)
            if not game.count:
                return game, None
            game.choose(player.index(game.count))


def played_out(machine: Machine, seed: int, options: Options) -> Game:
    """The random game of a seed, at its end; a rule that fails is raised."""
    player = RandomPlayer(seed)
    game = Game.start(machine, seed=seed, options=options)
    while game.count:
        game.choose(player.index(game.count))
    return game


class WasmEngine:
    """The fast one: whole games inside a module, many in one call."""

    def __init__(
        self, program: Program, options: Options, *, watched: bool = False, steps: int | None = None
    ) -> None:
        need_wasmtime()
        from dsl.wasm.assembly import NO_ROOM
        from dsl.wasm.module import Module

        self.module = Module.of(Machine(program, steps=steps), watched=watched)
        self.no_room = NO_ROOM
        self.watched = watched
        self.options = options
        self.module.prepare(self.module.instance(), options)

    @cached_property
    def reference(self) -> PythonEngine:
        """What plays the games for which the module has no memory, or in which it is stopped."""
        machine = self.module.machine
        return PythonEngine(machine.program, self.options, watched=self.watched, steps=machine.budget)

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        found = Tally()
        try:
            told = self.module.playouts(games, seed=seed, options=self.options)
        except Unplayable:  # its code was stopped
            return self.reference.play(seed, games)
        found.decisions = told.decisions
        for (reason, winners), count in told.ends.items():
            found.games += count
            found.winners[winners] += count
            found.reasons[reason] += count
        found.lengths = told.lengths
        for number, code in sorted(told.failures):
            if code == self.no_room:
                found.merge(self.reference.play(number, 1))
            else:
                found.add(number, (Played(0, 0, 0, 0, f"E{code:04}"),))
        found.stops += told.stops if self.watched else 0
        for number, choices, line, code in sorted(told.breaches):
            found.breach(line, Breach(1, number, choices, f"E{code:04}" if code else ""))
        return found


class OneByOne:
    """Plays by another engine, one game after the other, and keeps each by itself."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def play(self, seed: int, games: int) -> Tally:
        """So many games, with this seed and those that follow it."""
        found = Tally(rows=[])
        for number in range(seed, seed + games):
            one = self.engine.play(number, 1)
            one.rows = [Row(number, (), only(one))]
            found.merge(one)
        return found


def only(tally: Tally) -> Played:
    """The one game of a tally."""
    for code in tally.failures:
        return Played(0, 0, 0, 0, code)
    for line, found in tally.breaches.items():
        return Played(0, 0, found.choices, 0, broken=(line, found.code))
    (winners,), (reason,), (choices,) = tally.winners, tally.reasons, tally.lengths
    return Played(winners, reason, choices, tally.decisions)


class Maker(Protocol):
    """Makes an engine: of a program with some options; `watched`, what is promised is looked at; `steps` may be taken
    between two decisions.
    """

    def __call__(
        self, program: Program, options: Options, *, watched: bool = False, steps: int | None = None
    ) -> Engine: ...


ENGINES: dict[str, Maker] = {"wasm": WasmEngine, "python": PythonEngine}
"""The engines by their names; the first is taken where none is named."""
