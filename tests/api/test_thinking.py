"""`dsl.think`: what a computer player finds, from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dsl
from tests.api.games import written
from tests.search.test_bad_worth import DIG, DIVIDED


@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_it_takes_the_third_in_a_row_and_keeps_the_other_from_it(engine: str, tmp_path: Path) -> None:
    game = dsl.load(written(tmp_path), engine=engine).start(seed=3)
    for cell in ("a1", "a3", "b1"):
        game.choose(f"Mark {cell}")
    before = game.fingerprint
    found = dsl.think(game, games=400, seed=1)
    assert (found.player, found.best.label(), found.worlds) == ("o", "Mark c1", 1)
    assert 9 < found.games < 400, "all options are proven before"
    assert sum(each.visits for each in found.weighed) <= found.games
    assert {each.option for each in found.weighed} == set(game.decision or ())
    assert dsl.think(game, games=400, seed=1) == found
    assert game.fingerprint == before
    game.choose("Mark b3")
    assert dsl.think(game, games=400).best.label() == "Mark c1"
    game.choose("Mark c1")
    with pytest.raises(ValueError, match="the game is over"):
        dsl.think(game)


@pytest.mark.parametrize(
    "given, error", [({"games": 0}, ValueError), ({"seconds": 0}, ValueError), ({"seconds": "1"}, TypeError)]
)
def test_what_makes_no_sense_is_told(given: Any, error: type[Exception], tmp_path: Path) -> None:
    game = dsl.load(written(tmp_path)).start(seed=3)
    with pytest.raises(error, match=next(iter(given))):
        dsl.think(game, **given)
    with pytest.raises(TypeError, match="game"):
        dsl.think(None, games=1)  # type: ignore[arg-type]


def test_a_worth_that_cannot_be_computed(tmp_path: Path) -> None:
    path = tmp_path / "dig.scn"
    path.write_text(DIG.format(worth=DIVIDED, depth=0, after="0"), encoding="utf-8")
    with pytest.raises(dsl.RuleFailure, match="E0609"):
        dsl.think(dsl.load(path).start(), games=10)
