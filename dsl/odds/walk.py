"""All that an action can come to: the states at which somebody chooses, or at which it is over, with their odds.

The engine plays it, block by block of the compiled rules, once for each way that chance can take in a block. States
that have come to the same are one from there on, so that what is gone through grows with what differs and not with
the number of throws. A choice in the middle is taken as somebody said (`Choose`), or parts the ways: each option then
has a distribution of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from dsl.engine import endings
from dsl.engine.decision import Decision, Option
from dsl.engine.failure import RuleFailure
from dsl.engine.machine import Choice, Machine
from dsl.engine.reach import alone
from dsl.engine.runtime import Run
from dsl.ir.program import DECISIONS, STATUS, TOP
from dsl.odds.deck import copied, key_of, settled
from dsl.odds.ways import Asking, Throws, TooMany, Ways

MOST_BRANCHES = 200
"""Options in the middle of an action that are gone into."""

Args = tuple[int | tuple[int, ...], ...]
Read = Callable[[list[int], Run], Hashable]
"""What is told of a state at the end; it may ask chance too, where a pile is open."""
Choose = Callable[[Decision], Option | None]
"""The option that is taken in the middle of an action; none: all of them, each by itself."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A rule fails there: its code, its words, and where it stands."""

    code: str
    message: str
    where: str


Found = bool | list[Choice] | Failed | None
"""What a block comes to: it goes on, asks with options, fails, or it is all over (none)."""
Made = TypeVar("Made")


@dataclass(slots=True)
class Question:
    """Somebody is asked in the middle of the action, where it has come `so_far`."""

    share: Fraction
    player: int
    prompt: str
    so_far: Hashable
    branches: list[tuple[str, Spread]] = field(default_factory=list)


@dataclass(slots=True)
class Spread:
    """A distribution: how likely each outcome is, and each question that it comes to; together 1.

    `outcomes` go by what was read of them, or `Failed`. Where it was sampled, a share is of `samples`.
    """

    outcomes: dict[Hashable, Fraction] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    samples: int = 0


@dataclass(frozen=True, slots=True)
class Begin:
    """What is to be done from a state: an option of the decision there, or a routine that is run alone."""

    state: Sequence[int]
    option: Option | None = None
    routine: int = -1
    args: Args = ()
    rounds: int | None = None
    """The routine that the game was begun by, where that is not the main one."""


@dataclass(slots=True)
class _Here:
    """A state on the way, how likely it is (or how many samples are there), and the most steps it took to come here."""

    state: list[int]
    weight: Fraction
    steps: int


@dataclass(slots=True)
class _Stop:
    """Where a stretch ends: with options, over, or with a rule that failed."""

    here: _Here
    options: list[Choice] | None = None
    failed: Failed | None = None


