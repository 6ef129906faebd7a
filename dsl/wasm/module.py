"""A program compiled to WebAssembly and to this machine's code, ready to play: `Module.of`."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property

import wasmtime

from dsl.cache import Cache
from dsl.catalogue import tr
from dsl.engine import chance
from dsl.engine.failure import StartError, Unplayable
from dsl.engine.game import Game as Reference
from dsl.engine.machine import Machine
from dsl.engine.settings import left_out, settings_of
from dsl.engine.snapshot import pile_faults
from dsl.ir.codec import ir_hash
from dsl.ir.program import DECISIONS, OUT, REASON, TOP, WINNERS, Program
from dsl.passes.pipeline import PASSES
from dsl.wasm.assembly import Assembly
from dsl.wasm.instance import FUNCTIONS, Instance
from dsl.wasm.options import Shapes
from dsl.wasm.statistics import ASKS, TALLY, Statistics
from dsl.wasm.store import brief, compiled

MOST_CHOICES = 2**31 - 1
SHORT = 0.05
MOST_AT_ONCE = 4096
"""A call plays games for about so many seconds, and at most so many: between calls the host can stop."""


class Module:
    """A program's compiled code. Any number of instances share one."""

    def __init__(
        self, program: Program, machine: Machine, code: wasmtime.Module, engine: wasmtime.Engine
    ) -> None:
        self.program = program
        self.machine = machine
        self.holder: object = None
        """Whose state the shared instance holds."""
        self._code = code
        self._engine = engine

    @classmethod
    def of(cls, program: Program | Machine, *, cache: bool = True, watched: bool = False) -> Module:
        """The module of a verified program, from the user's cache where it is there; `Unplayable` where the
        program is beyond this engine. With `watched` its games by chance end where they break a promise.
        """
        machine = program if isinstance(program, Machine) else Machine(program)
        name = f"watched {ir_hash(machine.program)}" if watched else machine.hash
        return cls.translated(
            machine, name, lambda: binary(machine.program, machine.passes, watched=watched), cache=cache
        )

    @classmethod
    def translated(
        cls, machine: Machine, name: str, translate: Callable[[], bytes], *, cache: bool = True
    ) -> Module:
        """The module of a translation, or what the cache has under a name that tells it from others."""
        engine = new_engine()
        folder = Cache.open(os.environ) if cache else None
        name = " ".join((name, *machine.passes))
        return cls(machine.program, machine, compiled(engine, name, folder, translate), engine)

    def instance(self, functions: Mapping[str, str] = FUNCTIONS) -> Instance:
        """A new memory, in which one game at a time is played."""
        return Instance(self._engine, self._code, self.program, functions, self.machine.budget)

    @cached_property
    def shared(self) -> Instance:
        """The instance in which games of this module take turns."""
        return self.instance()

    @cached_property
    def shapes(self) -> Shapes:
        """How options lie in memory."""
        return Shapes(self.program)

    def playouts(
        self,
        games: int,
        *,
        seed: int = 0,
        options: Mapping[str, str | int] | None = None,
        limit: int = MOST_CHOICES,
    ) -> Statistics:
        """Random games, whole, inside: the seeds of game and player are `seed`, `seed + 1` and so on.

        Equal to what `Game.start(seed=n)` and `RandomPlayer(n)` play. `limit` is the most choices of a game.
        """
        total = Statistics()
        for part in self.played(games, seed=seed, options=options, limit=limit):
            total.add(part)
        return total

    def played(
        self,
        games: int,
        *,
        seed: int = 0,
        options: Mapping[str, str | int] | None = None,
        limit: int = MOST_CHOICES,
    ) -> Iterator[Statistics]:
        """The same in parts of about a twentieth of a second each, so that it can be watched and stopped."""
        import time

        instance, done, at_once = self.instance(), 0, 1
        self.prepare(instance, options or {})
        instance.calls["keep_fresh"]()
        while done < games:
            count = min(at_once, games - done)
            begun = time.perf_counter()
            address = instance.calls["playouts"](signed_64(seed + done), count, limit)
            data = instance.bytes_at(address, TALLY)
            rows = instance.bytes_at(address + TALLY, 24 * int.from_bytes(data[4:8], "little"))
            part = Statistics.of_tally(data, rows, seed + done, limit)
            part.seconds = seconds = time.perf_counter() - begun
            yield part
            done += part.games
            if part.waiting is not None:
                yield self._finished(instance, seed + done, part.waiting, limit)
                done += 1
            if seconds < SHORT:
                at_once = min(at_once * 2, MOST_AT_ONCE)
            elif seconds > 2 * SHORT:
                at_once = max(at_once // 2, 1)

    def _finished(self, instance: Instance, seed: int, choices: int, limit: int) -> Statistics:
        """A game that is much work, played on until it ends; between calls the host can stop it."""
        import time

        begun, status = time.perf_counter(), ASKS
        while status == ASKS and choices < limit:
            status = instance.calls["playout"](limit, choices)
            choices = instance.choices
        state = instance.state
        found = Statistics()
        found.add_row((0, state[REASON], state[WINNERS], state[DECISIONS], choices, status), seed, limit)
        found.seconds = time.perf_counter() - begun
        return found

    def prepare(self, instance: Instance, options: Mapping[str, str | int]) -> None:
        """Puts into an instance the state of a game before its setup: options, then each variable's first value."""
        program = self.program
        settings = settings_of(program, options)
        state = instance.state
        ctypes.memset(state, 0, 4 * program.size)
        state[REASON], state[TOP] = -1, -1
        for var, value in settings.items():
            state[program.vars[var].offset] = value
        if instance.calls["initial"]() < 0:
            Reference.fresh(self.machine, options=options)
            raise StartError("the first values of this game cannot be computed")
        if program.pools and (fault := next(pile_faults(program, list(state)), None)):
            raise Unplayable(tr("{fault} when the game begins", fault=fault))
        seats = next((var for var in program.vars if var.role == "seats"), None)
        if seats is not None:
            state[OUT] = left_out(program, state[seats.offset])

    def seed(self, instance: Instance, number: int) -> None:
        """Puts the generator of the state at the beginning of a seed's stream."""
        first = [0, 0, 0, 0]
        chance.seed(first, number)
        for slot, word in enumerate(first):
            instance.state[slot] = word


def new_engine() -> wasmtime.Engine:
    """How modules are run: the memory never moves, and exceptions carry the faults of rules."""
    config = wasmtime.Config()
    config.wasm_exceptions = True
    config.memory_may_move = False
    return wasmtime.Engine(config)


def binary(program: Program, passes: Collection[str] = PASSES, *, watched: bool = False) -> bytes:
    """The WebAssembly module of a program."""
    return assembled(Assembly(program, passes, watched=watched))


def assembled(assembly: Assembly) -> bytes:
    """The WebAssembly module that a translation writes."""
    try:
        return bytes(wasmtime.wat2wasm(assembly.text()))
    except (wasmtime.WasmtimeError, RecursionError, MemoryError) as error:
        raise Unplayable(
            tr("the program is larger than this engine can translate: {brief}", brief=brief(error))
        ) from None


def signed_64(number: int) -> int:
    """The lowest 64 bits of a number, signed."""
    return int(struct.unpack("<q", struct.pack("<Q", number & (1 << 64) - 1))[0])
