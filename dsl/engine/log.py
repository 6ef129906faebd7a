"""What happened, in words: one entry for each line that the rules tell, with the clauses that it cites."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dsl.engine.display import HIDDEN, Member, filled, worded
from dsl.engine.layout import Plain
from dsl.ir.program import Program
from dsl.ir.types import Type

Known = tuple[Member, Member, int]
"""A piece, its kind, and the players who see that, a bit for each."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one place in the code tells: all of an entry that is known before the game."""

    kind: str
    label: int | None
    types: tuple[Type, ...]
    clauses: tuple[int, ...]
    sides: int = 0
    holes: tuple[str, ...] = ()
    """What the rules have in each hole, for where it cannot be computed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind`: say, do, refused, phase, row, roll, pick or end. `depth` is how deep in the calls it was told.

    The arguments of a roll are how many dice were thrown and their sum (or the list of them), that of a pick
    is what was picked.
    """

    program: Program = field(repr=False, compare=False)
    kind: str
    label: int | None
    types: tuple[Type, ...]
    args: tuple[Plain | None, ...] | None
    seen_by: tuple[int, ...]
    """For each argument the players who may see what it was read from, a bit for each; -1 all."""
    clauses: tuple[int, ...]
    depth: int
    name: str = ""
    """What stands for the label where there is none: the name of an action."""
    sides: int = 0
    """Of each die of a roll."""
    player: int | None = None
    """Who does it, where an action is done by somebody."""
    question: int | None = None
    """What was asked, where a value was taken at once."""
    before: list[int] = field(default_factory=list, repr=False, compare=False)
    """The state as it was when this was told, without its frames; it belongs to nobody's view."""
    holes: tuple[str, ...] = ()
    """What stands in the holes of the label where there are no arguments."""
    failed: str = ""
    """Why there are no arguments: the code of the failure."""
    known: tuple[Known, ...] = ()
    """Of the pieces that it names and whose kind not everybody sees, of which kind they were."""

    @property
    def unnamed(self) -> bool:
        """Is it that an order was refused which players have no words for? None of them is told."""
        return self.kind == "refused" and self.label is None

    def text(self, language: str = "", player: int | None = None) -> str:
        """The entry as a player may read it (none: all of it); what he may not see shows as `?`."""
        entry = self if player is None else self.seen_as(player)
        if self.kind == "roll":
            return f"{entry.part(0, language)}d{self.sides}: {entry.part(1, language)}"
        if self.kind == "pick":
            return entry.part(0, language)
        if self.label is None:
            return self.name
        return filled(self.program, self.label, self.types, entry.args, language, entry.holes, entry.called)

    def part(self, index: int, language: str = "") -> str:
        """One argument in words."""
        value = self.args[index] if self.args is not None else None
        return (
            HIDDEN if value is None else worded(self.program, self.types[index], value, language, self.called)
        )

    def called(self, domain: int, member: int) -> Member:
        """By what a member is called here: a piece of a hidden kind by its kind, if that is known."""
        return next((kind for piece, kind, _ in self.known if piece == (domain, member)), (domain, member))

    def seen_as(self, player: int) -> Entry:
        """The entry without the arguments and kinds that a player may not see, and without the state."""
        known = tuple((piece, kind, -1) for piece, kind, mask in self.known if mask >> player & 1)
        if self.args is None:
            masks = (*self.seen_by, *[0] * len(self.holes))
            forms = (
                hole if mask >> player & 1 else HIDDEN for hole, mask in zip(self.holes, masks, strict=False)
            )
            return replace(self, holes=tuple(forms), before=[], known=known)
        pairs = zip(self.args, self.seen_by, strict=True)
        seen = tuple(value if mask >> player & 1 else None for value, mask in pairs)
        return replace(self, args=seen, seen_by=(-1,) * len(seen), before=[], known=known)

    @property
    def citations(self) -> tuple[str, ...]:
        """The ids of the clauses that it cites."""
        return tuple(name for clause in self.clauses for name in self.program.clauses[clause].ids)


@dataclass(frozen=True, slots=True)
class Asked:
    """That the rules asked for a value: of what, who may see of what, and the state in which they did."""

    value: int
    args: tuple[Plain, ...]
    seen_by: int
    pieces: tuple[tuple[int, int], ...]
    """The pieces among what it was asked of, each with its domain: who sees where they lie sees which they are."""
    state: list[int] = field(repr=False, compare=False)
