"""Writes that are kept back while a `together` runs, and then committed at once.

Amounts added to one slot add up before its range is checked; equal values for one slot agree, different
ones, and a value beside an amount, are a conflict (E0603). What sets gain and lose is joined; what one both gains
and loses is a conflict. What lists gain stands in the order in which it was added. A slot's sum stops at the range's
ends if every change of it does. Cards are moved last, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.engine import layout, piles
from dsl.engine.failure import RuleFailure
from dsl.engine.runtime import Run, left, none_met
from dsl.ir.types import NONE


@dataclass(slots=True)
class Sum:
    """What is added to one slot, the slot's range, and where in the rules it was first added to."""

    amount: int
    low: int
    high: int
    saturates: bool
    site: int
    about: int


class Buffer:
    """The writes of one batch."""

    __slots__ = ("_bits", "_moves", "_run", "_sums", "_values")

    def __init__(self, run: Run) -> None:
        self._run = run
        self._values: dict[int, tuple[int, int]] = {}
        self._sums: dict[int, Sum] = {}
        self._bits: dict[int, tuple[int, int]] = {}
        self._moves: list[tuple[int, int, int, bool, int]] = []

    def put(self, slot: int, value: int, site: int) -> None:
        known = self._values.setdefault(slot, (value, site))
        if known[0] != value or slot in self._sums or slot in self._bits:
            raise _conflict(site)

    def put_value(self, slot: int, var: int, value: layout.Plain, site: int) -> None:
        program = self._run.machine.program
        for k, word in enumerate(layout.words(program, program.vars[var].type, value)):
            self.put(slot + k, word, site)

    def add(
        self, slot: int, amount: int, low: int, high: int, *, saturates: bool, site: int, about: int
    ) -> None:
        if slot in self._values:
            raise _conflict(site)
        if slot not in self._sums:
            self._sums[slot] = Sum(amount, low, high, saturates, site, about)
            return
        known = self._sums[slot]
        known.amount += amount
        known.saturates = known.saturates and saturates

    def append(self, state: list[int], slot: int, element: int, limit: int, *, site: int, about: int) -> None:
        """What a list gains at its end, behind what it has gained in this batch; that it is too long is told later."""
        self.add(slot, 1, 0, limit, saturates=False, site=site, about=about)
        place = state[slot] + self._sums[slot].amount
        if place <= limit:
            self.put(slot + place, element, site)

    def join(self, slot: int, var: int, elements: layout.Plain, *, lost: bool, site: int) -> None:
        """What a set gains or loses, slot by slot."""
        program = self._run.machine.program
        for k, word in enumerate(layout.words(program, program.vars[var].type, elements)):
            if word == 0:
                continue
            gains, losses = self._bits.get(slot + k, (0, 0))
            gains, losses = (gains, losses | word) if lost else (gains | word, losses)
            if gains & losses or slot + k in self._values:
                raise _conflict(site)
            self._bits[slot + k] = gains, losses

    def move(self, pool: int, card: int, pile: int, top: bool, site: int) -> None:
        self._moves.append((pool, card, pile, top, site))

    def commit(self, state: list[int]) -> None:
        before = list(state) if self._run.covering else state
        for slot, (value, _) in self._values.items():
            state[slot] = value
        for slot, change in self._sums.items():
            try:
                state[slot] = _added(state[slot], change)
            except RuleFailure as failure:
                failure.site, failure.summed = change.site, (state[slot], change.amount)
                raise
        for slot, (gains, losses) in self._bits.items():
            state[slot] = (state[slot] | gains) & ~losses
        for pool, card, pile, top, _ in self._moves:
            piles.move_card(state, self._run, pool, card, pile, top=top)
        if self._run.covering:
            self._cover(before, state)

    def _cover(self, before: list[int], state: list[int]) -> None:
        """Notes the clauses of the variables that have changed."""
        program = self._run.machine.program
        for var in program.vars:
            if var.clause is not None:
                count = 1 if var.of is None else layout.members(program, var.of)
                end = var.offset + count * var.width
                if before[var.offset : end] != state[var.offset : end]:
                    self._run.hit(var.clause)


def _added(before: int, change: Sum) -> int:
    if before == NONE:
        none_met()
    new = before + change.amount
    if change.low <= new <= change.high:
        return new
    if change.saturates:
        return min(max(new, change.low), change.high)
    left(new, change.low, change.high, change.about)


def _conflict(site: int) -> RuleFailure:
    return RuleFailure("E0603", "two different writes to one place at one instant", site=site)
