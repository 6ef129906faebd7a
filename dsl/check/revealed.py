"""Which secret fields everybody may have seen at a point of the code, and of which members.

`bob.shown = true` shows what bob plans, where the audience of `plan` follows from `shown` of the same player; it says
nothing of what ann plans. What is written behind `bob.shown = false` is a secret again.
"""

from __future__ import annotations

from functools import cache

from dsl.check.owners import handed, locals_of, received
from dsl.ir import nodes as ir
from dsl.ir.types import Id, SetOf
from dsl.lower.rewrite import walk_ir
from dsl.records import record
from dsl.resolve.symbol_table import World

Shown = tuple[int, ir.Expr | None]
"""A field, and the member whose it is, in terms of the locals at hand; none: of all members."""


@record(frozen=True, slots=True)
class Revealed:
    """The fields that were revealed, and those that may have been closed since: what is written there, nobody sees."""

    fields: frozenset[Shown] = frozenset()
    closed: frozenset[int] = frozenset()

    def has(self, var: int, owner: object) -> bool:
        """Was the field of a member revealed?"""
        return (var, None) in self.fields or (isinstance(owner, ir.Expr) and (var, owner) in self.fields)

    def of(self, var: int) -> list[ir.Expr | None]:
        """The members whose field was revealed."""
        return [owner for each, owner in self.fields if each == var]

    def showing(self, fields: frozenset[Shown]) -> Revealed:
        of_all = {var for var, owner in fields if owner is None}
        return Revealed(self.fields | fields, self.closed - of_all) if fields else self

    def closing(self, fields: frozenset[int]) -> Revealed:
        return Revealed(self.fields, self.closed | fields) if fields - self.closed else self

    def wrote(self, written: frozenset[int]) -> Revealed:
        """What still holds where some variables take other values."""
        kept = frozenset(
            (var, owner)
            for var, owner in self.fields
            if not (var in written and var in self.closed)
            and (owner is None or not _read_of(owner) & written)
        )
        return self if len(kept) == len(self.fields) else Revealed(kept, self.closed)

    def forgetting(self, local: int) -> Revealed:
        """The same where a local takes another value."""
        kept = frozenset(each for each in self.fields if each[1] is None or local not in locals_of(each[1]))
        return self if len(kept) == len(self.fields) else Revealed(kept, self.closed)

    def met(self, other: Revealed) -> Revealed:
        """What holds where two ways meet."""
        if self == other:
            return self
        fields = frozenset(each for each in self.fields if other.has(*each))
        fields |= frozenset(each for each in other.fields if self.has(*each))
        return Revealed(fields, self.closed | other.closed)

    def inside(self, args: tuple[ir.Expr, ...]) -> Revealed:
        """The same in terms of the parameters that are given `args`."""
        if not self.fields:
            return self
        found = ((var, None if owner is None else received(owner, args), owner) for var, owner in self.fields)
        return Revealed(
            frozenset((var, there) for var, there, owner in found if owner is None or there is not None)
        )

    def outside(self, args: tuple[ir.Expr, ...]) -> frozenset[Shown]:
        """The fields, said in terms of parameters, in terms of what these are given."""
        found = ((var, None if owner is None else handed(owner, args), owner) for var, owner in self.fields)
        return frozenset((var, there) for var, there, owner in found if owner is None or there is not None)

    def of_params(self, params: int) -> Revealed:
        """What holds of it for whoever knows the parameters alone."""
        kept = (
            (var, owner)
            for var, owner in self.fields
            if owner is None or all(local < params for local in locals_of(owner))
        )
        return Revealed(frozenset(kept), self.closed)

    def around(self, loop: ir.ForEach, after: Revealed, world: World) -> Revealed:
        """What holds behind a loop that came to `after` in one round: what it does for every member is done for all."""
        if not _is_whole(loop.domain, world):
            return self.met(after)
        found = set[Shown]()
        for var, owner in after.fields - self.fields:
            if owner is None or loop.index not in locals_of(owner):
                found.add((var, owner))
            elif isinstance(owner, ir.Local):
                found.add((var, None))
        return self.met(after).showing(frozenset(found))


@cache
def _read_of(owner: ir.Expr) -> frozenset[int]:
    """The variables by which an expression says who is meant."""
    return frozenset(each.var for each in walk_ir(owner) if isinstance(each, ir.Load | ir.LoadItem))


def _is_whole(domain: ir.Expr, world: World) -> bool:
    """Are these all members that there are?"""
    match domain:
        case ir.Const(type=SetOf(of=Id(domain=number)), value=int(members)):
            return members == (1 << len(world.domains[number].members)) - 1 > 0
        case _:
            return False
