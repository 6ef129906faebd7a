"""The games that come along play alike on both engines; and a difference would be noticed."""

from pathlib import Path

import pytest

from dsl.wasm.module import Module
from tests.engine.skirmish import skirmish
from tests.figures.play import table
from tests.figures.targets import Target
from tests.ir.builders import small
from tests.soak import fewer
from tests.wasm.agree import Counting, Difference, Pair, agreed
from tests.wasm.soak import Soak, compared, machine_of

GAMES = fewer(2, 4)


@pytest.mark.parametrize("target", compared(), ids=lambda each: each.name)
def test_games_play_alike(target: Target) -> None:
    tally = agreed(machine_of(target.what), range(GAMES), 120, mode=target.mode)
    assert not tally.differences
    assert tally.decisions >= 2 * GAMES


@pytest.mark.parametrize("build", (small, skirmish))
def test_games_by_hand_play_alike(build) -> None:  # type: ignore[no-untyped-def]
    tally = agreed(Counting(build()), range(30), cache=False)
    assert not tally.differences
    assert tally.decisions > 100


@pytest.mark.parametrize("slot", (0, 7, 11))
def test_a_slot_that_differs_is_noticed(slot: int) -> None:
    machine = Counting(small())
    module = Module.of(machine, cache=False)
    instance = module.instance()
    pair = Pair(module, instance, table(machine, 0))
    game, code = pair._start(machine)
    assert game is not None
    pair.same(game, code)
    instance.state[slot] ^= 1
    with pytest.raises(Difference, match="slots differ"):
        pair.same(game, code)


def test_a_soak_goes_on_where_it_was_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = next(each for each in compared() if each.name == "tic_tac_toe")
    Soak(1, tmp_path / "soak.json").games(target, 5, 3, 10**9)
    assert Soak(1, tmp_path / "soak.json").games(target, 5, 8, 10**9)
    whole = Soak(1, None)
    whole.games(target, 5, 8, 10**9)
    stopped, gone_on, at_once = (line.rsplit("|", 2)[0] for line in capsys.readouterr().out.splitlines())
    assert stopped != gone_on == at_once
