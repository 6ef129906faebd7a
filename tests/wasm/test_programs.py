"""Random small programs play alike on both engines, rule failures included."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl.ir.verify.program import examine
from tests.wasm.agree import Counting, agreed
from tests.wasm.programs import random_program
from tests.wasm.told import told_alike


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**31))
def test_random_programs_play_alike(seed: int) -> None:
    program = random_program(seed)
    assert not examine(program), "the generator makes programs that are well made"
    tally = agreed(Counting(program), range(3), 25, cache=False)
    assert not tally.differences, (seed, tally.differences)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**31))
def test_random_programs_are_told_alike(seed: int) -> None:
    told_alike(random_program(seed), seed)
