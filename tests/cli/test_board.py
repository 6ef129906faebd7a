"""Maps in text: squares, hexes both ways, regions with their holders."""

from dataclasses import replace

import pytest
from pytest_snapshot.plugin import Snapshot

from dsl.cli.board import drawings
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Board, Program
from dsl.ir.types import Id
from tests.ir.builders import PLAYERS, World, member, none_of

NAMES = tuple(f"{letter}{row}" for row in (1, 2, 3) for letter in "abc")
REGIONS = ("north", "south", "mill")
DRAWING = """
     north ---- mill
        \\\\      /
          south
"""


def _world() -> World:
    made = World()
    made.domain("Player", ("red", "blue"), "player")
    return made


def _program(made: World, board: Board) -> Program:
    made.boards.append(board)
    return made.program()


@pytest.mark.parametrize("shape", ["squares", "hexes_pointy", "hexes_flat"])
def test_grids(shape: str, snapshot: Snapshot) -> None:
    made = _world()
    cells = made.domain("Cell", NAMES, "cell")
    made.var("mark", Id(PLAYERS, optional=True), none_of(PLAYERS), of=cells)
    x, y = tuple(n % 3 for n in range(9)), tuple(n // 3 for n in range(9))
    program = _program(made, Board("field", shape, cells, x, y, (0,) * 9, "", ("~",) + (".",) * 8))
    machine = Machine(program)
    state = list(Game.fresh(machine).state)
    state[program.vars[0].offset + 4] = 1
    (found,) = drawings(machine, state, None, "")
    lines = [line.plain.rstrip() for line in (*found.lines, *found.legend)]
    snapshot.assert_match("\n".join(lines) + "\n", f"{shape}.txt")


def test_regions(snapshot: Snapshot) -> None:
    made = _world()
    cells = made.domain("Region", REGIONS, "row")
    made.var("holder", Id(PLAYERS, optional=True), none_of(PLAYERS), of=cells)
    made.var("army", Id(cells), member(cells, 2))
    made.vars[1] = replace(made.vars[1], label=made.text("Army"))
    program = _program(made, Board("land", "regions", cells, (), (), (0, 0, 0), DRAWING, ("", "", "")))
    machine = Machine(program)
    state = list(Game.fresh(machine).state)
    state[program.vars[0].offset] = 0
    state[program.vars[0].offset + 2] = 1
    (found,) = drawings(machine, state, None, "")
    lines = [line.plain.rstrip() for line in (*found.lines, *found.legend)]
    snapshot.assert_match("\n".join(lines) + "\n", "regions.txt")
