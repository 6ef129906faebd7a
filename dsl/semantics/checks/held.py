"""What a walk for secrets knows: which locals hold what a player is not shown, and what calls do."""

from __future__ import annotations

from dataclasses import dataclass, field

Scope = tuple[str, int]
"""`procedure` or `routine`, and its number."""
Witness = int | None
"""A secret variable that something follows from, if it follows from one."""


@dataclass(slots=True)
class Held:
    """What is known at a point of the code: locals that follow from secrets, and fields that were revealed."""

    locals: dict[int, int] = field(default_factory=dict)
    piles: frozenset[int] = frozenset()
    """Locals that hold the cards of a pile, or walk over them: how many there are everybody knows."""
    revealed: frozenset[int] = frozenset()

    def copy(self) -> Held:
        return Held(dict(self.locals), self.piles, self.revealed)

    def put(self, local: int, witness: Witness) -> None:
        self.piles -= {local}
        if witness is None:
            self.locals.pop(local, None)
        else:
            self.locals[local] = witness

    def met(self, other: Held) -> Held:
        """What holds where two ways meet."""
        return Held(self.locals | other.locals, self.piles & other.piles, self.revealed & other.revealed)


@dataclass(slots=True)
class Summary:
    """What is known of a procedure or routine from all its calls, and what its callers know of it."""

    given: dict[int, int] = field(default_factory=dict)
    """Parameters that follow from secrets."""
    result: Witness = None
    reveals: set[int] = field(default_factory=set)
    """Parameters that it shows to all."""
