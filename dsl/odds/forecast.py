"""What an option costs and does, as whoever chooses can know it before he chooses.

    for option, found in zip(decision.options, forecasts(decision, "fr"), strict=True):
        print(option.label("fr"), found.sure, found.odds)

The action of an option is carried out on copies of the state, once for each way that its dice can fall, up to its end
or to the first question in it. What is hidden from whoever chooses is not looked at: where there is such, it is done in
worlds that he cannot tell apart from the one that is, never in that one, and told is what comes out in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from dsl.engine.chance import Generator
from dsl.engine.changes import amounts
from dsl.engine.decision import Decision, Option
from dsl.engine.machine import Machine
from dsl.engine.runtime import Run
from dsl.engine.worlds import Secrets
from dsl.odds.walk import Begin, Failed, Spread, Walk
from dsl.odds.ways import TooMany
from dsl.records import record

MOST_WAYS = 300
"""So many ways of chance are gone through for an option, in all worlds together."""
MOST_IN_ALL = 2_000
"""And so many for all options of a decision."""
WORLDS = 3
"""Worlds that are made by chance where something is hidden, besides the one that stands for all."""


@record(frozen=True, slots=True)
class Forecast:
    """What choosing an option is known to do.

    `sure` are the changes that come about however chance has it, such as `Purse −5`; `odds` those that may, each with
    how likely it is, the likeliest first. Both are empty where nothing is known, or too much would have to be tried.
    """

    sure: tuple[str, ...] = ()
    odds: tuple[tuple[Fraction, str], ...] = ()


NOTHING = Forecast()


def forecasts(decision: Decision, language: str = "", options: Sequence[Option] = ()) -> tuple[Forecast, ...]:
    """For each of some options of a decision (without any, for all) what it does, in words of a language."""
    machine = decision.machine
    worlds = _worlds(machine, list(decision.state), decision.player)
    left = MOST_IN_ALL
    found: list[Forecast] = []
    for option in options or decision.options:
        if option.declared.action is None or left <= 0:
            found.append(NOTHING)
            continue
        most = min(MOST_WAYS, left)
        told, tried = _forecast(machine, worlds, option, decision.player, language, most)
        left -= tried
        found.append(told)
    return tuple(found)


def _worlds(machine: Machine, state: list[int], viewer: int) -> list[list[int]]:
    """The state where nothing is hidden from a player; else worlds that he cannot tell from it, the same for each."""
    secrets = Secrets(machine)
    if not secrets.hidden and not secrets.alone:
        return [state]
    found = [secrets.ordered(state, viewer)]
    covers = secrets.changing(found[0], viewer)
    for seed in range(WORLDS if covers else 0):
        found.append(secrets.shuffled(found[0], covers, Generator(seed)))
    return found


def _forecast(
    machine: Machine, worlds: list[list[int]], option: Option, viewer: int, language: str, most: int
) -> tuple[Forecast, int]:
    """What an option does in some worlds, if that is the same in all, and how many ways were tried."""
    known: dict[tuple[str, ...], Fraction] | None = None
    tried = 0
    for world in worlds:

        def read(state: list[int], run: Run, world: list[int] = world) -> tuple[str, ...]:
            return tuple(amounts(machine, world, state, viewer, language))

        walk = Walk(machine, read, asks=False, most=most - tried)
        try:
            spread = _spread(machine, walk, world, option)
        except TooMany:
            return NOTHING, tried + walk.tried
        tried += walk.tried
        outcomes = dict(_told(spread))
        if any(isinstance(each, Failed) for each in spread.outcomes) or (
            known is not None and outcomes != known
        ):
            return NOTHING, tried
        known = outcomes
    return _summed(known or {}), tried


def _spread(machine: Machine, walk: Walk, world: list[int], option: Option) -> Spread:
    action = machine.program.actions[option.declared.action or 0]
    args = option.args
    if action.procedure is not None:
        return walk.procedure(world, action.procedure, args)
    if action.routine is None:
        return Spread()
    return walk.spread(Begin(world, routine=action.routine, args=args))


def _told(spread: Spread) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    for row, share in spread.outcomes.items():
        if isinstance(row, tuple):
            yield row, share


def _summed(outcomes: dict[tuple[str, ...], Fraction]) -> Forecast:
    """The changes that all outcomes have, and of the others how likely each is."""
    shares: dict[str, Fraction] = {}
    for row, share in outcomes.items():
        for each in dict.fromkeys(row):
            shares[each] = shares.get(each, Fraction(0)) + share
    sure = tuple(each for each, share in shares.items() if share == 1)
    odds = sorted(((share, each) for each, share in shares.items() if share != 1), key=lambda pair: -pair[0])
    return Forecast(sure, tuple(odds))
