"""What the language means, by small programs whose own tests say it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics.render import render_all
from dsl.engine.game import Game
from dsl.testing.runner import run_tests
from tests.testing.engines import both

GOOD = Path(__file__).parent / "good"


@pytest.mark.parametrize("path", sorted(GOOD.glob("*.scn")), ids=lambda path: path.stem)
def test_it_means_what_it_says(path: Path) -> None:
    compiled = compile_game(str(path), tests=True)
    assert render_all(compiled.diagnostics) == ""
    assert compiled.program is not None
    machine = both(compiled.program)
    results = run_tests(machine)
    assert len(results) > 2
    assert [f"{each.title}: {each.message} ({each.place.line})" for each in results if not each.passed] == []
    for seed in range(10):
        game = Game.start(machine, seed=seed, telling=seed % 2 == 0)
        chooser = Random(seed)
        while (decision := game.decision) is not None:
            game.choose(chooser.choice(decision.options))
            restored = Game.restore(machine, game.snapshot())
            assert isinstance(restored, Game)
            assert restored.fingerprint == game.fingerprint
