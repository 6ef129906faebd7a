"""W0415 for parts of one condition that exclude each other; W0416 for what nothing reaches or uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Code

GAME = """game small:
    players ann, bob
    rounds 3

type Ground = hill | plain | wood
map land on squares(2, 2)
state of Cell:
    ground: Ground = plain
state of Player:
    gold: 0..9
    friend: Player?

action dig(c: Cell) by p "Dig {c}":
    if {condition}: p.gold gains up to 1

round:
    for p in order of play:
        p may: dig(c) for c in Cell
"""

EXCLUDING = {
    "p.gold > 2 and p.gold < 2": ("p.gold > 2", "p.gold < 2"),
    "p.gold is 2 and c is a1 and p.gold is 5": ("p.gold is 2", "p.gold is 5"),
    "p.gold is 2 and p.gold is 5 and c is a1": ("p.gold is 2", "p.gold is 5"),
    "c.ground is hill and c.ground is plain": ("c.ground is hill", "c.ground is plain"),
    "p is ann and p is bob": ("p is ann", "p is bob"),
    "p.friend is none and p.friend is bob": ("p.friend is none", "p.friend is bob"),
    "p.gold is 2 and not (p.gold is 2)": ("p.gold is 2", "not (p.gold is 2)"),
    "p.gold > opponent(p).gold and opponent(p).gold > p.gold": (
        "p.gold > opponent(p).gold",
        "opponent(p).gold > p.gold",
    ),
}
COVERING = {
    "p.gold < 3 or p.gold > 1": ("p.gold < 3", "p.gold > 1"),
    "c.ground is not hill or c.ground is not plain": ("c.ground is not hill", "c.ground is not plain"),
}
OPEN = [
    "p.gold > 2 and p.gold < 4",
    "p.gold > 2 or p.gold < 1",
    "c.ground is hill or c.ground is plain",
    "c.ground is not hill and c.ground is not plain",
    "p.gold > opponent(p).gold and p.gold >= opponent(p).gold",
    "p.friend is none or p.friend is bob",
    "roll 1d6 is 1 and roll 1d6 is 2",
    "p.gold is 2 and opponent(p).gold is 5",
]
USES = """game used:
    players ann, bob
    rounds 3

state of Player:
    gold: 0..9
action dig by p "Dig {rich(p)}": p.gold gains up to 1
action dance by p "Dance": nothing
forbid dance when p.gold > 3
action helper by p: p.gold = 3
phase digging:
    for p in order of play:
        p may: dig
