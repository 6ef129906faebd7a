"""Positions that have stood, counted in trials too, before and after the list of them is full."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.ir.limits import MAX_POSITIONS
from tests.wasm.agree import Counting, agreed

GAME = """\
game walks:
    players red, blue
    rounds 200

map board on squares(6, 5)

state of Player:
    at: Cell = a1
state of Cell:
    mark: Player?

action walk(c: Cell) by p:
    need adjacent(p.at, c)
    p.at = c
    c.mark = p if c.mark is none else none

forbid walk when repeated(3) after walk(c)
round:
    for p in order of play:
        p chooses:
            walk(c) for c in Cell
            pass
draw when repeated(40)
"""


def test_both_engines_agree_past_a_full_list(tmp_path: Path) -> None:
    path = tmp_path / "walks.scn"
    path.write_text(GAME, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    tally = agreed(Counting(program), range(2), 2 * MAX_POSITIONS, cache=False)
    assert not tally.differences
    assert tally.decisions > 2 * MAX_POSITIONS
