"""`unnote`: trials that nobody asks for earlier positions note none, which changes no game."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.passes.pipeline import Lowering
from tests.passes.test_unite import course
from tests.wasm.agree import Counting, agreed

GAME = """\
game stones:
    players red, blue
    rounds 8
map board on squares(3, 3)
state of Cell:
    stone: Player?
state:
    stuck: bool, not part of the position

value crowded(c: Cell) -> bool = every n in around(c) satisfies n.stone is not none
value seen(c: Cell) -> bool = c.stone is not none and repeated(2)

action put(c: Cell) by p:
    c.stone = none if c.stone is p else p
    {did}
action tidy(c: Cell):
    if c.stone is not none and crowded(c): c.stone = none
action shy(c: Cell):
    if repeated(2): c.stone = none

forbid put when crowded(c) after put(c)
{rule}

round:
    for p in order of play:
        p chooses:
            put(c) for c in Cell
        otherwise:
            stuck = true
draw when stuck or repeated(4), at once
"""


def program(folder: Path, did: str, rule: str) -> Program:
    path = folder / "stones.scn"
    path.write_text(GAME.format(did=did, rule=rule), encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program


def noting(made: Program, without: frozenset[str] = frozenset()) -> int:
    """How many procedures note where the game stands, or who has chosen."""
    machine = Machine(made, without=without)
    assert made.history is not None
    whole = Lowering(machine.program, machine.passes).whole()
    return sum(
        any(
            isinstance(st, ir.Remember) or (isinstance(st, ir.Store) and st.var == made.history.last)
            for st in each.body
        )
        for each in whole.procedures
    )


@pytest.mark.parametrize(
    ("did", "rule", "count"),
    [
        ("stuck = false", "", 0),
        ("tidy(c)", "", 0),
        ("stuck = false", "forbid put when stuck after put(c)", 0),
        # asked by a trial, by a value that it asks for, by what is tried
        ("stuck = false", "forbid put when repeated(2) after put(c)", 1),
        ("tidy(c)", "forbid put when seen(c) after put(c)", 1),
        ("shy(c)", "", 1),
        # within the trial another is judged, which may ask
        ("stuck = false", "forbid put when (crowded(c) after tidy(c)) after put(c)", 1),
    ],
)
def test_what_nobody_asks_for_is_not_noted(tmp_path: Path, did: str, rule: str, count: int) -> None:
    made = program(tmp_path, did, rule)
    assert noting(made) == count
    assert noting(made, frozenset({"unnote"})) > 0
    for without in (frozenset[str](), frozenset({"unnote"})):
        tally = agreed(Counting(made, without=without), range(3), 40, cache=False)
        assert not tally.differences
    for seed in range(3):
        told, steps = course(made, seed)
        other, more = course(made, seed, frozenset({"unnote"}))
        assert told == other
        assert steps < more if count == 0 else steps <= more
