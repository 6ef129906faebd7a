"""What `say` reads through a value is as hidden as what it reads itself, and the size of a pile as public."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

TEXT = """game said:
    players ann, bob
    rounds 2
table Model:
    | id | copies | worth |
    | a  |      4 |     1 |
piece Card of Model, copies each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
state of Player:
    plan: 0..9, seen by self
    wins: 0..9
value total(p: Player) -> 0..99 = sum c.worth for c in hand(p)
value doubled(p: Player) -> 0..99 = p.plan * 2
value left -> 0..9 = size(deck)
value open(p: Player) -> 0..9 = p.wins + size(hand(p))
action act(n: 1..3) by p "Act {n}":
    p.plan = n
    say "total {total(p)}, plan {p.plan}, doubled {doubled(p)}, any {sum total(q) for q in Player}"
    say "size {size(hand(p))}, left {left}, open {open(p)}"
setup:
    for p in Player: draw 2 from deck to hand(p)
round:
    for p in order of play:
        p chooses: act(n) for n in 1..3
"""


def test_a_value_hides_what_it_reads_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "said.scn"
    path.write_text(TEXT, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1, telling=True)
    game.choose(1)
    public = "size 2, left 0, open 2"
    assert game.view(0).told()[-2:] == ["total 2, plan 2, doubled 4, any ?", public]
    assert game.view(1).told()[-2:] == ["total ?, plan ?, doubled ?, any ?", public]
