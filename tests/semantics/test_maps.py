"""Drawings of maps: each mistake that hands make in them has its own lesson, at the place where it stands."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from dsl.compiler import compile_game

GAME = """game g:
    players x, o
    rounds 2
state of Cell:
    ground: Ground
type Ground = plain | river
round: nothing
value flows(c: Cell) -> bool = any d in around(c) where d is river
"""
WATER = '    legend:\n        "~" = river\n'
SMALL = '    """\n    . .\n    . .\n    """\n'

WRONG = {
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
