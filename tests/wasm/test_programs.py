"""Random small programs play alike on both engines, rule failures included."""

from collections import Counter
from contextlib import suppress

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dsl.engine.failure import RuleFailure
from dsl.engine.machine import Machine
from dsl.ir.verify.program import examine
from tests.figures.play import table
from tests.soak import fewer
from tests.wasm.agree import Counting, agreed
from tests.wasm.programs import random_program
from tests.wasm.programs.boards import compiled, random_board, random_text
from tests.wasm.told import told_alike


@settings(max_examples=fewer(10, 40), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**31))
@example(260968)  # a constant that has no place in a set of one
def test_random_programs_play_alike(seed: int) -> None:
    program = random_program(seed)
    assert not examine(program), "the generator makes programs that are well made"
    tally = agreed(Counting(program), range(3), 25, cache=False)
    assert not tally.differences, (seed, tally.differences)


@settings(max_examples=fewer(6, 12), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**31))
def test_random_programs_are_told_alike(seed: int) -> None:
    told_alike(random_program(seed), seed)


def test_board_games_are_played() -> None:
    """Most are taken at the first attempt, and in most there is something to choose, often of several variables."""
    assert sum(compiled(random_text(seed)).program is not None for seed in range(12)) >= 9
    met: list[set[int]] = [_widths(Machine(random_board(seed))) for seed in range(12)]
    assert sum(bool(each) for each in met) >= 7
    assert sum(any(width > 1 for width in each) for each in met) >= 3


def _widths(machine: Machine) -> set[int]:
    """How many variables the offers have of which a random game leaves a choice."""
    found: set[int] = set()
    with suppress(RuleFailure):
        at = table(machine, 2)
        game, player = at.start(machine), at.player()
        while game.count and game.decision is not None and len(game.choices) < 12:
            offers = Counter((number, len(values)) for number, values in game.decision.raw)
            found |= {width for (_, width), count in offers.items() if count > 1}
            game.choose(player.index(game.count))
    return found
