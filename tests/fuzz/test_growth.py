"""Much of one construct is compiled in a time that grows as it does, or refused with the bound that it passes.

How long it takes is printed by `python -m tests.fuzz growth`, with the whole table.
"""

from __future__ import annotations

import pytest

from dsl.near import allowance, close_matches, half
from tests.fuzz.growth import SHAPES, measure

MANY = {
    "rows of words in letters": (2000, ""),
    "unknown long names": (500, "E0201"),
    "names nearly right": (500, "E0201"),
    "after": (1000, "E0420"),
    "after ahead of one": (1000, "E0420"),
    "after, each its own": (500, ""),
    "pieces": (500, ""),
    "modify": (3000, ""),
    "modify in a chain": (2000, "E0401"),
    "floors and ceilings": (1000, "E0405"),
    "modes": (1000, "E0309 a game has at most 100 modes"),
    "instead": (500, ""),
    "modify of a family": (3100, "E0309 `f` has 3,100 clauses, more than 3,000"),
}


@pytest.mark.parametrize("shape", MANY)
def test_much_of_one_construct(shape: str) -> None:
    n, first = MANY[shape]
    found = measure(SHAPES[shape](n))
    assert not found.fault
    assert found.first.startswith(first) if first else not found.errors


def test_the_first_faults_have_their_hints_and_the_later_ones_go_without() -> None:
    names = [f"name_{'ab' * 40}_{at}" for at in range(1000)]
    with allowance():
        found = [close_matches(f"nmae_{'ba' * 40}_{at}", names, n=1) for at in range(300)]
    assert found[0]
    assert not found[-1]


def test_warnings_leave_something_to_errors() -> None:
    names = [f"gold_{at}" for at in range(1000)]
    with allowance(100_000):
        with half():
            while close_matches("gold_x", names):
                pass
        assert close_matches("glod", ["gold"]) == ["gold"]


def test_near_names_are_those_of_the_standard_library() -> None:
    from difflib import get_close_matches

    names = ["village", "villages", "pillage", "vintage", "forest", "v", ""]
    for word in ("vilage", "vill", "forset", "x", ""):
        assert close_matches(word, names, 3, 0.6) == get_close_matches(word, names, 3, 0.6)
