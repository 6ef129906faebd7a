"""Which condition of a menu's line fails for something that is asked about, and what is read there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.engine.bits import bits
from dsl.engine.decision import Decision
from dsl.engine.failure import RuleFailure
from dsl.engine.layout import Plain, low_of
from dsl.engine.runtime import Run
from dsl.engine.views import may_see
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.program import TOP
from dsl.ir.types import Id, SetOf
from dsl.ir.walk import inside, locals_in

if TYPE_CHECKING:
    from dsl.engine.machine import Machine

MOST_TRIED = 5_000
"""Bindings that are tried where what is asked about leaves some open."""
MOST_READ = 4

Bound = tuple[tuple[int, Plain], ...]
"""Locals, and what they are bound to."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A field, of a member or of none, and what it holds."""

    var: int
    member: int | None
    value: Plain


@dataclass(frozen=True, slots=True)
class Unmet:
    """A line that would lead to what is asked about, by its clause, and where it fails.

    `part`: what is asked about is not `among` what a variable ranges over, or its `where` or the line's `when` does not
    hold; `variable` counts back from the line's last. Of the `count` conditions that are joined there, `number` is
    the first that fails: `condition`, whose locals are `known` as far as they follow from what is asked about. The
    conditions of lines that take this one in, as their menu, stand before its own.
    """

    clause: int | None
    part: str = ""
    variable: int = 0
    number: int = 0
    count: int = 1
    readings: tuple[Reading, ...] = ()
    condition: ir.Expr | None = None
    known: Bound = ()


def unmet(
    machine: Machine, state: list[int], decision: Decision, number: int, args: tuple[Plain, ...]
) -> Unmet:
    """The furthest point that a line of the decision comes to, for the arguments that are asked about."""
    return _Line(machine, state, decision, number, args).found()


