"""A window that is opened within itself more deeply than it may be."""

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.decision import Option
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from tests.testing.engines import both

GAME = """game nested:
    players ann, bob
    rounds 1

state:
    count: 0..9
action more by p "More":
    count gains 1
    open talk
window talk of ann, bob, in turn until both pass, nested at most {depth}:
    more

round: open talk
"""


def _more(game: Game) -> Option:
    assert game.decision is not None
    return game.decision.options[0]


@pytest.mark.parametrize("engine", [Machine, both])
@pytest.mark.parametrize("depth", [1, 2])
def test_it_is_told_where_it_is_opened(tmp_path: Path, engine: type, depth: int) -> None:
    path = tmp_path / "nested.scn"
    path.write_text(GAME.format(depth=depth))
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(engine(program), seed=1)
    for _ in range(depth - 1):
        game.choose(_more(game))
    with pytest.raises(RuleFailure) as failed:
        game.choose(_more(game))
    assert failed.value.code == "E0601"
    assert f"the window `talk` is open already, as deep as it may be (`nested at most {depth}`)" in str(
        failed.value
    )
    assert failed.value.place is not None
    assert failed.value.place.line == 9, "the `open` that fails, not the window"
