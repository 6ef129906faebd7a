"""Citations that nothing has: another digit is another rule, two that are swapped a slip of the pen."""

from __future__ import annotations

import pytest

from dsl.syntax.words import nearest_handle

KNOWN = ["CA-001", "CA-041", "CA-099", "MA-002", "greed", "mud"]


@pytest.mark.parametrize(
    ("handle", "meant"),
    [
        ("CA-999", ""),
        ("CA-042", ""),
        ("CA-014", "CA-041"),
        ("CA-0041", ""),  # two could be meant
        ("CB-041", "CA-041"),
        ("MA-02", "MA-002"),
        ("gred", "greed"),
        ("famine", ""),
    ],
)
def test_what_was_likely_meant(handle: str, meant: str) -> None:
    assert nearest_handle(handle, KNOWN) == meant
