"""From text to tree: layout, then each declaration by itself, its faults told and gone round."""

from collections.abc import Iterator, Sequence
from typing import Literal

from lark import Token, Tree

from dsl.diagnostics import Diagnostics
from dsl.source import Source
from dsl.syntax import ast, build
from dsl.syntax.driver import Stuck, drive
from dsl.syntax.explain import explain
from dsl.syntax.layout import Line, lay_out, single_line


def parse(source: Source, diagnostics: Diagnostics) -> ast.File:
    """The tree of a whole source; what could not be read is told and left out."""
    layout = lay_out(source, diagnostics)
    origin = build.Origin(source, diagnostics)
    declarations = []
    for lines in _declarations(layout.lines):
        tree = _recovered(source, lines, "declaration", diagnostics)
        if tree is not None:
            declarations.append(build.declaration(origin, tree))
    comments = tuple(ast.Text(comment.text, span=comment) for comment in layout.comments)
    return ast.File(tuple(declarations), comments, span=source.span(0, len(source.text)))


def parse_call_line(
    source: Source, start: int, end: int, diagnostics: Diagnostics
) -> tuple[ast.Call | ast.Nothing, ...] | None:
    """The calls of an effect cell, at its place in a source; none when a fault was told."""
    line = single_line(source, start, end, diagnostics)
    tree = _recovered(source, (line,), "cell_call", diagnostics)
    origin = build.Origin(source, diagnostics)
    return None if tree is None else build.call_line(origin, tree.children[0])


def parse_expression(source: Source, start: int, end: int, diagnostics: Diagnostics) -> ast.Expr | None:
    """The value of a cell, at its place in a source; none when a fault was told."""
    line = single_line(source, start, end, diagnostics)
    tree = _recovered(source, (line,), "cell_expr", diagnostics)
    origin = build.Origin(source, diagnostics)
    return None if tree is None else build.expression(origin, tree.children[0])


def _declarations(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Each line at the margin with those under it."""
    start = 0
    for number, line in enumerate(lines):
        if line.depth == 0 and number > start:
            yield tuple(lines[start:number])
            start = number
    if lines:
        yield tuple(lines[start:])


def _recovered(
    source: Source,
    lines: Sequence[Line],
    start: Literal["declaration", "cell_call", "cell_expr"],
    diagnostics: Diagnostics,
) -> Tree[Token] | None:
    if any(line.is_broken for line in lines):
        return None
    outcome = drive(source, lines, start, {})
    if isinstance(outcome, Stuck):
        diagnostics.add(explain(source, outcome))
        return None
    return outcome
