"""Which reaction comes before which: what `ahead of` and `over` say, through others too."""

from __future__ import annotations

from dsl.diagnostics import Code
from dsl.semantics.clauses.overruling import Handled, handles, nothing_there
from dsl.semantics.things import entries as w
from dsl.semantics.things.world import World
from dsl.syntax import ast
from dsl.syntax.trees import opening_citation


def rank_pairs(
    world: World, found: list[tuple[ast.Reaction, w.Guard]], *, over: bool
) -> frozenset[tuple[int, int]]:
    """Which reaction is said to come before which, through others too; and, with `over`, which never stand
    together, as one is over the other.
    """
    names = [set(handles(opening_citation(reaction.body))) for reaction, _ in found]
    later, under = [0] * len(found), [0] * len(found)
    for index, (reaction, _) in enumerate(found):
        for references, masks in ((reaction.tail.ahead, later), (reaction.tail.over, under)):
            handled = {handle for reference in references for handle in reference.handles}
            masks[index] = sum(1 << at for at, each in enumerate(names) if at != index and each & handled)
    for middle in range(len(found)):
        for index in range(len(found)):
            if later[index] >> middle & 1:
                later[index] |= later[middle]
    return frozenset(
        (index, at)
        for index in range(len(found))
        for at in range(len(found))
        if (later[index] | (under[index] if over else 0)) >> at & 1
    )


def ranked(world: World, action: w.Action, reactions: list[ast.Reaction]) -> list[int]:
    """An order in which each clause stands before those that it is `ahead of`."""
    before: dict[int, set[int]] = {index: set() for index in range(len(reactions))}
    for index, reaction in enumerate(reactions):
        for reference in reaction.tail.ahead:
            for handle in reference.handles:
                later = [
                    at
                    for at, other in enumerate(reactions)
                    if handle in handles(opening_citation(other.body)) and at != index
                ]
                if not later:
                    others = [
                        Handled(handles(opening_citation(other.body)), (), other.span)
                        for at, other in enumerate(reactions)
                        if at != index
                    ]
                    nothing_there(world, reference, handle, action.name, "ahead of", others)
                for at in later:
                    before[at].add(index)
    done: list[int] = []
    while len(done) < len(reactions):
        ready = [index for index in before if index not in done and before[index] <= set(done)]
        if not ready:
            world.error(
                Code.OVER_CYCLE, reactions[0].span, "clauses that are ahead of each other, in a circle"
            )
            return list(range(len(reactions)))
        done.append(ready[0])
    return done
