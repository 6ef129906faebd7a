"""The part of a game's page that the game itself tells: `python -m tests.docs.games --write` puts it into each page.

What is ours, what can be read in more than one way, what of the book changes nothing, and what a scenario has to fill,
from the game's index, program and trees.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dsl.engine.display import text_of
from dsl.ir.program import Option, Program
from dsl.library import read_modules
from dsl.linker.modules import Modules
from dsl.resources import games
from dsl.syntax import ast
from tests.docs.snippets import DOCS
from tests.kept import kept
from tests.shipped import shipped

PAGES = DOCS / "games"
BEGIN = "<!-- told by the game: python -m tests.docs.games --write -->"
END = "<!-- as far as here -->"


def told(name: str) -> str:
    """The generated part of a game's page."""
    program, modules = shipped(name), read_modules(name, cache=kept())
    index = json.loads(_index(name).read_text(encoding="utf-8"))
    parts = [*_readings(program, index), *_house(index), *_void(index), *_to_fill(modules)]
    return "\n".join([BEGIN, "", *parts, END])


def _index(name: str) -> Path:
    (found,) = DOCS.parent.glob(f"stdlib/{name}/rulebook.json")
    return found


def _readings(program: Program, index: dict[str, Any]) -> Iterator[str]:
    titles = {entry["id"]: entry["title"] for entry in index.get("ambiguities", ())}
    yield "## What the book leaves open"
    yield ""
    yield "Choose with `--option NAME=CHOICE`; what is in bold holds unless you do."
    yield ""
    yield "| name | choices | about | |"
    yield "|---|---|---|---|"
    switched = set()
    for option in program.options:
        ids = [] if option.clause is None else list(program.clauses[option.clause].ids)
        switched.update(ids)
        about = text_of(program, option.label, "en") or next(
            (titles[each] for each in ids if each in titles), ""
        )
        yield f"| `{option.name}` | {_choices(option)} | {about} | {', '.join(ids)} |"
    yield ""
    notes = {entry["id"]: entry["note"] for entry in index.get("ambiguities", ()) if "note" in entry}
    settled = {each: title for each, title in titles.items() if each not in switched}
    if settled:
        yield "Settled once and for all, without a switch:"
        yield ""
        yield from (
            f"- {each}: {title}" + (f" ({notes[each]})" if each in notes else "")
            for each, title in settled.items()
        )
        yield ""


def _choices(option: Option) -> str:
    if option.range is not None:
        return f"**{option.default}** ({option.range[0]} to {option.range[1]})"
    others = [choice for number, choice in enumerate(option.choices) if number != option.default]
    return ", ".join([f"**{option.choices[option.default]}**", *others])


def _house(index: dict[str, Any]) -> Iterator[str]:
    yield "## What is ours"
    yield ""
    yield "The book is silent here, or needs figures that it does not print:"
    yield ""
    yield from (f"- {entry['id']}: {entry['title']}" for entry in index.get("house", ()))
    yield ""


def _void(index: dict[str, Any]) -> Iterator[str]:
    void = [entry for entry in index["rules"] if entry.get("status") == "not_applicable"]
    if void:
        yield "## What of the book changes nothing"
        yield ""
        yield from (
            f"- {entry['id']}: {entry['title'].rstrip('.')} ({_within(entry['note'])})" for entry in void
        )
        yield ""


def _within(note: str) -> str:
    """A note as it stands in brackets."""
    return note[:1].lower() + note[1:].rstrip(".")


def _to_fill(modules: Modules) -> Iterator[str]:
    """The tables that the rules declare without a row: a scenario has to fill them."""
    declared = [each for file in modules.layers[0].files for each in file.declarations]
    filled = {each.table.text for each in declared if isinstance(each, ast.ExtendRows)}
    tables = [each for each in declared if isinstance(each, ast.Table)]
    empty = [each for each in tables if len(each.rows) == 1 and each.name.text not in filled]
    if not empty:
        return
    yield "## What a scenario fills"
    yield ""
    yield "The rules declare these tables, and leave their rows to the scenario (`extend NAME:`):"
    yield ""
    yield "| table | rows | columns |"
    yield "|---|---|---|"
    for each in empty:
        columns = ", ".join(f"`{cell.text.strip()}`" for cell in each.rows[0].cells)
        yield f"| `{each.name.text}` | {_rows_of(each)} | {columns} |"
    yield ""


def _rows_of(table: ast.Table) -> str:
    """What its rows are for: all results of a die, or as many things as there are to be."""
    if not table.params:
        return "as many as there are"
    kind = table.params[0].type
    if isinstance(kind, ast.RangeType):
        return f"together one for each result from {kind.low} to {kind.high}"
    return f"one for each `{kind.span.text}`" if kind is not None else "one for each"


def with_told(page: Path) -> str:
    """The page with its generated part made anew."""
    text = page.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{told(page.stem)}{tail}"


def pages() -> list[Path]:
    """The page of each game that comes along."""
    return [PAGES / f"{name}.md" for name in games()]


if __name__ == "__main__":
    for each in pages():
        new = with_told(each)
        if "--write" in sys.argv[1:]:
            each.write_text(new, encoding="utf-8")
        else:
            print(new)
