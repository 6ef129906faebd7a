"""Cells lie where the rules say that they touch, regions where their author drew them, and no two boxes overlap."""

from __future__ import annotations

from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.ir.program import Board, Program
from dsl.scene.geometry import ANGLES, Geometry, geometry
from dsl.scene.places import BOX

GRID = """game grid:
    players ann, bob
    rounds 1
map m on {shape}
round: nothing
"""
REGIONS = """game lands:
    players ann, bob
    rounds 1
table Land:
    | id    | adjacent: set of Land |
    | north | gate                  |
    | gate  | north, south, far     |
    | south | gate                  |
    | far   | gate                  |
    | isle  |                       |
map m on regions(Land, adjacent){drawing}
round: nothing
"""
FLAT = '''hexes(flat):
    """
    . . . .
    . . . .
    . . . .
    """'''
DRAWING = '''
    """
    north    isle
      |
    gate -- far
      |
    south
    """'''


def _program(tmp_path: Path, text: str) -> Program:
    path = tmp_path / f"{text.split()[1].rstrip(':')}.scn"
    path.write_text(text)
    program = compile_game(path).program
    assert program is not None
    return program


def _laid(program: Program) -> tuple[Board, Geometry]:
    board = program.boards[0]
    return board, geometry(board, program.domains[board.domain].members)


@pytest.mark.parametrize("shape", ["squares(4, 3)", "hexes(4, 3, pointy, rhombus)", FLAT])
def test_neighbours_touch_and_others_do_not(tmp_path: Path, shape: str) -> None:
    board, laid = _laid(_program(tmp_path, GRID.format(shape=shape)))
    for a, b in combinations(range(len(laid.centres)), 2):
        near = bool(board.neighbours[a] >> b & 1)
        assert (dist(laid.centres[a], laid.centres[b]) < 1.001) is near, (a, b)
        assert (len(_shared(laid, a, b)) == 2) is near, (a, b)
    assert min(x for each in laid.outlines for x, _ in each) == 0
    assert max(y for each in laid.outlines for _, y in each) == pytest.approx(laid.height, abs=1e-3)


def _shared(laid: Geometry, a: int, b: int) -> list[tuple[float, float]]:
    return [one for one in laid.outlines[a] if any(dist(one, other) < 1e-3 for other in laid.outlines[b])]


@pytest.mark.parametrize("shape", sorted(ANGLES))
def test_angles_go_round_the_compass(shape: str) -> None:
    angles = sorted(ANGLES[shape].values())
    assert len(set(angles)) == len(angles) and angles[-1] < 360
    for name, angle in ANGLES[shape].items():
        assert ("east" in name) is (0 < angle < 180) and ("west" in name) is (180 < angle < 360)


@pytest.mark.parametrize("drawing", ["", ":" + DRAWING])
def test_no_two_regions_overlap(tmp_path: Path, drawing: str) -> None:
    _, laid = _laid(_program(tmp_path, REGIONS.format(drawing=drawing)))
    assert len(laid.links) == 3
    for (ax, ay), (bx, by) in combinations(laid.centres, 2):
        assert abs(ax - bx) > BOX[0] or abs(ay - by) > BOX[1]


def test_a_drawing_says_what_lies_where(tmp_path: Path) -> None:
    program = _program(tmp_path, REGIONS.format(drawing=":" + DRAWING))
    _, laid = _laid(program)
    at = dict(zip(program.domains[program.boards[0].domain].members, laid.centres, strict=True))
    assert at["north"][1] < at["gate"][1] < at["south"][1]
    assert at["gate"][0] < at["far"][0] and at["north"][0] < at["isle"][0] and at["isle"][1] == at["north"][1]


def test_the_same_board_lies_the_same_every_time(tmp_path: Path) -> None:
    program = _program(tmp_path, REGIONS.format(drawing=""))
    assert _laid(program)[1] == _laid(program)[1]
