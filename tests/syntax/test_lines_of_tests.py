"""Lines of tests as people write them: the hint is a line that can be read."""

import pytest

from dsl.diagnostics import Diagnostics
from dsl.source import Source
from dsl.syntax.parser import parse

LINES = {
    "expect that luck is 0": "expect luck is 0",
    "expect ann may ride(scout, a2)": "expect legal ride(scout, a2) by ann",
    "expect ann cannot ride(scout, a2)": "expect illegal ride(scout, a2) by ann",
    "expect not legal ride(scout, d4) by ann": "expect illegal ride(scout, d4) by ann",
    "expect illegal by ann ride(scout)": "expect illegal ride(scout) by ann",
    "expect luck is 0, gold is 3": "expect luck is 0 and gold is 3",
    "expect nobody asked": "expect nothing asked",
    "expect nothing is asked": "expect nothing asked",
    "expect the game is over": "expect ended",
    "run ann: ride(scout, a2)": "run ride(scout, a2) by ann",
    "roll 3": "rolls 3",
    "play ann: pass": "ann: pass",
    "ask all choices": "ask every choice",
    "ann: ride(scout, a2), pass": "ann: ride(scout, a2); pass",
    "given: scout at a1": "given: place scout at a1",
}


def _faults(line: str) -> Diagnostics:
    faults = Diagnostics()
    parse(Source("x.scn", f'test "x":\n    {line}\n    expect luck is 0\n'), faults)
    return faults


@pytest.mark.parametrize("line", LINES)
def test_the_hint_is_the_line_that_was_meant(line: str) -> None:
    (fault,) = _faults(line)
    assert fault.hint == f"write `{LINES[line]}`"
    assert not len(_faults(LINES[line]))


def test_a_comma_in_brackets_joins_no_conditions() -> None:
    (fault,) = _faults("expect max(, 9) is 9")
    assert " and " not in fault.hint
