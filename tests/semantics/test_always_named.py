"""A field that always names a piece, of a type of which some are taken away."""

from pathlib import Path

from dsl.compiler import compile_game
from dsl.diagnostics import Code

GAME = """game named:
    players ann
    rounds 1

map board on squares(2, 2)

piece Man, up to 3:
    at: Cell?
    boss: Man{optional}

state:
    duo: (one: Man{optional}, n: 0..9)

action die(u: Man): {body}

round: nothing

test "one leaves":
    given: place Man at a1 as m
    given: take away m
    expect m is gone
"""


def told(tmp_path: Path, optional: str, body: str) -> list[tuple[str, int]]:
    path = tmp_path / "named.scn"
    path.write_text(GAME.format(optional=optional, body=body))
    found = compile_game(str(path), tests=True).diagnostics
    return [(each.code.id, each.span.line) for each in found if each.code is Code.OPTIONAL_USED]


def test_it_is_refused_where_it_is_declared(tmp_path: Path) -> None:
    assert told(tmp_path, "", "take away u") == [("E0303", 9), ("E0303", 12)]


def test_one_that_may_be_none_is_not(tmp_path: Path) -> None:
    assert told(tmp_path, "?", "take away u") == []


def test_what_only_a_test_takes_away_is_no_matter(tmp_path: Path) -> None:
    assert told(tmp_path, "", "u.at = a2") == []
