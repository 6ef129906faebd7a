"""Where names are declared: for messages about a name that is unknown, and whose likely meaning stands elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import get_args

from dsl.linker.layers import Gathered, head_name
from dsl.records import record
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of, with_field

LOCAL = ast.Param | ast.Let | ast.Selection | ast.RollEach | ast.ForOrder | ast.Place | ast.Draw
USES = (
    ast.Member
    | ast.Amount
    | ast.Setting
    | ast.LegendItem
    | ast.Target
    | ast.Change
    | ast.Remove
    | ast.Language
)

NAMED = tuple({*with_field("name"), *with_field("by")} - {ast.NameExpr, ast.NamedType, *get_args(USES)})
"""Kinds of nodes that may bring a name; of names in values and types it is a text."""


@record(slots=True)
class Whence:
    """The places where the names of a game are declared, gathered when somebody first asks."""

    gathered: Gathered
    places: dict[str, list[tuple[Span, Span | None]]] = field(default_factory=dict)
    """For each name where it stands, and within what it is known: none where that is the whole game."""

    def of(self, name: str, at: Span) -> Span | None:
        """Where a name is declared that was likely meant at some place."""
        if not self.places:
            for known, span, scope in self._declared():
                self.places.setdefault(known, []).append((span, scope))
        found = self.places.get(name, [])
        near = [span for span, scope in found if scope is not None and _within(at, scope)]
        everywhere = [span for span, scope in found if scope is None]
        return next(iter([*near, *everywhere, *(span for span, _ in found)]), None)

    def _declared(self) -> Iterator[tuple[str, Span, Span | None]]:
        for header in self.gathered.headers:
            for item in (item for each in header.fields for item in each.items):
                if isinstance(item, ast.Name):
                    yield item.text, item.span, None
        for source in self.gathered.tables.values():
            yield source.declaration.name.text, source.declaration.name.span, None
            yield from self._within_one(source.declaration)
            yield from ((each.name.text, each.name.span, None) for each in source.added.values())
            for head, rows, _ in source.groups:
                cells = [*head.cells[1:], *(row.cells[0] for row in rows if row.cells)]
                yield from ((head_name(cell), cell.span, None) for cell in cells)
        for mode in self.gathered.modes.trees:
            yield mode.name.text, mode.name.span, None
        for name, fields in self.gathered.extra_fields.items():
            yield from ((each.name.text, each.name.span, None) for each in fields if name)
        for entry in self.gathered.entries:
            yield from self._within_one(entry.declaration)

    def _within_one(self, declaration: ast.Node) -> Iterator[tuple[str, Span, Span | None]]:
        """The names that one declaration brings: its own and its fields for all, the others for itself."""
        if isinstance(declaration, ast.TypeDecl):
            for node in nodes_of(declaration, ast.NamedType):
                yield node.name, node.span, None
        for node in nodes_of(declaration, *NAMED):
            name = getattr(node, "name", None)
            by = getattr(node, "by", None)
            if isinstance(by, ast.Name):
                yield by.text, by.span, declaration.span
            if isinstance(name, ast.Name):
                yield name.text, name.span, declaration.span if isinstance(node, LOCAL) else None


def _within(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end
