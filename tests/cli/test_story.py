"""What happens twice is told twice; what two actions say of one thing is told once."""

from pathlib import Path

from dsl.cli.story import Teller
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """game bells:
    players ann
    rounds 1
state:
    n: 0..9
action ring "The bell rings": n gains 1
action strike "The hour is struck": toll
action toll "The hour is struck": n gains 1
phase noon:
    repeat 3 times: ring
    strike
    strike
round: noon
"""


def test_equal_events_are_told_each(tmp_path: Path) -> None:
    file = tmp_path / "bells.scn"
    file.write_text(GAME, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1, telling=True)
    lines = Teller(game.machine).stretch(None, game.log, None, list(game.state))
    told = [line.text for line in lines if line.kind == "do"]
    assert told == ["The bell rings"] * 3 + ["The hour is struck"] * 2
