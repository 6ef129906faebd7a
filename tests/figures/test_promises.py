"""What the games promise: kept in random games, broken where a rule is, and none of it idle."""

import pytest

from tests.figures.promises import played, watching
from tests.figures.spoiled import Spoiled, noticed, spoiled
from tests.figures.targets import Target, targets

FEW, ENOUGH = 8, 400
LIBRARY = {"command_and_conquer", "cristal_et_acier", "green_conquest", "me_ccg", "risk_halo"}
"""Games that take their time to compile: `python -m tests.figures spoiled` breaks their rules."""


@pytest.mark.parametrize("each", targets(), ids=lambda each: each.name)
def test_random_games_keep_what_is_promised(each: Target) -> None:
    """With the rulings that hold, and with some by chance."""
    for number in range(2):
        batch = played(each, number, FEW)
        assert batch.found.breaches == []
        assert batch.found.failures == []
        assert batch.found.games == FEW
        assert batch.found.stops > FEW


@pytest.mark.parametrize(
    "each", [each for each in spoiled() if each.game not in LIBRARY], ids=lambda each: each.promise[:30]
)
def test_a_broken_rule_is_noticed(each: Spoiled) -> None:
    assert each.promise in noticed(each, ENOUGH)


@pytest.mark.parametrize("each", {each.what: each for each in targets()}.values(), ids=lambda each: each.name)
def test_each_promise_has_a_rule_that_breaks_it(each: Target) -> None:
    program = watching(each.what).program
    name = each.name.partition(":")[0]
    broken = [one.promise for one in spoiled() if one.game == name]
    assert [promise.title for promise in program.promises] == broken
