"""What a telling game keeps of chance, of who acts, and of the state at each entry."""

from pathlib import Path
from textwrap import indent

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.log import Entry
from dsl.engine.machine import Machine

GAME = """game chances:
    title en "Chances"
    players red, blue
    rulebook CH "Chances"
    rounds 2
    language 1

table Thing:
    | id   | name en | copies |
    | coin | Coin    |      6 |

piece Token of Thing, copies each
pile bag of Token, seen by none
pile hand of Token for each Player, seen by owner

state:
    shown: 0..99, called en "Shown"
    few: 0..1
state of Player:
    secret: 0..99, seen by self
    known: 0..99

setup:
    for p in Player: draw 2 from bag to hand(p)

action act by p en "Act":                                           [CH-1]
    shown = roll 2d6                                                 [CH-2]
    let more = roll 1d4
    keep(p, more)
    roll each 3 d8 as dice
    shown = dice[1]
    roll each few d10 as none_thrown
    random q in Player
    q.known gains up to length(none_thrown)
    random lost in hand(p)
    move lost to bag

action keep(p: Player, n: 0..99):
    p.secret = n

round:
    red chooses:
        act
        act
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp("told") / "chances"
    folder.mkdir()
    (folder / "chances.scn").write_text(GAME)
    made = compile_game(str(folder))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return Machine(made.program)


@pytest.fixture(scope="module")
def told(machine: Machine) -> list[Entry]:
    """What the first choice led to."""
    game = Game.start(machine, seed=3, telling=True)
    begun = len(game.log)
    game.choose(0)
    return [each for each in game.log[begun:] if each.kind in {"do", "roll", "pick"}]


def test_each_throw_is_told_with_the_rule_that_asks_for_it(told: list[Entry]) -> None:
    assert [each.kind for each in told] == ["do", "roll", "roll", "roll", "pick", "pick"]
    two, one, several = told[1:4]
    assert two.args is not None
    assert two.text() == f"2d6: {two.args[1]}"
    assert two.citations == ("CH-2",)
    assert one.text().startswith("1d4: ")
    assert several.args is not None
    dice = several.args[1]
    assert isinstance(dice, tuple)
    assert dice == tuple(sorted(dice, reverse=True))
    assert several.text() == "3d8: {}, {}, {}".format(*dice)


def test_no_dice_are_not_told(told: list[Entry]) -> None:
    assert not any("d10" in each.text() for each in told)


def test_a_pick_tells_what_was_picked(told: list[Entry]) -> None:
    assert told[4].text() in {"red", "blue"}
    assert told[5].text() == "Coin"


def test_what_is_thrown_or_picked_in_secret_is_told_to_nobody(told: list[Entry]) -> None:
    assert [each.text("", 1) for each in told[2:6]] == ["1d4: ?", told[3].text(), told[4].text(), "?"]
    assert told[1].text("", 1) == told[1].text()


def test_an_action_tells_who_does_it(told: list[Entry]) -> None:
    assert [each.player for each in told] == [0, None, None, None, None, None]


def test_an_entry_keeps_the_state_before_it_and_no_view_has_it(machine: Machine, told: list[Entry]) -> None:
    slot = next(var.offset for var in machine.program.vars if var.name == "shown")
    two, _, several, after = told[1:5]
    assert two.args is not None
    assert several.args is not None
    assert (told[0].before[slot], several.before[slot]) == (0, two.args[1])
    assert after.before[slot] == several.args[1][0]  # type: ignore[index]
    assert all(each.before == [] for each in (entry.seen_as(0) for entry in told))


def test_telling_changes_nothing(machine: Machine) -> None:
    games = [Game.start(machine, seed=5, telling=telling) for telling in (False, True)]
    for game in games:
        while game.count:
            game.choose(0)
    assert games[0].fingerprint == games[1].fingerprint
    assert not games[0].log


SAID = """game said:
    title en "Said"
    players ann, bob, cid
    rounds 1

table Sort:
    | id   | copies | power |
    | star |      9 |     4 |

piece Card of Sort, copies each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
pile open of Card

state:
    shown: 0..99
    fate: 0..9, seen by none
state of Player:
    plan: 0..9 = 3, seen by self
    bid: 0..9, seen by self

value total(p: Player) = p.plan + 1
value strength(c: Card) = c.power + 1
setup:
    for p in Player: draw 3 from deck to hand(p)

action tell(n: 0..9) by p "Tell {n}": say "{n}"
action bet(n: 0..9) by p "Bet {n}":
    p.bid = n
    say "{n}"
action give(c: Card) by p "Give {c}":
    move c to hand(next_player(p))
    say "{c}"
action act by p "Act":
BODY
action spend(c: Card) by p "Spend {c} for {c.power}":
SPENT
round:
    ann chooses:
        act
        spend(c) for c in hand(ann)
        bet(1)
