"""Evaluations that can take very long: told with their factors, where most of the work arises.

What a rule costs is no mistake. Engines count it in steps, and a decision that takes too many of them ends with E0608;
an author who reads "144 Piece × 320 Cell × 144 Piece" sees before that what multiplies.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic
from dsl.ir import limits
from dsl.ir import nodes as ir
from dsl.ir.kinds import Kinds
from dsl.ir.program import Program
from dsl.ir.shapes import EXPRESSIONS
from dsl.ir.types import Id, Int, ListOf, SetOf
from dsl.ir.verify.expressions import most_elements
from dsl.ir.verify.graph import Graph, within_of
from dsl.ir.walk import parts
from dsl.records import record
from dsl.resolve.symbol_table import World
from dsl.source import Span

_EXPRESSIONS = frozenset(EXPRESSIONS)

CALLED = frozenset({"value", "judge"})
MOST_TOLD = 5
"""How many places are told."""


@record(frozen=True, slots=True)
class _Factor:
    """What an evaluation is multiplied by, and where that is written."""

    times: int
    what: str
    span: Span | None


@record(frozen=True, slots=True)
class _Rounds:
    """Something that is evaluated so many times, for each of what `what` names; once where it is empty."""

    times: int
    what: str
    inner: tuple[ir.Expr, ...]


def heavy(world: World, program: Program, graph: Graph) -> list[Diagnostic]:
    """A warning for each place in which most of a heavy evaluation arises, the heaviest first. The graph may lead to
    more than the program does, from which something was left out.
    """
    works = _Works(world, program, graph)
    found: dict[tuple[str, int], tuple[int, Diagnostic]] = {}
    for root, span in works.roots():
        work = works.of(root)
        if work > limits.HEAVY:
            told = works.told(root, span, work)
            assert told.span is not None
            place = told.span.source.name, told.span.line
            if place not in found or found[place][0] < work:
                found[place] = work, told
    heaviest = sorted(found.values(), key=lambda each: -each[0])
    return [told for _, told in heaviest[:MOST_TOLD]]


class _Works:
    """How many nodes each expression of a program can visit, and what of it."""

    def __init__(self, world: World, program: Program, graph: Graph) -> None:
        self.world = world
        self.program = program
        self.kinds = Kinds(program)
        self._known: dict[int, int] = {}
        self._called: dict[tuple[str, int], int] = {}
        self._lengths: dict[int, int] = {}
        self._openings = {opening[0] for opening in world.private.values() if opening is not None}
        """They ask whether a line has an option: one is soon found; without one it costs what the line does."""
        for group in graph.order:
            for kind, number in group:
                if kind in CALLED:
                    self.part((kind, number))

    # ------------------------------------------------------------ how much

    def of(self, e: ir.Expr) -> int:
        """All nodes that one evaluation can visit."""
        if id(e) not in self._known:
            work = 1
            for each in self.rounds(e):
                once = 1 if each.what else 0
                for inner in each.inner:
                    once += self.of(inner)
                work += each.times * once
            for called in self.called(e):
                work += self.part(called)
            self._known[id(e)] = work
        return self._known[id(e)]

    def part(self, called: tuple[str, int]) -> int:
        """The same of a value, or of the prohibitions on an action."""
        if called not in self._called:
            self._called[called] = sum([self.of(each) for each, _ in self.written(called)])
        return self._called[called]

    def called(self, e: ir.Expr) -> tuple[tuple[str, int], ...]:
        match e:
            case ir.Ask(value=number):
                return (("value", number),)
            case ir.Judge(action=number):
                return (("judge", number),)
            case _:
                return ()

    def rounds(self, e: ir.Expr) -> tuple[_Rounds, ...]:
        """What stands in an expression, with how often it is evaluated."""
        match e:
            case ir.Fold():
                kind = e.domain.type
                assert isinstance(kind, SetOf | ListOf)
                times = self.kinds.extent(kind) if e.kind == "closure" else self.most_of(e.domain)
                inner = tuple(each for each in (e.where, e.body) if each is not None)
                return _Rounds(1, "", (e.domain,)), _Rounds(times, self.name(kind), inner)
            case ir.Reach():
                searched = _Rounds(limits.REACH_COST, "choices that are tried", (e.goal,))
                return _Rounds(1, "", e.args), searched
            case _:
                return (_Rounds(1, "", parts(e)),)

    def most_of(self, domain: ir.Expr) -> int:
        """How many elements it has at most: neighbours, say, as many as the longest entry of their table."""
        match domain:
            case ir.Lookup(data=number, type=SetOf() as kind):
                return self._longest(number) or self.kinds.extent(kind)
            case ir.LetIn(body=body):
                return self.most_of(body)
            case ir.Op(op="if", args=(_, first, second)):
                return max(self.most_of(first), self.most_of(second))
            case ir.Op(op="union", args=args):
                return min(most_elements(self.kinds, domain), sum(map(self.most_of, args)))
            case ir.Op(op="meet", args=args):
                return min(map(self.most_of, args))
            case ir.Op(op="minus" | "cast", args=(first, *_)) if isinstance(first.type, SetOf):
                return self.most_of(first)
            case ir.Fold(kind="all", domain=inner):
                return self.most_of(inner)
            case _:
                return most_elements(self.kinds, domain)

    def _longest(self, number: int) -> int:
        """How many elements the longest entry of a constant table has."""
        if number not in self._lengths:
            values = self.program.data[number].values
            sets = values if isinstance(values, tuple) else ()
            self._lengths[number] = max(
                (each.bit_count() for each in sets if isinstance(each, int)), default=0
            )
        return self._lengths[number]

    def name(self, kind: SetOf | ListOf) -> str:
        """What a set or list is made of, as its author calls it."""
        match kind.of:
            case Id(domain=domain):
                return self.program.domains[domain].name
            case Int():
                return "numbers"
            case _:
                return "sets"

    # ------------------------------------------------------------ where

    def clause(self, number: int | None) -> Span | None:
        return None if number is None else self.world.clause_spans[number]

    def written(self, called: tuple[str, int]) -> list[tuple[ir.Expr, Span | None]]:
        """What a value or the prohibitions on an action consist of, with the line of each."""
        kind, number = called
        if kind == "judge":
            clauses = self.program.actions[number].prohibitions
            return [(each.condition, self.clause(each.clause)) for each in clauses]
        value = self.program.values[number]
        found = [(value.base, self.clause(value.clause))]
        for clause in value.clauses:
            held = (clause.condition, clause.operand, clause.divisor)
            found += [(each, self.clause(clause.clause)) for each in held if each is not None]
        return found

    def roots(self) -> Iterator[tuple[ir.Expr, Span | None]]:
        """The expressions that are evaluated as a whole, with the nearest line that is known."""
        program = self.program
        for number in range(len(program.values)):
            yield from self.written(("value", number))
        for number in range(len(program.actions)):
            yield from self.written(("judge", number))
        runs: dict[tuple[str, int | None], int | None] = {}
        for action in program.actions:
            runs["procedure", action.procedure] = runs["routine", action.routine] = action.clause
        for index, procedure in enumerate(program.procedures):
            yield from self.within(procedure.body, self.clause(runs.get(("procedure", index))))
        for index, routine in enumerate(program.routines):
            yield from self.within(routine.blocks, self.clause(runs.get(("routine", index))))
        for ending in program.endings:
            yield from self.within((ending.condition, ending.team), self.clause(ending.clause))
        for var in program.vars:
            yield from self.within((var.initial, var.audience), self.clause(var.clause))

    def within(self, part: Any, span: Span | None) -> Iterator[tuple[ir.Expr, Span | None]]:
        """The expressions of statements and blocks; what one of them says itself of its place is nearer."""
        if isinstance(part, tuple | list):
            for each in part:
                yield from self.within(each, span)
        elif type(part) in _EXPRESSIONS:
            expr: Any = part
            if not self._openings or expr not in self._openings:
                yield expr, span
        elif part is not None:
            site = getattr(part, "site", -1)
            span = self.world.site_spans[site] if site >= 0 else span
            cls: type = type(part)
            for name in within_of(cls):
                yield from self.within(getattr(part, name), span)

    # ------------------------------------------------------------ in words

    def told(self, root: ir.Expr, span: Span | None, work: int) -> Diagnostic:
        factors = self.factors(root, span)
        span = self.most(factors) or span or self.world.clause_spans[0]
        product = " × ".join([f"{each.times:,} {each.what}" for each in factors])
        rest = work // max(1, prod([each.times for each in factors]))
        message = tr(
            "one evaluation of this can visit {rounded} expressions: {product}",
            rounded=_rounded(work),
            product=product,
        )
        if rest > 1:
            message += f" × {rest:,} in each"
        hint = "range over smaller sets, or put an inner question into a field that is kept up to date"
        return Diagnostic(Code.HEAVY, message, span, label="most of it here", hint=hint)

    def factors(self, e: ir.Expr, span: Span | None) -> list[_Factor]:
        """What multiplies on the way along which most of the work is done, from the outside in."""
        found: list[_Factor] = []
        while True:
            ways: list[tuple[int, _Rounds | None, ir.Expr, Span | None]] = [
                (each.times * self.of(inner), each, inner, span)
                for each in self.rounds(e)
                for inner in each.inner
            ]
            for called in self.called(e):
                ways += [(self.of(inner), None, inner, at) for inner, at in self.written(called)]
            if not ways:
                return found
            _, rounds, inner, at = max(ways, key=lambda each: each[0])
            if rounds is not None and rounds.what:
                found.append(_Factor(rounds.times, rounds.what, span))
            e, span = inner, at or span

    def most(self, factors: list[_Factor]) -> Span | None:
        """Where the factors are written that multiply to the most; of equal places the inner one."""
        products: dict[tuple[str, int], tuple[int, Span]] = {}
        for each in factors:
            if each.span is not None:
                place = each.span.source.name, each.span.line
                before = products[place][0] if place in products else 1
                products[place] = before * each.times, each.span
        return max(reversed(products.values()), key=lambda each: each[0])[1] if products else None


def _rounded(number: int) -> str:
    """A figure to be read: `312 million`."""
    for size, name in ((10**18, ""), (10**12, " million million"), (10**6, " million")):
        if number >= size:
            return f"{number // size:,}{name}" if name else "more than a million million million"
    return f"{number:,}"
