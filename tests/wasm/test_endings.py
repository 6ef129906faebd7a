"""Endings are not tested again where nothing was written since: with the same steps, and never too seldom."""

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.wasm.assembly import Assembly
from tests.wasm.agree import Counting, agreed

GAME = """game tide:
    title en "Tide"
    players left, right
    rounds 12

map board on squares(5, 5)

state of Cell:
    mark: Player?

state:
    height: 0..99 = 0
    moon: 0..99 = 0

action put(c: Cell) by p en "On {c}":
    need c.mark is none en "taken"
    c.mark = p

round:
    for p in order of play:
        p chooses en "Where":
            put(c) for c in Cell
    WRITTEN
    for p in order of play:
        if moon > 90:
            p chooses en "Again":
                put(c) for c in Cell

ENDING
"""
WRITTEN = {
    "nothing": "moon gains 1",
    "what is read": "height gains 7",
    "a member": "for c in Cell where row(c) is 3: c.mark = none",
}
ROWS = 'victory p en "a row" when any l in lines(3) where every c in l satisfies c.mark is p'
ENDINGS = {
    "lines": ROWS,
    "lines and height": ROWS + " or height > 30",
    "a value": "value risen(p: Player) -> bool = height > 40 and (count c in Cell where c.mark is p) > 4\n"
    'victory p en "high" when risen(p)',
    "defeat": 'defeat p en "many" when (count c in Cell where c.mark is p) > 6 or height > 60',
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("written", WRITTEN)
def test_games_end_alike(written: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / "tide.scn"
    path.write_text(
        GAME.replace("WRITTEN", WRITTEN[written]).replace("ENDING", ENDINGS[ending]), encoding="utf-8"
    )
    program = compile_game(str(path)).program
    assert program is not None
    tally = agreed(Counting(program), range(20), cache=False)
    assert not tally.differences
    assert tally.decisions > 100
    text = Assembly(program).text()
    assert ("(if (i32.lt_s (local.get $tested)" in text) is (ending != "defeat")
