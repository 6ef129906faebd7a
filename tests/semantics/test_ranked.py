"""Clauses over each other: long chains of them, and many ways from one to the next, end in play or in words."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic

GAME = """game ranked:
    players ann
    rounds 1
state:
    a: 0..9
    t: 0..9999
round: nothing
value worth -> 0..99 = a
action act: t = 1
"""


def told(tmp_path: Path, head: str, count: int, back: int, last: int = 0) -> list[Diagnostic]:
    """What is said of so many clauses, each over those before it up to `back` of them, the first over the `last`."""
    lines = [GAME]
    for at in range(count):
        over = [*range(max(at - back, 0), at), *([last] if last and not at else [])]
        ranks = "".join(f", over f{each}" for each in over)
        lines.append(head.format(at=at, ranks=ranks, digit=at % 9))
    path = tmp_path / "ranked.scn"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [each for each in compile_game(str(path)).diagnostics if each.is_error]


VALUE = "modify worth: becomes {digit} when t is {at}{ranks} [house, f{at}]"
REACTION = "instead of act when t is {at}{ranks}: t = {at} [house, f{at}]"


def test_a_chain_is_as_long_as_the_mods_that_may_be_loaded(tmp_path: Path) -> None:
    assert told(tmp_path, VALUE, 120, 2) == []


def test_a_longer_chain_is_told_as_one(tmp_path: Path) -> None:
    (found,) = told(tmp_path, VALUE, 900, 1)
    assert (found.code.id, "one over the next" in found.message) == ("E0309", True)


def test_a_long_circle_is_told_with_all_that_are_in_it(tmp_path: Path) -> None:
    (found,) = told(tmp_path, VALUE, 600, 1, last=599)
    assert found.code.id == "E0402"
    assert len(found.labels) == 599


def test_reactions_with_many_ways_between_them_are_too_much(tmp_path: Path) -> None:
    found = told(tmp_path, REACTION, 60, 2)
    assert {each.code.id for each in found} == {"E0309"}
    assert "one by way of others" in found[0].message