phase taxes: ann.gold = 0
value rich(p: Player) -> 0..9 = p.gold
value poor(p: Player) -> 0..9 = 9 - p.gold  # as poor(q) is said nowhere
value worth(p: Player) -> 0..9 = p.gold
round: digging
"""


def told(folder: Path, text: str, code: Code, mod: str = "") -> list[tuple[str, tuple[str, ...]]]:
    """What is told with one code: where, and what is marked beside it."""
    path, above = folder / "small.scn", folder / "more.scn"
    path.write_text(text, encoding="utf-8")
    above.write_text(mod, encoding="utf-8")
    found = compile_game(str(path), [str(above)] if mod else [], tests=True).diagnostics
    return [
        (each.span.text, tuple(label.span.text for label in each.labels))
        for each in found
        if each.code is code and each.span is not None
    ]


@pytest.mark.parametrize(("condition", "parts"), {**EXCLUDING, **COVERING}.items(), ids=str)
def test_parts_that_exclude_each_other_are_told(
    tmp_path: Path, condition: str, parts: tuple[str, str]
) -> None:
    found = told(tmp_path, GAME.replace("{condition}", condition), Code.DECIDED)
    assert found == [(parts[1], (parts[0],))]


@pytest.mark.parametrize("condition", OPEN)
def test_parts_that_can_hold_at_once_are_not(tmp_path: Path, condition: str) -> None:
    assert told(tmp_path, GAME.replace("{condition}", condition), Code.DECIDED) == []


@pytest.mark.parametrize("condition", ["p.gold > 2 and p.gold < 2", "c.ground is hill and c.ground is plain"])
def test_needs_that_exclude_each_other_are_told(tmp_path: Path, condition: str) -> None:
    one, two = condition.split(" and ")
    body = f'\n    need {one} "first"\n    need c is a1\n    need {two} "second"\n    '
    text = GAME.replace(" if {condition}: ", body).replace("\n   \n", "\n")
    assert told(tmp_path, text, Code.DECIDED) == [(f'need {two} "second"', (f'need {one} "first"',))]
    lifted = text.replace('"second"', '"second" [two]') + "allow dig when c is a2, over [two]\n"
    assert told(tmp_path, lifted, Code.DECIDED) == []
    assert told(tmp_path, text.replace(two, "p is ann"), Code.DECIDED) == []


@pytest.mark.parametrize(
    ("need", "forbidden", "is_told"),
    [
        ("p.gold >= 5", "p.gold > 3", True),
        ("c.ground is hill", "c.ground is hill", True),
        ("c.ground is hill", "c.ground is not hill", True),
        ("p.gold >= 5", "p.gold < 5", True),
        ("p.gold >= 5", "p.gold < 4", False),
        ("p.gold >= 5", "c.ground is hill", False),
        ("c.ground is hill", "c.ground is plain", False),
    ],
)
def test_a_need_is_held_against_what_is_forbidden(
    tmp_path: Path, need: str, forbidden: str, is_told: bool
) -> None:
    body = f'\n    need {need} "first"\n    '
    text = GAME.replace(" if {condition}: ", body).replace("\n   \n", "\n")
    clause = f'forbid dig(c, p) when {forbidden} "second"'
    found = [(clause, (f'need {need} "first"',))] if is_told else []
    assert told(tmp_path, text + clause + "\n", Code.DECIDED) == found
    lifted = text + clause + " [two]\nallow dig(c, p) when c is a2, over [two]\n"
    assert told(tmp_path, lifted, Code.DECIDED) == []


def test_numbers_alone_decide(tmp_path: Path) -> None:
    assert told(tmp_path, GAME.replace("{condition}", "1 > 2"), Code.DECIDED) == [("1 > 2", ())]


def test_what_a_test_expects_is_to_hold(tmp_path: Path) -> None:
    text = GAME.replace("{condition}", "c is a1")
    text += 'test "numbers":\n    expect ann.gold < 3 or ann.gold > 1\n'
    text += 'always "numbers": ann.gold < 3 or ann.gold > 1\n'
    assert told(tmp_path, text, Code.DECIDED) == []


def test_a_line_behind_one_that_leaves_is_told(tmp_path: Path) -> None:
    body = "\n        if p is ann: return\n        else: return\n        p.gold = 1\n        p.gold = 2\n"
    text = GAME.replace("{condition}", "c is a1").replace(" p.gold gains up to 1\n", body)
    assert told(tmp_path, text, Code.FUTILE) == [
        ("p.gold = 1", ("if p is ann: return\n        else: return",))
    ]
    open_ = text.replace("        else: return\n", "")
    assert told(tmp_path, open_, Code.FUTILE) == []
    half = text.replace("        else: return\n", "        else: p.gold = 3\n")
    assert told(tmp_path, half, Code.FUTILE) == []
    twice = text.replace("        p.gold = 1\n", "        return\n        p.gold = 1\n")
    assert [span for span, _ in told(tmp_path, twice, Code.FUTILE)] == ["return"]


def test_what_nothing_uses_is_told(tmp_path: Path) -> None:
    """Neither what a text asks for, nor what computer players do, nor helpers without words."""
    assert told(tmp_path, USES, Code.FUTILE) == [("dance", ()), ("taxes", ()), ("poor", ())]


def test_a_value_with_words_of_one_thing_is_told_to_players(tmp_path: Path) -> None:
    more = 'value riches(p: Player) -> 0..9 = 3, called "Riches"\n'
    more += 'value both(p: Player, q: Player) -> 0..9 = 3, called "Both"\n'
    assert told(tmp_path, USES + more, Code.FUTILE) == [
        ("dance", ()),
        ("taxes", ()),
        ("poor", ()),
        ("both", ()),
    ]


def test_menus_and_windows_that_nothing_uses_are_told(tmp_path: Path) -> None:
    more = """\
