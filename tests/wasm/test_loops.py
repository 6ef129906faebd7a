"""Loops that give all members of a set the same values, which are written at once, on both engines; judgements on
the pieces in play; and offers over one element at most.
"""

from __future__ import annotations

import pytest

from dsl.wasm.assembly import Assembly
from tests.wasm.agree import Counting, agreed
from tests.wasm.programs.boards import compiled

GAME = """game loops:
    title "Loops"
    players black, white
    rounds 4

map board on squares({size})

state of Cell:
    man: Player?
    level: 0..60
    lit: bool
    like: Cell = a1
    near: set of Cell

state:
    marked: set of Cell
    seen: 0..999

value lit = count c in Cell where c.lit

setup:
    for c in Cell where row(c) in {{1, 3}}: c.man = black if column(c) < 3 else white

action put(c: Cell) by p "{{c}}":
    c.man = p
    c.level = 7
    marked gains {{c}}

action clear by p "clear":
    {loops}
    seen = lit

round:
    for p in order of play:
        p chooses "What?":
            put(c) for c in Cell where c.man is not p
            clear
"""
LOOPS = {
    "some of those that are written": "for c in Cell where c.man is p: c.man = none",
    "several variables, one of them twice": "for c in marked: c.lit = true; c.level = 3; c.man = none; c.level = 4",
    "loops over the same set": "for c in marked: c.lit = true\n    for c in marked: c.level = 2\n"
    "    for x in marked: x.man = none\n    marked = {}\n    for x in marked: x.level = 9",
    "a set that the first loop makes another": "for d in Cell: d.near = {d, c1}\n"
    "    for x in a1.like.near: x.like = b2\n    for x in a1.like.near: x.level = 5",
    "a whole domain": "for c in Cell: c.lit = false; c.man = none",
}


@pytest.mark.parametrize("loops", LOOPS.values(), ids=LOOPS)
def test_members_are_given_values_at_once(loops: str) -> None:
    for size in ("4, 4", "9, 9"):
        found = compiled(GAME.format(size=size, loops=loops))
        assert found.program is not None, [each.message for each in found.diagnostics]
        tally = agreed(Counting(found.program), range(6), cache=False)
        assert not tally.differences, size
        assert tally.decisions > 20


def test_loops_over_the_same_set_are_one() -> None:
    def loops(text: str) -> int:
        found = compiled(GAME.format(size="9, 9", loops=text))
        assert found.program is not None
        return Assembly(found.program).text().count("(loop")

    one = "for c in marked: c.lit = true"
    assert loops(f"{one}\n    for x in marked: x.level = 2") == loops(one)


ALONE = """game alone:
    title "Alone"
    players black, white
    rounds 5

map board on squares({size})

state of Cell:
    man: Player?
    level: 0..9

state:
    last: Cell?

value free(c: Cell, n: 1..3) -> Cell? = first x in Cell where distance(c, x) is n and x.man is none

setup:
    a1.man = black
    b1.man = white

action go(c: Cell, d: Cell) by p "{{c}} to {{d}}":
    need d.level < 4
    c.man = none
    d.man = p
    d.level gains 1
    last = d

action leap(c: Cell, n: 1..3, d: Cell, e: Cell) by p "{{c}}, {{n}}, {{d}}, {{e}}":
    need e.man is none
    c.man = none
    e.man = p
    last = none

action drop(d: Cell) by p "{{d}}":
    d.man = p
    d.level gains up to 9

round:
    for p in order of play:
        p may:
            go(c, d) for c in Cell where c.man is p, d in free(c, 1) where d.level < 3 and d is not last
            leap(c, n, d, e) for c in Cell where c.man is p, n in 1..3, d in free(c, n), e in free(d, n)
            {first}
"""
FIRST = "drop(d) for d in last where d.level < 5 and (any c in Cell where c.man is p and distance(c, d) < 3)"


def test_an_offer_over_one_element_at_most() -> None:
    for size in ("4, 4", "9, 9"):
        found = compiled(ALONE.format(size=size, first=FIRST))
        assert found.program is not None, [each.message for each in found.diagnostics]
        tally = agreed(Counting(found.program), range(8), cache=False)
        assert not tally.differences, size
        assert tally.decisions > 60


def test_one_element_is_no_loop() -> None:
    def loops(first: str) -> int:
        found = compiled(ALONE.format(size="9, 9", first=first))
        assert found.program is not None, [each.message for each in found.diagnostics]
        return Assembly(found.program).text().count("(loop")

    assert loops("drop(d) for d in last") == loops("drop(a1)")
