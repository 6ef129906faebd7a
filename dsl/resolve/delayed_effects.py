"""What waits for its moment, and what lasts for the rest of something: by the statement that sets it."""

from __future__ import annotations

from dataclasses import field

from dsl.records import record
from dsl.resolve import symbols as w
from dsl.syntax import ast


@record(slots=True)
class Delayed:
    """Calls of one action that wait for one moment; each tuple of arguments is a number."""

    action: w.Action
    moment: str
    scope: str
    var: int
    sizes: list[int]


@record(slots=True)
class Lasting:
    """A modifier for the rest of something, and the local name that it was set for."""

    tree: ast.Rest
    within: ast.Node
    """The declaration in which it stands."""
    var: int
    captured: str | None
    of: int | None
    copies: list[tuple[str, int]] | None = None
    """Names that are kept side by side for each copy, and their variables (`lasting`)."""


@record(slots=True)
class Delays:
    """All that waits or lasts in a game, by the statement that sets it."""

    later: dict[int, Delayed] = field(default_factory=dict)
    rest: dict[int, Lasting] = field(default_factory=dict)
    forgetting: dict[str, int] = field(default_factory=dict)
    """For each scope the procedure that ends what lasted for the rest of it."""

    def at(self, scope: str, moment: str) -> list[Delayed]:
        """What waits for a moment, each action once."""
        found = [each for each in self.later.values() if (each.scope, each.moment) == (scope, moment)]
        return list({each.var: each for each in found}.values())

    def waiting(self) -> dict[str, set[str]]:
        """The actions that wait for the start or end of each scope."""
        found: dict[str, set[str]] = {}
        for each in self.later.values():
            found.setdefault(each.scope, set()).add(each.action.name)
        return found

    def ends(self, scope: str) -> list[Lasting]:
        return [each for each in self.rest.values() if each.tree.scope.text == scope]


MOST_COPIES = 15


COPIES = "copies"
