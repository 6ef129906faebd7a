"""What a profile says of heads and of lines, and as the stacks of a flame graph.

engine = ProfilingEngine(program, options={})
simulate(program, Wanted(games=100, engine="python"), engine=engine)
found = Profiled(program, engine.machine.profile, text_of_line)
found.heads, found.lines, found.stacks()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dsl.engine.blame import head_name
from dsl.engine.codegen.shares import NOWHERE, Head, Path, Shares, Spot
from dsl.engine.game import Game
from dsl.engine.profile import Cost, Profile, ProfiledMachine
from dsl.harmless import harmless
from dsl.ir.program import Program
from dsl.ir.weight import Weights
from dsl.simulation.playing import Options, PythonEngine

OUTSIDE = "outside the rules"
NO_LINE = "no line of its own"


class ProfilingEngine(PythonEngine):
    """The reference, that notes what takes its steps."""

    machine: ProfiledMachine

    def __init__(self, program: Program, options: Options, *, steps: int | None = None) -> None:
        self.machine = ProfiledMachine(program, steps=steps)
        self.options = options
        self.watch = None
        self.stops = 0

    def try_out(self) -> None:
        """Raises what a game with these options would raise before its setup: `StartError`, `Unplayable` or
        `RuleFailure`.
        """
        Game.fresh(self.machine, options=self.options)
        self.machine.profile.clear()


@dataclass(slots=True)
class Entry:
    """What a head or a line took: by itself, and with all that it asks for."""

    name: str
    """Of a head its kind and name, of a line its text."""
    spot: Spot
    runs: int = 0
    own: Cost = field(default_factory=Cost)
    total: Cost = field(default_factory=Cost)


class Profiled:
    """The figures of a profile. `text_at` yields the text of a line of the game, empty where it is not known."""

    def __init__(self, program: Program, profile: Profile, text_at: Callable[[Spot], str]) -> None:
        self.program = program
        self.text_at = text_at
        self._shares = Shares(program, Weights(program))
        self._costs = tuple(profile.lines())
        self._runs = tuple(profile.heads())

    @property
    def steps(self) -> int:
        """All steps that the engine counted."""
        return sum(cost.steps for *_, cost in self._costs)

    @property
    def seconds(self) -> float:
        """The time in the rules, what profiling itself takes included."""
        return sum(cost.nanoseconds for *_, cost in self._costs) / 1e9

    @property
    def heads(self) -> list[Entry]:
        """What each head took, those that take most by themselves first."""
        found: dict[Head, Entry] = {}

        def entry(head: Head) -> Entry:
            if head not in found:
                found[head] = Entry(self.name(head), self._shares.head_spot(head))
            return found[head]

        for path, runs in self._runs:
            entry(path[-1][1]).runs += runs
        for path, _, cost in self._costs:
            if path:
                _add(entry(path[-1][1]).own, cost)
            for head in {head for _, head in path}:
                _add(entry(head).total, cost)
        return _sorted(found.values())

    @property
    def lines(self) -> list[Entry]:
        """What each line took, those that take most by themselves first."""
        found: dict[Spot, Entry] = {}

        def entry(spot: Spot) -> Entry:
            if spot not in found:
                found[spot] = Entry(self.text_at(spot) if spot != NOWHERE else NO_LINE, spot)
            return found[spot]

        for path, spot, cost in self._costs:
            own = entry(spot)
            own.runs += cost.runs
            _add(own.own, cost)
            for each in {spot, *(asked for asked, _ in path[1:])}:
                _add(entry(each).total, cost)
        return _sorted(found.values())

    def stacks(self) -> str:
        """Collapsed stacks, one a line: heads and the lines between them from the outermost on, separated by `;`, a
        space, and the steps.
        """
        found: Counter[str] = Counter()
        for path, spot, cost in self._costs:
            if cost.steps > 0:
                found[";".join(self._frames(path, spot))] += cost.steps
        return "".join(f"{stack} {steps}\n" for stack, steps in sorted(found.items()))

    def _frames(self, path: Path, spot: Spot) -> Iterator[str]:
        if not path:
            yield OUTSIDE
        for asked, head in path:
            if asked != NOWHERE:
                yield self._line(asked)
            yield _frame(self.name(head))
        if spot != NOWHERE:
            yield self._line(spot)

    def _line(self, spot: Spot) -> str:
        return _frame(f"{spot[0]}:{spot[1]} {self.text_at(spot)}")

    def name(self, head: Head) -> str:
        """A head in words."""
        spot = self._shares.head_spot(head) if head[0] == "menu" else NOWHERE
        text = self.text_at(spot) if spot != NOWHERE else ""
        return f"menu {text}" if text else head_name(self.program, head)


def _add(cost: Cost, more: Cost) -> None:
    cost.runs += more.runs
    cost.steps += more.steps
    cost.nanoseconds += more.nanoseconds


def _sorted(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda each: (-each.own.steps, -each.total.steps, each.spot, each.name))


def _frame(text: str) -> str:
    """A frame of a stack: in one line, without what separates frames."""
    return " ".join(harmless(text).replace(";", ",").split())
