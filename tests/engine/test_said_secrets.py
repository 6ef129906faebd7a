"""What `say` reads through a value is as hidden as what it reads itself, and the size of a pile as public."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

TEXT = """game said:
    players ann, bob
    rounds 2
table Model:
    | id | copies | worth |
    | a  |      4 |     1 |
piece Card of Model, copies each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
state of Player:
    plan: 0..9, seen by self
    wins: 0..9
value total(p: Player) -> 0..99 = sum c.worth for c in hand(p)
value doubled(p: Player) -> 0..99 = p.plan * 2
value left -> 0..9 = size(deck)
value open(p: Player) -> 0..9 = p.wins + size(hand(p))
action act(n: 1..3) by p "Act {n}":
    p.plan = n
    say "total {total(p)}, plan {p.plan}, doubled {doubled(p)}, any {sum total(q) for q in Player}"
    say "size {size(hand(p))}, left {left}, open {open(p)}"
setup:
    for p in Player: draw 2 from deck to hand(p)
round:
    for p in order of play:
        p chooses: act(n) for n in 1..3
"""


def test_a_value_hides_what_it_reads_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "said.scn"
    path.write_text(TEXT, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1, telling=True)
    game.choose(1)
    public = "size 2, left 0, open 2"
    assert game.view(0).told()[-2:] == ["total 2, plan 2, doubled 4, any ?", public]
    assert game.view(1).told()[-2:] == ["total ?, plan ?, doubled ?, any ?", public]


CARDS = """game cards:
    players ann, bob
    rounds 2
table Model:
    | id  | copies | worth |
    | low |      3 |     1 |
    | top |      1 |     5 |
piece Card of Model, copies each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
pile open of Card
setup:
    for c in deck where c is top: move c to hand(ann)
    for c in deck: move c to hand(bob)
action tell(n: 0..9): say "told {n}"
action give(c: Card) by p "Give":
    let n = c.worth
    say "worth {n}"
    tell(c.worth)
    move c to hand(opponent(p))
action give_all by p "Give all":
    p chooses up to 2 cs in hand(p)
    let n = sum c.worth for c in cs
    say "{n} in all"
    for c in cs: move c to deck
action take by p "Take":
    random c in hand(opponent(p))
    let n = c.worth
    move c to open
    say "took {n}"
round:
    ann chooses:
        give(c) for c in hand(ann)
        give_all
        take
"""


def _told(tmp_path: Path, *choices: str) -> list[list[str]]:
    """What ann, bob and everybody reads behind some choices."""
    path = tmp_path / "cards.scn"
    path.write_text(CARDS, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1, telling=True)
    for words in choices:
        assert game.decision is not None
        game.choose(next(each for each in game.decision if each.label("en").startswith(words)))
    return [game.view(player).told() for player in (0, 1)]


def test_a_number_of_a_hidden_card_is_told_to_those_who_know_the_card(tmp_path: Path) -> None:
    ann, bob = _told(tmp_path, "Give")
    assert "worth 5" in ann
    assert "worth 5" in bob  # he gets the card
    assert "told ?" in bob


def test_what_is_added_up_from_chosen_cards_is_told_to_who_sees_them(tmp_path: Path) -> None:
    ann, bob = _told(tmp_path, "Give all", "top", "stop")
    assert "5 in all" in ann
    assert "? in all" in bob


def test_what_is_reckoned_from_a_random_card_is_told_once_it_lies_open(tmp_path: Path) -> None:
    assert all("took 1" in told for told in _told(tmp_path, "Take"))


DONE = """game done:
    players ann, bob
    rounds 2
map board on squares(2, 1)
table Good:
    | id   |
    | wood |
    | ore  |
table Ware:
    | id  | copies |
    | egg |      3 |
    | tea |      3 |
piece Card of Ware, copies each
pile bank of Card
pile hand of Card for each Player, seen by owner
piece Man of Good, up to 2 each for each Player:
    owner: Player
    at: Cell
    kind: Good, seen by owner
state of Cell:
    mine: bool, seen by {ann}
    last: Player?
state of Player:
    plan: 0..9, seen by self
    purse: bag of Good up to 9, seen by self
action act(c: Cell, k: Good, n: 1..3) by p "{c}, {k}, {n}":
    WRITES
round:
    ann chooses: act(b1, ore, 2)
    bob chooses: act(a1, wood, 1)
"""


def done(folder: Path, text: str) -> Game:
    path = folder / "done.scn"
    path.write_text(text, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return Game.start(Machine(program), seed=1, telling=True)


@pytest.mark.parametrize(
    ("writes", "told"),
    [
        ("c.last = p", "b1, ore, 2"),
        ("c.mine = true", "?, ore, 2"),
        ("p.purse[k] gains 1", "b1, ?, 2"),
        ("if n is 2: p.plan = 5", "b1, ore, ?"),
        ("if c.last is none: p.plan = 5", "b1, ore, 2"),
        ("place k of p at c", "b1, ?, 2"),
    ],
)
def test_what_decides_what_a_hidden_field_holds_is_told_to_who_does_it(
    writes: str, told: str, tmp_path: Path
) -> None:
    game = done(tmp_path, DONE.replace("WRITES", writes))
    assert any("b1, ore, 2" in line for line in game.view(0).told())
    assert any(told in line for line in game.view(1).told())


FIRST = "let d = roll 1d6\n    let x = first y in PILE where y.kind is (egg if d < 4 else tea)\n    if x is not none: "


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        (f"{FIRST}move x to hand(opponent(p))".replace("PILE", "bank"), True),
        (f"{FIRST}move x to hand(opponent(p))".replace("PILE", "hand(p)"), False),
        ("let d = roll 1d2\n    move bank[d] to hand(p)", True),
        ("let d = roll 1d6\n    if d > 3: c.mine = true", False),
        ("let d = roll 1d6\n    if d > 3: c.last = p", True),
    ],
)
def test_a_die_is_told_unless_it_decides_what_is_hidden(code: str, seen: bool, tmp_path: Path) -> None:
    """Whoever sees a pile sees which card leaves it, wherever it goes; what is written unseen is not told by a die."""
    text = DONE.replace("WRITES", code)
    game = done(tmp_path, text.replace("round:\n", "setup:\n    draw 2 from bank to hand(ann)\nround:\n"))
    die = next(line for line in game.view(1).told() if line.startswith("1d"))
    assert die.endswith("?") is not seen
