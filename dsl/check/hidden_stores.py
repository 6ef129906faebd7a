"""Which locals are kept: written into a field that not everybody sees, as they are or as part of a sum.

A die that somebody throws for himself is his secret from the start, and so is the number that he chooses for a hidden
bid: neither was read from a field, so where they were read does not tell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dsl.check.owners import handed, plain
from dsl.check.taint_state import Owner, Scope, Whose
from dsl.ir import program as pr
from dsl.ir.copies import Copy, Place, copies


def kept_locals(
    procedures: Iterable[pr.Procedure | None],
    routines: Iterable[pr.Routine | None],
    secret: Iterable[int],
    actions: Iterable[pr.Action] = (),
) -> dict[tuple[Scope, int], tuple[int, Owner]]:
    """The kept locals, each with the variable that it is written into, that of the least number, and whose it is.

    Who acts is none of them: everybody sees that, wherever it is written.
    """
    acting = set(_acting(actions))
    into: dict[Place, list[Copy]] = defaultdict(list)
    for each in copies(procedures, routines):
        into[each.target].append(each)
    found: dict[tuple[Scope, int], tuple[int, Owner]] = {}
    for var in sorted(secret):
        waiting: list[tuple[Place, Owner]] = [(var, None)]
        while waiting:
            place, owner = waiting.pop()
            for copy in into[place]:
                for source in sorted(copy.sources() - found.keys() - acting):
                    found[source] = var, _owner(copy, owner)
                    waiting.append((source, found[source][1]))
    return found


def _acting(actions: Iterable[pr.Action]) -> Iterator[tuple[Scope, int]]:
    """The parameters that stand for who acts."""
    for each in actions:
        if each.by is not None:
            if each.procedure is not None:
                yield ("procedure", each.procedure), each.by
            if each.routine is not None:
                yield ("routine", each.routine), each.by


def _owner(copy: Copy, owner: Owner) -> Owner:
    """Whose the variable is that a value ends in, in terms of the code that hands it on."""
    if isinstance(copy.target, int):
        return None if copy.owner is None else plain(copy.owner) or Whose.OWN
    if copy.args is None or isinstance(owner, Whose | None):
        return owner
    return handed(owner, copy.args) or Whose.OWN
