"""One mistake, one message: what follows from a fault is not told beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic

REBUTTAL = Path(__file__).resolve().parent.parent / "thorns" / "rebuttal" / "rebuttal.scn"
HEADER = "game river:\n    players ann, bob\n    rounds 3\n\n"
ROUND = "round: nothing\n"
SQUARES = "map plain on squares(4, 4)\n"

ONCE = {
    "a piece of a table that is not there": (
        SQUARES + "piece Sheet of Card, up to 2 each:\n    owner: Player\n    at: Cell\n"
        "value worth(s: Sheet) -> 0..9 = s.price\nsetup ann: place gold at a1\n"
        "value good(s: Sheet) -> bool = s.kind is gold\n" + ROUND,
        ("E0201", "there is no table `Card`"),
    ),
    "rows without names, some alike": (
        "table Card:\n    | name en | price |\n    | Gold    | 2     |\n"
        "    | Gold    | 2     |\n    | Gem     | 3     |\n"
        "value merit(c: Card) -> 0..9 = c.price + (1 if c is gold else 0)\n" + ROUND,
        ("E0106", "the first column of a table names its rows"),
    ),
    "rows that begin alike": (
        "table Card:\n    | suit | worth |\n    | cup  | 1     |\n    | cup  | 2     |\n    | coin | 1     |\n"
        "    | coin | 2     |\nvalue suit(c: Card) -> bool = c.suit is cup\n" + ROUND,
        ("E0202", "several rows begin with the same word, such as `cup`: it should be their name"),
    ),
    "a game without a map": (
        "state of Cell:\n    stone: bool\n"
        "value near(c: Cell) -> bool = step(c, south) is none or step(c, north) is none\n" + ROUND,
        ("E0201", "this game has no map"),
    ),
    "a type that is declared twice": (
        "type Mood = calm | wild\ntype Mood = calm | wild\nstate:\n    mood: Mood = calm\n"
        "value is_wild -> bool = mood is wild\n" + ROUND,
        ("E0202", "`Mood` is declared twice"),
    ),
    "a table of effects without its column": (
        "action gain: nothing\ntable fair(die: 1..2):\n"
        "    | 1d2 | name en |\n    | 1   | Rain    |\n    | 2   | Sun     |\n"
        "round: fair(roll 1d2)\n",
        ("E0307", "this table of effects has no column `effect`"),
    ),
    "something unknown, compared with one of its words": (
        "table Land:\n    | id | price |\n    | a  | 1     |\nvalue dry(l: Land) -> bool = l.ground is plain\n"
        + ROUND,
        ("E0201", "Land has no field or column `ground`"),
    ),
    "a list with a comma before its bound": (
        "state:\n    seen: list of Player, up to 4\n" + ROUND,
        ("E0101", "no comma stands before how many a list can hold"),
    ),
    "an indented table in the header": (
        "    table Card:\n    | id   | price |\n    | gold | 2     |\n\n" + ROUND,
        ("E0120", "`table` begins a declaration, which has no place in this block"),
    ),
    "an indented declaration in the header": (
        "    state:\n    gold: 0..9\n\naction gain: gold gains up to 1\n" + ROUND,
        ("E0120", "`state` begins a declaration, and stands among the lines of the header"),
    ),
    "rows whose table is gone": (
        "type Mood = calm | wild\n    | id   | price |\n    | gold | 2     |\n" + ROUND,
        ("E0103", "this line is indented, but the line above it opens no block"),
    ),
    "statements whose action is gone": (
        "state of Player:\n    gold: 0..9\n\n    need ann.gold > 2\n    ann.gold = 2\n    bob.gold = 2\n"
        + ROUND,
        ("E0120", "`need` begins a statement, and this block holds none"),
    ),
    "a test whose head is gone": (
        "state:\n    gold: 0..9\naction go by p:\n    gold = 2\n\n    given:\n        gold = 3\n    run go by ann\n"
        "    expect gold is 2\n" + ROUND,
        ("E0120", "`given` begins a line of a test, and this block is none"),
    ),
    "a statement further to the left": (
        "state:\n    gold: 0..9\naction go by p:\n    gold = 2\n  gold = 3\n    gold = 4\n  gold = 5\n"
        + ROUND,
        ("E0103", "this line is between two blocks"),
    ),
    "a declaration further to the right": (
        "state:\n    gold: 0..9\n action go by p:\n    gold = 2\n" + ROUND,
        ("E0103", "this line is between two blocks"),
    ),
    "a word that stands twice": (
        "state:\n    gold: 0..9\naction go by p:\n    gold gains up up to 2\n" + ROUND,
        ("E0101", "`up` stands twice"),
    ),
    "statements under mode": (
        "state of Player:\n    gold: 0..9\nmode earn(n: 1..3) by p:\n    need p.gold < 5\n    p.gold gains up to n\n"
        "round:\n    for p in order of play:\n        p chooses: earn(n) for n in 1..3\n",
        ("E0101", "this is no `mode`: what follows is that of an `action`"),
    ),
    "statements under mode, each of which may be a line of a header": (
        "state:\n    gold: 0..9\nmode earn:\n    gold gains 1\nround: earn\n",
        ("E0201", "a mode has no field `gold`"),
    ),
    "pieces under phase": (
        SQUARES
        + "phase Tower, up to 3:\n    owner: Player\n    at: Cell\nsetup ann: place Tower at a1\n"
        + ROUND,
        ("E0101", "this is no `phase`: what follows is that of a `piece`"),
    ),
    "a test under round": (
        "state:\n    gold: 0..9\naction earn: gold = 2\n"
        'round "gold is earned":\n    given:\n        gold = 1\n    run earn\n    expect gold is 2\n' + ROUND,
        ("E0101", "this is no `round`: what follows is that of a `test`"),
    ),
    "lines of a menu whose head is gone": (
        "state of Player:\n    gold: 0..9\naction earn(n: 1..3) by p: p.gold gains up to n\naction rest by p: nothing\n"
        'round:\n    for p in order of play:\n            earn(n) for n in 1..3\n            rest "Rest"\n'
        "        p.gold loses up to 1\n",
        ("E0120", "this is a line of a menu, and no menu begins above it"),
    ),
    "fields whose head is gone, under a table": (
        "table Land:\n    | id | price |\n    | a  | 1     |\n\n    gold: 0..9\n    wood: 0..9 = 2\n"
        "action earn: gold = 2\n" + ROUND,
        ("E0120", "`gold` is a field, and this block holds none"),
    ),
    "fields whose head is gone, under the next fields": (
        SQUARES + "piece Tower, up to 3:\n    owner: Player\n    at: Cell\n    owner: Player\n    at: Cell\n"
        "setup ann: place Tower at a1; place House at b1\n" + ROUND,
        ("E0202", "`owner` is declared twice"),
    ),
    "rows of a lookup table whose head is gone": (
        "table Land:\n    | id | price | tax |\n    | a  | 1     | 2   |\n\n"
        "    |   | 1 |\n    | 1 | 4 |\n    | 2 | 6 |\n"
        "value due(l: Land) -> 0..9 = cost(1, 1)\n" + ROUND,
        ("E0120", "the rows of another table begin here, and no table begins above them"),
    ),
    "rows of a table whose head is gone, as wide as the other": (
        "table Land:\n    | id | price |\n    | a  | 1     |\n\n"
        "    | id | force |\n    | x  | 4     |\n    | y  | 6     |\n"
        "value due(t: Troop) -> 0..9 = t.force\n" + ROUND,
        ("E0120", "the rows of another table begin here, and no table begins above them"),
    ),
    "rows whose table is gone, under a drawing": (
        'shape yard:\n    """\n    x x\n    """\n    | id | price |\n    | a  | 1     |\n' + ROUND,
        ("E0120", "this row belongs to no table"),
    ),
    "a name before for": (
        "state of Player:\n    gold: 0..9\nround:\n    p for in Player where p.gold is 2: p.gold = 3\n",
        ("E0101", "`p for in` is written `for p in` here"),
    ),
    "a line that has lost its first word": (
        "state of Player:\n    gold: 0..9\nround:\n     = 4\n    ann.gold = 3\n    bob.gold = 3\n",
        ("E0101", "no line begins with `=` here"),
    ),
    "a value whose declared name is nearly a word of the language": (
        SQUARES + "value stpes(c: Cell) -> bool = true\nvalue good(c: Cell) -> bool = steps(c)\n"
        "value bad(c: Cell) -> bool = not steps(c)\n" + ROUND,
        ("E0201", "there is no `steps` here"),
    ),
}


def told(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "river.scn"
    path.write_text(text, encoding="utf-8")
    return list(compile_game(str(path), tests=True).diagnostics)


@pytest.mark.parametrize("mistake", ONCE)
def test_it_is_told_once(tmp_path: Path, mistake: str) -> None:
    body, expected = ONCE[mistake]
    assert [(each.code.id, each.message) for each in told(tmp_path, HEADER + body)] == [expected]


def test_a_header_without_players_is_told_once(tmp_path: Path) -> None:
    text = (
        "game river:\n    rounds 3\n\nstate of Player:\n    coins: 0..9\nsetup ann: ann.coins = 2\n"
        "action earn(q: Player) by p: p.coins gains up to 1\nforbid earn when p is dan\n"
        "value rich -> bool = ann.coins > 2 or bob.coins > 2\nround:\n    for p in order of play:\n"
        "        p may: earn(cid)\n"
    )
    assert [each.code.id for each in told(tmp_path, text)] == ["E0417"]


def test_a_missing_header_is_told_once(tmp_path: Path) -> None:
    (only,) = told(tmp_path, "    players ann, bob\n    rounds 3\n\n" + ROUND)
    assert only.message == "`players` is a line of a header, and no header begins above it"


def test_another_rulebook_is_told_once(tmp_path: Path) -> None:
    text = 'game river:\n    players ann, bob\n    rounds 3\n    rulebook RI "River"\n\n'
    (only,) = told(
        tmp_path, text + "value one = 1   [RV-001]\nvalue two = 2   [RV-002]\nround: nothing   [RV-003]\n"
    )
    assert only.message == "no rulebook is called RV"


def test_a_declaration_with_a_slip_is_nearer_than_a_word_of_the_language(tmp_path: Path) -> None:
    body, _ = ONCE["a value whose declared name is nearly a word of the language"]
    (only,) = told(tmp_path, HEADER + body)
    assert only.hint.startswith("did you mean `stpes`?") and only.fix is not None and not only.fix.is_safe
    (used,) = told(tmp_path, HEADER + body.replace("= true", "= true\nvalue it(c: Cell) -> bool = stpes(c)"))
    assert used.hint.startswith("did you mean `step`?")


def test_up_to_a_huge_number_of_things_is_all_of_them(tmp_path: Path) -> None:
    text = (
        HEADER
        + "piece Coin, up to 4:\n    owner: Player?\naction pick by p:\n    p chooses up to 2147483648 xs in Coin\n"
    )
    assert (
        told(tmp_path, text + "    for x in xs: x.owner = p\nround:\n    for p in order of play: pick by p\n")
        == []
    )


def test_a_misspelt_local_is_told_once(tmp_path: Path) -> None:
    text = HEADER + "state of Player:\n    gold: 0..9\nround:\n    for oen in Player where one.gold is 2:\n"
    (only,) = told(tmp_path, text + "        one.gold = 3\n")
    assert only.message == "there is no `one` here" and only.hint.startswith("did you mean `oen`?")


def test_what_a_misspelt_test_for_none_guards_is_not_told(tmp_path: Path) -> None:
    text = HEADER + "state:\n    who: Player?\n    gold: 0..9\nstate of Player:\n    coins: 0..9\n"
    (only,) = told(tmp_path, text + "round:\n    if who is not onne: who.coins = 2\n")
    assert only.message == "there is no `onne` here"
    (other,) = told(tmp_path, text + "round:\n    who.coins = 2\n")
    assert other.message == "`who` may be none here"


def test_pieces_without_a_place_are_told_once(tmp_path: Path) -> None:
    text = (
        HEADER
        + SQUARES
        + "piece Tower, up to 3:\n    owner: Player\nsetup ann: place Tower at a1; place Tower at b1\n"
    )
    (only,) = told(tmp_path, text + "round:\n    if any t in Tower where t.at is a1: nothing\n")
    assert only.message == "a Tower has no place"


def test_all_that_pieces_without_a_place_spoil_is_told_once(tmp_path: Path) -> None:
    text = (
        HEADER
        + SQUARES
        + "piece Tower, up to 3:\n    owner: Player\npiece Cart, up to 2:\n    at: Cell?\n"
        + "modify step(t, c, d): becomes none when t is Tower and t.owner is ann\n"
        + "setup ann: place Tower at a1; place Tower at b1; place Cart at c1\n"
        + "round:\n    if Tower at a1 is not empty: nothing\n"
    )
    (only,) = told(tmp_path, text)
    assert only.message == "a Tower has no place" and only.notes == ("Tower is placed in 1 more place",)
    assert [label.text for label in only.labels] == ["`Tower` is declared here, without `at`"]


def test_cards_in_a_pile_need_no_place(tmp_path: Path) -> None:
    text = (
        HEADER
        + "piece Card, up to 3:\n    owner: Player?\npile deck of Card\nsetup ann: place Card in deck\n"
    )
    assert told(tmp_path, text + ROUND) == []


def test_a_game_that_begins_behind_a_space_is_told_once(tmp_path: Path) -> None:
    text = " " + HEADER + "state:\n    gold: 0..9\naction go by p:\n    gold = 2\n" + ROUND
    (only,) = told(tmp_path, text)
    assert only.message == "the first line of a file starts at the top level"


@pytest.mark.parametrize("lines", ("gold = 3\n        gold gains 1", "ann.wood = 3\n        gold = 1"))
def test_what_a_test_is_given_without_given_is_told_once(lines: str, tmp_path: Path) -> None:
    text = HEADER + "state:\n    gold: 0..9\nstate of Player:\n    wood: 0..9\n" + ROUND
    (only,) = told(tmp_path, text + f'test "gold":\n        {lines}\n    expect gold is 2\n')
    assert only.message == "this line changes the game, and stands among the lines of a test"


def test_one_wrong_line_does_not_make_it_another_block(tmp_path: Path) -> None:
    (only,) = told(tmp_path, HEADER + "action earn by p:\n    told: 0..9\n" + ROUND)
    assert "no `action`" not in only.message
    text = (
        HEADER
        + "table Land:\n    | id | price | tax |\n    | a  | 1     | 2   |\n    | b  | 1     |\n    | c  | 1     |\n"
    )
    assert {each.code.id for each in told(tmp_path, text + ROUND)} == {"E0106"}


def test_statements_without_given_are_told_once(tmp_path: Path) -> None:
    text = HEADER + SQUARES + "piece Tower, up to 3:\n    at: Cell\nround: nothing\n"
    test = 'test "towers":\n    place Tower at a1\n    place Tower at b1\n    expect size(Tower) is 2\n'
    (only,) = told(tmp_path, text + test)
    assert only.message == "`place` begins a statement, and stands among the lines of a test"


@pytest.mark.parametrize(
    "line", ("for the rest of round: modify pain(q)", "for the rest of clash: modify pain")
)
def test_a_number_that_is_too_much_for_the_rest_of_something(line: str, tmp_path: Path) -> None:
    text = REBUTTAL.read_text(encoding="utf-8")
    spoilt = re.sub(rf"({re.escape(line)}: )[+-]\d", r"\g<1>+2147483648", text)
    assert spoilt != text
    file = tmp_path / "rebuttal" / REBUTTAL.name
    file.parent.mkdir()
    file.write_text(spoilt, encoding="utf-8")
    assert [each.code.id for each in compile_game(str(file.parent)).diagnostics] == ["E0302"]
