"""The games that come along play alike on both engines; and a difference would be noticed."""

import pytest

from dsl.wasm.module import Module
from tests.engine.skirmish import skirmish
from tests.figures.play import table
from tests.ir.builders import small
from tests.wasm.agree import ALL, Counting, Difference, Pair, agreed, machine_of


@pytest.mark.parametrize("name", ALL)
def test_games_play_alike(name: str) -> None:
    tally = agreed(machine_of(name), range(4), 120, cache=False)
    assert not tally.differences
    assert tally.decisions > 20


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
    pair._same(game, code)
    instance.state[slot] ^= 1
    with pytest.raises(Difference, match="slots differ"):
        pair._same(game, code)
