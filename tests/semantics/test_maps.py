"""Drawings of maps: each mistake that hands make in them has its own lesson, at the place where it stands."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests

GAME = """game g:
    players x, o
    rounds 2
state of Cell:
    ground: Ground
type Ground = plain | river
round: nothing
value flows(c: Cell) -> bool = any d in around(c) where d is river
action swim(c: Cell):
    need flows(c)
"""
WATER = '    legend:\n        "~" = river\n'
SMALL = '    """\n    . .\n    . .\n    """\n'

WRONG = {
    "two grounds": (
        'map m on squares:\n    legend:\n        "o" = river, plain\n' + SMALL.replace(". .", ". o", 1),
        "E0202",
        "plain",
        "leave one of them out",
    ),
    "a legend without a drawing": (
        'map m on squares(2, 2):\n    legend:\n        "o" = river\n',
        "E0107",
        '"o" = river',
        "draw the map",
    ),
    "a field without its value": (
        'map m on squares:\n    legend:\n        "o" = ground\n' + SMALL.replace(". .", ". o", 1),
        "E0201",
        "ground",
        "`ground = ...`",
    ),
    "a slip in squares": ("map m on square:\n" + SMALL, "E0201", "square", "`squares`"),
    "a slip before a bracket": ("map m on squars(3, 3)\n", "E0201", "squars", "`squares`"),
    "a slip in the bracket": ("map m on hexes(pointi):\n" + SMALL, "E0201", "pointi", "`pointy`"),
    "hexes that stand nohow": ("map m on hexes:\n" + SMALL, "E0201", "hexes", "hexes(pointy)"),
    "one number": ("map m on squares(3):\n" + SMALL, "E0107", "squares(3)", "columns"),
    "other numbers": ("map m on squares(3, 2):\n" + SMALL, "E0107", "squares(3, 2)", "`squares`"),
    "no size": ("map m on squares\n", "E0107", "squares", "squares(8, 8)"),
    "a short line": ('map m on squares:\n    """\n    . . .\n    _ .\n    """\n', "E0107", "_ .", "hole"),
    "a line not shoved": ("map m on hexes(pointy):\n" + SMALL, "E0107", ". .", "indent"),
    "an unknown sign": ('map m on squares:\n    """\n    . ?\n    """\n', "E0108", "?", '"?" = ...'),
    "signs that stick": ('map m on squares:\n    """\n    . .\n    ~~\n    """\n', "E0108", "~~", "`~ ~`"),
    "a sign of two": (
        'map m on squares:\n    legend:\n        "ab" = river\n' + SMALL,
        "E0108",
        '"ab"',
        "such as",
    ),
    "a sign twice": (f'map m on squares:\n{WATER}        "~" = plain\n' + SMALL, "E0202", '"~"', "commas"),
    "a word for nothing": (
        'map m on squares:\n    legend:\n        "~" = rver\n' + SMALL,
        "E0201",
        "rver",
        "river",
    ),
}


def signed(sign: str, drawn: str) -> str:
    """A map of four cells, one of them with a sign of its own."""
    return f'map m on squares:\n    legend:\n        "{sign}" = river\n    """\n    . {drawn}\n    . .\n    """\n'


RIGHT = {
    "tabs between signs": f'map m on squares:\n{WATER}    """\n    .\t~\n    .\t.\n    """\n',
    "tabs before lines": f'map m on squares:\n{WATER}    """\n\t. ~\n\t. .\n    """\n',
    "wide signs": signed("水", "水"),
    "joined signs": signed("👩\u200d🌾", "👩\u200d🌾"),
    "an accent typed apart": signed("é", "e\u0301"),
    "a caret": signed("^", "^"),
}


@pytest.mark.parametrize("case", WRONG, ids=str)
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["unix", "windows"])
def test_a_mistake_is_named_once_where_it_stands(case: str, ending: str, tmp_path: Path) -> None:
    drawn, code, place, hint = WRONG[case]
    path = tmp_path / "g.scn"
    path.write_bytes((GAME + drawn).replace("\n", ending).encode())
    (found,) = compile_game(str(path)).diagnostics
    assert found.span is not None
    assert (found.code.id, found.span.text) == (code, place)
    assert hint in found.hint


@pytest.mark.parametrize("case", RIGHT, ids=str)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "with a mark"])
def test_signs_of_all_kinds_are_drawn(case: str, mark: str, tmp_path: Path) -> None:
    path = tmp_path / "g.scn"
    path.write_bytes((mark + GAME + RIGHT[case]).encode())
    compiled = compile_game(str(path))
    assert [each.message for each in compiled.diagnostics] == []
    assert compiled.program is not None
    (board,) = compiled.program.boards
    assert [unicodedata.is_normalized("NFC", sign) for sign in board.signs] == [True] * 4
    assert [sign == "." for sign in board.signs] == [True, True, True, False]


REGIONS = """game g:
    players x, o
    rounds 2
table Region:
    | id    | adjacent: set of Region |
    | north | gate                    |
    | gate  | north, south            |
    | south | gate, isle              |
    | isle  | south                   |
map land on regions(Region, adjacent):
    \"\"\"
{}
    \"\"\"
