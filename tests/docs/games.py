"""The part of a game's page that the game itself tells: `python -m tests.docs.games --write` puts it into each page.

What is ours, what can be read in more than one way, and what of the book changes nothing, from the game's index and
program.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dsl.compiler import compile_game
from dsl.engine.display import text_of
from dsl.ir.program import Option, Program
from dsl.resources import games
from tests.docs.snippets import DOCS

PAGES = DOCS / "games"
BEGIN = "<!-- told by the game: python -m tests.docs.games --write -->"
END = "<!-- as far as here -->"


def told(name: str) -> str:
    """The generated part of a game's page."""
    program = compile_game(name).program
    assert program is not None
    index = json.loads(_index(name).read_text(encoding="utf-8"))
    parts = [*_readings(program, index), *_house(index), *_void(index)]
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
    settled = {each: title for each, title in titles.items() if each not in switched}
    if settled:
        yield "Settled once and for all, without a switch:"
        yield ""
        yield from (f"- {each}: {title}" for each, title in settled.items())
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
        yield from (f"- {entry['id']}: {entry['title']}. {entry['note']}" for entry in void)
        yield ""


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
