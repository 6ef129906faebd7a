"""From text to tree: layout, then each declaration by itself, its faults told and gone round.

Whatever the text, this never raises; what could not be read is told and left out of the tree.
"""

from dsl.diagnostics import Diagnostics
from dsl.source import Source
from dsl.syntax import ast, build
from dsl.syntax.layout import lay_out, look_into_comment, single_line
from dsl.syntax.recovery import read_cell, read_declarations


def parse(source: Source, diagnostics: Diagnostics) -> ast.File:
    """The tree of a whole source; what could not be read is told and left out."""
    layout = lay_out(source, diagnostics)
    origin = build.Origin(source, diagnostics)
    trees = read_declarations(source, layout.lines, diagnostics)
    declarations = tuple(build.declaration(origin, tree) for tree in trees)
    for comment in layout.comments:
        look_into_comment(comment, diagnostics)
    comments = tuple(ast.Text(comment.text, span=comment) for comment in layout.comments)
    return ast.File(declarations, comments, span=source.span(0, len(source.text)))


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
