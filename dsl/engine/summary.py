"""Sums in words: `reaction(Torvald) = 7 dice + 5 prowess − 3 untapped [ME-042] = 9`.

A term is named by the words that its line in the rules carries, else by what it comes from: a value, a variable, a
column, a thing it is counted for, the card or action that brought it; else by the rule that its line cites, else by
its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from dsl.catalogue import N_, nearest
from dsl.catalogue import told as translated
from dsl.engine.display import HIDDEN, column_name, fraction, member_name, shown, text_of, title_of
from dsl.engine.sums import Part, Source, Sum
from dsl.engine.value_words import value_words
from dsl.ir.program import Clause, Program

BOUNDS = {"at_least", "at_most"}
_SIGNS = {"times": "×", "at_least": N_("at least"), "at_most": N_("at most"), "becomes": N_("becomes")}


Named = tuple[Part, int]
"""A part, and the value to whose sum it belongs."""
Words = Mapping[int, str]
"""What players call values, by their numbers."""


def in_words(program: Program, found: Sum, language: str = "", words: Words | None = None) -> list[str]:
    """A sum in a line, and in further lines those of its terms that do not fit into it; nothing of a number that
    stands for itself. `words` are those of the values, where they are known already.
    """
    words = value_words(program, language) if words is None else words
    lines, below = list[str](), list[Sum]()
    declared = program.values[found.value]
    args = ", ".join(
        shown(program, kind, value, language) for kind, value in zip(declared.params, found.args, strict=True)
    )
    terms = list(_flat(program, found, below, words))
    text = "".join(_term(program, n, part, language, words) for n, part in enumerate(terms))
    result = HIDDEN if found.result is None else fraction(found.result, declared.denominator)
    total = "" if len(terms) == 1 else f" = {result}"
    head = f"{_called(program, found.value, words)}({args})" if args else _called(program, found.value, words)
    if len(terms) > 1 or (terms and not _itself(program, terms[0], language, words)):
        lines.append(f"{head} = {text}{total}")
    for each in below:
        lines += in_words(program, each, language, words)
    return lines


def _called(program: Program, value: int, words: Words) -> str:
    """The words of a value, else its name; of a column without its table's, of what an action is done with behind the
    action's.
    """
    if value in words:
        return words[value]
    head, _, name = program.values[value].name.rpartition(".")
    if any(action.name == head for action in program.actions):
        name = f"{head}.{name}"
    return name.replace("_", " ")


def _itself(program: Program, named: Named, language: str, words: Words) -> bool:
    """Is a number told by the name of the value that it is?"""
    part, value = named
    same = (part.source.value, part.source.data) != (None, None) and any(
        _from(program, part, value, language, each) == _called(program, value, each) for each in (words, {})
    )
    return part.stage == "base" and (_unnamed(named) or same)


def _flat(program: Program, found: Sum, below: list[Sum], words: Words) -> Iterator[Named]:
    """The parts of a sum, with those of the sums in it in their place; what is no mere sum is told below."""
    for number, part in enumerate(found.parts):
        inner = part.inner
        below += part.beside
        if inner is not None and part.source.value is not None and _mere(inner, part):
            nested = list(_flat(program, inner, below, words))
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


def _term(program: Program, number: int, named: Named, language: str, words: Words) -> str:
    part, value = named
    if part.stage == "hidden" or part.amount is None:
        return f" + {HIDDEN}" if number else HIDDEN
    name = _name(program, part, value, language, words)
    cited = "" if part.clause is None else _cited(program.clauses[part.clause])
    told = f"{name}{cited}"
    parts = (
        part.parts
        if part.stage in {"base", "times"} and part.parts > 1
        else program.values[value].denominator
    )
    if part.stage in _SIGNS:
        of = part.divisor * part.parts if part.stage == "times" else parts
        sign = translated(_SIGNS[part.stage], nearest(language or program.language))
        return f"{' ' if part.stage == 'times' else ', '}{sign} {_over(part.amount, of)}{told}"
    sign = ("−" if part.amount < 0 else "") if not number else (" − " if part.amount < 0 else " + ")
    return f"{sign}{fraction(abs(part.amount), parts)}{told}"


def _over(amount: int, parts: int) -> str:
    """A factor as it is printed: `3/2`; `4/2` stays as it is written."""
    return f"{amount}/{parts}" if parts != 1 and amount % parts else fraction(amount, parts)


def _cited(clause: Clause) -> str:
    return f" [{', '.join(clause.ids)}]" if clause.ids else ""


def _name(program: Program, part: Part, value: int, language: str, words: Words) -> str:
    clause = None if part.clause is None else program.clauses[part.clause]
    own = "" if clause is None else text_of(program, clause.label, language)
    own = own or _from(program, part, value, language, words)
    if not own and clause is not None:
        own = _brought(program, clause, language) or _rule(program, clause, language) or _condition(clause)
    if not own and part.stage == "base":
        own = _called(program, value, words)
    return f" {own}" if own else ""


def _from(program: Program, part: Part, value: int, language: str, words: Words) -> str:
    """What a number comes from."""
    source = part.source
    if source.thing is not None:
        return member_name(program, *source.thing, language)
    if source.value is not None:
        return _called(program, source.value, words)
    if source.param is not None and source.param < len(program.values[value].names):
        declared = program.values[value]
        if source.param < len(declared.labels):
            return text_of(program, declared.labels[source.param], language)
        return declared.names[source.param].replace("_", " ")
    if source.data is not None:
        table, _, column = program.data[source.data].name.rpartition(".")
        plain = column.replace("_", " ") if table else ""
        return column_name(program, source.data, language) or plain
    if source.var is not None and program.vars[source.var].name.find(" for the rest of ") < 0:
        var = program.vars[source.var]
        return text_of(program, var.label, language) or var.name.replace("_", " ")
    return ""


def _brought(program: Program, clause: Clause, language: str) -> str:
    """Of what an action brings for the rest of something: the card or row that the action is for, else its name."""
    if clause.member is not None:
        return member_name(program, *clause.member, language)
    return "" if clause.action is None else program.actions[clause.action].name.replace("_", " ")


def _rule(program: Program, clause: Clause, language: str) -> str:
    """The title of the first rule of the book that a line cites, but for how the book is read where it is open."""
    cited = (each for number in clause.ids for each in program.rules if each.id == number)
    return next(
        (title_of(each, language or program.language) for each in cited if each.status != "ambiguity"), ""
    )


def _condition(clause: Clause) -> str:
    """The condition of a line, where nothing else says what it is."""
    return f"when {' and '.join(clause.conditions)}" if clause.conditions else ""