menu deeds(p: Player): dig
menu others: dig
window talk of ann, bob as who, in turn until both pass: dig
window market of ann, bob as who, in turn until both pass:
    others
phase trade: open market
"""
    text = USES.replace("round: digging", "round:\n    digging\n    trade") + more
    assert [name for name, _ in told(tmp_path, text, Code.FUTILE)] == [
        "dance",
        "taxes",
        "poor",
        "deeds",
        "talk",
    ]


def test_what_is_called_so_beside_is_no_use(tmp_path: Path) -> None:
    """A parameter, a field, what a loop goes through, a word of a text."""
    more = """\
state of Cell:
    dance: bool
map land on squares(2, 2)
action show(taxes: 0..9) by p "Who will dance?": p.gold gains up to taxes
"""
    text = (USES + more).replace(
        "        p may: dig\n", "        p may:\n            dig\n            show(n) for n in 0..3\n"
    )
    text += "action go(poor: Player): poor.gold = 1\nphase more:\n    for poor in Player: go(poor)\n"
    text = text.replace("round: digging", "round:\n    digging\n    more")
    assert [name for name, _ in told(tmp_path, text, Code.FUTILE)] == ["dance", "taxes", "poor"]


def test_a_test_is_a_use(tmp_path: Path) -> None:
    used = 'test "all":\n    run taxes\n    run dance by ann\n    expect poor(bob) is 9\n'
    assert told(tmp_path, USES + used, Code.FUTILE) == []


def test_of_a_game_below_a_mod_nothing_is_told(tmp_path: Path) -> None:
    """It was told where it was written; the mod's own is told."""
    body = "\n        return\n        p.gold = 1\n"
    text = GAME.replace("{condition}", "c is a1 and c is b1").replace(" p.gold gains up to 1\n", body)
    text += "value poor(p: Player) -> 0..9 = 9 - p.gold\n"
    mod = 'mod more for small:\n    title en "More"\nforbid dig when c is a2 and c is b2\n'
    assert told(tmp_path, text, Code.DECIDED) == [("c is b1", ("c is a1",))]
    assert [span for span, _ in told(tmp_path, text, Code.FUTILE)] == ["p.gold = 1", "poor"]
    assert told(tmp_path, text, Code.DECIDED, mod) == [("c is b2", ("c is a2",))]
    assert told(tmp_path, text, Code.FUTILE, mod) == []


@pytest.mark.parametrize(
    ("body", "is_used"),
    [
        ("let rich = 3\n    p.gold = rich", False),
        ("p.gold = rich\n    let rich = 3\n    p.gold = rich", True),
        ("if p is ann:\n        let rich = 3\n        p.gold = rich\n    p.gold = rich", True),
        ("for rich in Player: rich.gold = 1\n    p.gold = rich", True),
        ("for rich in Player: rich.gold = 1", False),
        ("p.gold = count rich in Player where rich is ann", False),
        ("p.gold = (count rich in Player where rich is ann) + rich", True),
        ("random rich in Player\n    rich.gold = 1", False),
        ("p chooses rich in Player\n    rich.gold = 1", False),
        ("p chooses poor in Player\n    poor.gold = rich", True),
    ],
)
def test_a_local_of_the_same_name_hides_no_use_outside_of_it(
    tmp_path: Path, body: str, is_used: bool
) -> None:
    text = f"""game shadow:
    players ann, bob
    rounds 3
state of Player:
    gold: 0..9
value rich -> 0..9 = ann.gold
action dig by p "Dig":
    {body}
round:
    for p in order of play:
        p may: dig
"""
    assert told(tmp_path, text, Code.FUTILE) == ([] if is_used else [("rich", ())])
