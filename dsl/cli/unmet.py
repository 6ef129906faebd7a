"""Which condition of a menu's line fails, in the words of the rules: its text, its place, and what is read there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dsl.cli.words import word
from dsl.diagnostics import Diagnostics
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name, shown, text_of
from dsl.engine.unmet import Reading, Unmet
from dsl.ir.program import Program
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax.parser import parse

_CITATION = re.compile(r"\s\[[^\]]*\]\s*$")


def source_line(text: str) -> str:
    """A line of the rules without the citation at its end."""
    return " ".join(printable(_CITATION.sub("", text)).split())


def told_of(program: Program, found: Sequence[Unmet], spoken: str) -> Iterator[str]:
    """Each line that could offer what is asked about, and under it what is in its way."""
    for each in found:
        if each.clause is None:
            continue
        clause = program.clauses[each.clause]
        failing = _failing(program, each, spoken)
        yield f"  {source_line(clause.text)}"
        if failing:
            yield f"      {failing} ({clause.place.file}:{clause.place.line})"


def _failing(program: Program, unmet: Unmet, spoken: str) -> str:
    """The part of a line that fails; empty where it is no part of that line, but of one that takes it in."""
    line = _line(program.clauses[unmet.clause].text) if unmet.clause is not None else None
    if line is None or not unmet.part:
        return ""
    values = "; ".join(_read(program, each, spoken) for each in unmet.readings)
    behind = f": {values}" if values else ""
    if unmet.part == "when":
        return _condition(line.condition, "when", unmet, behind, spoken)
    if unmet.variable >= len(line.selections):
        return ""
    selection = line.selections[len(line.selections) - 1 - unmet.variable]
    if unmet.part == "where":
        return _condition(selection.condition, "where", unmet, behind, spoken)
    text = source_line(selection.domain.span.text)
    return word("unmet among", spoken, name=f"`{selection.name.text}`", range=text, values=behind)


def _condition(tree: ast.Expr | None, lead: str, unmet: Unmet, values: str, spoken: str) -> str:
    """A condition, or the one of several joined by `and` that fails."""
    if tree is None:
        return ""
    joined = _joined(tree)
    text = tree.span.text
    if len(joined) == unmet.count:
        text, lead = joined[unmet.number].span.text, lead if len(joined) == 1 else ""
    return word("unmet condition", spoken, condition=source_line(f"{lead} {text}").strip(), values=values)


def _joined(tree: ast.Expr) -> list[ast.Expr]:
    if isinstance(tree, ast.Binary) and tree.op == "and":
        return [*_joined(tree.left), *_joined(tree.right)]
    return [tree]


def _line(text: str) -> ast.MenuLine | None:
    """The line of a menu that a clause quotes; none where it goes on behind what is quoted."""
    block = "\n        nothing" if re.search(r":\s*(?:\[[^\]]*\]\s*)?$", text) else ""
    source = Source("line", f"menu quoted:\n    {text}{block}\n")
    diagnostics = Diagnostics()
    found = parse(source, diagnostics).declarations
    if diagnostics or len(found) != 1 or not isinstance(found[0], ast.Menu):
        return None
    return found[0].lines[0] if found[0].lines else None


def _read(program: Program, reading: Reading, spoken: str) -> str:
    """What a field holds, such as: Scout, left: 0."""
    var = program.vars[reading.var]
    name = text_of(program, var.label, spoken) or var.name.rpartition(".")[2].replace("_", " ")
    value = printable(shown(program, var.type, reading.value, spoken))
    if var.of is None or reading.member is None:
        return f"{printable(name)} {value}"
    return f"{printable(member_name(program, var.of, reading.member, spoken))}, {printable(name)} {value}"
