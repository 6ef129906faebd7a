"""What is asked of whoever decides for a side names the side."""

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = Path(__file__).resolve().parents[1] / "corpus" / "language" / "good" / "sides.scn"


def test_the_question_names_the_side() -> None:
    program = compile_game(str(GAME)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)
    asked = []
    while game.decision is not None and len(asked) < 12:
        asked.append((game.decision.player_name, game.decision.prompt))
        passing = [n for n, option in enumerate(game.decision.options) if option.kind == "pass"]
        game.choose(passing[0] if passing else 0)
    assert asked[:2] == [("ann", "Red: Your turn"), ("ann", "Red: A gift?")]
    assert asked[4:8] == [
        ("cid", "Yellow: Your turn"),
        ("cid", "Yellow: A gift?"),
        ("cid", "Green: Your turn"),
        ("cid", "Green: A gift?"),
    ]
    assert asked[8:11] == [("ann", "Red"), ("cid", "Yellow"), ("cid", "Green")]
