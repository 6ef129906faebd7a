"""The page of E0309 gives the limits as the compiler has them."""

from __future__ import annotations

import re
from pathlib import Path

from dsl import compiler, files
from dsl.semantics.clauses import values
from dsl.semantics.gather import modes, modules
from dsl.semantics.things import bounds, drawing, headers, lookups, pools, shapes, types

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "errors" / "E0309.md"
LIMITS = {
    "cells of a map": drawing.MAX_CELLS,
    "places of a shape": shapes.MOST_PLACES,
    "places of all shapes, where a game mixes them": shapes.MOST_PLACES_OF_ALL,
    "pieces of a type": pools.MAX_PIECES,
    "rows of a table, members of a type": types.MAX_MEMBERS,
    "numbers of a set, or of a loop": bounds.MOST_ELEMENTS,
    "elements of a list": bounds.MOST_IN_LIST,
    "of one kind in a bag": bounds.MOST_OF_A_KIND,
    "entries of a table that is looked up": lookups.MOST_ENTRIES,
    "fields of a type": bounds.MOST_FIELDS,
    "numbers that the game keeps": bounds.MOST_SLOTS,
    "players": headers.MOST_PLAYERS,
    "modes": modes.MOST_MODES,
    "mods at a time": compiler.MOST_MODS,
    "`modify` lines of one value": values.MOST_CLAUSES,
    "rounds": bounds.MOST_ROUNDS,
    "files": modules.MAX_FILES,
}


def test_the_page_tells_each_limit() -> None:
    rows = re.findall(r"^\| ([^|]+?) \| ([\d,]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name: int(figure.replace(",", "")) for name, figure in rows} == LIMITS
    assert files.MAX_SOURCE_BYTES == 1024 * 1024
