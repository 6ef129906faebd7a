"""Which condition of a menu's line fails, in the words of the rules: its text, its place, and what is read there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.cli.conditions import OPEN, written
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name, text_of, worded
from dsl.engine.unmet import Reading, Unmet
from dsl.ir.program import Clause, Program


def source_line(text: str) -> str:
    """A line of the rules as it is told: in one space where there are several."""
    return " ".join(printable(text).split())


def told_of(program: Program, found: Sequence[Unmet], spoken: str) -> Iterator[str]:
    """Each line that could offer what is asked about, and under it what is in its way."""
    for each in found:
        if each.clause is None:
            continue
        clause = program.clauses[each.clause]
        failing = _failing(program, each, clause, spoken)
        yield f"  {source_line(clause.text)}"
        if failing:
            yield f"      {failing} ({clause.place.file}:{clause.place.line})"


def _failing(program: Program, unmet: Unmet, clause: Clause, spoken: str) -> str:
    """The part of a line that fails, or of a line that takes its menu in."""
    if not unmet.part:
        return ""
    values = "; ".join(_read(program, each, spoken) for each in unmet.readings)
    behind = f": {values}" if values else ""
    if unmet.part == "when":
        return _condition(program, clause.conditions, unmet, behind, spoken)
    if unmet.variable >= len(clause.ranges):
        return _around(program, unmet, behind, spoken)
    ranged = clause.ranges[-1 - unmet.variable]
    if unmet.part == "where":
        return _condition(program, ranged.where, unmet, behind, spoken)
    text = printable(ranged.range)
    return word("unmet among", spoken, name=f"`{printable(ranged.name)}`", range=text, values=behind)


def _condition(program: Program, joined: Sequence[str], unmet: Unmet, values: str, spoken: str) -> str:
    """A condition, or the one of several joined by `and` that fails; those of outer lines come before its own."""
    before = unmet.count - len(joined)
    if joined and (before < 0 or (unmet.part == "where" and before)):
        return _told(joined, unmet.part, values, spoken)
    if not joined or unmet.number < before:
        return _around(program, unmet, values, spoken)
    failing = joined[unmet.number - before]
    return _told((failing,), unmet.part if len(joined) == 1 else "", values, spoken)


def _told(joined: Sequence[str], lead: str, values: str, spoken: str) -> str:
    condition = printable(f"{lead} {' and '.join(joined)}".strip())
    return word("unmet condition", spoken, condition=condition, values=values)


def _around(program: Program, unmet: Unmet, values: str, spoken: str) -> str:
    """What fails in a line of the rules that takes in the menu of this one, and that nothing quotes."""
    text = written(program, unmet.condition, dict(unmet.known)) if unmet.condition is not None else OPEN
    if unmet.part == "among":
        return word("unmet range around", spoken, range=text, values=values)
    return word("unmet around", spoken, condition=text, values=values)


def _read(program: Program, reading: Reading, spoken: str) -> str:
    """What a field holds, such as: Scout, left: 0."""
    var = program.vars[reading.var]
    name = text_of(program, var.label, spoken) or var.name.rpartition(".")[2].replace("_", " ")
    value = printable(worded(program, var.type, reading.value, spoken))
    if var.of is None or reading.member is None:
        return f"{printable(name)} {value}"
    return f"{printable(member_name(program, var.of, reading.member, spoken))}, {printable(name)} {value}"
