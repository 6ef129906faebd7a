"""`sees` in tests: who sees a field, and where a card lies; in rules there is no such word."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests

GAME = """game bids:
    players ann, bob
    rounds 1

table Rank:
    | id    | copies |
    | guard |      3 |
piece Card of Rank, copies each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
pile shown of Card
map land on squares(2, 2)
state of Cell:
    mine: Player?, seen by owners(self)
    trap: Player?, seen by all p in Player where any c in Cell where c is self and c.trap is p
value owners(c: Cell) -> set of Player = all p in Player where c.mine is p
state of Player:
    bid: 0..9, seen by self
    gold: 0..9
state:
    secret: 0..3, seen by none
setup:
    draw 1 from deck to hand(ann)
    draw 1 from deck to shown
action offer(n: 0..9) by p "Bid {n}": p.bid = n
round:
    for p in order of play:
        p chooses: offer(n) for n in 0..9

test "it":
    ann: offer(4)
    given: a1.mine = ann; a1.trap = ann
    let here = a1
    let who = bob
    expect {what}
"""
SEEN = [
    "sees(ann, ann.bid)",
    "sees(bob, ann.gold)",
    "sees(who, ann.gold)",
    "sees(ann, here.mine)",
    "sees(ann, here.trap)",
    "every c in hand(ann) satisfies sees(ann, c)",
    "every c in shown satisfies sees(bob, c)",
]
HIDDEN = [
    "sees(bob, ann.bid)",
    "sees(who, ann.bid)",
    "sees(ann, secret)",
    "sees(bob, here.mine)",
    "sees(who, here.mine)",
    "sees(bob, here.trap)",
    "sees(who, here.trap)",
    "sees(ann, b1.mine)",
    "any c in hand(ann) where sees(bob, c)",
    "any c in deck where sees(ann, c)",
    "sees(ann, top(deck) or top(shown))",
]
WRONG = {
    "sees(ann)": "`sees` takes a player and what he may see",
    "sees(ann, 3)": "this is neither a field nor a card",
    "sees(3, ann.bid)": "this is the number 3, where Player is needed",
}


def written(folder: Path, what: str) -> Path:
    path = folder / "bids.scn"
    path.write_text(GAME.replace("{what}", what), encoding="utf-8")
    return path


def holds(folder: Path, what: str) -> bool:
    compiled = compile_game(str(written(folder, what)), tests=True)
    assert compiled.program is not None, [str(each.message) for each in compiled.diagnostics]
    (found,) = run_tests(Machine(compiled.program))
    assert found.passed or "expected" in found.message
    return found.passed


@pytest.mark.parametrize("what", SEEN)
def test_what_is_seen(tmp_path: Path, what: str) -> None:
    assert holds(tmp_path, what)


@pytest.mark.parametrize("what", HIDDEN)
def test_what_is_hidden(tmp_path: Path, what: str) -> None:
    assert not holds(tmp_path, what)


@pytest.mark.parametrize(("what", "message"), WRONG.items())
def test_what_cannot_be_asked(tmp_path: Path, what: str, message: str) -> None:
    assert [
        str(each.message) for each in compile_game(str(written(tmp_path, what)), tests=True).diagnostics
    ] == [message]


def test_rules_have_no_such_word(tmp_path: Path) -> None:
    path = written(tmp_path, "sees(ann, ann.bid)")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(": p.bid = n", ":\n    if sees(p, p.gold): p.bid = n"), encoding="utf-8")
    assert "there is no `sees` here" in [str(each.message) for each in compile_game(str(path)).diagnostics]
