"""What depends on the map alone stands in a table that is filled in as it is asked, and nothing can tell."""

from math import prod

import pytest

from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import Int
from dsl.ir.walk import inside
from dsl.wasm import pure_memos
from dsl.wasm.assembly import Assembly
from dsl.wasm.module import Module
from dsl.wasm.pure_memos import Shape
from tests.wasm.agree import Counting, agreed
from tests.wasm.programs import random_program
from tests.wasm.programs.boards import compiled, random_board

GAME = """game yards:
    title en "Yards"
    players left, right
    rounds 8

map board on squares(SIZE)

shape ground:
    \"\"\"
    @ #
     #
    \"\"\"

piece Yard, up to 20:
    owner: Player
    at: ground?

piece Cart, up to 2:
    owner: Player
    at: Cell?

state of Player:
    near: 0..9
    away: 0..200
    wide: 0..200

action build(t: ground) by p en "Build at {t}":
    need no x in Yard at t en "The ground is not free."
    need no y in Yard where y.owner is not p and adjacent(y, t) en "Too near."
    place Yard of p at t
    p.near = count y in Yard where adjacent(y, t)

action leave(y: Yard) by p en "{y} goes":
    need y.owner is p
    y.at = none

action drive(u: Cart, c: Cell) by p en "{u} to {c}":
    need u.owner is p
    need no y in Yard where distance(y, c) < 2 en "Too near."
    u.at = c

action halt(u: Cart) by p en "{u} goes":
    need u.owner is p
    u.at = none

action measure(u: Cart, y: Yard) by p en "From {u} to {y}":
    p.away = 60 / distance(u, y) rounded down

action survey(y: Yard) by p en "Around {y}":
    p.wide = count c in Cell where distance(c, y) + distance(c, y) < 7 and distance(c, y) > 1

setup:
    place Cart of left at a1
    place Cart of right at f6

round:
    for p in order of play:
        p may:
            build(t) for t in ground
            drive(u, c) for u in Cart, c in Cell
            leave(y) for y in Yard
            halt(u) for u in Cart
            measure(u, y) for u in Cart, y in Yard
            survey(y) for y in Yard
"""


def yards(size: int) -> Program:
    found = compiled(GAME.replace("SIZE", f"{size}, {size}"))
    assert found.program is not None, found.diagnostics
    return found.program


def tables(program: Program) -> list[tuple[Shape, int]]:
    """The shapes that have a table, and how many entries each."""
    assembly = Assembly(program)
    assembly.text()
    kept = [each for each, memo in assembly.pure.held.items() if memo is not None]
    return [(each, prod(assembly.pure.range(kind)[1] for kind in each.inputs)) for each in kept]


def test_what_stands_in_a_table() -> None:
    """Cells, places and what may be none; each once, though actions ask for it under locals of other numbers."""
    found = tables(yards(6))
    expected = [36 * 101, 36 * 101, 37 * 101, 100 * 101, 100 * 101]
    assert sorted(entries for _, entries in found) == expected


def test_both_engines_agree() -> None:
    tally = agreed(Counting(yards(6)), range(20), cache=False)
    assert not tally.differences
    assert tally.failures > 0  # a yard was built where the cart stands


def test_another_game_in_the_same_memory_finds_the_tables_right() -> None:
    module = Module.of(yards(6), cache=False)
    whole = module.playouts(30, seed=0)
    parts = [module.playouts(1, seed=seed) for seed in range(30)]
    assert whole.decisions == sum(each.decisions for each in parts)


def test_what_counts_steps_or_reads_more_has_none() -> None:
    for shape, _ in tables(yards(6)):
        for each in inside(shape.expr):
            assert not isinstance(each, ir.Load | ir.LoadItem | ir.Ask | ir.Judge | ir.Trial | ir.Reach)
            assert not isinstance(each, ir.Fold | ir.Scan) or each.metered == 0


def test_a_table_that_would_be_too_large_is_none() -> None:
    entries = [count for _, count in tables(yards(13))]
    assert entries
    assert max(entries) < pure_memos.MOST_ENTRIES < 576 * 577


def test_there_is_no_room_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pure_memos, "MOST_BYTES", 100 * 101 + 37 * 101)
    found = [entries for _, entries in tables(yards(6))]
    assert found
    assert sum(found) <= pure_memos.MOST_BYTES


def test_zero_is_among_the_values_of_an_input() -> None:
    pure = Assembly(yards(6)).pure
    assert pure.range(Int(5, 9)) == (0, 10)
    assert pure.range(Int(-9, -5)) == (-9, 10)
    assert pure.range(Int(0, 9, optional=True)) == (0, 11)


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pure_memos, "HEAVY", 0)
    for program in (random_program(seed), random_board(seed)):
        assert not agreed(Counting(program), range(2), 20, cache=False).differences