"""

NOBODY = "? ? ?"
BODIES = {
    "the field itself": ('say "{p.plan}"', "3 ? ?"),
    "a local": ('let n = p.plan\nsay "{n}"', NOBODY),
    "a value, by a local": ('let n = total(p)\nsay "{n}"', NOBODY),
    "part of a sum": ('let n = p.plan\nsay "{n + 1}"', NOBODY),
    "a second local": ('let n = p.plan\nlet m = n + 1\nsay "{m}"', NOBODY),
    "a parameter": ("tell(p.plan)", "Tell ?|? Tell ?|? Tell ?|?"),
    "what is counted": ('let n = count q in Player where q.plan > 2\nsay "{n}"', NOBODY),
    "a loop over what follows": ('let m = p.plan\nfor n in m..m:\n    shown = 0\n    say "{n}"', NOBODY),
    "a roll that is kept": ('let n = roll 1d2\nfate = n\nsay "{n}"', "1d2: ?|? 1d2: ?|? 1d2: ?|?"),
    "what somebody bets": ("bet(2)", "Bet 2|2 Bet ?|? Bet ?|?"),
    "after it was revealed": ('let n = p.plan\nshown = n\nsay "{n}"', "3 3 3"),
    "before it is revealed": ('let n = p.plan\nsay "{n}"\nshown = n', NOBODY),
    "revealed on one way only": ('let n = p.plan\nif shown is 0: shown = n\nsay "{n}"', NOBODY),
    "a card of a hand": ('for c in hand(p): say "{c}"', "star|star|star ?|?|? ?|?|?"),
    "a card that is passed on": (
        "for c in hand(p): give(c)",
        "|".join(["Give star|star"] * 3)
        + " "
        + "|".join(["Give star|star"] * 3)
        + " "
        + "|".join(["Give ?|?"] * 3),
    ),
    "a card that is laid": (
        'random c in hand(p)\nmove c to open\nsay "{c}"',
        "star|star star|star star|star",
    ),
    "an open number": ('let n = shown + 1\nsay "{n}"', "1 1 1"),
}


@pytest.mark.parametrize("what", BODIES)
def test_who_reads_what_is_said(what: str, tmp_path: Path) -> None:
    body, read = BODIES[what]
    assert said(tmp_path, body, "nothing", 0, 1) == read


def said(folder: Path, body: str, spent: str, choice: int, skipped: int) -> str:
    """What each player reads of a choice, without the first lines of it."""
    path = folder / "said.scn"
    text = SAID.replace("BODY", indent(body, "    ")).replace("SPENT", indent(spent, "    "))
    path.write_text(text, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    game = Game.start(Machine(made.program), seed=1, telling=True)
    begun = len(game.log)
    game.choose(choice)
    lines = (game.view(player).told()[begun + skipped :] for player in range(3))
    return " ".join("|".join(each) for each in lines)


UNKNOWN = "Spend ? for ?"
KNOWN = "Spend star for 4"
SPENT = {
    "what a card is worth": ('say "{c.power}"', f"{KNOWN}|4 {UNKNOWN}|? {UNKNOWN}|?"),
    "a sum": ('say "{c.power + shown}"', f"{KNOWN}|4 {UNKNOWN}|? {UNKNOWN}|?"),
    "a value of it": ('say "{strength(c)}"', f"{KNOWN}|5 {UNKNOWN}|? {UNKNOWN}|?"),
    "a local": ('let r = c.power * 2\nsay "{r}"', f"{KNOWN}|8 {UNKNOWN}|? {UNKNOWN}|?"),
    "a local of a local": (
        'let r = c.power * 2\nlet q = r + r\nsay "{q + 1}"',
        f"{KNOWN}|17 {UNKNOWN}|? {UNKNOWN}|?",
    ),
    "a card that somebody gets": (
        'move c to hand(next_player(p))\nsay "{c.power}"',
        f"{KNOWN}|4 {KNOWN}|4 {UNKNOWN}|?",
    ),
    "a card that is laid": ('let r = c.power\nmove c to open\nsay "{r}"', " ".join([f"{KNOWN}|4"] * 3)),
    "a card that is laid after": ('let r = c.power\nsay "{r}"\nmove c to open', " ".join([f"{KNOWN}|4"] * 3)),
    "what is hidden beside a card that is laid": (
        'say "{c.power + p.plan}"\nmove c to open',
        f"{KNOWN}|7 {KNOWN}|? {KNOWN}|?",
    ),
    "a card that was open": (
        'move c to open\nmove c to hand(p)\nsay "{c.power}"',
        " ".join([f"{KNOWN}|4"] * 3),
    ),
    "other cards, in the open": (
        'move c to open\nlet r = sum d.power for d in open\nsay "{r}"',
        " ".join([f"{KNOWN}|4"] * 3),
    ),
}


@pytest.mark.parametrize("what", SPENT)
def test_what_is_reckoned_from_a_card_is_read_by_who_reads_the_card(what: str, tmp_path: Path) -> None:
    body, read = SPENT[what]
    assert said(tmp_path, "nothing", body, 1, 0) == read
