"""From text to tree: layout, then each declaration by itself, its faults told and gone round.

Whatever the text, this never raises; what could not be read is told and left out of the tree.
"""

import re

from dsl.diagnostics import Diagnostics
from dsl.source import Source, Span
from dsl.syntax import ast, build, faults
from dsl.syntax.layout import lay_out, single_line
from dsl.syntax.recovery import read_cell, read_declarations

_CITATION = re.compile(r"(?<=[ \t#])\[(?:house\b|(?:house +)?[A-Z][A-Z0-9]*-[A-Z]?[0-9]+)[^\]\n]*\]")


def parse(source: Source, diagnostics: Diagnostics) -> ast.File:
    """The tree of a whole source; what could not be read is told and left out."""
    layout = lay_out(source, diagnostics)
    origin = build.Origin(source, diagnostics)
    trees = read_declarations(source, layout.lines, diagnostics)
    declarations = tuple(build.declaration(origin, tree) for tree in trees)
    for comment in layout.comments:
        _lint(comment, diagnostics)
    comments = tuple(ast.Text(comment.text, span=comment) for comment in layout.comments)
    return ast.File(declarations, comments, span=source.span(0, len(source.text)))


def _lint(comment: Span, diagnostics: Diagnostics) -> None:
    """Warn of a citation that a comment behind a line has swallowed."""
    source = comment.source
    line = source.line_starts[comment.line - 1]
    bracket = _CITATION.search(comment.text)
    if bracket and source.text[line : comment.start].strip():
        start = comment.start + bracket.start()
        place = source.span(start, comment.start + bracket.end())
        diagnostics.add(faults.citation_in_comment(place, source.span(comment.start, comment.start + 1)))


def parse_effect(
    source: Source, start: int, end: int, diagnostics: Diagnostics
) -> tuple[ast.Stmt, ...] | None:
    """The statements of an effect cell, at its place in a source; none when a fault was told."""
    line = single_line(source, start, end, diagnostics)
    tree = read_cell(source, line, "cell_effect", diagnostics)
    origin = build.Origin(source, diagnostics)
    return None if tree is None else build.effect(origin, tree)


def parse_expression(source: Source, start: int, end: int, diagnostics: Diagnostics) -> ast.Expr | None:
    """The value of a cell, at its place in a source; none when a fault was told."""
    line = single_line(source, start, end, diagnostics)
    tree = read_cell(source, line, "cell_expr", diagnostics)
    origin = build.Origin(source, diagnostics)
    return None if tree is None else build.expression(origin, tree.children[0])
