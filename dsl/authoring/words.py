"""Types, citations and rules in words, as authors write them."""

from __future__ import annotations

from typing import assert_never

from dsl.engine.display import title_of
from dsl.ir.program import Clause, Program
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf, Type


def type_words(program: Program, kind: Type) -> str:
    """A type as an author would write it."""
    match kind:
        case Int(truth=True):
            return "bool?" if kind.optional else "bool"
        case Int():
            return f"{kind.low}..{kind.high}{'?' if kind.optional else ''}"
        case Id():
            return f"{program.domains[kind.domain].name}{'?' if kind.optional else ''}"
        case SetOf():
            return f"set of {type_words(program, kind.of)}"
        case BagOf():
            return f"bag of {program.domains[kind.domain].name} up to {kind.limit}"
        case ListOf():
            return f"list of {type_words(program, kind.of)} up to {kind.limit}"
        case Record():
            fields = zip(kind.names, kind.types, strict=True)
            return f"({', '.join(f'{name}: {type_words(program, each)}' for name, each in fields)})"
        case _:
            assert_never(kind)


def source_of(clause: Clause | None) -> str:
    """The citation of a clause as it stands behind its line; empty where it has none."""
    if clause is None:
        return ""
    handles = [*clause.ids, *(["house"] if clause.house else []), *clause.families]
    return f"[{', '.join(handles)}]" if handles else ""


def titles(program: Program, language: str = "") -> dict[str, str]:
    """The title of each rule of the rulebooks' indexes, in a language where the index has it in that one."""
    return {rule.id: title_of(rule, language) for rule in program.rules}
