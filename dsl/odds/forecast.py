"""What an option costs and does, as whoever chooses can know it before he chooses.

    for option, found in zip(decision.options, forecasts(decision, "fr"), strict=True):
        print(option.label("fr"), found.sure, found.odds)

The action of an option is carried out on copies of the state, once for each way that its dice can fall, up to its end
or to the first question in it. What is hidden from whoever chooses is not looked at: where there is such, it is done in
worlds that he cannot tell apart from the one that is, never in that one, and told is what comes out in all of them. So
it is with the order of what is shuffled: each world has one of its own.

A page does the same in its module: `dsl/browser/page/forecasts.js`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from dsl.engine.chance import Generator
from dsl.engine.changes import amounts
from dsl.engine.decision import Decision, Option
from dsl.engine.failure import RuleFailure
from dsl.engine.foresight import MOST_IN_ALL, MOST_TOGETHER, MOST_VALUES, MOST_WAYS, WORLDS, WORLDS_OF_VALUES
from dsl.engine.machine import Machine
from dsl.engine.reach import alone
from dsl.engine.runtime import Run
from dsl.engine.worlds import Secrets
from dsl.odds.ways import TooMany, Ways
from dsl.records import record


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


class Falls(Ways):
    """One way after the other for dice and picks; what is shuffled comes to lie in an order by a seed."""

    in_order = True

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed
        self._orders = Generator(seed)
        self.shuffled = False

    def next(self) -> bool:
        self._orders = Generator(self._seed)
        return super().next()

    def shuffle(self, cards: list[int], kinds: Sequence[int] = (), names: Sequence[str] = ()) -> list[int]:
        self.shuffled = True
        return self._orders.shuffled(cards)

    def places(self, cards: Sequence[int]) -> Sequence[int]:
        return range(len(cards))


def _worlds(machine: Machine, state: list[int], viewer: int) -> list[list[int]]:
    """The state where nothing is hidden from a player; else worlds that he cannot tell from it, the same for each."""
    secrets = Secrets(machine)
    if not secrets.hidden and not secrets.alone:
        return [state]
    found = [secrets.ordered(state, viewer)]
    covers = secrets.changing(found[0], viewer)
    more = any(each.lying is None for each in covers)
    for seed in range(WORLDS_OF_VALUES if more else WORLDS if covers else 0):
        found.append(secrets.shuffled(found[0], covers, Generator(seed)))
    found += secrets.turned(found[0], covers, MOST_VALUES)
    found += secrets.together(found[0], covers, MOST_TOGETHER) or islice(
        secrets.each_value(found[0], covers), MOST_VALUES
    )
    return found


def _forecast(
    machine: Machine, worlds: list[list[int]], option: Option, viewer: int, language: str, most: int
) -> tuple[Forecast, int]:
    """What an option does in some worlds, if that is the same in all, and how many ways were tried."""
    if option.fails:
        return NOTHING, 0
    known: dict[tuple[str, ...], Fraction] | None = None
    tried = 0
    wanted = len(worlds)
    seed = 0
    while seed < wanted:
        world = worlds[seed % len(worlds)]
        falls = Falls(seed)
        outcomes: dict[tuple[str, ...], Fraction] = {}
        while True:
            if tried == most:
                return NOTHING, most
            tried += 1
            try:
                after = done(machine, world, option, falls)
            except RuleFailure:
                return NOTHING, tried
            except TooMany:
                return NOTHING, most
            row = tuple(amounts(machine, world, after, viewer, language))
            outcomes[row] = outcomes.get(row, Fraction(0)) + falls.share
            if not falls.next():
                break
        if not any(outcomes) or (known is not None and outcomes != known):
            return NOTHING, tried  # no effect in one world: none is certain
        known = outcomes
        if falls.shuffled:
            wanted = max(wanted, 1 + WORLDS)
        seed += 1
    return _summed(known or {}), tried


def done(machine: Machine, world: list[int], option: Option, falls: Falls) -> list[int]:
    """A state behind the action of an option, or at the first question in it; raises `RuleFailure`, `TooMany`."""
    action = machine.program.actions[option.declared.action or 0]
    run = Run(machine, falls)
    if action.procedure is not None:
        after = list(world)
        machine.plain.names[f"p{action.procedure}"](after, run, *option.args)
        return after
    if action.routine is None:
        return world
    after = alone(run, world, action.routine, option.args)
    machine.run(machine.plain, after, run)
    return after


def _summed(outcomes: dict[tuple[str, ...], Fraction]) -> Forecast:
    """The changes that all outcomes have, and of the others how likely each is."""
    shares: dict[str, Fraction] = {}
    for row, share in outcomes.items():
        for each in dict.fromkeys(row):
            shares[each] = shares.get(each, Fraction(0)) + share
    sure = tuple(each for each, share in shares.items() if share == 1)
    odds = sorted(((share, each) for each, share in shares.items() if share != 1), key=lambda pair: -pair[0])
    return Forecast(sure, tuple(odds))
