"""What a walk for secrets knows: which locals hold what a player is not shown, and what calls do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from enum import Enum

from dsl.check.owners import locals_of
from dsl.check.revealed import Revealed
from dsl.ir import nodes as ir
from dsl.records import record
from dsl.source import Span

Scope = tuple[str, int]
"""`procedure` or `routine`, and its number."""
NOBODY = frozenset[int]()
NOTHING = Revealed()
MOST = 8
"""Secrets of one local that are told apart by whose they are."""


class Whose(Enum):
    """Whose a secret is, where no expression says it."""

    LOST = "some member's: which one is not known any more"
    OWN = "that of whoever threw or chose it"


Owner = ir.Expr | Whose | None
"""The member whose field was read, in terms of the locals at hand; for where a piece lies, the pile that was looked
into. None for what belongs to no member.
"""


@record(frozen=True, slots=True)
class Secret:
    """A secret that something follows from. Where it was read does not count when two are compared."""

    var: int
    owner: Owner = None
    read: Span | None = field(default=None, compare=False)
    """Where the code reads it."""
    within: Span | None = field(default=None, compare=False)
    """Where a value or a judgement reads it, if the code reads it by asking for one."""

    @property
    def locals(self) -> frozenset[int]:
        """The locals that say whose it is."""
        return NOBODY if isinstance(self.owner, Whose | None) else locals_of(self.owner)

    def forgetting(self, local: int) -> Secret:
        """The same where a local takes another value."""
        if local not in self.locals:
            return self
        return Secret(self.var, Whose.LOST, self.read, self.within)


Secrets = tuple[Secret, ...]
"""What something follows from, each secret once."""
Witness = Secret | None
"""A secret that something follows from, if it follows from one."""


def first(secrets: Iterable[Secret]) -> Witness:
    """The one that is told of several."""
    return min(secrets, key=lambda each: each.var, default=None)


def joined(*several: Secrets) -> Secrets:
    """All of some secrets, each once, in their order; where it is lost whose one is, or there are very many, it is not
    kept whose the others of the same variable are.
    """
    found: dict[tuple[int, Owner], Secret] = {}
    for each in (each for part in several for each in part):
        found.setdefault((each.var, each.owner), each)
    lost = {var for var, owner in found if owner is Whose.LOST}
    if len(found) > MOST:
        lost = {var for var, _ in found}
    if not lost:
        return tuple(found.values())
    kept: dict[tuple[int, Owner], Secret] = {}
    for each in found.values():
        owner = Whose.LOST if each.var in lost else each.owner
        kept.setdefault((each.var, owner), each if owner is each.owner else replace(each, owner=owner))
    return tuple(kept.values())


@record(slots=True)
class Held:
    """What is known at a point of the code: locals that follow from secrets, and fields that were revealed."""

    locals: dict[int, Secrets] = field(default_factory=dict)
    piles: frozenset[int] = frozenset()
    """Locals that hold the cards of a pile, or walk over them: how many there are everybody knows."""
    revealed: Revealed = NOTHING
    """Fields that were revealed, and of which members."""
    opened: frozenset[int] = frozenset()
    """Locals that all have been shown, since they were set."""
    reckoned: frozenset[int] = frozenset()
    """Locals that follow from secrets by way of pieces alone that locals hold: who knows those, knows them."""
    untold: Witness = None
    """A secret that decides whether this point is reached, and that nothing on the way has shown."""
    returned: Secrets = ()
    """What that which the routine entered last gave back follows from."""

    def copy(self) -> Held:
        return Held(
            *(dict(self.locals), self.piles, self.revealed, self.opened, self.reckoned),
            *(self.untold, self.returned),
        )

    def put(self, local: int, secrets: Secrets) -> None:
        """A local takes a value that follows from some secrets."""
        self.piles -= {local}
        self.opened -= {local}
        self.reckoned -= {local}
        self.revealed = self.revealed.forgetting(local)
        self.locals.pop(local, None)
        for other, held in self.locals.items():
            if any(local in each.locals for each in held):
                self.locals[other] = joined(tuple(each.forgetting(local) for each in held))
        if secrets:
            self.locals[local] = joined(tuple(each.forgetting(local) for each in secrets))

    def met(self, other: Held) -> Held:
        """What holds where two ways meet."""
        return Held(
            both(self.locals, other.locals),
            self.piles & other.piles,
            self.revealed.met(other.revealed),
            self.opened & other.opened,
            frozenset(
                each
                for each in self.reckoned | other.reckoned
                if all(each in way.reckoned or each not in way.locals for way in (self, other))
            ),
            self.untold if self.untold is not None else other.untold,
            joined(self.returned, other.returned),
        )


def both(one: dict[int, Secrets], other: dict[int, Secrets]) -> dict[int, Secrets]:
    """What locals follow from where either of two ways was taken."""
    found = other | one
    for local in one.keys() & other.keys():
        if one[local] != other[local]:
            found[local] = joined(one[local], other[local])
    return found


@record(slots=True)
class Summary:
    """What is known of a procedure or routine from all its calls, and what its callers know of it."""

    given: dict[int, Secrets] = field(default_factory=dict)
    """Parameters that follow from secrets, in terms of the parameters."""
    result: Secrets = ()
    untold: Witness = None
    """A secret that decides whether it is called at all."""
