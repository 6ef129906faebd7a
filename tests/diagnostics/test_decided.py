"""W0415: comparisons that the ranges of their sides decide, and those that only look so."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Code

GAME = """game small:
    players ann, bob
    rounds 3

table Ware:
    | id   | price: 1..5 |
    | silk |           2 |
    | salt |           1 |

state:
    n: 0..5
    few: 0..2
    many: 7..9 = 7
    perhaps: 1..3?
    other: 5..6?

value twice(k: 0..5) -> 0..10 = 2 * k
value fee = 3
action grow by p:
    if {condition}: n gains up to 1

round:
    for p in order of play:
        p may: grow
"""

MOD = """mod lower for small:
    title en "Lower"

replace value twice(k: 0..5) -> 0..2 = 2

forbid grow when n > 7
"""

NEVER = {
    "n is 12": "`n` is 0..5",
    "n > 5": "`n` is 0..5",
    "5 < n": "`n` is 0..5",
    "n + 1 is 0": "`n + 1` is 1..6",
    "n >= many": "`n` is 0..5, `many` is 7..9",
    "twice(n) > 10": "`twice(n)` is 0..10",
    "perhaps is 4": "`perhaps` is 1..3?",
    "perhaps > 3": "`perhaps` is 1..3?",
    "(count w in Ware) > 2": "`count w in Ware` is 0..2",
    "few is 1 and n is 9": "`n` is 0..5",
}
ALWAYS = {
    "n is not 12": "`n` is 0..5",
    "n < 6": "`n` is 0..5",
    "3 > 2": "nothing but numbers is compared",
    "n >= 0": "`n` is 0..5",
    "perhaps is not 4": "`perhaps` is 1..3?",
    "any w in Ware where w.price > 0": "`w.price` is 1..5",
}
OPEN = [
    "n is 5",
    "n > 4",
    "n <= few",
    "perhaps < 4",
    "perhaps is other",
    "many > 7",
    "fee > 2",
    "n is not few",
]


def told(folder: Path, condition: str) -> list[str]:
    """What is told of a game whose one condition is this one, warnings of one code alone."""
    path = folder / "small.scn"
    path.write_text(GAME.replace("{condition}", condition), encoding="utf-8")
    found = compile_game(str(path), tests=True).diagnostics
    assert {each.code for each in found} <= {Code.DECIDED, Code.FUTILE}
    return [str(each.message) for each in found if each.code is Code.DECIDED]


@pytest.mark.parametrize(("condition", "ranges"), NEVER.items(), ids=NEVER)
def test_what_is_never_true_is_told_with_the_ranges(tmp_path: Path, condition: str, ranges: str) -> None:
    assert told(tmp_path, condition) == [f"this is never true: {ranges}"]


@pytest.mark.parametrize(("condition", "ranges"), ALWAYS.items(), ids=ALWAYS)
def test_what_is_always_true_is_told_with_the_ranges(tmp_path: Path, condition: str, ranges: str) -> None:
    assert told(tmp_path, condition) == [f"this is always true: {ranges}"]


@pytest.mark.parametrize("condition", OPEN)
def test_what_the_numbers_decide_is_not_told(tmp_path: Path, condition: str) -> None:
    assert told(tmp_path, condition) == []


def test_a_game_is_not_told_what_a_mod_decides(tmp_path: Path) -> None:
    """The condition was right where it was written; the mod's own is told."""
    (tmp_path / "small.scn").write_text(GAME.replace("{condition}", "twice(n) > 4"), encoding="utf-8")
    mod = tmp_path / "lower.scn"
    mod.write_text(MOD, encoding="utf-8")
    found = compile_game(str(tmp_path / "small.scn"), mods=[str(mod)]).diagnostics
    assert [(each.code, each.span.text) for each in found if each.span is not None] == [
        (Code.DECIDED, "n > 7")
    ]
