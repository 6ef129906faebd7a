"""What can go wrong in play: a rule that fails, and a choice that was not offered.

| code  | what                                                                              |
|-------|-----------------------------------------------------------------------------------|
| E0601 | a value left its declared range                                                   |
| E0602 | a choice with nothing to choose                                                   |
| E0603 | two different writes to one place at one instant                                  |
| E0604 | a value needed where there is none                                                |
| E0605 | a random choice from nothing                                                      |
| E0606 | a choice for nobody                                                               |
| E0607 | two clauses that contradict each other about one value                            |
| E0608 | too many steps between two decisions                                              |
| E0609 | a number that cannot be computed: divided by zero, or inexact and not rounded     |
| E0610 | a piece put into one that has no room for it, or is in another one itself         |
| E0611 | a piece to be placed where no place is free                                       |
| E0612 | too many options in one choice                                                    |
| E0613 | a search that was given up, as it took too many steps                             |
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.catalogue import tr
from dsl.errors import PicklableError
from dsl.ir.program import Clause, Place


class RuleFailure(PicklableError):
    """A rule failed in play; the game stays where it was.

    `site` is an index of the program's sites (-1 unknown) and `place` what it says; `clauses` are the clauses
    concerned, innermost first; `about` is the variable that was to be written, where it is one. `outside` is a number
    that left its range, with the ends of that range; `summed` what it was before and what one instant added to it.
    """

    __module__ = "dsl"

    def __init__(
        self, code: str, message: str, *, site: int = -1, clauses: tuple[int, ...] = (), about: int = -1
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.site = site
        self.clauses = clauses
        self.about = about
        self.outside: tuple[str, int, int] | None = None
        self.summed: tuple[int, int] | None = None
        self.place: Place | None = None

    def say(self, message: str) -> None:
        """Says it in other words."""
        self.message = message
        self.args = (f"{self.code}: {message}",)

    def name_both(self, clauses: Sequence[Clause]) -> None:
        """Names the two clauses that contradict each other, with their files and lines."""
        one, two = (_named(clauses[each]) for each in self.clauses)
        self.say(tr("two clauses contradict each other: {one} and {two}", one=one, two=two))


def _named(clause: Clause) -> str:
    """A clause by its citation, or as it is written, and where it stands."""
    handles = (*clause.ids, *clause.families)
    name = f"[{', '.join(handles)}]" if handles else f"`{clause.text}`"
    return f"{name} ({clause.place.file}:{clause.place.line})"


class IllegalChoice(ValueError):
    """What was chosen is not among the options, or the game asks nothing now."""

    __module__ = "dsl"


class StartError(ValueError):
    """The game cannot start so: an option or a choice that it does not have."""

    __module__ = "dsl"


class Unplayable(ValueError):
    """A program that is well made, and still beyond what this engine can run."""

    __module__ = "dsl"


class Disagreement(RuntimeError):
    """Two engines do not come to the same: a fault of Scenarii."""


class ScriptError(Exception):
    """Scripted chance ran out, or gave what chance cannot give.

    Where it was asked for is told as for `RuleFailure`; `state` is the vector as it then stood.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.site = -1
        self.clauses: tuple[int, ...] = ()
        self.place: Place | None = None
        self.state: tuple[int, ...] = ()


class ChanceMet(Exception):
    """Chance was asked where a search counts only what is certain."""
