"""Two versions of a game side by side: the same seed, options and choices, until they part.

The old version is that which made the record. What differs first is told with its likely cause: the printed
value, clause or option that has changed and that the choice, or what followed from it, is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from dsl.engine.decision import Decision, Option
from dsl.engine.failure import IllegalChoice, RuleFailure, StartError
from dsl.engine.game import Game
from dsl.engine.machine import Choice, Machine
from dsl.replay.differences import Difference, differences
from dsl.replay.moves import carried_over, same_option, subjects
from dsl.testing.failure_text import refusals_of, written
from dsl.testing.states import Fields

MOST_FIELDS = 3
MOST_CAUSES = 3
MOST_OFFERED = 8


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two versions part: at which decision (from 1), how, and why."""

    decision: int
    text: str
    causes: tuple[str, ...]
    likely: bool = False
    """Do the causes bear on it? (Otherwise they are what differs at all.)"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first difference between two versions of a game, and the first choice that cannot be made any more."""

    decisions: int
    first: Divergence | None = None
    broken: Divergence | None = None
    carried: tuple[Choice, ...] = ()
    """The choices that could be made by the new rules, as they number them."""


class Unreplayable(Exception):
    """The record does not fit even its own rules."""


def compare(
    old: Machine, new: Machine, seed: int, options: Mapping[str, str | int], choices: Sequence[Choice]
) -> Comparison:
    """Plays the choices by both sets of rules. Raises `Unreplayable` where the old rules refuse them."""
    pair = _Pair(old, new, seed, options)
    pair.begin()
    for choice in choices:
        if pair.broken is not None:
            break
        pair.step(choice)
    if pair.broken is None:
        pair.look()
    return Comparison(pair.number - 1, pair.first or pair.broken, pair.broken, tuple(pair.carried))


class _Pair:
    """Two games that are played alike."""

    def __init__(self, old: Machine, new: Machine, seed: int, options: Mapping[str, str | int]) -> None:
        self.machines = old, new
        self.number = 1
        self.first: Divergence | None = None
        self.broken: Divergence | None = None
        self.carried: list[Choice] = []
        self._fields = Fields(old.program, new.program)
        self._differences: list[Difference] | None = None
        self._last: Option | None = None
        try:
            self.mine = Game.start(old, seed=seed, options=options, telling=True)
        except (StartError, RuleFailure) as error:
            raise Unreplayable(f"its game cannot start: {error}") from None
        self._start = seed, options

    def begin(self) -> None:
        """Starts the new version, as far as it can be started so."""
        seed, options = self._start
        try:
            self.other = Game.start(self.machines[1], seed=seed, options=options, telling=True)
        except StartError as error:
            self.broken = self._divergence(f"the game cannot begin: {error}", subjects=frozenset(options))
        except RuleFailure as failure:
            self.broken = self._divergence(f"the setup fails: {failure}", after=frozenset(failure.clauses))

    def step(self, choice: Choice) -> None:
        """One choice, by both."""
        decision = self.mine.decision
        if decision is None or choice not in decision.raw:
            raise Unreplayable(f"its choice {self.number} is not among the options there")
        self.look()
        option = decision.options[decision.raw.index(choice)]
        found = self._found(decision, option)
        if found is None:
            return
        try:
            self.mine.choose(option)
        except (IllegalChoice, RuleFailure) as error:
            raise Unreplayable(f"the rules fail at its choice {self.number}: {error}") from None
        try:
            self.other.choose(found)
        except RuleFailure as failure:
            text = f"after {self._named(decision, option)} the rules fail: {failure}"
            self.broken = self._divergence(text, subjects(option), frozenset(failure.clauses))
            return
        self.carried.append(found.raw)
        self.number += 1
        self._last = option

    def look(self) -> None:
        """Do both stand in the same state? The first difference is kept."""
        if self.first is not None:
            return
        found = list(islice(self._fields.differing(self.mine.state, self.other.state), MOST_FIELDS + 1))
        if not found and self._fields.same_chance(self.mine.state, self.other.state):
            return
        if found:
            text = f"{'; '.join(found[:MOST_FIELDS])}{', and more' if len(found) > MOST_FIELDS else ''}"
        else:
            text = f"chance has gone another way: {self._dice()}"
        marks = frozenset(self.mine.marks), frozenset(self.other.marks)
        about = subjects(self._last) if self._last is not None else frozenset[str]()
        since = "" if self._last is None else f"after {self._named(self._last.decision, self._last)}: "
        self.first = self._divergence(f"{since}{text}", about, marks[1], marks[0])

    def _dice(self) -> str:
        rolls = [
            [each.text() for each in game.log if each.kind == "roll"] for game in (self.mine, self.other)
        ]
        return f"{len(rolls[1])} throws so far, were {len(rolls[0])}"

    def _found(self, decision: Decision, option: Option) -> Option | None:
        """The same choice in the new version; where there is none, why."""
        name, other = self._named(decision, option), self.other.decision
        carried = carried_over(option, self.machines[1]) if option.action is not None else None
        refused = self.other.refusals(*carried) if carried is not None else ()
        found = same_option(option, other) if other is not None and _same_player(decision, other) else None
        if found is not None:
            return found
        if refused:
            why = f"is no longer legal, refused by {refusals_of(self.machines[1].program, refused)}"
        elif other is None:
            why = f"cannot be chosen: {'the game is over' if self.other.outcome is not None else 'nothing is asked'}"
        else:
            offered = [written(each) for each in other]
            more = ", …" if len(offered) > MOST_OFFERED else ""
            who = "" if _same_player(decision, other) else f"{other.player_name} is asked instead; "
            why = f"is not offered; {who}there are: {', '.join(offered[:MOST_OFFERED])}{more}"
        clauses = frozenset(each.clause for each in refused)
        self.broken = self._divergence(f"the option `{name}` {why}", subjects(option), clauses)
        return None

    @staticmethod
    def _named(decision: Decision, option: Option) -> str:
        several = len(decision.machine.program.domains[decision.machine.program.players].members) > 1
        return f"{decision.player_name}: {written(option)}" if several else written(option)

    # ------------------------------------------------------------ causes

    def _divergence(
        self,
        text: str,
        subjects: frozenset[str] = frozenset(),
        after: frozenset[int] = frozenset(),
        before: frozenset[int] = frozenset(),
    ) -> Divergence:
        if self._differences is None:
            self._differences = differences(self.machines[0].program, self.machines[1].program)
        since = self.first
        ranked = [(_bearing(each, subjects, after, before), each) for each in self._differences]
        best = max((rank for rank, _ in ranked), default=0)
        if since is not None and best == 0:
            return Divergence(
                self.number, text, (f"the games have differed since decision {since.decision}",), True
            )
        found = [str(each) for rank, each in ranked if rank == best]
        more = len(found) - MOST_CAUSES
        told = (*found[:MOST_CAUSES], f"and {more} more") if more > 0 else tuple(found)
        return Divergence(self.number, text, told, likely=best > 0)


def _same_player(mine: Decision, other: Decision) -> bool:
    return mine.player_name == other.player_name


def _bearing(
    each: Difference, subjects: frozenset[str], after: frozenset[int], before: frozenset[int]
) -> int:
    """How surely a difference bears on what happened: a clause that refused or took effect, then a name."""
    by_clause = bool(each.after & after or each.before & before)
    return 2 * by_clause + bool(each.subjects & subjects)
