"""Do both engines play alike? `python -m tests.wasm` asks for many games.

Random games on both, side by side: after every decision the whole vector is compared, at every decision the list of
options, and a rule that fails must fail with the same code and leave the same vector.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dsl.engine.failure import RuleFailure, StartError
from dsl.engine.game import Game
from dsl.engine.machine import Choice, Compiled, Machine
from dsl.engine.runtime import Run
from dsl.players.random_player import APART
from dsl.wasm.instance import Instance
from dsl.wasm.module import Module, signed_64
from dsl.wasm.options import Shapes
from tests.figures.play import Table, table

PATIENCE = 5
"""A game in which so many choices failed, and were taken back, is given up."""


class Difference(AssertionError):
    """The two engines do not agree."""


@dataclass(slots=True)
class Tally:
    """What was compared, and what differed."""

    games: int = 0
    decisions: int = 0
    failures: int = 0
    differences: list[str] = field(default_factory=list)


class Counting(Machine):
    """A machine that remembers the last run, so that its steps can be compared."""

    last: Run | None = None

    def run(self, code: Compiled, state: list[int], run: Run) -> list[Choice] | None:
        if not run.certain:
            self.last = run
        return super().run(code, state, run)


class Pair:
    """One game on both engines."""

    def __init__(self, module: Module, instance: Instance, at: Table) -> None:
        self.module, self.instance, self.at = module, instance, at
        self.shapes = Shapes(module.program)

    def play(self, most: int, leaping: Instance | None = None) -> tuple[int, bool]:
        """A whole game, or so many decisions; yields their number, and whether a rule failed.

        With another instance the same is played there by its own generator, several choices to a call.
        """
        machine, player = self.module.machine, self.at.player()
        game, code = self._start(machine)
        if game is None:
            return 0, True
        self.same(game, code)
        leaps = Leaps(Pair(self.module, leaping, self.at)) if leaping is not None else None
        taken = failed = 0
        while game.count and taken < most:
            index = player.index(game.count)
            taken += 1
            try:
                game.choose(index)
            except RuleFailure as failure:
                self.same_failure(failure, self.instance.calls["choose"](index))
                self.same(game, 1, stepped=False)
                if leaps is not None:
                    leaps.fail(failure, taken)
                leaps, failed = None, failed + 1
                if failed > PATIENCE:
                    break
                continue
            code = self.instance.calls["choose"](index)
            self.same(game, code)
            if leaps is not None:
                leaps.follow(game, taken)
        return taken, failed > 0

    def begin(self) -> int:
        """Runs the setup in the module; yields how it stopped."""
        options = dict(self.at.options)
        try:
            self.module.prepare(self.instance, options)
        except StartError:
            options.pop("players", None)
            self.module.prepare(self.instance, options)
        self.module.seed(self.instance, self.at.seed)
        return self.instance.calls["begin"]()

    def _start(self, machine: Machine) -> tuple[Game | None, int]:
        code = self.begin()
        try:
            return self.at.start(machine), code
        except RuleFailure as failure:
            self.same_failure(failure, code)
            return None, code

    def same_failure(self, failure: RuleFailure, code: int) -> None:
        if failure.code != f"E{-code:04}":
            raise Difference(f"the rules fail with {failure.code}, and in WebAssembly with {code}")

    def same(self, game: Game, code: int, *, stepped: bool = True) -> None:
        expected = 1 if game.count else 0 if game.idle else 2
        if code != expected:
            raise Difference(f"it stops with {code} where {expected} is expected")
        theirs, ours = list(self.instance.state), list(game.state)
        if theirs != ours:
            program = self.module.program
            slots = [k for k, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
            var = next((each.name for each in reversed(program.vars) if each.offset <= slots[0]), "head")
            pairs = ", ".join(f"{k}: {ours[k]} / {theirs[k]}" for k in slots[:6])
            raise Difference(f"slots differ, first near `{var}`: {pairs}")
        machine = self.module.machine
        counted = machine.last if stepped and isinstance(machine, Counting) else None
        if counted is not None and counted.steps != self.instance.steps:
            raise Difference(f"{counted.steps} steps, and {self.instance.steps} in WebAssembly")
        if game.count:
            self._same_options(game)

    def _same_options(self, game: Game) -> None:
        found = [self.shapes.choice(game.state, words) for words in self.instance.options()]
        expected: list[Choice] = game.decision.raw if game.decision is not None else []
        if found != expected:
            missing = [each for each in expected if each not in found][:3]
            more = [each for each in found if each not in expected][:3]
            raise Difference(f"options differ: missing {missing}, too many {more}")
        if game.decision is not None and game.decision.player != self.instance.player:
            raise Difference("another player is asked")


class Leaps:
    """The same game once more, by chance inside the module, now one choice to a call and now several."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.done = 0
        pair.begin()
        pair.instance.calls["seed_player"](signed_64((2 * pair.at.seed + 1) * APART + 1))

    def follow(self, game: Game, taken: int) -> None:
        """Plays up to so many choices, at times, and where the game is over."""
        if game.count and (taken + self.pair.at.seed) * 7 % 11 > 4:
            return
        code = self.pair.instance.calls["playout"](taken, self.done)
        self.done = taken
        try:
            self.pair.same(game, code)
        except Difference as difference:
            raise Difference(f"by chance: {difference}") from None
        if self.pair.instance.choices != taken:
            raise Difference(f"{self.pair.instance.choices} choices by chance where {taken} are expected")

    def fail(self, failure: RuleFailure, taken: int) -> None:
        """Fails as the game does; what was played is over."""
        self.pair.same_failure(failure, self.pair.instance.calls["playout"](taken, self.done))


def agreed(
    machine: Machine, seeds: Iterable[int], most: int = 10**9, *, mode: str = "", cache: bool = True
) -> Tally:
    """Plays a game of each seed on both engines; stops at the first game that differs."""
    module = Module.of(machine, cache=cache)
    instance, leaping, tally = module.instance(), module.instance(), Tally()
    for seed in seeds:
        at = table(machine, seed, mode)
        try:
            taken, failed = Pair(module, instance, at).play(most, leaping)
        except Difference as difference:
            tally.differences.append(f"seed {seed}, {dict(at.options)}: {difference}")
            return tally
        tally.games += 1
        tally.decisions += taken
        tally.failures += failed
    return tally
