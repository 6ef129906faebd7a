"""Dice and random choices, from the generator or from a script."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.engine import chance
from dsl.engine.failure import ChanceMet, RuleFailure
from dsl.engine.picking import Elements
from dsl.engine.runtime import Run

MOST = 2**32
"""What one draw can tell apart."""


def roll(state: list[int], run: Run, count: int, sides: int) -> int:
    """The sum of some dice."""
    _refuse(run, count)
    if run.script is not None:
        return run.script.roll(count, count * sides) if count else 0
    total = sum([chance.below(state, sides) + 1 for _ in range(count)])
    if run.heard is not None and count:
        run.heard.append(("rolls", (total,)))
    return total


def roll_list(state: list[int], run: Run, count: int, sides: int, limit: int) -> tuple[int, ...]:
    """Some dice, highest first."""
    _refuse(run, count)
    if count > limit:
        raise RuleFailure("E0601", tr("{count} dice where {limit} have room", count=count, limit=limit))
    if run.script is not None:
        dice = run.script.roll_each(count, sides)
    else:
        dice = [chance.below(state, sides) + 1 for _ in range(count)]
        if run.heard is not None:
            run.heard += [("rolls", (die,)) for die in dice]
    return tuple(sorted(dice, reverse=True))


def pick(state: list[int], run: Run, elements: tuple[int, ...], domain: int) -> int:
    """One of some elements of a domain, each as likely."""
    _refuse(run, 0)
    if not elements:
        raise RuleFailure("E0605", "a random choice from nothing")
    if run.script is not None:
        return run.script.pick(elements, (), Elements(run.machine.program, state, domain))
    found = elements[chance.below(state, len(elements))]
    return _heard(run, elements, found, Elements(run.machine.program, state, domain))


def pick_weighed(
    state: list[int], run: Run, elements: tuple[int, ...], weights: tuple[int, ...], domain: int
) -> int:
    """One of some elements, each as likely as its weight is great: one draw below the sum of the weights."""
    _refuse(run, 0)
    possible = tuple(each for each in elements if weights[each])
    if not possible:
        raise RuleFailure("E0605", "a random choice from nothing")
    if run.script is not None:
        chances = [weights[each] for each in possible]
        return run.script.pick(possible, chances, Elements(run.machine.program, state, domain))
    total = sum(weights[each] for each in possible)
    if total > MOST:
        raise RuleFailure(
            "E0609", tr("weights that add up to {total}, more than {most}", total=total, most=MOST)
        )
    drawn = chance.below(state, total)
    for each in possible:
        drawn -= weights[each]
        if drawn < 0:
            return _heard(run, possible, each, Elements(run.machine.program, state, domain))
    raise AssertionError("the weights add up")


def _heard(run: Run, elements: tuple[int, ...], element: int, of: Elements) -> int:
    """What was picked; of a single one a script has nothing to say."""
    if run.heard is not None and len(elements) > 1:
        run.heard.append(("picks", (of.said(element, elements), element)))
    return element


def _refuse(run: Run, count: int) -> None:
    if run.certain:
        raise ChanceMet
    if count < 0:
        raise RuleFailure("E0601", tr("{count} dice cannot be thrown", count=count))
