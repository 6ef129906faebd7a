"""A cited line of a value counts as exercised when it is what the value returns, and only then."""

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.testing.exercise import exercised

GAME = """game toll:
    players ann
    rulebook TL "Toll"
    rounds 4
state:
    n: 0..9
value fee(k: 0..9) -> 0..9:                     [TL-01]
    if k < 1: return 1                          [TL-02]
    let more = k + 1
    if more > 8:
        return 9                                [TL-03]
    return min(more, 9)                         [TL-04]
value name(k: 0..9) -> bool:
    if k > 8: return true                       [TL-05]
    return false                                [TL-06]
action pay by p "Pay": n = fee(n)               [TL-07]
round:                                          [house]
    ann chooses: pay
    if name(n): n = 0
"""


def test_the_lines_that_were_returned_are_exercised(tmp_path: Path) -> None:
    file = tmp_path / "toll.scn"
    file.write_text(GAME, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    machine = Machine(program)
    found = exercised(machine, 2)
    assert found.failures == ()
    ids = found.ids(program)
    assert {"TL-01", "TL-02", "TL-04", "TL-06"} <= ids
    assert not {"TL-03", "TL-05"} & ids
    plain, covering = Game.start(machine, seed=1), Game.start(machine, seed=1, covering=True)
    assert plain.fingerprint == covering.fingerprint
