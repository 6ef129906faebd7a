"""A game under way in WebAssembly, with the interface of `dsl.engine.game.Game`.

The vector is the same as the Python engine's, so a game can change engine at any decision: `explained` hands it over,
and whatever asks why, shows labels or tells goes that way. A rule that fails here is run again there, for the message.

Games of a module share one instance. Where a game finds another one's state in it, it puts its own there first.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dsl.catalogue import tr
from dsl.diagnostics import Diagnostic
from dsl.engine import chance
from dsl.engine.decision import Decision, Option
from dsl.engine.failure import IllegalChoice, RuleFailure, Unplayable
from dsl.engine.game import Game as Reference
from dsl.engine.machine import Choice
from dsl.engine.outcome import Outcome, outcome_of
from dsl.engine.snapshot import damaged, packed, unpacked
from dsl.engine.undo import choices_of, most_kept, take_back
from dsl.ir.program import STATUS
from dsl.wasm.assembly import APART, NO_ROOM
from dsl.wasm.instance import Instance
from dsl.wasm.module import MOST_CHOICES, Module, signed_64

ASKS = 1


@dataclass(frozen=True, slots=True)
class Moment:
    """A stop: the whole vector, how many options there are, and what was chosen at the moment before."""

    state: bytes
    count: int
    choice: Choice | None = None
    kept: bytes = b""
    """All that the module has there, to stand there again at once; of the last moment alone."""


class Game:
    """One game of a module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.machine = module.machine
        self._moments: list[Moment] = []
        self._kept = most_kept(module.program.size)

    @classmethod
    def start(cls, module: Module, *, seed: int = 0, options: Mapping[str, str | int] | None = None) -> Game:
        """A new game, at its first decision."""
        game, instance = cls(module), module.shared
        module.holder = None
        module.prepare(instance, options or {})
        module.seed(instance, seed)
        code = instance.calls["begin"]()
        if code < 0:
            Reference.start(module.machine, seed=seed, options=options)
            raise _differs(code)
        game._arrive(code, None)
        return game

    # ------------------------------------------------------------ where it stands

    @property
    def state(self) -> tuple[int, ...]:
        """The whole vector."""
        return struct.unpack(f"<{self.module.program.size}i", self._now.state)

    @property
    def decision(self) -> Decision | None:
        """Who must choose now, and among what; none where the game has ended."""
        if not self.count:
            return None
        return Decision(self.machine, list(self.state), self.options)

    @property
    def options(self) -> list[Choice]:
        """The options in the raw: the number of the offer, and the values of its variables."""
        if not self.count:
            return []
        instance, state = self.entered(), self.state
        return [self.module.shapes.choice(state, words) for words in instance.options()]

    @property
    def count(self) -> int:
        """How many options there are now."""
        return self._now.count

    @property
    def player(self) -> int | None:
        """The number of the player who chooses now."""
        return self.entered().player if self.count else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; none while it goes on."""
        return outcome_of(self.module.program, list(self.state)) if self._slot(STATUS) else None

    @property
    def idle(self) -> bool:
        """Has what was run come to its end, without an end of the game?"""
        return not self.count and not self._slot(STATUS)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What has been chosen since the start."""
        return choices_of(self._moments)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the program's hash and the vector, as the Python engine gives it."""
        return hashlib.sha256(bytes.fromhex(self.machine.hash) + self._now.state).hexdigest()

    # ------------------------------------------------------------ the other engine

    def explained(self, *, telling: bool = False, covering: bool = False) -> Reference:
        """The same game in the Python engine, to ask why, to tell, or to go on there."""
        found = Reference.restore(self.machine, self.snapshot(), telling=telling, covering=covering)
        if not isinstance(found, Reference):
            raise RuntimeError(f"the engines differ about where the game stands: {found[0].message}")
        return found

    @classmethod
    def taken_over(cls, module: Module, game: Reference) -> Game:
        """A game of the Python engine, to go on here."""
        found = cls.restore(module, game.snapshot())
        if not isinstance(found, Game):
            raise RuntimeError(f"the engines differ about where the game stands: {found[0].message}")
        return found

    def snapshot(self) -> bytes:
        """The game as bytes, at any stop: what the Python engine takes too."""
        return packed(self.machine.hash, list(self.state))

    @classmethod
    def restore(cls, module: Module, data: bytes) -> Game | list[Diagnostic]:
        """The game of a snapshot; or what is wrong with it. What was chosen before is not in it."""
        found = unpacked(module.program, module.machine.hash, data)
        state = [slot for slot in found if isinstance(slot, int)]
        if len(state) != len(found):
            return [fault for fault in found if isinstance(fault, Diagnostic)]
        game = cls(module)
        game._moments.append(Moment(struct.pack(f"<{len(state)}i", *state), 0))
        code = game._put(module)
        if code < 0:
            return [damaged("the rules fail at once there")]
        if code == ASKS and not module.shared.count:
            return [damaged("nothing can be chosen there")]
        game._moments.clear()
        game._arrive(code, None)
        return game

    # ------------------------------------------------------------ going on

    def choose(self, choice: Option | Choice | int | str) -> None:
        """Goes on with an option (the option, its number, its label, or its offer and values) to the next decision.

        A rule that fails leaves the game here, and raises `RuleFailure`.
        """
        if not self.count:
            raise IllegalChoice("the game asks nothing now")
        number = self._number(choice)
        instance = self.entered()
        raw = self.module.shapes.choice(instance.state, instance.option(number))
        self.module.holder = None
        code = instance.calls["choose"](number)
        if code < 0:
            self._failed(code, raw)
        self._arrive(code, raw)

    def playout(self, seed: int, limit: int = MOST_CHOICES) -> None:
        """Goes on by chance (`RandomPlayer(seed)`) to the end, or so many choices; what was chosen is not kept."""
        if not self.count:
            return
        instance = self.entered()
        self.module.holder = None
        instance.calls["seed_player"](signed_64(seed * APART + 1))
        code, made = ASKS, 0
        while code == ASKS and made < limit:
            code = instance.calls["playout"](limit, made)
            made = instance.choices
        if code < 0:
            self._failed(code, None)
        self._arrive(code, None)

    def undo(self, count: int = 1) -> None:
        """Takes back the last choices."""
        take_back(self._moments, count)

    def clone(self) -> Game:
        """The same game, to go on with apart."""
        copy = Game(self.module)
        copy._moments = list(self._moments)
        return copy

    def reseeded(self, seed: int) -> Game:
        """The same game, whose dice and shuffles follow from a seed from here on."""
        copy, words, now = self.clone(), [0, 0, 0, 0], self._now
        chance.seed(words, seed)
        first = struct.pack("<4i", *words)
        kept = first + now.kept[16:] if now.kept else b""
        copy._moments[-1] = replace(now, state=first + now.state[16:], kept=kept)
        return copy

    # ------------------------------------------------------------ inside

    @property
    def _now(self) -> Moment:
        return self._moments[-1]

    def _slot(self, slot: int) -> int:
        found: int = struct.unpack_from("<i", self._now.state, 4 * slot)[0]
        return found

    def entered(self) -> Instance:
        """The instance, with this game's state in it and its options listed. Whoever goes on there by himself says
        so afterwards (`left`).
        """
        if self.module.holder is not self._now:
            if not (self._now.kept and self.module.shared.put_back(self._now.kept)):
                self._put(self.module)
            self.module.holder = self._now
        return self.module.shared

    def left(self) -> None:
        """The instance holds this game no longer."""
        self.module.holder = None

    def put(self, state: bytes) -> int:
        """Puts a vector into the instance, and lists the options there."""
        ctypes.memmove(self.module.shared.state, state, len(state))
        return self.module.shared.calls["look"]()

    def _put(self, module: Module) -> int:
        module.holder = None
        return self.put(self._now.state)

    def _number(self, choice: Option | Choice | int | str) -> int:
        match choice:
            case int():
                if not 0 <= choice < self.count:
                    raise IllegalChoice(
                        tr(
                            "there is no option {choice}, only 0 to {count}",
                            choice=choice,
                            count=self.count - 1,
                        )
                    )
                return choice
            case str():
                decision = self.decision
                assert decision is not None
                raw = decision.by_label(choice).raw
            case Option():
                raw = choice.raw
            case _:
                raw = choice
        options = self.options
        if raw not in options:
            raise IllegalChoice("this is not among the options")
        return options.index(raw)

    def _arrive(self, code: int, choice: Choice | None) -> None:
        instance = self.module.shared
        count = instance.count if code == ASKS else 0
        moment = Moment(bytes(instance.state), count, choice, instance.kept() if count else b"")
        if self._moments and self._moments[-1].kept:
            self._moments[-1] = replace(self._moments[-1], kept=b"")
        self._moments.append(moment)
        self.module.holder = moment
        if len(self._moments) > self._kept:
            old = self._moments[-1 - self._kept]
            self._moments[-1 - self._kept] = Moment(b"", 0, old.choice)

    def _failed(self, code: int, raw: Choice | None) -> None:
        """Raises what the Python engine says about a rule that failed; the game is where it was."""
        if code == -NO_ROOM:
            raise Unplayable("there is no memory for all options or positions here")
        if raw is not None:
            self.explained().choose(raw)
            raise _differs(code)
        raise RuleFailure(f"E{-code:04}", "a rule failed in a game played by chance")


def _differs(code: int) -> RuntimeError:
    return RuntimeError(f"the engines differ: a rule fails with {-code} only in WebAssembly")
