"""Judgements on all fields at once: each kind of condition that is a bitboard, beside ones that are none, played on
both engines, on boards of fewer and of more than 64 fields.
"""

from __future__ import annotations

import pytest

from dsl.wasm.assembly import Assembly
from tests.soak import only_when_long, some
from tests.wasm.agree import Counting, agreed
from tests.wasm.programs.boards import compiled

STONES = """game stones:
    title "Stones"
    players black, white
    rounds 6

map board on squares({size}{shape})

state of Cell:
    man: Player?
    level: 0..3
    lit: bool

state:
    marked: set of Cell
    last: Cell?

value rank(c: Cell, p: Player) -> 1..13 = row(c) if p is black else column(c)
value way(p: Player) = {{north, east}} if p is black else {{south, west}}
value held(c: Cell, p: Player) -> bool = c.man is p and not c.lit
value closes(c: Cell, d: Direction, p: Player) -> bool:
    let end = first x in ray(c, d) where x.man is not opponent(p)
    return end is not none and end.man is p and not adjacent(c, end)

setup:
    for c in Cell where (row(c) + 2 * column(c)) in {{4, 7, 9, 12}}: c.man = black
    for c in Cell where (row(c) + column(c)) in {{3, 5, 6, 10}}: c.man = white
    for c in Cell where row(c) in {{2, 5}}: c.lit = true
    for c in Cell where column(c) in {{1, 4}}: c.level = 2

action put(c: Cell) by p "{{c}}":
    need {one}
    c.man = p
    c.level = 3 if c.level is 3 else c.level + 1
    marked gains {{c}}
    last = c

action move(c: Cell, d: Direction) by p "{{c}} {{d}}":
    need {two}
    for to in (all x in around(c) where x is step(c, d)):
        to.man = p
        to.lit = c.lit
        c.lit = not c.lit
    c.man = none

round:
    for p in order of play:
        p chooses "One": put(c) for c in Cell
        otherwise: marked = {{}}
        p chooses "Two": move(c, d) for c in Cell where c.man is p, d in {ways}
        otherwise: last = none
"""

CLOSES = "any d in Direction where closes(c, d, p)"
ON_FIELDS = (
    "c.man is none",
    "c.man is none and c.level < 2",
    "c.man is not p and (c.lit or c.level is 0)",
    "c not in marked",
    "c in marked or row(c) < 4",
    "c is not last",
    "rank(c, p) is 2 or rank(c, opponent(p)) > 4",
    "not held(c, opponent(p))",
    "any n in around(c) where n.man is p",
    "every n in around(c) satisfies n.man is not p or n.lit",
    "(count n in around(c) where n.man is p) is 2",
    CLOSES,
    "no d in Direction where closes(c, d, p)",
    "c.level is 2 or (any d in Direction where closes(c, d, p)) or c.lit",
    "every d in way(p) satisfies step(c, d) is none or step(c, d).man is not p",
    "any x in ray(c, north) where x.man is opponent(p)",
    "no x in ray(c, south) where x.level is 2 and x.man is none",
    "any x in Cell where x.man is p and row(x) is row(c)",
    "step(c, north) is not none and step(step(c, north), east) is not none",
    "any l in lines(3, c) where every x in l satisfies x.man is not opponent(p)",
)
ON_STEPS = (
    "step(c, d) is not none and step(c, d).man is none",
    "step(c, d) is not none and (step(c, d).man is not p and (step(c, d).man is none or d in way(p)))",
    "step(c, d) is not none and step(c, d).man is not p and step(c, d).level < 3 and not step(c, d).lit",
    "step(c, d) is not none and step(c, d) not in marked",
    "any x in ray(c, d) where x.man is none",
    "closes(c, d, p) or step(c, d) is not none",
    "d in way(p) and c is not last",
    "step(c, d) is not none and any n in around(step(c, d)) where n.man is opponent(p)",
)
WAYS = ("Direction", "way(p)", "{north, west}")
ON_STEPS_AND_WAYS = [(step, ways) for ways in WAYS for step in ON_STEPS]
BOTH = [
    (ON_FIELDS[number % len(ON_FIELDS)], step, ways) for number, (step, ways) in enumerate(ON_STEPS_AND_WAYS)
]
"""Each condition on steps with each set of ways, and beside them all conditions on fields."""
assert len(BOTH) >= len(ON_FIELDS)
BOARDS = (("8, 8", ", diagonal"), ("5, 4", ""), ("7, 9", ", diagonal, from_top"), ("11, 13", ", diagonal"))


def stones(
    one: str = "c.man is none", two: str = ON_STEPS[0], ways: str = "Direction", board: int = 0
) -> Counting:
    """The game with some conditions, on a board."""
    size, shape = BOARDS[board]
    found = compiled(STONES.format(one=one, two=two, ways=ways, size=size, shape=shape))
    assert found.program is not None, [each.message for each in found.diagnostics]
    return Counting(found.program)


@pytest.mark.parametrize("condition", ON_FIELDS)
def test_conditions_on_fields(condition: str) -> None:
    """On two of the boards, in each run on one; on the others with a condition on steps."""
    for board in some((1, 2), 2):
        tally = agreed(stones(one=condition, board=board), range(4), cache=False)
        assert not tally.differences, board
        assert tally.decisions > 8


@pytest.mark.parametrize("board", (0, only_when_long(3)))
@pytest.mark.parametrize(("one", "two", "ways"), BOTH)
def test_conditions_on_fields_and_on_steps(one: str, two: str, ways: str, board: int) -> None:
    tally = agreed(stones(one, two, ways, board), range(4), cache=False)
    assert not tally.differences
    assert tally.decisions > 8


@pytest.mark.parametrize("bound", ("fields.MOST_WORK", "bitboards.MOST_LINES", "bitboards.MOST_IN_VAIN"))
def test_what_is_too_much_is_asked_field_by_field(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Assembly(stones(one=CLOSES).program).text()
    monkeypatch.setattr(f"dsl.wasm.{bound}", -1)
    game = stones(one=CLOSES)
    assert Assembly(game.program).text() != whole
    assert not agreed(game, range(3), cache=False).differences
