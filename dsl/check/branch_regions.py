"""Ways through the blocks of a routine: where each leads, and what a branch decides on."""

from __future__ import annotations

from dsl.check.taint_state import Secret
from dsl.ir import program as pr
from dsl.lower.control_flow import targets


def regions(routine: pr.Routine, branches: dict[int, Secret]) -> dict[int, Secret]:
    """The blocks that each branch decides on: those on a way from it to where all its ways meet."""
    if not branches:
        return {}
    after = _always_after(routine)
    found: dict[int, Secret] = {}
    for branch, why in sorted(branches.items()):
        waiting = [each for each in targets(routine.blocks[branch].end) if each not in after[branch]]
        seen: set[int] = set()
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            found.setdefault(at, why)
            waiting += [each for each in targets(routine.blocks[at].end) if each not in after[branch]]
    return found


def _always_after(routine: pr.Routine) -> list[frozenset[int]]:
    """For each block those that every way from it to the end comes through, without itself."""
    count = len(routine.blocks)
    nexts = [targets(block.end) for block in routine.blocks]
    after = [frozenset(range(count)) for _ in range(count)]
    changed = True
    while changed:
        changed = False
        for at in reversed(range(count)):
            ways = [after[each] for each in nexts[at]]
            met = frozenset.intersection(*ways) | {at} if ways else frozenset({at})
            if met != after[at]:
                after[at] = met
                changed = True
    return [each - {at} for at, each in enumerate(after)]
