"""What a walk for secrets knows: which locals hold what a player is not shown, and what calls do."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.source import Span

Scope = tuple[str, int]
"""`procedure` or `routine`, and its number."""


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """A secret variable that something follows from. Where it was read does not count when two are compared."""

    var: int
    read: Span | None = field(default=None, compare=False)
    """Where the code reads it."""
    within: Span | None = field(default=None, compare=False)
    """Where a value or a judgement reads it, if the code reads it by asking for one."""


Witness = Secret | None
"""A secret that something follows from, if it follows from one."""


@dataclass(slots=True)
class Held:
    """What is known at a point of the code: locals that follow from secrets, and fields that were revealed."""

    locals: dict[int, Secret] = field(default_factory=dict)
    piles: frozenset[int] = frozenset()
    """Locals that hold the cards of a pile, or walk over them: how many there are everybody knows."""
    revealed: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()
    """Locals that all have been shown, since they were set."""
    reckoned: frozenset[int] = frozenset()
    """Locals that follow from secrets by way of pieces alone that locals hold: who knows those, knows them."""
    untold: Witness = None
    """A secret that decides whether this point is reached, and that nothing on the way has shown."""

    def copy(self) -> Held:
        return Held(dict(self.locals), self.piles, self.revealed, self.opened, self.reckoned, self.untold)

    def put(self, local: int, witness: Witness) -> None:
        self.piles -= {local}
        self.opened -= {local}
        self.reckoned -= {local}
        if witness is None:
            self.locals.pop(local, None)
        else:
            self.locals[local] = witness

    def met(self, other: Held) -> Held:
        """What holds where two ways meet."""
        return Held(
            other.locals | self.locals,
            self.piles & other.piles,
            self.revealed & other.revealed,
            self.opened & other.opened,
            frozenset(
                each
                for each in self.reckoned | other.reckoned
                if all(each in way.reckoned or each not in way.locals for way in (self, other))
            ),
            self.untold if self.untold is not None else other.untold,
        )


@dataclass(slots=True)
class Summary:
    """What is known of a procedure or routine from all its calls, and what its callers know of it."""

    given: dict[int, Secret] = field(default_factory=dict)
    """Parameters that follow from secrets."""
    result: Witness = None
    reveals: set[int] = field(default_factory=set)
    """Parameters that it shows to all."""
    untold: Witness = None
    """A secret that decides whether it is called at all."""