round: nothing
"""
DRAWN = {
    "twice": ("    north -- gate -- south\n    isle  gate", "E0107", "gate", "once"),
    "one is missing": ("    north -- gate -- south", "E0107", "land", "each region"),
    "one there is not": (
        "    north -- gate -- south\n    isle   atlantis",
        "E0201",
        "atlantis",
        "`atlantis`",
    ),
    "a slip": ("    north -- gate -- soth\n    isle", "E0201", "soth", "`south`"),
    "joined across": ("    north -- gate -- isle -- south", "E0107", "isle", "neighbour"),
    "joined down": ("    north -- gate -- south\n      |\n    isle", "E0107", "isle", "neighbour"),
}


@pytest.mark.parametrize(("drawing", "code", "place", "hint"), DRAWN.values(), ids=DRAWN)
def test_a_drawing_of_regions_agrees_with_the_table(
    drawing: str, code: str, place: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "g.scn"
    path.write_text(REGIONS.format(drawing), encoding="utf-8")
    (found,) = compile_game(str(path)).diagnostics
    assert found.span is not None
    assert (found.code.id, found.span.text) == (code, place)
    assert hint in found.hint


def test_a_drawing_that_shows_each_region_once_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "g.scn"
    path.write_text(REGIONS.format("    north ~~ isle\n      |\n    gate -- south"), encoding="utf-8")
    assert list(compile_game(str(path)).diagnostics) == []


def test_a_region_that_a_mod_adds_without_drawing_it_is_told_at_its_row(tmp_path: Path) -> None:
    path, mod = tmp_path / "g.scn", tmp_path / "cape.scn"
    path.write_text(REGIONS.format("    north -- gate -- south  isle"), encoding="utf-8")
    rows = "extend Region:\n    | id   | adjacent |\n    | cape | isle     |\nchange isle: adjacent = {south, cape}\n"
    mod.write_text(f'mod cape for g:\n    note "a cape"\n{rows}', encoding="utf-8")
    (found,) = compile_game(str(path), [str(mod)]).diagnostics
    assert found.span is not None and found.span.source.name.endswith("cape.scn")
    assert found.code.id == "E0107" and "`replace map land" in found.hint


def test_a_legend_says_how_cells_begin_whose_others_follow_another_field(tmp_path: Path) -> None:
    text = GAME.replace(
        "    ground: Ground\n", "    ground: Ground\n    ore: 0..9 = 4\n    left: 0..9 = self.ore\n"
    )
    drawn = 'map m on squares:\n    legend:\n        "o" = left = 7\n' + SMALL.replace(". .", ". o", 1)
    path = tmp_path / "g.scn"
    test = 'test "left":\n    expect b2.left is 7 and a1.left is 4\n'
    path.write_text(text + drawn + test, encoding="utf-8")
    compiled = compile_game(str(path), tests=True)
    assert [each.message for each in compiled.diagnostics] == [] and compiled.program is not None
    assert [each.message for each in run_tests(Machine(compiled.program)) if not each.passed] == []


GROUPED = """game g:
    players x, o
    rounds 2
table Continent:
    | id    | name en | bonus: 0..9 |
    | hills | Hills   |           3 |
    | coast | Coast   |           2 |
table Region:
    | id    | part: Continent | adjacent: set of Region |
    | north | hills           | gate                    |
    | gate  | hills           | north, south            |
    | south | coast           | gate                    |
map land on regions(Region, adjacent, part)
round: nothing
"""
UNGROUPED = {
    "a group of none": (
        "| south | coast",
        "| south | hills",
        "E0107",
        "| coast | Coast   |           2 |",
        "`part`",
    ),
    "in two groups": (
        "hills           | north",
        "hills, coast    | north",
        "E0307",
        "hills, coast",
        "set of Cont",
    ),
    "no bonus": ("Coast   |           2", "Coast   |           -", "E0310", "-", "0..9"),
    "no such column": ("adjacent, part", "adjacent, prat", "E0201", "prat", "`part`"),
    "a column of sets": ("part: Continent", "part: set of Continent", "E0301", "part", "part: Continent"),
    "a path that leads nowhere": (
        "adjacent, part",
        "adjacent, part.bonus",
        "E0301",
        "bonus",
        "type of a table",
    ),
    "too many": ("adjacent, part", "adjacent, part, part, part", "E0201", "regions(Region,", "at most"),
    "cut off": (
        "north, south            ",
        "north                   ",
        "E0107",
        "| south | coast",
        "both sides",
    ),
}


def test_a_map_with_groups_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "g.scn"
    path.write_text(GROUPED, encoding="utf-8")
    assert list(compile_game(str(path)).diagnostics) == []


@pytest.mark.parametrize(("old", "new", "code", "place", "hint"), UNGROUPED.values(), ids=UNGROUPED)
def test_groups_agree_with_the_table(
    old: str, new: str, code: str, place: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "g.scn"
    assert old in GROUPED
    path.write_text(GROUPED.replace(old, new), encoding="utf-8")
    (found,) = compile_game(str(path)).diagnostics
    assert found.span is not None
    assert found.code.id == code and found.span.text.startswith(place)
    assert hint in found.hint


def test_a_region_that_a_mod_adds_without_a_border_is_warned_of_at_its_row(tmp_path: Path) -> None:
    path, mod = tmp_path / "g.scn", tmp_path / "cape.scn"
    path.write_text(GROUPED, encoding="utf-8")
    rows = "extend Region:\n    | id   | part  | adjacent |\n    | cape | coast | -        |\n"
    mod.write_text(f'mod cape for g:\n    note "a cape"\n{rows}', encoding="utf-8")
    (found,) = compile_game(str(path), [str(mod)]).diagnostics
    assert found.span is not None and found.span.source.name.endswith("cape.scn")
    assert (found.code.id, found.span.line) == ("W0412", 5)
