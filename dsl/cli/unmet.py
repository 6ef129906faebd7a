"""Which condition of a menu's line fails, in the words of the rules: its text, its place, and what is read there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dsl.cli.conditions import OPEN, written
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
    """The part of a line that fails, or of a line that takes its menu in; empty where neither is known."""
    line = _line(program.clauses[unmet.clause].text) if unmet.clause is not None else None
    if line is None or not unmet.part:
        return ""
    values = "; ".join(_read(program, each, spoken) for each in unmet.readings)
    behind = f": {values}" if values else ""
    if unmet.part == "when":
        return _condition(program, line.condition, "when", unmet, behind, spoken)
    if unmet.variable >= len(line.selections):
        return _around(program, unmet, behind, spoken)
    selection = line.selections[len(line.selections) - 1 - unmet.variable]
    if unmet.part == "where":
        return _condition(program, selection.condition, "where", unmet, behind, spoken)
    text = source_line(selection.domain.span.text)
    return word("unmet among", spoken, name=f"`{selection.name.text}`", range=text, values=behind)


def _condition(
    program: Program, tree: ast.Expr | None, lead: str, unmet: Unmet, values: str, spoken: str
) -> str:
    """A condition, or the one of several joined by `and` that fails; those of outer lines come before its own."""
    joined = _joined(tree) if tree is not None else []
    before = unmet.count - len(joined)
    if tree is not None and (before < 0 or (lead == "where" and before)):
        return _told(tree, lead, values, spoken)
    if tree is None or unmet.number < before:
        return _around(program, unmet, values, spoken)
    return _told(joined[unmet.number - before], lead if len(joined) == 1 else "", values, spoken)


def _told(tree: ast.Expr, lead: str, values: str, spoken: str) -> str:
    condition = source_line(f"{lead} {tree.span.text}").strip()
    return word("unmet condition", spoken, condition=condition, values=values)


def _around(program: Program, unmet: Unmet, values: str, spoken: str) -> str:
    """What fails in a line of the rules that takes in the menu of this one, and that nothing quotes."""
    text = written(program, unmet.condition, dict(unmet.known)) if unmet.condition is not None else OPEN
    if unmet.part == "among":
        return word("unmet range around", spoken, range=text, values=values)
    return word("unmet around", spoken, condition=text, values=values)


def _joined(tree: ast.Expr) -> list[ast.Expr]:
    """The conditions that `and` joins, as the program joins them: a value within two bounds is one."""
    if isinstance(tree, ast.Binary) and tree.op == "and" and not _is_span(tree.left, tree.right):
        return [*_joined(tree.left), *_joined(tree.right)]
    return [tree]


def _is_span(low: ast.Expr, high: ast.Expr) -> bool:
    """`x >= 1 and x <= 3`: the same as `x in 1..3`."""
    if not isinstance(low, ast.Binary) or not isinstance(high, ast.Binary):
        return False
    return low.op == ">=" and high.op in {"<=", "<"} and low.left.span.text == high.left.span.text


def _line(text: str) -> ast.MenuLine | None:
    """The line of a menu that a clause quotes; none where it goes on behind what is quoted."""
    block = "\n        nothing" if re.search(r":\s*(?:\[[^\]]*\]\s*)?$", text) else ""
    head = "" if text.startswith("menu ") else "menu quoted:\n    "
    source = Source("line", f"{head}{text}{block}\n")
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
