"""How the numbers of the rules came about: each value that was asked, with all that was added up for it.

A term may itself be asked of another value, be the sum over things, or be put together in the text of the rules:
then it stands with its own parts. What a player could not see is in no sum that he is told: a clause that reads it
stands as one that nobody names, whether it holds or not, and the result with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from dsl.engine.bits import bits
from dsl.engine.codegen.rules import stages_of
from dsl.engine.explain import standing
from dsl.engine.failure import RuleFailure
from dsl.engine.layout import Plain, low_of
from dsl.engine.log import Asked
from dsl.engine.runtime import Run
from dsl.engine.traceable_values import asks, is_sum
from dsl.engine.visibility import Known, Sight
from dsl.ir import nodes as ir
from dsl.ir.program import Value
from dsl.ir.types import NONE, Id, SetOf

if TYPE_CHECKING:
    from dsl.engine.machine import Machine

THINGS = {"piece", "row", "player", "side", "union"}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number comes from: a parameter of its value, a variable, a thing that it is counted for, another value.
    What is not known is none.
    """

    param: int | None = None
    var: int | None = None
    thing: tuple[int, int] | None = None
    """A domain, and its member."""
    value: int | None = None
    data: int | None = None
    """A printed table."""


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a sum: `stage` as of a clause (`base` for what the value begins with, `hidden` for what the
    player does not see), the clause, how much, and where from.
    """

    stage: str
    amount: int | None
    source: Source = Source()
    clause: int | None = None
    divisor: int = 1
    inner: Sum | None = None
    """How the number itself came about, where another value was asked for it."""
    beside: tuple[Sum, ...] = ()
    """How what that value was asked of came about."""
    parts: int = 1
    """How many parts make 1, where the amount is a printed fraction."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A value of the rules, what it was asked of, its parts in their order, and the result: none where the player may
    not see it all.
    """

    value: int
    args: tuple[Plain, ...]
    parts: tuple[Part, ...]
    result: int | None


def sums(
    machine: Machine, asked: Sequence[Asked], now: list[int], player: int | None = None
) -> tuple[Sum, ...]:
    """The sums of some stretch, each once, as a player may know them; those that are parts of others only there."""
    found: list[Sum] = []
    run = Run.aside(machine)
    for each in asked:
        sight = Sight(machine, [*each.state, *now[len(each.state) :]], player, run)
        later = Sight(machine, now, player, run)
        named = all(sight.sees_piece(*piece) or later.sees_piece(*piece) for piece in each.pieces)
        if player is not None and not (named and each.seen_by >> player & 1):
            continue
        told = summed(sight, each.value, each.args)
        if told is not None and told not in found:
            found.append(told)
    within = [inner for each in found for inner in _inside(each)]
    return tuple(each for each in found if each not in within)


def summed(sight: Sight, value: int, args: tuple[Plain, ...]) -> Sum | None:
    """How a value comes about; none where it cannot be told."""
    declared, known = sight.machine.program.values[value], dict(enumerate(args))
    seen = sight.sees(declared.base, known) and all(_seen(sight, declared, n, known) for n in _all(declared))
    try:
        parts = tuple(_parts(sight, value, known))
        result = sight.machine.plain.names[f"v{value}"](sight.state, sight.run, *args)
    except RuleFailure:
        return None
    if result == NONE:
        return None
    if not seen:
        parts = (*parts, Part("hidden", None))
    return Sum(value, args, parts, int(result) if seen else None)


def _parts(sight: Sight, value: int, known: Known) -> Iterator[Part]:
    declared = sight.machine.program.values[value]
    if sight.sees(declared.base, known):
        yield from _product(sight, declared.base, known)
    args = tuple(known[n] for n in range(len(declared.params)))
    stood = standing(sight.run, sight.state, ("value", value), declared.clauses, args)
    for stage in stages_of(declared):
        wanted = {"at_least", "at_most"} if stage == "bounds" else {stage}
        for n in stood:
            if declared.clauses[n].stage in wanted and _seen(sight, declared, n, known):
                yield from _term(sight, declared, n, known)


def _term(sight: Sight, declared: Value, n: int, known: Known) -> Iterator[Part]:
    """What one standing clause brings."""
    clause = declared.clauses[n]
    if clause.stage == "plus":
        for part in _split(sight, clause.operand, known):
            yield replace(part, stage="plus", clause=clause.clause)
        return
    amount = sight.evaluated(clause.operand, known)
    divisor = 1 if clause.divisor is None else sight.evaluated(clause.divisor, known)
    if isinstance(amount, int) and isinstance(divisor, int):
        yield Part(clause.stage, int(amount), clause=clause.clause, divisor=divisor)


def _all(declared: Value) -> range:
    return range(len(declared.clauses))


def _seen(sight: Sight, declared: Value, n: int, known: Known) -> bool:
    """May the player see whether a clause stands, and what it brings? All that are over it count, each once."""
    found = [n]
    for at in found:  # grows as it is gone through
        clause = declared.clauses[at]
        if not all(sight.sees(each, known) for each in (clause.condition, clause.operand, clause.divisor)):
            return False
        found += [other for other in clause.overruled_by if other not in found]
    return True


# ---------------------------------------------------------------- what an expression is put together from


def _split(sight: Sight, expr: ir.Expr, known: Known, sign: int = 1) -> Iterator[Part]:
    """The numbers that an expression adds up."""
    match expr:
        case ir.Op(op="narrow" | "cast" | "some", args=(inner, *_)):
            yield from _split(sight, inner, known, sign)
        case ir.Op(op="neg", args=(inner,)):
            yield from _split(sight, inner, known, -sign)
        case ir.Op(op="add" | "sub" as op, args=(one, two)):
            yield from _split(sight, one, known, sign)
            yield from _split(sight, two, known, sign if op == "add" else -sign)
        case ir.Op(op="if", args=(condition, then, other)):
            yield from _split(sight, then if sight.evaluated(condition, known) else other, known, sign)
        case ir.Op(op="else_", args=(one, two)):
            yield from _split(sight, two if sight.evaluated(one, known) == NONE else one, known, sign)
        case ir.LetIn(index=index, value=value, body=body):
            yield from _split(sight, body, {**known, index: sight.evaluated(value, known)}, sign)
        case ir.Fold(kind="sum", domain=domain) if _things(sight, domain):
            yield from _each(sight, expr, known, sign)
        case _:
            yield _leaf(sight, expr, known, sign)


def _product(sight: Sight, expr: ir.Expr, known: Known) -> Iterator[Part]:
    """The factors of what a value begins with; of what is none its terms."""
    match expr:
        case ir.Op(op="narrow" | "cast" | "some", args=(inner, *_)):
            yield from _product(sight, inner, known)
        case ir.Op(op="mul", args=(one, two)):
            yield from _product(sight, one, known)
            yield replace(_leaf(sight, two, known, 1), stage="times")
        case ir.Op(op="div_down" | "div_up" | "div_zero", args=(one, two)):
            divisor = sight.evaluated(two, known)
            factors = [
                replace(each, parts=_parts_of(sight, each.source)) for each in _product(sight, one, known)
            ]
            if prod(each.parts for each in factors) == divisor:
                yield from factors  # the divisor only says what the parts of printed fractions are
                return
            yield from (replace(each, parts=1) for each in factors)
            yield Part("times", 1, divisor=int(divisor) if isinstance(divisor, int) else 1)
        case _:
            yield from _split(sight, expr, known)


def _parts_of(sight: Sight, source: Source) -> int:
    """How many parts of what a number comes from make 1."""
    program = sight.machine.program
    if source.data is not None:
        return program.data[source.data].denominator
    return program.values[source.value].denominator if source.value is not None else 1


def _leaf(sight: Sight, expr: ir.Expr, known: Known, sign: int) -> Part:
    result = sight.evaluated(expr, known)
    amount = None if not isinstance(result, int) else sign * int(result)
    match expr:
        case ir.Local(index=index):
            return Part("base", amount, Source(param=index))
        case ir.Load(var=var):
            return Part("base", amount, Source(var=var))
        case ir.Op(op="mul", args=(ir.Const(), ir.Load(var=var))):
            return Part("base", amount, Source(var=var))
        case ir.Ask(value=value, args=args):
            asked = tuple(sight.evaluated(each, known) for each in args)
            program = sight.machine.program
            inner = summed(sight, value, asked) if is_sum(program.values[value]) else None
            beside = tuple(_asked(sight, each, known) for arg in args for each in asks(program, arg))
            found = tuple(each for each in beside if each is not None)
            return Part("base", amount, Source(value=value), inner=inner, beside=found)
        case ir.Lookup(data=data):
            return Part("base", amount, Source(data=data))
        case _:
            return Part("base", amount)


def _asked(sight: Sight, ask: ir.Ask, known: Known) -> Sum | None:
    return summed(sight, ask.value, tuple(sight.evaluated(each, known) for each in ask.args))


def _things(sight: Sight, domain: ir.Expr) -> bool:
    """Is this a set of things that have names?"""
    of = domain.type.of if isinstance(domain.type, SetOf) else None
    return isinstance(of, Id) and sight.machine.program.domains[of.domain].kind in THINGS


def _each(sight: Sight, fold: ir.Fold, known: Known, sign: int) -> Iterator[Part]:
    """What each thing brings to a sum over things."""
    elements = sight.evaluated(fold.domain, known)
    of = fold.domain.type
    assert isinstance(elements, int) and isinstance(of, SetOf) and isinstance(of.of, Id)
    for element in bits(elements, low_of(sight.machine.program, of)):
        inner = {**known, fold.index: element}
        if (fold.where is None or sight.evaluated(fold.where, inner)) and fold.body is not None:
            found = list(_split(sight, fold.body, inner, sign))
            amounts = [part.amount for part in found if part.amount is not None]
            deep = found[0].inner if len(found) == 1 else None
            yield Part("base", sum(amounts), Source(thing=(of.of.domain, element)), inner=deep)


def _inside(found: Sum) -> Iterator[Sum]:
    for part in found.parts:
        if part.inner is not None:
            yield part.inner
            yield from _inside(part.inner)
        for each in part.beside:
            yield each
            yield from _inside(each)
