"""Exact values of positions of connect four: negamax with a table, over two bitboards (J. Tromp's layout of 7 bits a
column, a spare one on top). For late positions, of which each takes well below a second.
"""

from __future__ import annotations

WIDTH, HEIGHT = 7, 6
MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)


def has_four(board: int) -> bool:
    for step in (1, HEIGHT, HEIGHT + 1, HEIGHT + 2):
        pairs = board & (board >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


class Position:
    """Two boards, that of whoever is to move first, and how high each column is."""

    def __init__(self, moves: tuple[int, ...] = ()) -> None:
        self.mine, self.other, self.heights = 0, 0, [0] * WIDTH
        for column in moves:
            self.play(column)

    def play(self, column: int) -> None:
        bit = 1 << (column * (HEIGHT + 1) + self.heights[column])
        self.mine, self.other = self.other, self.mine | bit
        self.heights[column] += 1

    def undo(self, column: int) -> None:
        self.heights[column] -= 1
        bit = 1 << (column * (HEIGHT + 1) + self.heights[column])
        self.mine, self.other = self.other ^ bit, self.mine

    def moves(self) -> list[int]:
        return [column for column in MIDDLE_FIRST if self.heights[column] < HEIGHT]


def value(at: Position, known: dict[tuple[int, int], int], low: int = -1, high: int = 1) -> int:
    """What whoever is to move gets from best play: 1 for a win, 0 for a draw, -1 for a loss."""
    if has_four(at.other):
        return -1
    key = at.mine, at.other
    if key in known:
        return known[key]
    moves = at.moves()
    if not moves:
        return 0
    best = -1
    for column in moves:
        at.play(column)
        best = max(best, -value(at, known, -high, -max(low, best)))
        at.undo(column)
        if best >= high:
            return best
    if low == -1 and high == 1:
        known[key] = best
    return best


def values(moves: tuple[int, ...]) -> dict[int, int]:
    """The exact value of each move for whoever makes it."""
    at, found, known = Position(moves), {}, dict[tuple[int, int], int]()
    for column in sorted(at.moves()):
        at.play(column)
        found[column] = -value(at, known)
        at.undo(column)
    return found
