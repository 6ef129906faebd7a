"""Conditions on members that a set answers: nothing is gone through, and both engines play alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.wasm.assembly import Assembly
from tests.wasm.agree import Counting, agreed

GAME = """\
game mills:
    players white, black
    rounds 12

table Line:
    | id | points         |
    | l1 | a1, b1, c1, d1 |
    | l2 | a2, b2, c2, d2 |
    | l3 | a3, b3, c3, d3 |
    | l4 | a1, a2, a3     |
    | l5 | b1, b2, b3     |
    | l6 | c1, c2, c3     |
    | l7 | d1, d2, d3     |
    | l8 | a1, b2, c3     |

map board on squares(4, 3)

state of Cell:
    man: Player?

state of Player:
    flies: bool
    kept: set of Cell

value asked(c: Cell, p: Player) -> {kind} = {asked}

action put(c: Cell) by p:
    need c.man is none
    c.man = p
    p.kept = p.kept + {{c}}
    if row(c) is 2: p.flies = not p.flies
round:
    for p in order of play:
        p chooses:
            put(c) for c in Cell where {offered}
            pass
victory p when {won}
"""
FREE = "x.man is none"


def program(folder: Path, asked: str, kind: str = "set of Cell") -> Program:
    offered = "size(asked(c, p)) > 1" if kind == "set of Cell" else "asked(c, p) or c.man is none"
    won = (
        "size(asked(b2, p)) is 11"
        if kind == "set of Cell"
        else "asked(b2, p) and asked(c3, p) and asked(d1, p)"
    )
    path = folder / "mills.scn"
    path.write_text(GAME.format(asked=asked, kind=kind, offered=offered, won=won), encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program


def code(made: Program) -> str:
    """The function of `asked`."""
    text = Assembly(Machine(made).program).text()
    number = next(n for n, each in enumerate(made.values) if each.name == "asked")
    found = re.search(rf"\(func \$v{number} .*?\)\n(?=\(func|\(data|\))", text, re.DOTALL)
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    "asked",
    [
        f"all x in Cell where {FREE} and (p.flies or adjacent(c, x))",
        f"all x in Cell where {FREE} and not adjacent(c, x)",
        "all x in Cell where x.man is p and (x in p.kept or distance(x, c) > 2)",
        "all x in Cell where x.man is p or x not in p.kept and p.flies",
        f"all x in Cell where {FREE} or row(x) <= 2 and distance(c, x) >= 2",
    ],
)
def test_nothing_is_gone_through(tmp_path: Path, asked: str) -> None:
    made = program(tmp_path, asked)
    assert "(loop " not in code(made)
    tally = agreed(Counting(made), range(6), 40, cache=False)
    assert not tally.differences


@pytest.mark.parametrize(
    "asked",
    [
        "any l in Line where c in l.points and every x in l.points satisfies x.man is p",
        "any l in Line where c not in l.points and every x in l.points satisfies x.man is p",
        "no l in Line where (p.flies or c in l.points) and every x in l.points satisfies x.man is not p",
    ],
)
def test_sets_that_have_an_element(tmp_path: Path, asked: str) -> None:
    made = program(tmp_path, asked, "bool")
    tally = agreed(Counting(made), range(6), 40, cache=False)
    assert not tally.differences
