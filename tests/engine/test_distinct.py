"""Options that read alike are told apart by where their pieces stand, by what else they are about, or by number."""

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.decision import Decision
from dsl.engine.distinct import distinctions
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """game alike:
    players ann, bob
    rounds 4
table Kind:
    | id    | name en |
    | guard | Guard   |
piece Unit of Kind, up to 4 each:
    at: Cell?
piece Card of Kind, up to 3 each
pile hand of Card for each Player, seen by owner
map board on squares(3, 3)
state:
    n: 0..9
setup:
    place guard at a1
    place guard at b2
    for c in Card: move c to hand(ann)
action wake(u: Unit) by p "Wake {u}": n = 1
action march(u: Unit, c: Cell) by p "March": u.at = c
action play(k: Card) by p "Play {k}": n = 2
action wait(k: 1..3) by p "Wait": n = 3
action rest by p "Rest": nothing
round:
    ann chooses:
        wake(u) for u in Unit
        march(u, c) for u in Unit, c in {a2, c3}
        play(k) for k in hand(ann)
        wait(k) for k in 1..3
        rest
"""


def asked(tmp_path: Path) -> Decision:
    file = tmp_path / "alike.scn"
    file.write_text(GAME, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    decision = Game.start(Machine(program), seed=1).decision
    assert decision is not None
    return decision


def test_each_option_is_told_apart(tmp_path: Path) -> None:
    decision = asked(tmp_path)
    told = [
        f"{option.label()} ({more})" if more else option.label()
        for option, more in zip(decision.options, distinctions(decision), strict=True)
    ]
    assert told == [
        *("Wake Guard (a1)", "Wake Guard (b2)"),
        *("March (a1, a2)", "March (a1, c3)", "March (b2, a2)", "March (b2, c3)"),
        *("Play Guard (1)", "Play Guard (2)", "Play Guard (3)"),
        *("Wait (1)", "Wait (2)", "Wait (3)"),
        "Rest",
    ]
