"""Which conditions have nothing to do with each other: then both can hold at once if each of them can, and nobody has
to search for it (`dsl.elaborate.clauses.solver`).

In that search a field of some owner, or what a value gives for some arguments, may be anything. So a condition that
reads one field of `u`, and asks nothing else about `u`, can hold for each `u` if it can for one: `u.hp > 2` leaves open
which piece `u` is, and goes with each condition in which there is no `hp`. One that reads the field of two owners does
not, as both may be one.
"""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int
from dsl.ir.walk import parts
from dsl.lower.rewrite import walk_ir
from dsl.records import record


@record(frozen=True, slots=True)
class About:
    """What a condition is about."""

    read: frozenset[tuple[str, int]]
    """Variables, values, and what else is one thing to the search."""
    named: frozenset[int]
    """The locals on whose values it hangs, by more than what is read of them."""

    def is_independent_of(self, other: About) -> bool:
        """Can both hold if each can?"""
        return self.read.isdisjoint(other.read) and self.named.isdisjoint(other.named)


def about(condition: ir.Expr) -> About:
    """What a condition is about."""
    found = _Found()
    found.go_through(condition)
    named = found.named | found.owners if found.is_crowded else found.named
    return About(frozenset(found.read), frozenset(named))


@record(slots=True)
class _Found:
    read: dict[tuple[str, int], ir.Expr]
    """What is read, with the first node that reads it."""
    named: set[int]
    owners: set[int]
    """Locals of which fields are read, or about which values are asked."""
    is_crowded: bool
    """Is something read of two owners, or may it be?"""

    def __init__(self) -> None:
        self.read, self.named, self.owners, self.is_crowded = {}, set(), set(), False

    def go_through(self, condition: ir.Expr) -> None:
        waiting = [condition]
        while waiting:
            each = waiting.pop()
            match each:
                case ir.Local(index=index):
                    self.named.add(index)
                case ir.Load(var=number):
                    self.note(("var", number), each)
                    waiting += self.owned(parts(each))
                case ir.Ask(value=number):
                    self.note(("value", number), each)
                    waiting += self.owned(parts(each))
                case ir.LoadItem(var=number):
                    self.note(("var", number), each)
                    waiting += parts(each)
                case ir.Const() | ir.Op() | ir.Lookup():
                    waiting += parts(each)
                case ir.LetIn():  # its local may be another in another place
                    self.is_crowded = True
                    waiting += parts(each)
                case _:
                    self.whole(each)

    def note(self, key: tuple[str, int], reading: ir.Expr) -> None:
        if self.read.setdefault(key, reading) != reading:
            self.is_crowded = True

    def owned(self, given: tuple[ir.Expr, ...]) -> list[ir.Expr]:
        """Owners and arguments without plain locals, which are noted: one that may be none has no fields then."""
        plain = {
            id(each): each.index for each in given if isinstance(each, ir.Local) and not _may_be_none(each)
        }
        self.owners.update(plain.values())
        return [each for each in given if id(each) not in plain]

    def whole(self, expr: ir.Expr) -> None:
        """What the search does not take apart: it is one thing where it is written alike."""
        self.is_crowded = True
        self.read[type(expr).__name__, 0] = expr
        for each in walk_ir(expr):
            match each:
                case ir.Local(index=index):
                    self.named.add(index)
                case ir.Load(var=number) | ir.LoadItem(var=number):
                    self.read["var", number] = each
                case ir.Ask(value=number):
                    self.read["value", number] = each
                case _:
                    pass


def _may_be_none(local: ir.Local) -> bool:
    return not isinstance(local.type, Int | Id) or local.type.optional