class Walk:
    """Goes through all ways of an action on a machine; at most `most` runs of a block (`TooMany`).

    Without `asks` a question in the middle is an outcome: what has been done until then.
    With `samples`, that many ways by chance, from a `seed`; every weight is then a number of samples.
    """

    def __init__(
        self,
        machine: Machine,
        read: Read,
        *,
        choose: Choose | None = None,
        asks: bool = True,
        label: Callable[[Option], str] = Option.label,
        prompt: Callable[[Decision], str] = Decision.prompt_in,
        most: int = 100_000,
        samples: int = 0,
        seed: int = 0,
    ) -> None:
        self.machine = machine
        self.samples = samples
        self.tried = 0
        """How often a block was run so far."""
        self._asks = asks
        self._read, self._choose, self._label, self._prompt = read, choose, label, prompt
        self._most = most
        self._throws = Throws(seed)
        self._branches = 0
        self._base = -1
        self._action: int | None = None
        self._whole = False

    def spread(self, begin: Begin) -> Spread:
        """The distribution of all that an action comes to."""
        program = self.machine.program
        state = list(begin.state)
        self._whole = state[program.frames] in {program.main, begin.rounds} and begin.option is not None
        if begin.option is None:
            state = alone(Run(self.machine), state, begin.routine, begin.args)
            self._base, self._action = -1, begin.routine
        else:
            done = begin.option.declared.action
            self._base = state[TOP]
            self._action = None if done is None else program.actions[done].routine
            state = self._chosen(state, begin.option.raw)
        return self._from(state)

    def procedure(self, state: Sequence[int], number: int, args: Args) -> Spread:
        """The distribution of all that a procedure comes to, which asks nobody."""
        found = Spread()
        here = _Here(list(state), Fraction(1), 0)
        code = self.machine.plain.names[f"p{number}"]

        def act(state: list[int], run: Run) -> Failed | None:
            try:
                code(state, run, *args)
            except RuleFailure as failure:
                return Failed(failure.code, failure.message, "")
            return None

        for weight, after, run, failed in self._ways(here, act):
            if failed is not None:
                self._add(found, failed, weight)
                continue
            settled(after)
            for share, row in self._rows(_Here(after, weight, run.steps)):
                self._add(found, row, share)
        return found

    # ------------------------------------------------------------ from choice to choice

    def _from(self, state: list[int]) -> Spread:
        """What a state comes to, which is certain here."""
        found = Spread(samples=self.samples)
        waiting = [_Here(state, Fraction(self.samples or 1), 0)]
        asked: dict[Hashable, _Stop] = {}
        while waiting:
            for stop in self._settle(waiting):
                here = stop.here
                if stop.failed is not None:
                    self._add(found, stop.failed, here.weight)
                elif stop.options is None or not self._asks or not self._goes_on(here.state):
                    for share, row in self._rows(here):
                        self._add(found, row, share)
                else:
                    asked[key_of(here.state)] = stop
            waiting = []
            for key, stop in list(asked.items()):
                option = self._taken(stop)
                if option is not None:
                    del asked[key]
                    after = self._chosen(stop.here.state, option.raw)
                    waiting.append(_Here(after, stop.here.weight, 0))
        total = self.samples or 1
        for stop in asked.values():
            found.questions.append(self._question(stop, stop.here.weight / total))
        found.outcomes = {row: share / total for row, share in found.outcomes.items()}
        return found

    def _taken(self, stop: _Stop) -> Option | None:
        if self._choose is None or stop.options is None:
            return None
        return self._choose(Decision(self.machine, stop.here.state, stop.options))

    def _question(self, stop: _Stop, share: Fraction) -> Question:
        """A question with what each of its options leads to."""
        assert stop.options is not None
        decision = Decision(self.machine, stop.here.state, stop.options)
        rows = [row for _, row in self._rows(stop.here)]
        so_far = rows[0] if len(rows) == 1 else None
        found = Question(share, decision.player, self._prompt(decision), so_far)
        for option in decision.options:
            self._branches += 1
            if self._branches > MOST_BRANCHES:
                raise TooMany("branches", MOST_BRANCHES)
            branch = self._from(self._chosen(stop.here.state, option.raw))
            found.branches.append((self._label(option), branch))
        return found

    def _goes_on(self, state: list[int]) -> bool:
        """Is the action still under way where somebody is asked: does its frame stand, above that of the choice?"""
        if self._action is None:
            return False
        frame = state[TOP]
        while frame > self._base:
            if state[frame] == self._action or self._base < 0:
                return True
            frame = state[frame + 2]
        return False

    def _chosen(self, state: Sequence[int], choice: Choice) -> list[int]:
        """A state behind a choice, as `Game.choose` makes it."""
        after = list(state)
        frame = after[TOP]
        decider = self.machine.plain.deciders[after[frame], after[frame + 1]]
        after[DECISIONS] += 1
        after[frame + 1] = self.machine.bind(decider, after, frame, choice)
        return after

    @staticmethod
    def _add(found: Spread, row: Hashable, share: Fraction) -> None:
        found.outcomes[row] = found.outcomes.get(row, Fraction(0)) + share

    # ------------------------------------------------------------ from block to block

    def _settle(self, begun: Sequence[_Here]) -> list[_Stop]:
        """The stops that some states come to; equal ones are one."""
        waiting: dict[Hashable, _Here] = {}
        stops: dict[Hashable, _Stop] = {}
        for each in begun:
            _meet(waiting, each)
        while waiting:
            here = waiting.pop(next(iter(waiting)))
            for after, found in self._steps(here):
                if found is True:
                    _meet(waiting, after)
                    continue
                stop = _Stop(after, found if isinstance(found, list) else None)
                stop.failed = found if isinstance(found, Failed) else None
                key = stop.failed or (key_of(after.state), found is None)
                known = stops.setdefault(key, stop)
                if known is not stop:
                    known.here.weight += after.weight
        return list(stops.values())

    def _steps(self, here: _Here) -> Iterator[tuple[_Here, Found]]:
        """All that one block makes of a state: goes on, options, over (none), or failed."""

        def step(state: list[int], run: Run) -> Found:
            try:
                found = self.machine.step(self.machine.plain, state, run)
                if found is not False:
                    return found
                self._close(state, run)
            except RuleFailure as failure:
                self.machine.locate(failure, failure.__traceback__)
                place = failure.place
                where = f"{place.file}:{place.line}" if place is not None else ""
                return Failed(failure.code, failure.message, where)
            return None

        for weight, state, run, found in self._ways(here, step):
            settled(state)
            yield _Here(state, weight, run.steps), found

    def _close(self, state: list[int], run: Run) -> None:
        """As a game closes: where the main routine has returned its bound is reached; an ended game has no frames."""
        frames = self.machine.program.frames
        if self._whole and state[TOP] < 0 and not state[STATUS]:
            endings.end_at_bound(state, run)
        if state[STATUS]:
            state[TOP] = -1
            state[frames:] = [0] * (len(state) - frames)

    def _rows(self, here: _Here) -> Iterator[tuple[Fraction, Hashable]]:
        """What is told of a state: several rows where that asks chance."""

        def read(state: list[int], run: Run) -> Hashable:
            return self._read(state, run)

        for weight, _, _, row in self._ways(here, read, aside=True):
            yield weight, row

    def _ways(
        self, here: _Here, act: Callable[[list[int], Run], Made], *, aside: bool = False
    ) -> Iterator[tuple[Fraction, list[int], Run, Made]]:
        """Does something on copies of a state, once for each way that chance can take, with its weight."""
        ways = Ways()
        script: Asking = self._throws if self.samples else ways
        left = here.weight
        while True:
            self.tried += 1
            if self.tried > self._most:
                raise TooMany("ways", self._most)
            before = self._throws.asked
            state = copied(here.state, script.among)
            run = Run.aside(self.machine) if aside else Run(self.machine)
            run.script = script
            run.steps = run.steps if aside else here.steps
            found = act(state, run)
            if not self.samples:
                yield here.weight * ways.share, state, run, found
                if not ways.next():
                    return
                continue
            weight = Fraction(1) if self._throws.asked > before else left
            yield weight, state, run, found
            left -= weight
            if not left:
                return


def _meet(waiting: dict[Hashable, _Here], here: _Here) -> None:
    """Adds a state; one that stands there already takes its weight in."""
    key = key_of(here.state)
    known = waiting.get(key)
    if known is None:
        waiting[key] = here
    else:
        known.weight += here.weight
        known.steps = max(known.steps, here.steps)