class _Line:
    """One offer of a decision, and the arguments that are asked about."""

    def __init__(
        self, machine: Machine, state: list[int], decision: Decision, number: int, args: tuple[Plain, ...]
    ) -> None:
        self.machine, self.state, self.decision, self.number = machine, state, decision, number
        self.offer = decision.end.offers[number]
        self.args = args
        self.wanted = {
            each.index: value
            for each, value in zip(self.offer.args, args, strict=True)
            if isinstance(each, ir.Local)
        }
        self.tried = 0
        self.run = Run.aside(machine)
        self.sight = Sight(machine, state, decision.player, self.run)
        self.routine = machine.program.routines[decision.where[0]]

    def found(self) -> Unmet:
        clause = self.offer.clause if self.offer.menu is None else self.offer.menu
        deepest = max(self._fails(0, ()), key=lambda each: each[0], default=None)
        if deepest is None:
            return Unmet(clause)
        depth, part, condition, bound = deepest
        if part == "among":
            variable = len(self.offer.variables) - 1 - depth
            domain = self.offer.variables[depth].domain
            readings, known = self._read(domain, bound), self._known(domain, bound)
            return Unmet(clause, part, variable, readings=readings, condition=domain, known=known)
        parts = [each for each in _joined(condition) if not isinstance(each, ir.Judge)]
        number = next((n for n, each in enumerate(parts) if not self._holds(each, bound)), None)
        if number is None:
            return Unmet(clause)
        last = len(self.offer.variables) - 1
        readings = self._read(parts[number], bound)
        variable, known = last - depth if part == "where" else 0, self._known(parts[number], bound)
        return Unmet(clause, part, variable, number, len(parts), readings, parts[number], known)

    def _fails(self, depth: int, bound: Bound) -> Iterator[tuple[int, str, ir.Expr, Bound]]:
        """Where each binding that fits the arguments fails: its depth, the part of the line, the condition."""
        self.tried += 1
        if self.tried > MOST_TRIED:
            return
        if depth == len(self.offer.variables):
            if (
                self.offer.guard is not None
                and self._fits(bound)
                and not self._holds(self.offer.guard, bound)
            ):
                yield depth, "when", self.offer.guard, bound
            return
        variable = self.offer.variables[depth]
        domain = self._members(variable, bound)
        values = [self.wanted[variable.index]] if variable.index in self.wanted else domain
        for value in values:
            here = (*bound, (variable.index, value))
            if value not in domain:
                yield depth, "among", variable.domain, here
            elif variable.where is not None and not self._holds(variable.where, here):
                yield depth, "where", variable.where, here
            else:
                yield from self._fails(depth + 1, here)

    def _holds(self, condition: ir.Expr, bound: Bound) -> bool:
        """Do those parts of a condition hold that whoever decides may see?"""
        return all(self._value(each, bound) for each in _joined(condition) if self._sees(each, bound))

    def _sees(self, condition: ir.Expr, bound: Bound) -> bool:
        inner = {each.index for each in inside(condition) if isinstance(each, ir.Fold | ir.LetIn)}
        free = (each for each in inside(condition) if isinstance(each, ir.Local) and each.index not in inner)
        known = {each.index: self._value(each, bound) for each in free}
        return self.sight.sees(condition, known)

    def _fits(self, bound: Bound) -> bool:
        """Are the arguments what is asked about, as far as they are computed from the variables?"""
        return all(
            self._value(each, bound) == value for each, value in zip(self.offer.args, self.args, strict=True)
        )

    def _members(self, variable: ir.OfferVar, bound: Bound) -> list[Plain]:
        found = self._value(variable.domain, bound)
        kind = variable.domain.type
        if isinstance(found, int) and isinstance(kind, SetOf):
            return [*bits(found, low_of(self.machine.program, kind))]
        return []

    def _value(self, expr: ir.Expr, bound: Bound) -> Plain:
        """The value of an expression with some locals bound; 0 where it cannot be read."""
        params = tuple(index for index, _ in bound)
        key: Hashable = ("unmet", *self.decision.where, expr, params)
        function = self.machine.function(key, (expr,), params, self.routine)
        try:
            found: tuple[Plain, ...] = function(
                self.state, self.run, self.state[TOP], *(value for _, value in bound)
            )
        except RuleFailure:
            return 0
        return found[0]

    def _known(self, expr: ir.Expr, bound: Bound) -> Bound:
        """The locals of an expression with their values: not those that a line tries without being asked about, and no
        card that whoever decides does not see.
        """
        inner = {each.index for each in inside(expr) if isinstance(each, ir.Fold | ir.LetIn)}
        tried = {each.index for each in self.offer.variables if each.index not in self.wanted}
        found = {each.index: each for each in inside(expr) if isinstance(each, ir.Local)}
        left = [each for index, each in found.items() if index not in inner | tried]
        pairs = tuple((each, self._value(each, bound)) for each in left)
        return tuple((each.index, value) for each, value in pairs if self._names(each, value))

    def _names(self, local: ir.Local, value: Plain) -> bool:
        """May what a local holds be called by its name?"""
        if not isinstance(local.type, Id) or not isinstance(value, int) or local.index in self.wanted:
            return True
        sight = Sight(self.machine, self.state, self.decision.player)
        return sight.sees_piece(local.type.domain, value)

    def _read(self, expr: ir.Expr, bound: Bound) -> tuple[Reading, ...]:
        """The fields that an expression reads and whoever decides may see, with what they hold."""
        inner = {each.index for each in inside(expr) if isinstance(each, ir.Fold | ir.LetIn)}
        found: dict[tuple[int, int | None], Reading] = {}
        for each in inside(expr):
            if not isinstance(each, ir.Load) or (each.owner is not None and locals_in(each.owner) & inner):
                continue
            owner = None if each.owner is None else self._value(each.owner, bound)
            member = owner if isinstance(owner, int) else None
            sees = may_see(self.machine, self.state, each.var, member or 0, self.decision.player)
            if sees and (each.owner is None or member is not None):
                found[each.var, member] = Reading(each.var, member, self._value(each, bound))
        return tuple(found.values())[:MOST_READ]


def _joined(condition: ir.Expr) -> list[ir.Expr]:
    """The conditions that `and` joins; those that `x in 1..6` stands for are one."""
    match condition:
        case ir.Op(op="and", args=(ir.Op(op="ge", args=(low, _)), ir.Op(op="le" | "lt", args=(high, _)))) if (
            low == high
        ):
            return [condition]
        case ir.Op(op="and", args=parts):
            return [part for each in parts for part in _joined(each)]
        case _:
            return [condition]
