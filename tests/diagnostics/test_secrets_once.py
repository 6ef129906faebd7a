"""E0421: one secret is told once, with the questions that show it; a mod's fault at its line; and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Code, Diagnostic

HEAD = """game small:
    players ann, bob
    rounds 3

table Rank:
    | id    | copies |
    | guard |      3 |
    | king  |      3 |
piece Card of Rank, copies each
pile deck of Card, seen by none
pile played of Card
map board on squares(3, 3)
state of Cell:
    mine: Player?, seen by owners(self)
value owners(c: Cell) -> set of Player = all p in Player where c.mine is p
state:
    plan: 0..3, seen by none
    points: 0..9
action cheer by p "Cheer": points gains up to 1
action boo by p "Boo": points loses up to 1
"""
MANY = """round:
    plan = roll 1d3
    let k = plan
    if k is 1:
        ann may: cheer
    elif k is 2:
        bob may: boo
    else:
        ann may: boo
        bob may: boo
"""
TOP = """setup: draw 1 from deck to played
round:
    let k = {card}
    if k is not none and k is king:
        ann may:
            cheer
            boo
"""
LAYING = """action lay(c: Cell) by p "Lay a mine": c.mine = {who}
action turn by p:
    p chooses: lay(c) for c in Cell
    p chooses:
        cheer
        boo
round:
    for p in order of play: turn by p
"""
HIDING = """action turn by p:
    p chooses c in Cell
    c.mine = p
    p chooses:
        cheer
        boo
round:
    for p in order of play: turn by p
"""
TAKEN = """action lay(c: Cell) by p "Lay a mine": c.mine = p
round:
    for p in order of play:
        p chooses: lay(c) for c in Cell
        p chooses:
            cheer
            boo
"""
MARKED = """action mark(c: Cell) by p: c.mine = p
round:
    for p in order of play:
        mark(a1) by p
        p chooses:
            cheer
            boo
"""
TRADE = """game trade:
    players ann, bob
    rounds 3
state of Player:
    gold: 0..9
action rest by p "Rest": nothing
action bid(n: 1..3) by p "Bid {n}":
    p.gold gains up to 1
    answer(n)
phase answer(n: 1..3):
    ann may "After {n}?": rest
    bob may "After {n}?": rest
round:
    for p in order of play:
        p may: bid(n) for n in 1..3
"""
VEIL = """mod veil for trade:
    title en "Veil"
extend Player:
    plan: 0..3, seen by self
after bid(n) when p.gold > 2:
    p.plan = n
"""


def secrets(path: Path, *mods: str) -> list[Diagnostic]:
    return [each for each in compile_game(str(path), mods).diagnostics if each.code is Code.SECRET_SHOWN]


def told(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "small.scn"
    path.write_text(HEAD + text, encoding="utf-8")
    return secrets(path)


def test_one_secret_is_told_once_with_its_questions(tmp_path: Path) -> None:
    (only,) = told(tmp_path, MANY)
    assert only.span is not None
    assert only.span.text == "plan"
    marked = [label.span.text for label in only.labels]
    assert marked == ["k is 1", "ann may: cheer", "bob may: boo", "ann may: boo"]
    assert only.notes == ("and 1 more",)


@pytest.mark.parametrize("card", ["top({pile})", "first c in {pile}", "first c in {pile} where c is king"])
def test_the_top_card_of_a_pile_that_all_see_is_no_secret(tmp_path: Path, card: str) -> None:
    assert told(tmp_path, TOP.replace("{card}", card).replace("{pile}", "played")) == []
    (only,) = told(tmp_path, TOP.replace("{card}", card).replace("{pile}", "deck"))
    assert only.span is not None
    assert "deck" in only.span.text


def test_who_acts_is_no_secret_wherever_it_is_written(tmp_path: Path) -> None:
    for each in (LAYING.replace("{who}", "p"), HIDING, TAKEN, MARKED):
        assert told(tmp_path, each) == []
    hidden = "round:\n    plan = roll 1d3\n    ann may: cheer\n    if plan is 2:\n        bob may: boo\n"
    assert len(told(tmp_path, hidden)) == 1


def test_what_a_mod_hides_is_told_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "trade.scn").write_text(TRADE, encoding="utf-8")
    (tmp_path / "veil.scn").write_text(VEIL, encoding="utf-8")
    assert secrets(tmp_path / "trade.scn") == []
    (only,) = secrets(tmp_path / "trade.scn", str(tmp_path / "veil.scn"))
    assert only.span is not None
    assert only.span.text == "p.plan = n"
    assert [label.span.text for label in only.labels] == [
        'ann may "After {n}?": rest',
        'bob may "After {n}?": rest',
    ]
