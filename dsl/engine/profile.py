"""Which rules take the steps, and the time, of games that are played.

    machine = ProfiledMachine(program)
    ...                                     # any games of this machine
    for path, spot, cost in machine.profile.lines():
        print(path, spot, cost.runs, cost.steps, cost.nanoseconds)

A profiled machine plays as any other does, by code that also notes which head and line it is at; what it counts is one
profile for all games of the machine. Steps are those that the engine counts, shared out as they were weighed
(`dsl.engine.codegen.shares`), so that equal games give equal steps, and all steps together are the engine's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, wraps
from time import perf_counter_ns
from typing import Any

from dsl.engine.codegen.expressions import PROFILING
from dsl.engine.codegen.program import Source
from dsl.engine.codegen.shares import NOWHERE, Counted, Head, Path, Shares, Spot
from dsl.engine.machine import Compiled, Function, Machine
from dsl.engine.runtime import Run
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.weight import Weights


@dataclass(slots=True)
class Cost:
    """What a line took: how often it ran, its steps, and nanoseconds."""

    runs: int = 0
    steps: int = 0
    nanoseconds: int = 0


@dataclass(slots=True, eq=False)
class _Node:
    """A head, as it is reached by way of others."""

    path: Path
    runs: int = 0
    children: dict[tuple[Spot, Head], _Node] = field(default_factory=dict)
    lines: dict[Spot, Cost] = field(default_factory=dict)
    counted: dict[int, list[int]] = field(default_factory=dict)
    """For each place that counts steps: how often, and how many."""

    def child(self, spot: Spot, head: Head) -> _Node:
        """The head, asked from a line."""
        found = self.children.get((spot, head))
        if found is None:
            found = self.children[spot, head] = _Node((*self.path, (spot, head)))
        return found

    def line(self, spot: Spot) -> Cost:
        found = self.lines.get(spot)
        if found is None:
            found = self.lines[spot] = Cost()
        return found


class Profile:
    """What the games of one machine took. Generated code calls `count`, `at`, `back` and `menu`."""

    def __init__(self) -> None:
        self._counted: tuple[Counted, ...] = ()
        self._spots: tuple[Spot, ...] = ()
        self._enters: dict[tuple[int, int], Spot] = {}
        """From which line a routine entered another, by itself and the block that it goes on with."""
        self.clear()

    def clear(self) -> None:
        """Forgets all that has been counted."""
        self._root = _Node(())
        self._base = self._node = self._root
        self._spot = self._begun = NOWHERE
        self._outside = self._cost = Cost()
        """Of the line that runs: before and behind all rules of none, whose time is not the game's."""
        self._run: Run | None = None
        self._steps = 0
        self._time = perf_counter_ns()

    # ------------------------------------------------------------ called by generated code

    def count(self, run: Run, number: int) -> None:
        """Steps have just been counted, at the place of that number."""
        steps = self._since(run)
        found = self._node.counted.get(number)
        if found is None:
            found = self._node.counted[number] = [0, 0]
        found[0] += 1
        found[1] += steps

    def at(self, run: Run, spot: int) -> None:
        """A line begins to run."""
        self.back(run, spot)
        self._cost.runs += 1

    def back(self, run: Run, spot: int) -> None:
        """A line that has begun before goes on."""
        self._settle(run)
        self._spot = self._spots[spot]
        self._cost = self._node.line(self._spot)

    def menu(self, run: Run, clause: int, spot: int) -> None:
        """The options of a menu's line begin to be listed."""
        self._settle(run)
        self._node = self._base.child(self._begun, ("menu", clause))
        self._spot = self._spots[spot]
        self._cost = self._node.line(self._spot)
        self._cost.runs += 1
        self._node.runs += 1

    # ------------------------------------------------------------ around generated code

    def take_up(self, names: dict[str, Any], source: Source, program: Program) -> None:
        """Takes up the functions of a source, so that each notes when it is entered and left."""
        self._counted, self._spots = source.counted, source.spots
        shares = Shares(program, Weights(program))
        for number, routine in enumerate(program.routines):
            for end in (each.end for each in routine.blocks):
                if isinstance(end, ir.Enter):
                    head_spot = shares.head_spot(("routine", number))
                    self._enters[number, end.block] = (
                        shares.spot(end.site, None) if end.site >= 0 else head_spot
                    )
        for name, head, spot in source.entries:
            if name not in names:
                continue
            match head[0]:
                case "routine":
                    names[name] = self._block(names[name], spot, begins=name.endswith(("_b0", "_b0_p")))
                case "audience":
                    names[name] = self._audience(names[name], head, spot)
                case _:
                    names[name] = self._called(names[name], head, spot)

    def _called(self, function: Function, head: Head, spot: Spot) -> Function:
        """A function that others call. To judge an action is not to run its line."""
        once = int(head[0] != "prohibitions")

        @wraps(function)
        def call(state: list[int], run: Run, *args: Any) -> Any:
            self._settle(run)
            before = self._node, self._spot, self._cost
            self._node = self._node.child(self._spot, head)
            self._spot, self._cost = spot, self._node.line(spot)
            self._cost.runs += once
            self._node.runs += 1
            try:
                return function(state, run, *args)
            finally:
                self._settle(run)
                self._node, self._spot, self._cost = before

        return call

    def _audience(self, function: Function, head: Head, spot: Spot) -> Function:
        """The same of one whose steps are counted from another number on, since there are few for it."""
        called = self._called(function, head, spot)

        def call(state: list[int], run: Run, *args: Any) -> Any:
            self._settle_time()
            before, begun = self._steps, run.steps
            self._steps = begun
            try:
                return called(state, run, *args)
            finally:
                self._steps = before + run.steps - begun

        return call

    def _block(self, function: Function, spot: Spot, *, begins: bool) -> Function:
        """A block of a routine: under the routines that wait for it, as the frames tell. The step of entering it has
        been counted before it is called.
        """

        @wraps(function)
        def call(state: list[int], run: Run, frame: int) -> Any:
            self._settle_time()
            before = self._node, self._base, self._begun, self._spot, self._cost
            frames, at = [], frame
            while at >= 0:
                frames.append(at)
                at = state[at + 2]
            node, asked = (
                (self._node, self._spot) if run.certain else (self._root, NOWHERE)
            )  # a search stands in a rule
            for at in reversed(frames):
                node = node.child(asked, ("routine", state[at]))
                asked = self._enters.get((state[at], state[at + 1]), NOWHERE)
            self._node = self._base = node
            self._spot = self._begun = spot
            self._cost = node.line(spot)
            if begins:
                self._cost.runs += 1
                self._node.runs += 1
            self._settle(run)
            try:
                return function(state, run, frame)
            finally:
                self._settle(run)
                self._node, self._base, self._begun, self._spot, self._cost = before

        return call

    # ------------------------------------------------------------ inside

    def _settle(self, run: Run) -> None:
        """What has been taken since is the current line's."""
        self._cost.steps += self._since(run)
        self._settle_time()

    def _settle_time(self) -> None:
        now = perf_counter_ns()
        self._cost.nanoseconds += now - self._time
        self._time = now

    def _since(self, run: Run) -> int:
        """The steps that a run has counted since; a search on copies counts on where the run that asks for it was."""
        if run is not self._run and not run.certain:
            self._close()
            self._run, self._steps = run, 0
        steps, self._steps = run.steps - self._steps, run.steps
        return steps

    def _close(self) -> None:
        """What the run before has counted last, when no rule ran any more."""
        if self._run is not None:
            self._outside.steps += self._run.steps - self._steps
            self._steps = self._run.steps

    # ------------------------------------------------------------ what was found

    def heads(self) -> Iterator[tuple[Path, int]]:
        """How often each head was entered, under each path that leads to it, its own step last."""
        waiting = [*self._root.children.values()]
        while waiting:
            node = waiting.pop()
            waiting += node.children.values()
            if node.runs:
                yield node.path, node.runs

    def lines(self) -> Iterator[tuple[Path, Spot, Cost]]:
        """What each line took under each path of heads, itself alone; those that took nothing and never ran are left
        out.
        """
        self._close()
        found: dict[tuple[Path, Spot], Cost] = {((), NOWHERE): Cost(steps=self._outside.steps)}

        def cost(path: Path, spot: Spot) -> Cost:
            return found.setdefault((path, spot), Cost())

        waiting = [self._root]
        while waiting:
            node = waiting.pop()
            waiting += node.children.values()
            for spot, own in node.lines.items():
                kept = cost(node.path, spot)
                kept.runs += own.runs
                kept.steps += own.steps
                kept.nanoseconds += own.nanoseconds
            for number, (times, steps) in node.counted.items():
                place = self._counted[number]
                cost(node.path, place.spot).steps += times * place.fixed
                for path, spot, share in _shared(place, steps - times * place.fixed):
                    cost((*node.path, *path), spot).steps += share
        for path, spot in sorted(found):
            own = found[path, spot]
            if own.runs or own.steps:
                yield path, spot, own


def _shared(place: Counted, steps: int) -> Iterator[tuple[Path, Spot, int]]:
    """Steps shared out by weight, in whole ones: what is left over goes to those with the largest remainders."""
    whole = sum(each.weight for each in place.shares)
    if not steps or not whole:
        yield (), place.spot, steps
        return
    portions = [divmod(steps * each.weight, whole) for each in place.shares]
    over = steps - sum(portion for portion, _ in portions)
    order = sorted(range(len(portions)), key=lambda n: (-portions[n][1], n))
    extra = set(order[:over])
    for number, (each, (portion, _)) in enumerate(zip(place.shares, portions, strict=True)):
        yield each.path, each.spot, portion + (number in extra)


class ProfiledMachine(Machine):
    """A machine whose games are profiled; in all else it is as any other, and slower."""

    def __init__(self, program: Program, *, steps: int | None = None) -> None:
        super().__init__(program, steps=steps)
        self.profile = Profile()

    @cached_property
    def plain(self) -> Compiled:
        return self._compile(PROFILING)

    def _execute(self, source: Source, name: str, names: dict[str, Any]) -> None:
        super()._execute(source, name, names)
        if source.entries:
            names["P"] = self.profile
            self.profile.take_up(names, source, self.program)
