"""Values and labels in words of a language: members by their labels, numbers, sets `{a, b}`, bags `3 MI, 2
IL`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import assert_never

from dsl.catalogue import N_, nearest, told
from dsl.diagnostics.excerpt import printable
from dsl.engine.bits import bits
from dsl.engine.layout import Plain, low_of
from dsl.ir.program import Option, Program, Rule, Text
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type

Member = tuple[int, int]
"""A domain, and the number of one of its members."""
Called = Callable[[int, int], Member]
"""By what a member of a domain is called: the member itself, or the kind of the piece that it is."""

HIDDEN = "?"
MINUS = "\N{MINUS SIGN}"
_NEGATIVE = re.compile(r"(?<![^\s{])-(?=\d)")
_HOLE = re.compile(r"\{(\d+)\}")
_WORDS = (N_("no"), N_("yes"), N_("none"))


def text_of(program: Program, index: int | None, language: str = "") -> str:
    """A text in a language; in the game's own where the author gave none."""
    if index is None:
        return ""
    texts = dict(program.texts[index].texts)
    found = _in(texts, language) or texts.get("") or next((each for each in texts.values() if each), "")
    return found if found.isprintable() else printable(found).replace("\n", " ")


def title_of(rule: Rule, language: str = "") -> str:
    """The title of a rule in a language; as the index of the rulebook has it where it has it in no other."""
    return printable(_in(dict(rule.titles), language) or rule.title)


def _in(texts: Mapping[str, str], language: str) -> str:
    """A text in a language, else in the one of which that is a regional form; empty where it is in neither."""
    return texts.get(language) or texts.get(language.partition("_")[0], "")


def languages(program: Program) -> tuple[str, ...]:
    """The languages that a game has words in, its own first."""
    others = {language for text in program.texts for language, _ in text.texts if language}
    return (program.language, *sorted(others - {program.language}))


def in_language(program: Program, language: str | None) -> Program:
    """The same program, which calls things in a language wherever its author has words in it."""
    if not language or language == program.language:
        return program
    texts = tuple(_led_by(entry, language, program.language) for entry in program.texts)
    return replace(program, texts=texts, language=language)


def _led_by(entry: Text, language: str, own: str) -> Text:
    known = dict(entry.texts)
    known.setdefault(own, known.get("", ""))
    words = _in(known, language) or known.get("", "")
    return Text((("", words), *((each, text) for each, text in known.items() if each)))


def filled(
    program: Program,
    index: int | None,
    kinds: Sequence[Type],
    values: Sequence[Plain | None] | None,
    language: str = "",
    holes: Sequence[str] = (),
    called: Called | None = None,
) -> str:
    """A label with its holes filled; `?` stands for a value that is not given, and what `holes` have instead of values
    where there are none at all.
    """

    def fill(hole: re.Match[str]) -> str:
        number = int(hole[1])
        if values is None and number < len(holes):
            return holes[number]
        value = values[number] if values is not None and number < len(values) else None
        return HIDDEN if value is None else worded(program, kinds[number], value, language, called)

    return _HOLE.sub(fill, text_of(program, index, language))


def title_in(program: Program, language: str = "") -> str:
    """What a game is called, with its scenario where that has a title: `Go (Go, 9 × 9)`."""
    title = printable(text_of(program, program.title, language) or program.name)
    scenario = printable(text_of(program, program.scenario_title, language))
    return f"{title} ({scenario})" if scenario else title


def member_name(program: Program, domain: int, member: int, language: str = "") -> str:
    """The label of a member, or its name where it has none."""
    declared = program.domains[domain]
    if not 0 <= member < len(declared.members):
        return HIDDEN
    label = text_of(program, declared.labels[member], language) if member < len(declared.labels) else ""
    return label or declared.members[member]


def column_name(program: Program, data: int, language: str = "") -> str:
    """What players call a column of a table; empty where it is none, or its author gave it no words."""
    words = dict(program.data[data].called)
    return printable(_in(words, language or program.language) or words.get("", ""))


def fraction(count: int, parts: int) -> str:
    """A number of parts of 1 as it is printed: `1/2`, `3`."""
    return str(Fraction(count, parts if parts > 0 else 1))


def shown(
    program: Program, kind: Type, value: Plain, language: str = "", called: Called | None = None
) -> str:
    """A value of a type in words; `called` says by what its reader calls a piece."""
    match kind:
        case Int() | Id():
            return _scalar(program, kind, _number(value), language, called)
        case SetOf():
            found = [
                shown(program, kind.of, each, language, called)
                for each in bits(_number(value), low_of(program, kind))
            ]
            return "{" + ", ".join(found) + "}" if found else _words(language or program.language)[2]
        case BagOf():
            counted = [(n, member) for member, n in enumerate(_numbers(value)) if n]
            return (
                ", ".join(f"{n} {member_name(program, kind.domain, m, language)}" for n, m in counted) or "0"
            )
        case ListOf():
            return ", ".join(shown(program, kind.of, each, language, called) for each in _numbers(value))
        case Record():
            pairs = zip(kind.names, kind.types, _numbers(value), strict=True)
            return ", ".join(
                f"{name} {shown(program, each, part, language, called)}" for name, each, part in pairs
            )
        case _:
            assert_never(kind)


def worded(
    program: Program, kind: Type, value: Plain, language: str = "", called: Called | None = None
) -> str:
    """The same as players read it: with the sign of minus before numbers, not the hyphen of sources and data."""
    return _NEGATIVE.sub(MINUS, shown(program, kind, value, language, called))


def choice_words(program: Program, option: Option, language: str = "") -> tuple[str, ...]:
    """What players read of each choice of an option, in their order; empty where rules alone have a name for it, and
    all empty for a range of numbers.
    """
    kind = program.vars[option.var].type
    told = [worded(program, kind, number, language) for number in range(len(option.choices))]
    if isinstance(kind, Int):
        return tuple(told)
    return tuple(
        words if words != name or name.isdecimal() else ""
        for name, words in zip(option.choices, told, strict=True)
    )


def _scalar(program: Program, kind: Int | Id, value: int, language: str, called: Called | None) -> str:
    no, yes, none = _words(language or program.language)
    if value == NONE:
        return none
    if isinstance(kind, Id):
        member = (kind.domain, value) if called is None else called(kind.domain, value)
        return member_name(program, *member, language)
    return (yes if value else no) if kind.truth else str(int(value))


@cache
def _words(language: str) -> tuple[str, ...]:
    """No, yes and none in a language."""
    return tuple(told(each, nearest(language)) for each in _WORDS)


def _number(value: Plain) -> int:
    assert isinstance(value, int)
    return value


def _numbers(value: Plain) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value
