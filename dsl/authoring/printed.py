"""What is printed of kinds: of each row of a table its lines, its words, and the rules that it cites, for players."""

from __future__ import annotations

from typing import Any

from dsl.authoring.sections import Section
from dsl.authoring.survey import kinds
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import languages
from dsl.ir.program import Program
from dsl.ir.types import Id

EMPTY = frozenset({"", "-", "0", "no", "non"})
"""What says that a row has nothing in a column."""
APART = frozenset({"id", "name", "copies"})
"""Columns that are no line of a row: its name, and how many there are."""


def text_columns(program: Program, table: str) -> list[str]:
    """The columns of a table that hold words for players."""
    found = []
    for data in program.data:
        of, dot, column = data.name.partition(".")
        if (
            of == table
            and dot
            and isinstance(data.type, Id)
            and program.domains[data.type.domain].kind == "text"
        ):
            found.append(column)
    return found


def printed(program: Program) -> dict[str, dict[str, list[Any]]]:
    """By the number of a domain of rows and by language what is printed of its members, as JSON: of each the lines
    (pairs of a name and a value), the text, and what it cites. A language in which all is as in the
    game's own is left out.
    """
    found: dict[str, dict[str, list[Any]]] = {}
    numbers = {domain.name: number for number, domain in enumerate(program.domains)}
    for language in dict.fromkeys(("", *languages(program))):
        for section in kinds(program, language):
            rows = _rows(program, section)
            known = found.setdefault(str(numbers[section.name]), {})
            if any(lines or text for lines, text, _ in rows) and rows != known.get(""):
                known[language] = rows
    return {number: each for number, each in found.items() if each}


def _rows(program: Program, section: Section) -> list[tuple[list[tuple[str, str]], str, str]]:
    words = text_columns(program, section.name)
    found = []
    for row in section.rows:
        cells = {
            column: printable(cell)
            for column, cell in zip(section.columns, row.cells, strict=False)
            if column not in APART and cell not in EMPTY
        }
        lines = [(column.replace("_", " "), cell) for column, cell in cells.items() if column not in words]
        text = " ".join(cells[each] for each in words if each in cells)
        found.append((lines, text, printable(row.source)))
    return found
