"""What holds of the layout of every program."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl.format import formatted
from dsl.source import Source
from tests.format.programs import disturbed, laid_out, sources


@cache
def programs() -> list[Source]:
    return sources()


@cache
def in_layout(number: int) -> str:
    return laid_out(programs()[number].text)


def test_there_are_programs() -> None:
    assert len(programs()) > 200


def test_laying_out_twice_changes_nothing_more() -> None:
    for number, source in enumerate(programs()):
        assert formatted(Source(source.name, in_layout(number))) == in_layout(number), source.name


def test_no_line_ends_with_a_space_and_no_blank_line_is_doubled() -> None:
    for number, source in enumerate(programs()):
        text = in_layout(number)
        assert text.endswith("\n"), source.name
        assert not text.startswith("\n"), source.name
        assert "\n\n\n" not in text.replace('"""', ""), source.name
        assert all(line == line.rstrip() for line in text.splitlines()), source.name


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(number=st.integers(0, 10**6), seed=st.integers(0, 2**32))
def test_other_spaces_have_the_same_layout(number: int, seed: int) -> None:
    """However a text is spaced, there is one layout for it."""
    number %= len(programs())
    text = in_layout(number)
    assert laid_out(disturbed(text, Random(seed))) == text
