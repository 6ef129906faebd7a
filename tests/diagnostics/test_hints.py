"""What a hint says is what was likely meant: read beside slips of the pen."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game

HEADER = "game river:\n    players ann, bob\n    rounds 3\n\n"
ROUND = "round: nothing\n"

HINTS = {
    "a cell too many": (
        "table Card:\n    | id   | price |\n    | gold | 2     | 3 |\n    | gem  | 2     |\n" + ROUND,
        "this row has 3 cells, and the first row has 2",
        "take away what is too much, or head its column in the first row",
    ),
    "a cell too few": (
        "table Card:\n    | id   | price |\n    | gold |\n    | gem  | 2     |\n" + ROUND,
        "this row has 1 cell, and the first row has 2",
        "a cell with nothing to say holds `-`",
    ),
    "a parameter without the colon before its range": (
        "value double(n 0..3) -> 0..6 = n * 2\n" + ROUND,
        "a colon is missing between `n` and `0`",
        "write `n: 0..3`",
    ),
    "no colon where one stands at the end": (
        "ruling poison(v: Player):\n    nothing\n" + ROUND,
        "this is no `ruling`: what follows is that of an `action`",
        "did you mean `action`?",
    ),
    "`in` left out": (
        "round:\n    for p order of play: nothing\n",
        "`in` is missing between `p` and `order`",
        "write `for p in order`",
    ),
    "a line of a test at the top level": (
        ROUND + 'test "it is so":\n    run nothing\nexpect round is 1\n',
        "`expect` begins a line of a test, and stands at the top level",
        'indent it like the other lines of the test, under a line such as `test "what is so":`',
    ),
    "a value without its sign": (
        "state:\n    open: bool\nround:\n    closed true\n",
        "what `closed` is done to stands between parentheses",
        "an action is called with all it needs: `closed(true)`; a field gets a value with `=`: `closed = true`",
    ),
}


@pytest.mark.parametrize("slip", HINTS)
def test_it_leads_to_what_was_meant(tmp_path: Path, slip: str) -> None:
    text, message, hint = HINTS[slip]
    path = tmp_path / "river.scn"
    path.write_text(HEADER + text, encoding="utf-8")
    found = [(each.message, each.hint) for each in compile_game(str(path), tests=True).diagnostics]
    assert found[0] == (message, hint)
