"""`unite`: sets that a loop asks for again and again are put together once, where that changes no game."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.verify.graph import everything
from dsl.passes.pipeline import Lowering
from dsl.players.random_player import RandomPlayer
from tests.wasm.agree import Counting, agreed

GAME = """\
game towers:
    players red, blue
    rounds 30

map board on squares:
    legend:
        "r" = side = red
        "b" = side = blue
    \"\"\"
    r . . . . b
    . . . . . .
    . . r . . .
    . . . b . .
    . . . . . .
    b . . . . r
    \"\"\"

state of Cell:
    side: Player?

value seen(c: Cell, d: Direction) -> Cell? = first x in ray(c, d) where x.side is not none
value slides(c: Cell, d: Direction) -> set of Cell:
    let met = seen(c, d)
    let way = all x in ray(c, d) where true
    return way if met is none else way - (all x in ray(met, d) where true)
value near(c: Cell, n: 0..4) -> set of Cell = all x in Cell where distance(c, x) <= n
value wild(c: Cell, d: Direction) -> set of Cell = near(c, count x in ray(c, d) where true)
value open(d: Direction) -> bool = any c in Cell where seen(c, d) is none
value goals(c: Cell) -> set of Cell = all x in Cell where {goals}

action move(c: Cell, x: Cell) by p:
    need c.side is p and x in goals(c)
    x.side = p
    c.side = none
round:
    for p in order of play:
        p chooses:
            move(c, x) for c in Cell where c.side is p, {offered}
        otherwise:
            stuck = true
state:
    stuck: bool
draw when stuck, at once
"""
WRITTEN = "x.side is none and any d in orthogonal where x in slides(c, d)"


def program(folder: Path, goals: str = WRITTEN, offered: str = "x in goals(c)") -> Program:
    path = folder / "towers.scn"
    path.write_text(GAME.format(goals=goals, offered=offered), encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program


def unions(made: Program, without: frozenset[str] = frozenset()) -> int:
    machine = Machine(made, without=without)
    whole = Lowering(machine.program, machine.passes).whole()
    return sum(isinstance(each, ir.Fold) and each.kind == "union" for each in everything(whole))


def course(made: Program, seed: int, without: frozenset[str] = frozenset()) -> tuple[list[object], int]:
    """All options and states of a random game, and the steps that its choices took."""
    machine = Counting(made, without=without)
    game, player = Game.start(machine, seed=seed), RandomPlayer(seed)
    told: list[object] = []
    steps = 0
    while game.count:
        decision = game.decision
        assert decision is not None
        told.append((game.state, [option.raw for option in decision.options]))
        game.choose(player.index(game.count))
        assert machine.last is not None
        steps += machine.last.steps
    return told, steps


@pytest.mark.parametrize(
    ("goals", "offered", "count"),
    [
        (WRITTEN, "x in goals(c)", 1),
        (
            "x.side is none and any d in orthogonal where d is not north and x in slides(c, d)",
            "x in goals(c)",
            1,
        ),
        (
            "x in around(c)",
            "x in Cell where x.side is none and any d in Direction where x in slides(c, d)",
            1,
        ),
        # the member decides which sets there are, or what is asked of them
        ("any d in orthogonal where x in slides(x, d)", "x in goals(c)", 0),
        ("any d in orthogonal where x in slides(c, d) and seen(x, d) is none", "x in goals(c)", 0),
        # making the sets can fail: a ray may be longer than four
        (
            "x.side is none and any d in orthogonal where x in wild(c, d)",
            "x in around(c) where x.side is none",
            0,
        ),
        # as many sets as members
        ("any d in Direction where any y in Cell where x in slides(y, d)", "x in goals(c)", 0),
    ],
)
def test_sets_are_put_together_where_that_changes_nothing(
    tmp_path: Path, goals: str, offered: str, count: int
) -> None:
    made = program(tmp_path, goals, offered)
    assert unions(made) == count
    assert unions(made, frozenset({"unite"})) == 0
    tally = agreed(Counting(made), range(2), 40, cache=False)
    assert not tally.differences


def test_games_are_the_same_and_take_fewer_steps(tmp_path: Path) -> None:
    made = program(tmp_path)
    for seed in range(3):
        told, steps = course(made, seed)
        other, more = course(made, seed, frozenset({"unite"}))
        assert told == other
        assert 2 * steps < more
