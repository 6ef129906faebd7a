"""What the figures are of: every game that comes with the package, and every folder of examples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dsl.engine.machine import Machine
from dsl.resources import games
from tests.examples import example_folders
from tests.shipped import shipped

ROOT = Path(__file__).resolve().parent.parent.parent
MAIN = "cristal_et_acier"
MODES = {
    "green_conquest": ("duel", "free_for_all", "coalition"),
    "risk_halo": ("objective", "one_on_one", "slayer", "team"),
}
"""Games whose modes are targets of their own, `green_conquest:duel`."""


@dataclass(frozen=True, slots=True)
class Target:
    """A name to show, what to compile for it, and in which mode it is played; empty: in any."""

    name: str
    what: str
    mode: str = ""

    def machine(self) -> Machine:
        """Its program, compiled once in this process."""
        return _machine(self.what)


def targets() -> tuple[Target, ...]:
    """All of them: the package's own games first, each part in alphabetical order."""
    own = [each for name in games() for each in _own(name)]
    return (*own, *(Target(path.name, str(path)) for path in example_folders()))


def named(name: str) -> tuple[Target, ...]:
    """The one of a name, or those of all modes of a game."""
    found = tuple(each for each in targets() if name in {each.name, each.name.partition(":")[0]})
    if not found:
        raise SystemExit(f"no game `{name}`; there are: {', '.join(each.name for each in targets())}")
    return found


def target(name: str) -> Target:
    """The one of a name; of a game with modes, its first."""
    return named(name)[0]


def _own(name: str) -> list[Target]:
    return [Target(f"{name}:{mode}", name, mode) for mode in MODES.get(name, ())] or [Target(name, name)]


@cache
def _machine(what: str) -> Machine:
    return Machine(shipped(what))
