"""`line` and `sight` against lines that are computed here in fractions, as their page tells: sampled once for each
step, with both cells where a sample lies between two.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import ceil, floor
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests

Spot = tuple[int, int]
HALF = Fraction(1, 2)
SHAPES = ("squares", "squares(diagonal)", "hexes(pointy)", "hexes(flat)")
COLUMNS, ROWS = 9, 7
PAIRS = 60


def drawn(shape: str, holes: set[Spot]) -> str:
    """A map with holes, at columns and lines from 0, counted from the top."""
    shoved = " " if "pointy" in shape else ""
    lines = (
        (shoved if y % 2 else "") + " ".join("_" if (x, y) in holes else "." for x in range(COLUMNS))
        for y in range(ROWS)
    )
    return f'map board on {shape}:\n    """\n' + "".join(f"    {line}\n" for line in lines) + '    """\n'


def coordinates(shape: str, x: int, y: int) -> tuple[int, ...]:
    """Two coordinates on squares, three that add up to 0 on hexes."""
    if shape.startswith("squares"):
        return (x, y)
    q, r = (x, y - (x - x % 2) // 2) if "flat" in shape else (x - (y - y % 2) // 2, y)
    return (q, r, -q - r)


def sampled(one: tuple[int, ...], two: tuple[int, ...]) -> list[set[tuple[int, ...]]]:
    """For each step between two places the places where its sample lies."""
    steps = max(abs(a - b) for a, b in zip(one, two, strict=True))
    found = []
    for step in range(1, steps):
        sample = [a + Fraction((b - a) * step, steps) for a, b in zip(one, two, strict=True)]
        nearest = [sorted({ceil(each - HALF), floor(each + HALF)}) for each in sample]
        whole = {spot for spot in product(*nearest) if len(one) == 2 or sum(spot) == 0}
        found.append(whole)
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_lines_are_those_of_the_page(tmp_path: Path, shape: str) -> None:
    dice = random.Random(shape)
    holes = {(dice.randrange(COLUMNS), dice.randrange(ROWS)) for _ in range(5)}
    spots = [(x, y) for x in range(COLUMNS) for y in range(ROWS) if (x, y) not in holes]
    at = {coordinates(shape, x, y): f"{chr(97 + x)}{ROWS - y}" for x, y in spots}
    expected = []
    for _ in range(PAIRS):
        one, two = dice.choice(list(at)), dice.choice(list(at))
        steps = sampled(one, two)
        cells = {at[each] for step in steps for each in step if each in at}
        expected.append(
            f"expect line({at[one]}, {at[two]}) is {{{', '.join(sorted(cells))}}}" if cells else ""
        )
        stops = {name for name in at.values() if dice.random() < HALF / 2} | {at[one], at[two]}
        is_open = all(any(at.get(each) not in stops for each in step) for step in steps)
        shown = f"sight({at[one]}, {at[two]}, {{{', '.join(sorted(stops))}}})"
        expected.append(f"expect {'' if is_open else 'not '}{shown}")
    tests = "".join(f'test "pair {number}":\n    {line}\n' for number, line in enumerate(expected) if line)
    game = f"game g:\n    players a\n    rounds 1\n{drawn(shape, holes)}round: nothing\n{tests}"
    path = tmp_path / "g.scn"
    path.write_text(game, encoding="utf-8")
    compiled = compile_game(str(path), tests=True)
    assert compiled.program is not None, [each.message for each in compiled.diagnostics]
    results = run_tests(Machine(compiled.program))
    assert [each.message for each in results if not each.passed] == []
    assert any("not sight" in line for line in expected)
