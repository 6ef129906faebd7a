"""Exact values of positions of connect four: won, drawn or lost by best play.

Alpha-beta over bitboards of 7 bits a column (J. Tromp's layout, a spare bit on top), with a table, without moves that
lose at once, and with moves that make the most open threes first, as in P. Pons, "Solving Connect 4: how to build a
perfect AI". Positions with 16 discs take about a second, those with 12 ten times as long.
"""

from __future__ import annotations

WIDTH, HEIGHT = 7, 6
STEP = HEIGHT + 1
MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)
BOTTOM = sum(1 << STEP * column for column in range(WIDTH))
BOARD = BOTTOM * ((1 << HEIGHT) - 1)
COLUMNS = tuple(((1 << HEIGHT) - 1) << STEP * column for column in MIDDLE_FIRST)


def has_four(board: int) -> bool:
    for step in (1, HEIGHT, HEIGHT + 1, HEIGHT + 2):
        pairs = board & (board >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


def fours(mine: int, taken: int) -> int:
    """The free cells that make four of whoever has these discs."""
    found = (mine << 1) & (mine << 2) & (mine << 3)
    for step in (STEP, STEP - 1, STEP + 1):
        two = (mine << step) & (mine << 2 * step)
        found |= two & (mine << 3 * step) | two & (mine >> step)
        two = (mine >> step) & (mine >> 2 * step)
        found |= two & (mine << step) | two & (mine >> 3 * step)
    return found & (BOARD ^ taken)


class Position:
    """Two boards, that of whoever is to move first, and how high each column is."""

    def __init__(self, moves: tuple[int, ...] = ()) -> None:
        self.mine, self.other, self.heights = 0, 0, [0] * WIDTH
        for column in moves:
            self.play(column)

    def play(self, column: int) -> None:
        bit = 1 << (column * STEP + self.heights[column])
        self.mine, self.other = self.other, self.mine | bit
        self.heights[column] += 1

    def undo(self, column: int) -> None:
        self.heights[column] -= 1
        bit = 1 << (column * STEP + self.heights[column])
        self.mine, self.other = self.other ^ bit, self.mine

    def moves(self) -> list[int]:
        return [column for column in MIDDLE_FIRST if self.heights[column] < HEIGHT]


Known = dict[int, tuple[int, int]]
"""Between which values a position lies, by its discs and those of whoever is to move."""


def value(mine: int, taken: int, known: Known, low: int = -1, high: int = 1) -> int:
    """What whoever is to move gets from best play: 1 for a win, 0 for a draw, -1 for a loss; where nobody has four.
    Beyond `low` and `high` it is a bound.
    """
    free = (taken + BOTTOM) & BOARD
    if fours(mine, taken) & free:
        return 1
    threats = fours(mine ^ taken, taken)
    forced = threats & free
    if forced:
        if forced & (forced - 1):
            return -1
        free = forced
    free &= ~(threats >> 1)
    if not free:
        return -1 if (taken + BOTTOM) & BOARD else 0
    if taken.bit_count() >= WIDTH * HEIGHT - 2:
        return 0
    key = mine + taken + BOTTOM
    least, most = known.get(key, (-1, 1))
    if least >= high or least == most:
        return least
    if most <= low:
        return most
    low, high = max(low, least), min(high, most)
    moves = [bit for column in COLUMNS if (bit := free & column)]
    if len(moves) > 1:
        moves.sort(key=lambda bit: -fours(mine | bit, taken).bit_count())
    best, bound = -1, low
    for bit in moves:
        found = -value(mine ^ taken, taken | bit, known, -high, -bound)
        if found > best:
            best = found
            bound = max(bound, found)
            if found >= high:
                break
    least, most = known.get(key, (-1, 1))
    if best >= high:
        least = max(least, best)
    elif best <= low:
        most = min(most, best)
    else:
        least = most = best
    known[key] = least, most
    return best


def values(moves: tuple[int, ...]) -> dict[int, int]:
    """The exact value of each move for whoever makes it."""
    at, found, known = Position(moves), dict[int, int](), Known()
    for column in sorted(at.moves()):
        at.play(column)
        over = has_four(at.other)
        found[column] = 1 if over else -value(at.mine, at.mine | at.other, known)
        at.undo(column)
    return found
