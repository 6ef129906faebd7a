"""Conditions on tables of constant sets are judged for all elements at once; and both engines say the same."""

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.wasm.assembly import Assembly
from tests.wasm.agree import Counting, agreed

GAME = """game gaps:
    title en "Gaps"
    players left, right
    rounds 30

map board on squares(5, 4)

state of Cell:
    mark: Player?

state:
    least: 0..3 = 0

value lowest(x: 1..5) = first c in Cell where column(c) is x and c.mark is none

action put(x: 1..5) by p en "Column {x}":
    need CONDITION en "not there"
    for c in lowest(x):
        c.mark = p
        if least < 3: least gains 1

action clear() by p en "Clear":
    for c in Cell where c.mark is p:
        c.mark = none

round:
    for p in order of play:
        p chooses en "Where":
            put(x) for x in 1..5
            clear()

victory p en "many" when (count c in Cell where c.mark is p) >= 8
"""
CONDITIONS = {
    "any": "any c in Cell where column(c) is x and c.mark is none",
    "every": "every c in Cell where column(c) is x satisfies c.mark is not p",
    "none": "no c in Cell where column(c) is x and c.mark is p",
    "some are not": "any c in Cell where column(c) is x and c.mark is not p",
    "both": "(any c in Cell where column(c) is x and c.mark is none)"
    " and (any c in Cell where row(c) is 1 and column(c) is x and c.mark is none)",
    "either": "(every c in Cell where column(c) is x satisfies c.mark is p)"
    " or (any c in Cell where column(c) is x and row(c) > 1 and c.mark is none)",
    "a number too": "least < 3 or (any c in Cell where column(c) is x and c.mark is none)",
}


def _game(condition: str, folder: Path) -> Program:
    path = folder / "gaps.scn"
    path.write_text(GAME.replace("CONDITION", condition), encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return program


@pytest.mark.parametrize("what", CONDITIONS)
def test_both_engines_list_the_same(what: str, tmp_path: Path) -> None:
    tally = agreed(Counting(_game(CONDITIONS[what], tmp_path)), range(25), 60, cache=False)
    assert not tally.differences
    assert tally.decisions > 200


@pytest.mark.parametrize("what", CONDITIONS)
def test_no_column_is_asked_by_itself(what: str, tmp_path: Path) -> None:
    played = Machine(_game(CONDITIONS[what], tmp_path)).program
    assert "(call $j0" not in Assembly(played).text()
