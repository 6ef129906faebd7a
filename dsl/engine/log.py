"""What happened, in words: one entry for each line that the rules tell, with the clauses that it cites."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dsl.engine.display import filled
from dsl.engine.layout import Plain
from dsl.ir.program import Program
from dsl.ir.types import Type


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind`: say, do, refused, phase, row, roll or end. `depth` is how deep in the calls it was told."""

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

    def text(self, language: str = "", player: int | None = None) -> str:
        """The entry as a player may read it (none: all of it); what he may not see shows as `?`."""
        entry = self if player is None else self.seen_as(player)
        if self.label is None:
            return self.name
        return filled(self.program, self.label, self.types, entry.args, language)

    def seen_as(self, player: int) -> Entry:
        """The entry without the arguments that a player may not see."""
        if self.args is None or all(mask >> player & 1 for mask in self.seen_by):
            return self
        pairs = zip(self.args, self.seen_by, strict=True)
        shown = tuple(value if mask >> player & 1 else None for value, mask in pairs)
        return replace(self, args=shown, seen_by=(-1,) * len(shown))

    @property
    def citations(self) -> tuple[str, ...]:
        """The ids of the clauses that it cites."""
        return tuple(name for clause in self.clauses for name in self.program.clauses[clause].ids)
