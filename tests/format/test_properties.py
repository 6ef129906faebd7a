"""What holds of the layout of every program."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dsl.format import formatted
from dsl.source import Source
from tests.format.programs import disturbed, laid_out, sources
from tests.soak import some

IN_LAYOUT = ("stdlib/", "examples/")


@cache
def programs() -> list[Source]:
    return sources()


@cache
def in_layout(number: int) -> str | None:
    """A program as it is laid out; none where it cannot be read."""
    made = formatted(programs()[number])
    return made if isinstance(made, str) else None


def test_laying_out_twice_changes_nothing_more_and_leaves_no_spaces_at_ends() -> None:
    """Games of the library and examples stand in the layout, as `tests/docs/test_layout.py` sees."""
    readable = 0
    for number, source in some(tuple(enumerate(programs())), 3):
        text = source.text if source.name.startswith(IN_LAYOUT) else in_layout(number)
        if text is None:
            continue
        readable += 1
        if text != source.text:  # else it was just laid out
            assert formatted(Source(source.name, text)) == text, source.name
        assert text.endswith("\n"), source.name
        assert not text.startswith("\n"), source.name
        assert "\n\n\n" not in text.replace('"""', ""), source.name
        assert all(line == line.rstrip() for line in text.splitlines()), source.name
    assert readable > 60


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(number=st.integers(0, 10**6), seed=st.integers(0, 2**32))
def test_other_spaces_have_the_same_layout(number: int, seed: int) -> None:
    """However a text is spaced, there is one layout for it."""
    text = in_layout(number % len(programs()))
    assume(text is not None)
    assert text is not None
    assert laid_out(disturbed(text, Random(seed))) == text
