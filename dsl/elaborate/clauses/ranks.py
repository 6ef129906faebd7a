"""Which reaction comes before which: what `ahead of` and `over` say, through others too."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from dsl.diagnostics import Code
from dsl.elaborate.clauses.precedence import Handled, nothing_there
from dsl.resolve import symbols as w
from dsl.resolve.reporter import Reporter
from dsl.syntax import ast
from dsl.syntax.trees import handles_of


def rank_masks(reactions: list[ast.Reaction], *, over: bool) -> tuple[int, ...]:
    """For each of some reactions in their order (`ranked`), as a mask, which ones it is said to come before, through
    others too; and, with `over`, which never stand with it, as it is over them.
    """
    bearers: dict[str, list[int]] = {}
    for at, reaction in enumerate(reactions):
        for handle in dict.fromkeys(handles_of(reaction)):
            bearers.setdefault(handle, []).append(at)
    later, under = [0] * len(reactions), [0] * len(reactions)
    for index in reversed(range(len(reactions))):
        tail = reactions[index].tail
        for at in _named(tail.ahead, bearers, index):
            later[index] |= 1 << at | later[at]
        for at in _named(tail.over, bearers, index):
            under[index] |= 1 << at
    return tuple(one | two for one, two in zip(later, under, strict=True)) if over else tuple(later)


def _named(references: Iterable[ast.Reference], bearers: dict[str, list[int]], index: int) -> list[int]:
    """The other reactions that some references name."""
    found = {handle: None for reference in references for handle in reference.handles}
    return [at for handle in found for at in bearers.get(handle, ()) if at != index]


def ranked(reporter: Reporter, action: w.Action, reactions: list[ast.Reaction]) -> list[int]:
    """An order in which each clause stands before those that it is `ahead of`."""
    named = [handles_of(reaction) for reaction in reactions]
    bearers: dict[str, list[int]] = {}
    for index, handled in enumerate(named):
        for handle in dict.fromkeys(handled):
            bearers.setdefault(handle, []).append(index)
    before: dict[int, set[int]] = {index: set() for index in range(len(reactions))}
    for index, reaction in enumerate(reactions):
        for reference in reaction.tail.ahead:
            for handle in reference.handles:
                later = [at for at in bearers.get(handle, ()) if at != index]
                if not later:
                    others = [
                        Handled(named[at], (), other.span)
                        for at, other in enumerate(reactions)
                        if at != index
                    ]
                    nothing_there(reporter, reference, handle, action.name, "ahead of", others)
                for at in later:
                    before[at].add(index)
    after: dict[int, list[int]] = {}
    for index, earlier in before.items():
        for each in earlier:
            after.setdefault(each, []).append(index)
    left = {index: len(earlier) for index, earlier in before.items()}
    ready = [index for index, count in left.items() if not count]
    done: list[int] = []
    while ready:
        index = heappop(ready)
        done.append(index)
        for each in after.get(index, ()):
            left[each] -= 1
            if not left[each]:
                heappush(ready, each)
    if len(done) < len(reactions):
        reporter.error(
            Code.OVER_CYCLE, reactions[0].span, "clauses that are ahead of each other, in a circle"
        )
        return list(range(len(reactions)))
    return done
