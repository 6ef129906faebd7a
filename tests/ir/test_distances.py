"""Distances of boards: found row by row, or from the places of cells alone."""

import json
from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostics
from dsl.ir.codec import decode, encode
from dsl.ir.distances import DIAGONAL, HEX, SQUARE, Distances, apart, straight
from dsl.ir.program import Board, Program
from dsl.ir.verify.program import verify

GAME = """game measured:
    players one
    rounds 1
map field on {shape}
value far(a: Cell, b: Cell) = distance(a, b)
round: nothing
"""
HOLES = """
    . . _ .
    . _ _ .
    . . . .
"""


def compiled(folder: Path, shape: str) -> Program:
    path = folder / "measured.scn"
    path.write_text(GAME.format(shape=shape), encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return program


def searched(board: Board, start: int) -> list[int]:
    """Distances from a cell, by a search of its own."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for near in range(len(board.neighbours)):
            if board.neighbours[here] >> near & 1 and near not in found:
                found[near] = found[here] + 1
                waiting.append(near)
    return [found.get(cell, len(board.neighbours)) for cell in range(len(board.neighbours))]


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        ("squares(7, 5)", SQUARE),
        ("squares(7, 5, diagonal)", DIAGONAL),
        ("squares(1, 6)", SQUARE),
        ("hexes(7, 5, pointy)", HEX),
        ("hexes(1, 6, pointy)", HEX),
        ("hexes(7, 5, flat)", HEX),
        ("hexes(6, 5, pointy, rhombus)", HEX),
        (f'squares:\n    """{HOLES}    """', None),
        (f'squares(diagonal):\n    """{HOLES}    """', None),
        ('squares:\n    """\n    . . .\n    . . _\n    """', SQUARE),
        ('squares:\n    """\n    . _ . .\n    """', None),
    ],
)
def test_a_distance_is_as_many_steps_as_a_search_takes(tmp_path: Path, shape: str, kind: str | None) -> None:
    (board,) = compiled(tmp_path, shape).boards
    distances = Distances(board.neighbours)
    assert straight(board) == kind
    for start in range(distances.cells):
        assert list(distances.rows[start]) == searched(board, start)
        if kind is not None:
            places = zip(board.x, board.y, strict=True)
            steps = [apart(kind, x - board.x[start], y - board.y[start]) for x, y in places]
            assert steps == searched(board, start)


def test_a_board_with_other_neighbours_is_measured_by_search(tmp_path: Path) -> None:
    (board,) = compiled(tmp_path, "squares(4, 4)").boards
    assert straight(replace(board, neighbours=tuple(each & ~1 for each in board.neighbours))) is None


def test_no_table_of_a_program_has_an_entry_for_each_pair_of_cells(tmp_path: Path) -> None:
    program = compiled(tmp_path, "squares(30, 30, diagonal)")
    data = encode(program)
    assert len(data) < 1_000_000
    again = decode(data, Diagnostics())
    assert again == program
    assert again is not None
    (table,) = [each for each in again.data if each.name == "distance"]
    assert table.values[30 * 900 + 899] == 29


def test_a_stranger_s_program_takes_no_more_room_than_its_document(tmp_path: Path) -> None:
    program = compiled(tmp_path, "squares(4, 4)")
    document = json.loads(encode(program))
    around = next(each for each in document["data"] if each["name"] == "around")
    for values, expected in (
        ([[9_999]] * 40_000, "more than 32 MiB"),
        ([[20_000]], "expected a list of numbers"),
        ([5], "expected a list of numbers"),
    ):
        around |= {"values": values, "sparse": True}
        found = Diagnostics()
        assert decode(json.dumps(document).encode(), found) is None
        assert expected in next(iter(found)).message


def test_the_distances_of_a_board_without_end_are_refused(tmp_path: Path) -> None:
    program = compiled(tmp_path, "squares(50, 50)")
    assert not verify(program)
    (board,) = program.boards
    wide = replace(board, neighbours=(*board.neighbours, 0))
    data = tuple(
        replace(each, values=Distances(wide.neighbours)) if each.follows else each for each in program.data
    )
    assert "distances of 2501 cells" in str([each.message for each in verify(replace(program, data=data))])
