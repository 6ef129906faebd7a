"""A survey of a game: sections of lines, and which of them are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dsl.diagnostics import Meant

DASH = "-"


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a section: its name, its cells, and where it comes from."""

    name: str
    cells: tuple[str, ...]
    source: str = ""
    """The citation, with `house` where the line is ours."""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A table about one thing, or about all things of one sort.

    `kind`: game, options, kinds, pieces, piles, lookup, effects, fields, values, actions, menus, endings, map.
    """

    kind: str
    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Line, ...]
    source: str = ""
    where: str = ""

    def data(self) -> dict[str, object]:
        """As JSON has it."""
        rows = [
            {"name": row.name, "cells": list(row.cells), "source": row.source, "where": row.where}
            for row in self.rows
        ]
        return {
            "kind": self.kind,
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "where": self.where,
            "columns": list(self.columns),
            "rows": rows,
        }

    def only(self, row: Line) -> Section:
        """The section with one of its rows."""
        return replace(self, rows=(row,))


Chosen = Section | tuple[Section, Line]


def chosen(found: Sequence[Section], names: Iterable[str]) -> tuple[Chosen, ...] | str:
    """The sections and rows of these names, each once, or what to say of one that nothing has."""
    picked: list[Chosen] = []
    for name in names:
        sorts: list[Chosen] = [each for each in found if name in {each.name, each.kind}]
        rows: list[Chosen] = [(each, row) for each in found for row in each.rows if row.name == name]
        if not sorts and not rows:
            known = {each.name for each in found} | {each.kind for each in found}
            known |= {row.name for each in found for row in each.rows}
            hint = Meant.among(name, sorted(known), 0.5) or "name a table, a row, a value, an action …"
            return f"there is nothing called `{name}`; {hint}"
        picked += [each for each in sorts or rows if each not in picked]
    return tuple(picked)
