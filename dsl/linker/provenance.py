"""Where citations stand: each node of the rules that names its source is a clause of the program.

Most clauses are entered when what they are about is elaborated. What has no code of its own (a header's line,
a legend, a `return` inside a value) is entered here, so that reports show every citation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dsl.ir.program import Clause, Place, Program
from dsl.linker.layers import Layer
from dsl.records import record
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import names_within

Path = tuple[str | int, ...]

KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((ast.Header, ast.HeaderField), "header"),
    ((ast.Map, ast.Legend, ast.LegendLine, ast.Area, ast.Shape), "map"),
    ((ast.Row, ast.Change, ast.Remove), "row"),
    ((ast.Table, ast.ExtendRows, ast.ExtendColumn), "table"),
    ((ast.Field, ast.State, ast.ExtendFields), "field"),
    ((ast.Menu, ast.ExtendMenu), "menu"),
    ((ast.Ending, ast.Objective), "ending"),
    (ast.Mode, "text"),
    ((ast.TypeDecl, ast.ExtendType), "type"),
    (ast.Piece, "piece"),
    (ast.Pile, "pile"),
    (ast.Ruling, "ruling"),
    (ast.Window, "window"),
    (ast.Value, "value"),
    (ast.Modify, "modify"),
    (ast.Need, "need"),
)


@record(frozen=True, slots=True)
class Site:
    """A node that names its source, and the path to it from the tuple of layers: a name is a field, a number an
    item of a tuple. `parents` lead to it from its declaration, the nearest last.
    """

    path: Path
    node: Any
    citation: ast.Citation
    parents: tuple[Any, ...]


def cited(layers: tuple[Layer, ...]) -> Iterator[Site]:
    """Each node of the rules (not of tests and promises) that cites an id or is of the house, in the files' order."""
    for number, layer in enumerate(layers):
        yield from _below((number, "header"), layer.header, ())
        for at, file in enumerate(layer.files):
            for index, declaration in enumerate(file.declarations):
                if not isinstance(declaration, ast.Header | ast.Test | ast.Always | ast.Import):
                    yield from _below((number, "files", at, "declarations", index), declaration, ())


def _below(path: Path, node: Any, parents: tuple[Any, ...]) -> Iterator[Site]:
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            yield from _below((*path, index), item, parents)
        return
    if not isinstance(node, ast.Node) or isinstance(node, ast.Citation):
        return
    found = getattr(node, "citation", None)
    if isinstance(found, ast.Citation) and (found.ids or found.house):
        yield Site(path, node, found, parents)
    kind: type = type(node)
    for name in names_within(kind):
        child = getattr(node, name)
        if child:
            yield from _below((*path, name), child, (*parents, node))


def complete(program: Program, layers: Iterable[Layer], file_names: Mapping[str, str]) -> Program:
    """The program with a clause for each citation that none has yet; sources are named as `file_names` says."""

    def place(span: Span) -> Place:
        name = file_names.get(span.source.name, span.source.name)
        source = span.source
        return Place(name, *source.position_of(span.start), *source.position_of(span.end))

    known = {(each.ids, each.house, each.place.file, each.place.line) for each in program.clauses}
    more = []
    for site in cited(tuple(layers)):
        spans = (site.node.span, site.citation.span, *(parent.span for parent in site.parents[-1:]))
        keys = [(site.citation.ids, site.citation.house, at.file, at.line) for at in map(place, spans)]
        if not known & set(keys):
            more.append(_clause(site, place(site.node.span)))
            known.add(keys[0])
    return replace(program, clauses=(*program.clauses, *more)) if more else program


def _clause(site: Site, place: Place) -> Clause:
    kind = next((name for types, name in KINDS if isinstance(site.node, types)), "statement")
    name = getattr(site.node, "name", None)
    named = name.text if isinstance(name, ast.Name) else ""
    if isinstance(site.node, ast.HeaderField):
        named = _field(site.node)
    line = quoted(site.node.span, site.citation)
    return Clause(kind, named, site.citation.ids, site.citation.house, site.citation.families, place, line)


def quoted(span: Span, citation: ast.Citation | None) -> str:
    """The line of the rules in which something begins, as it is written but for its citation."""
    line = span.source.line_text(span.line)
    if (
        citation is not None
        and citation.span.text.startswith("[")
        and citation.span.line == span.line
        and citation.span.source is span.source
    ):
        begin, end = citation.span.column - 1, citation.span.end_column - 1
        line = f"{line[:begin].rstrip()}{line[end:]}"
    return line.strip()


def _field(field: ast.HeaderField) -> str:
    """What a line of a header is about: `rounds`, `players`, and `players 3..4` where it says how many."""
    numbers = [str(each.value) for each in field.items if isinstance(each, ast.Number)]
    is_of_numbers = field.key.text == "players" and numbers
    return f"players {'..'.join(numbers[:2])}" if is_of_numbers else field.key.text
