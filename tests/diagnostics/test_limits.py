"""The page of E0309 gives the limits as the compiler has them."""

from __future__ import annotations

import re
from pathlib import Path

from dsl import compiler, files
from dsl.elaborate.clauses import values
from dsl.ir import limits
from dsl.linker import modes, modules
from dsl.resolve import bounds, headers, pools, shapes, types
from dsl.resolve import lookup_tables as lookups
from dsl.resolve import map_drawings as drawing

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
    "clauses that those of one head are `over`": limits.MAX_NODES,
    "rounds": bounds.MOST_ROUNDS,
    "files": modules.MAX_FILES,
}


def test_the_page_tells_each_limit() -> None:
    rows = re.findall(r"^\| ([^|]+?) \| ([\d,]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name: int(figure.replace(",", "")) for name, figure in rows} == LIMITS
    assert files.MAX_SOURCE_BYTES == 1024 * 1024


def test_clauses_over_a_large_family_are_counted_before_they_are_paired(tmp_path: Path) -> None:
    lines = [
        "game many:",
        "    players a, b",
        "    rounds 3",
        '    rulebook R "R"',
        "value f(n: 0..9) -> 0..9999 = n",
        "round: nothing",
    ]
    lines += [f"modify f: +0 when n is {n % 9} [R-{n}, fam]" for n in range(700)]
    lines += [f"modify f: +1 when n is {n % 9}, over fam [R-{n}]" for n in range(700, 1400)]
    path = tmp_path / "many.scn"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    found = list(compiler.compile_game(str(path)).diagnostics)
    assert [each.code.value for each in found] == ["E0309"]
    assert found[0].span.line == 6 + 700 + 572
