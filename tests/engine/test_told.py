"""What a telling game keeps of chance, of who acts, and of the state at each entry."""

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
