"""The chess of the examples has as many lines of play as chess has, by the counts that chess programs agree on."""

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from tests.examples import FOLDER

CHESS = FOLDER / "chess" / "chess.scn"
BEGINNING = """\
    r n b q k b n r
    p p p p p p p p
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    P P P P P P P P
    R N B Q K B N R
"""
KIWIPETE = """\
    r . . . k . . r
    p . p p q p b .
    b n . . p n p .
    . . . P N . . .
    . p . . P . . .
    . . N . . Q . p
    P P P B B P P P
    R . . . K . . R
"""
PAWNS = """\
    . . . . . . . .
    . . p . . . . .
    . . . p . . . .
    K P . . . . . r
    . R . . . p . k
    . . . . . . . .
    . . . . P . P .
    . . . . . . . .
"""
"""En passant would leave the king in check along the row."""


def lines(game: Game, depth: int) -> int:
    """How many lines of so many moves there are."""
    if depth == 1 or game.decision is None:
        return game.count
    total = 0
    for choice in range(game.count):
        after = game.clone()
        after.choose(choice)
        total += lines(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("drawing", "counts"),
    [(BEGINNING, (20, 400, 8902)), (KIWIPETE, (48, 2039)), (PAWNS, (14, 191, 2812))],
    ids=["beginning", "kiwipete", "pawns"],
)
def test_there_are_as_many_lines_as_in_chess(tmp_path: Path, drawing: str, counts: tuple[int, ...]) -> None:
    text = CHESS.read_text(encoding="utf-8")
    assert BEGINNING in text
    text = text.replace(BEGINNING, drawing)
    if drawing == PAWNS:
        text = text.replace("far: bool = true", "far: bool").replace("near: bool = true", "near: bool")
    path = tmp_path / "chess.scn"
    path.write_text(text, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program))
    assert tuple(lines(game, depth) for depth in range(1, len(counts) + 1)) == counts
