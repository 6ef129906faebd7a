"""Where the regions of a board lie.

The author's drawing has the places of their names: a character is half as wide as a line is high. Where there is no
drawing, regions are laid so that their distances on paper are as near as can be to how many borders lie between them:
the stress model of Kamada and Kawai (*An algorithm for drawing general undirected graphs*, 1989), made small as
Gansner, Koren and North do (*Graph Drawing by Stress Majorization*, 2004). It begins from the same spiral every time,
so that a board has one picture. Parts of a board that no border joins lie beside each other.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from math import cos, hypot, pi, sin, sqrt

from dsl.engine.bits import bits
from dsl.ir.program import Board
from dsl.scene.model import Point

BOX: Point = (1.5, 0.8)
"""How wide and high a region is drawn."""
GAP: Point = (0.4, 0.4)
"""The least room between two of them."""
FLAT = 0.7
"""Boxes are wider than high, and so is the whole."""
ROUNDS, PUSHES = 120, 200
MOST_LAID = 400
"""A part with more regions than these is laid in rows: each round takes the square of their number."""


def places(board: Board, names: Sequence[str], kept: Sequence[bool]) -> list[Point]:
    """The middle of each region; those that are not `kept` take no room."""
    drawn = _drawn(board.drawing, names)
    if len(drawn) == len(names):
        return _spread([drawn[each] for each in range(len(names))])
    found: dict[int, Point] = {}
    parts = _parts(board, [each for each, is_kept in enumerate(kept) if is_kept])
    x = y = height = 0.0
    widest = _width_of(parts)
    for part in parts:
        laid = _apart(_laid(board, part) if len(part) <= MOST_LAID else _in_rows(len(part)))
        left, top = min(a for a, _ in laid), min(b for _, b in laid)
        width = max(a for a, _ in laid) - left + BOX[0] + 2 * GAP[0]
        if x and x + width > widest:
            x, y, height = 0.0, y + height, 0.0
        for region, (a, b) in zip(part, laid, strict=True):
            found[region] = (x + a - left, y + b - top)
        x += width
        height = max(height, max(b for _, b in laid) - top + BOX[1] + 2 * GAP[1])
    return [found.get(each, (0.0, 0.0)) for each in range(len(names))]


# ------------------------------------------------------------ from the author's drawing


def _drawn(drawing: str, names: Sequence[str]) -> dict[int, Point]:
    """Where each name stands in a drawing: the middle of it, in heights of a line."""
    number = {name: at for at, name in enumerate(names)}
    if not drawing.strip() or not names:
        return {}
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b")
    found: dict[int, Point] = {}
    for y, line in enumerate(drawing.splitlines()):
        for each in pattern.finditer(line):
            found.setdefault(number[each[1]], ((each.start() + each.end()) / 4, float(y)))
    return found


def _spread(points: list[Point]) -> list[Point]:
    """The same drawing, so large that no two boxes touch."""
    across, down = BOX[0] + GAP[0], BOX[1] + GAP[1]
    scale = 0.0
    for n, (x, y) in enumerate(points):
        for a, b in points[:n]:
            dx, dy = abs(a - x), abs(b - y)
            need = [room / d for room, d in ((across, dx), (down, dy)) if d]
            scale = max(scale, min(need, default=0.0))
    return [(x * (scale or 1), y * (scale or 1)) for x, y in points]


# ------------------------------------------------------------ without one


def _parts(board: Board, kept: Sequence[int]) -> list[list[int]]:
    """The regions in parts that borders join, the largest first."""
    left, found = set(kept), []
    for start in kept:
        if start not in left:
            continue
        part, ahead = [], deque([start])
        left.discard(start)
        while ahead:
            region = ahead.popleft()
            part.append(region)
            for other in bits(board.neighbours[region]):
                if other in left:
                    left.discard(other)
                    ahead.append(other)
        found.append(sorted(part))
    return sorted(found, key=len, reverse=True)


def _width_of(parts: Sequence[Sequence[int]]) -> float:
    """How wide a shelf of parts may be: about half as much again as the whole is high."""
    room = sum(len(part) for part in parts) * (BOX[0] + 2 * GAP[0]) * (BOX[1] + 2 * GAP[1]) * 3
    return sqrt(room * 1.5)


def _in_rows(count: int) -> list[Point]:
    across = max(1, round(sqrt(count)))
    return [(n % across * (BOX[0] + GAP[0]), n // across * (BOX[1] + GAP[1])) for n in range(count)]


def _laid(board: Board, part: Sequence[int]) -> list[Point]:
    """Places of one part, a border about as long as a box and its room, by majorization of the stress."""
    size, unit = len(part), BOX[0] + GAP[0]
    if size == 1:
        return [(0.0, 0.0)]
    far = _distances(board, part)
    radius = unit * size / (2 * pi)
    order = sorted(range(size), key=lambda n: (far[0][n], n))
    at = [(0.0, 0.0)] * size
    for n, region in enumerate(order):
        turn = 2 * pi * n * 0.381966  # the golden angle: neighbours of the start lie on all sides of it
        reach = radius * sqrt((n + 0.5) / size)
        at[region] = (reach * cos(turn), reach * sin(turn))
    for _ in range(ROUNDS):
        moved = []
        for i in range(size):
            x = y = whole = 0.0
            for j in range(size):
                if i == j:
                    continue
                ideal = far[i][j] * unit
                weight = 1 / (ideal * ideal)
                dx, dy = at[i][0] - at[j][0], at[i][1] - at[j][1]
                now = hypot(dx, dy)
                share = ideal / now if now > 1e-9 else 0.0
                x += weight * (at[j][0] + dx * share)
                y += weight * (at[j][1] + dy * share)
                whole += weight
            moved.append((x / whole, y / whole))
        at = moved
    return [(x, y * FLAT) for x, y in _upright(at)]


def _distances(board: Board, part: Sequence[int]) -> list[list[int]]:
    """How many borders lie between any two regions of a part."""
    number = {region: n for n, region in enumerate(part)}
    found = []
    for start in part:
        row, ahead = {start: 0}, deque([start])
        while ahead:
            region = ahead.popleft()
            for other in bits(board.neighbours[region]):
                if other in number and other not in row:
                    row[other] = row[region] + 1
                    ahead.append(other)
        found.append([row.get(each, len(part)) for each in part])
    return found


def _upright(at: list[Point]) -> list[Point]:
    """Turned so that its longest extent lies across: by the angle of the first principal axis."""
    size = len(at)
    mx, my = sum(x for x, _ in at) / size, sum(y for _, y in at) / size
    xx = sum((x - mx) ** 2 for x, _ in at)
    yy = sum((y - my) ** 2 for _, y in at)
    xy = sum((x - mx) * (y - my) for x, y in at)
    spread = hypot(xx - yy, 2 * xy)
    if spread < 1e-9:
        return at
    # cosine and sine of half the angle of (xx - yy, 2 xy)
    c = sqrt(max(0.0, (1 + (xx - yy) / spread) / 2))
    s = sqrt(max(0.0, (1 - (xx - yy) / spread) / 2)) * (1 if xy >= 0 else -1)
    return [((x - mx) * c + (y - my) * s, (y - my) * c - (x - mx) * s) for x, y in at]


def _apart(at: list[Point]) -> list[Point]:
    """Boxes that overlap are pushed apart, each pair the shorter way."""
    at = list(at)
    across, down = BOX[0] + GAP[0], BOX[1] + GAP[1]
    for _ in range(PUSHES):
        is_still = True
        for i in range(len(at)):
            for j in range(i):
                dx, dy = at[i][0] - at[j][0], at[i][1] - at[j][1]
                lack_x, lack_y = across - abs(dx), down - abs(dy)
                if lack_x <= 1e-6 or lack_y <= 1e-6:
                    continue
                is_still = False
                if lack_x < lack_y:
                    step = (lack_x / 2 + 1e-6) * (1 if dx >= 0 else -1)
                    at[i], at[j] = (at[i][0] + step, at[i][1]), (at[j][0] - step, at[j][1])
                else:
                    step = (lack_y / 2 + 1e-6) * (1 if dy >= 0 else -1)
                    at[i], at[j] = (at[i][0], at[i][1] + step), (at[j][0], at[j][1] - step)
        if is_still:
            break
    return at
