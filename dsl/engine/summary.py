"""Sums in words: `reaction(Torvald) = 7 dice + 5 prowess − 3 untapped [ME-042] = 9`.

A term is named by the words that its line in the rules carries, else by what it comes from: a value, a variable, a
thing it is counted for, the card or action that brought it; else by its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dsl.engine.display import HIDDEN, fraction, member_name, shown, text_of
from dsl.engine.sums import Part, Source, Sum
from dsl.ir.program import Clause, Program

BOUNDS = {"at_least", "at_most"}
_SIGNS = {"times": " × ", "at_least": ", at least ", "at_most": ", at most ", "becomes": ", becomes "}


Named = tuple[Part, int]
"""A part, and the value to whose sum it belongs."""


def in_words(program: Program, found: Sum, language: str = "") -> list[str]:
    """A sum in a line, and in further lines those of its terms that do not fit into it; nothing of a number that
    stands for itself.
    """
    lines, below = list[str](), list[Sum]()
    declared = program.values[found.value]
    args = ", ".join(
        shown(program, kind, value, language) for kind, value in zip(declared.params, found.args, strict=True)
    )
    terms = list(_flat(program, found, below))
    text = "".join(_term(program, n, part, language) for n, part in enumerate(terms))
    result = HIDDEN if found.result is None else fraction(found.result, declared.denominator)
    total = "" if len(terms) == 1 else f" = {result}"
    head = f"{_called(program, found.value)}({args})" if args else _called(program, found.value)
    if len(terms) > 1 or (terms and not _itself(program, terms[0])):
        lines.append(f"{head} = {text}{total}")
    for each in below:
        lines += in_words(program, each, language)
    return lines


def _called(program: Program, value: int) -> str:
    """The name of a value; of a column without its table's, of what an action is done with behind the action's."""
    head, _, name = program.values[value].name.rpartition(".")
    if any(action.name == head for action in program.actions):
        name = f"{head}.{name}"
    return name.replace("_", " ")


def _itself(program: Program, named: Named) -> bool:
    """Is a number told by the name of the value that it is?"""
    part, value = named
    asked = part.source.value
    same = asked is not None and _called(program, asked) == _called(program, value)
    same = same or (
        part.source.data is not None and _from(program, part, value, "") == _called(program, value)
    )
    return part.stage == "base" and (_unnamed(named) or same)


def _flat(program: Program, found: Sum, below: list[Sum]) -> Iterator[Named]:
    """The parts of a sum, with those of the sums in it in their place; what is no mere sum is told below."""
    for number, part in enumerate(found.parts):
        inner = part.inner
        below += part.beside
        if inner is not None and part.source.value is not None and _mere(inner, part):
            nested = list(_flat(program, inner, below))
            if nested and (_unnamed(nested[0]) or nested[0][0].source.data is not None):
                nested[0] = replace(nested[0][0], source=Source()), inner.value
            yield from nested
            continue
        if inner is not None and len(inner.parts) > 1:
            below.append(inner)
        bound = part.stage in BOUNDS and _changes_nothing(found, number)
        named = part.source.thing is None and (number == 0 or not _unnamed((part, found.value)))
        nothing = part.amount == 0 and (part.stage == "plus" or (part.stage == "base" and not named))
        if not (bound or nothing):
            yield part, found.value


def _mere(inner: Sum, part: Part) -> bool:
    """Is a sum in a sum nothing but terms to add?"""
    return inner.result == part.amount and all(
        each.stage in {"base", "plus"} or (each.stage in BOUNDS and _changes_nothing(inner, number))
        for number, each in enumerate(inner.parts)
    )


def _unnamed(named: Named) -> bool:
    source = named[0].source
    return (source.param, source.var, source.thing, source.value, source.data) == (None,) * 5


def _changes_nothing(found: Sum, number: int) -> bool:
    """Does a floor or ceiling leave what there is?"""
    before = Fraction(0)
    for part in found.parts[:number]:
        match part.stage, part.amount:
            case "base" | "plus", int(amount):
                before += amount
            case "becomes", int(amount):
                before = Fraction(amount)
            case "times", int(amount):
                before *= Fraction(amount, part.divisor)
            case "at_least", int(amount):
                before = max(before, Fraction(amount))
            case "at_most", int(amount):
                before = min(before, Fraction(amount))
            case _:
                return False
    bound = found.parts[number].amount or 0
    return before >= bound if found.parts[number].stage == "at_least" else before <= bound


def _term(program: Program, number: int, named: Named, language: str) -> str:
    part, value = named
    if part.stage == "hidden" or part.amount is None:
        return f" + {HIDDEN}" if number else HIDDEN
    name = _name(program, part, value, language)
    cited = "" if part.clause is None else _cited(program.clauses[part.clause])
    words = f"{name}{cited}"
    parts = (
        part.parts
        if part.stage in {"base", "times"} and part.parts > 1
        else program.values[value].denominator
    )
    if part.stage in _SIGNS:
        of = part.divisor * part.parts if part.stage == "times" else parts
        return f"{_SIGNS[part.stage]}{_over(part.amount, of)}{words}"
    sign = ("−" if part.amount < 0 else "") if not number else (" − " if part.amount < 0 else " + ")
    return f"{sign}{fraction(abs(part.amount), parts)}{words}"


def _over(amount: int, parts: int) -> str:
    """A factor as it is printed: `3/2`; `4/2` stays as it is written."""
    return f"{amount}/{parts}" if parts != 1 and amount % parts else fraction(amount, parts)


def _cited(clause: Clause) -> str:
    return f" [{', '.join(clause.ids)}]" if clause.ids else ""


def _name(program: Program, part: Part, value: int, language: str) -> str:
    clause = None if part.clause is None else program.clauses[part.clause]
    own = "" if clause is None else text_of(program, clause.label, language)
    own = own or _from(program, part, value, language)
    if not own and clause is not None:
        own = _brought(program, clause, language) or _condition(clause)
    if not own and part.stage == "base":
        own = _called(program, value)
    return f" {own}" if own else ""


def _from(program: Program, part: Part, value: int, language: str) -> str:
    """What a number comes from."""
    source = part.source
    if source.thing is not None:
        return member_name(program, *source.thing, language)
    if source.value is not None:
        return _called(program, source.value)
    if source.param is not None and source.param < len(program.values[value].names):
        return program.values[value].names[source.param].replace("_", " ")
    if source.data is not None:
        table, _, column = program.data[source.data].name.rpartition(".")
        return column.replace("_", " ") if table else ""
    if source.var is not None and program.vars[source.var].name.find(" for the rest of ") < 0:
        var = program.vars[source.var]
        return text_of(program, var.label, language) or var.name.replace("_", " ")
    return ""


def _brought(program: Program, clause: Clause, language: str) -> str:
    """Of what an action brings for the rest of something: the card or row that the action is for, else its name."""
    if clause.member is not None:
        return member_name(program, *clause.member, language)
    return "" if clause.action is None else program.actions[clause.action].name.replace("_", " ")


def _condition(clause: Clause) -> str:
    """The condition of a line, where nothing else says what it is."""
    return f"when {' and '.join(clause.conditions)}" if clause.conditions else ""
