"""What a test names of a random choice, as one of the elements among which is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.engine.kinds import kind_of
from dsl.engine.script import Wanted
from dsl.ir.program import Program
from dsl.records import record

UNTYPED = -1
"""In the place of a domain: these are numbers."""


@record(frozen=True, slots=True)
class Elements:
    """What a random choice is made among, in one state: numbers, or members of a domain."""

    program: Program
    state: Sequence[int]
    domain: int

    def meant(self, wanted: Wanted, elements: Sequence[int]) -> int | None:
        """The element that is wanted, or the first piece of the kind that is; none where there is no such one."""
        for element in elements:
            if wanted in self._names(element):
                return element
        return None

    def word(self, wanted: Wanted | int) -> str:
        """What a test writes for an element, or for what is wanted."""
        if isinstance(wanted, Wanted):
            return self.program.domains[wanted.domain].members[wanted.number]
        if self.domain == UNTYPED:
            return str(wanted)
        return self.word(self._names(wanted)[-1])

    def said(self, element: int, elements: Sequence[int]) -> int | str:
        """What a test writes so that an element is picked: its name or its kind, if that means it and nothing else."""
        name = next(iter(self._names(element)[::-1]), None)
        pieces = {pool.domain for pool in self.program.pools}
        if name is None or name.domain in pieces or self.meant(name, elements) != element:
            return element
        word = self.word(name)
        having = [n for n, each in enumerate(self.program.domains) if n not in pieces and not each.parts]
        alike = sum(word in self.program.domains[n].members for n in having)
        return word if alike == 1 and word.isidentifier() else element

    def _names(self, element: int) -> list[Wanted]:
        """As what an element can be named: as a member of its type, of a part of that, and as a kind."""
        if self.domain == UNTYPED:
            return []
        found = [Wanted(self.domain, element)]
        left = element
        for part in self.program.domains[self.domain].parts:
            size = len(self.program.domains[part].members)
            if 0 <= left < size:
                found.append(Wanted(part, left))
                break
            left -= size
        piece = found[-1]
        for pool in self.program.pools:
            if pool.domain == piece.domain:
                kind = kind_of(self.program, self.state, pool, piece.number)
                found += [] if kind is None else [Wanted(*kind)]
        return found
