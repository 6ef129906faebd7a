"""What is typed tells nobody what he may not see, and takes back nothing that he has learnt."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.public_words import open_label
from dsl.playable import Playable
from dsl.players.seats import HUMAN, RANDOM
from dsl.scene import eyes
from tests.cli.conftest import DUEL, Run
from tests.cli.test_person import Sitting
from tests.figures.targets import Target
from tests.figures.worlds import compared

PLANS = """\
game plans:
    players ann, bob
    rounds 3
state of Player:
    plan: 1..3, seen by self
    coins: 0..99
state:
    shown: 0..100
    secret: 0..100, seen by none
setup:
    secret = roll 1d20
    secret = secret + 50
    for p in Player: p.plan = roll 1d3
action wait by p "Wait": nothing
action boast by p "Boast":
    need p.coins > 90 "you have {p.coins}, he has {opponent(p).plan}"
    p.coins gains 1
action look by p "Look": shown = opponent(p).plan
action guess(n: 1..100) by p "Guess {n}":
    if secret is n: shown = n
action change_it(n: 1..3) by p "Change to {n}": p.plan = n
action meddle by p "Meddle": opponent(p).plan = 2
round:
    for p in order of play:
        repeat 2 times:
            p chooses:
                wait
                boast
                look
                guess(n) for n in 1..100
                change_it(n) for n in 1..3
                meddle
"""
LABEL = PLANS.replace('"Boast"', '"Boast of {opponent(p).plan}"')


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Playable:
    path = tmp_path_factory.mktemp("plans") / "plans.scn"
    path.write_text(PLANS, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return Playable(program)


def played(machine: Playable, *typed: str, seats: tuple[str, ...] = (HUMAN, RANDOM)) -> str:
    return Sitting(machine, list(typed), seats).play()


def test_words_of_an_option_show_nothing_hidden(tmp_path: Path) -> None:
    path = tmp_path / "plans.scn"
    path.write_text(LABEL, encoding="utf-8")
    found = compile_game(str(path)).diagnostics
    assert [(each.code.value, str(each.message)) for each in found] == [
        (
            "E0421",
            "this gives a secret away: the words of an option show `plan`, which the one who chooses may not see",
        )
    ]


def test_the_reason_of_a_refusal_shows_nothing_hidden(plans: Playable) -> None:
    assert "you have 0, he has ?" in played(plans, "why not boast")


@pytest.mark.parametrize("typed", ["Look", "Guess 51", "Guess 99"])
def test_what_has_been_learnt_is_not_taken_back(plans: Playable, typed: str) -> None:
    assert "something has been shown" in played(plans, typed, "undo")


@pytest.mark.parametrize("typed", ["Wait", "Change to 2", "Meddle"])
def test_what_has_shown_nothing_is_taken_back(plans: Playable, typed: str) -> None:
    assert "Taken back." in played(plans, typed, "undo")


def test_whoever_took_back_is_told_what_is_chosen_instead(plans: Playable) -> None:
    sitting = Sitting(
        plans,
        ["", "Wait", "Wait", "", "undo", "", "Look", "", "log"],
        (HUMAN, HUMAN),
        takeback=True,
    )
    told = sitting.play().rpartition("bob is next")[2]
    assert told.count("ann: Look") == 2  # as he comes to the screen, and in the log


BIDS = """\
game bids:
    players ann, bob
    rounds 2
state of Player:
    bid: 0..3, seen by self
state:
    last: 0..3
round:
    ann, bob secretly choose n in 1..3 "A number:"
    NEXT
    bob chooses wait in 1..2 "Wait:"
"""


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("for p in Player: last = n[p]", "something has been shown"),
        ("for p in Player: p.bid = n[p]", "Taken back."),
        ("if n[ann] > 2: last = 1", "something has been shown"),
    ],
)
def test_who_has_been_told_what_the_other_chose_in_secret_does_not_choose_again(
    tmp_path: Path, after: str, told: str
) -> None:
    path = tmp_path / "bids.scn"
    path.write_text(BIDS.replace("NEXT", after), encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    assert told in played(Playable(program), "2", "undo", seats=(RANDOM, HUMAN))


def test_a_save_is_gone_on_with_as_somebody_else(run: Run) -> None:
    run("play", DUEL, "--auto", "--seed", "4", "--until", "3", "--record", "duel.json")
    shown = run("play", "--load", "duel.json", "--players", "random,human", "--as", "red", code=2)
    assert "--as tells what one player may know, and --players seats another" in shown.stderr
    assert "there is no terminal" in run("play", "--load", "duel.json", "--as", "blue", code=2).stderr


def test_a_comparison_tells_nobody_in_particular(run: Run) -> None:
    run("play", DUEL, "--auto", "--seed", "4", "--record", "duel.json")
    refused = run("replay", "duel.json", "--as", "red", "--against", DUEL, code=2)
    assert "a comparison tells all" in refused.stderr


HIDDEN = Path(__file__).parents[1] / "figures" / "hidden"


def test_all_that_is_typed_tells_the_same_in_worlds_that_look_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target("offered", str(HIDDEN / "offered.scn"))
    found = compared(target, range(2), 4, typing=True)
    assert found.leaks == []
    assert found.positions
    monkeypatch.setattr(eyes, "may_see", lambda *_: True)
    assert any("typed" in leak for leak in compared(target, range(2), 4, typing=True).leaks)


OPEN_TABLE = """\
game open_table:
    players ann, bob
    rounds 3
table Kind:
    | id    | name en |
    | crown | Crown   |
    | sword | Sword   |
    | cup   | Cup     |
piece Card of Kind, up to 2 each:
    turned: bool
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
pile shown of Card for each Player
setup:
    shuffle deck
    for p in Player: draw 1 from deck to shown(p)
    for p in Player: draw 1 from deck to hand(p)
action turn(c: Card) by p "Turn {c}": c.turned = true
action keep(c: Card) by p "Keep {c}": c.turned = false
phase turning(c: Card):
    ann may: turn(c)
phase keeping(c: Card):
    ann may: keep(c)
round:
    for c in shown(ann): turning(c)
    for c in hand(ann): keeping(c)
"""


def test_a_card_of_an_open_pile_is_called_by_its_name_when_somebody_else_turns_it(tmp_path: Path) -> None:
    """Where cards lie may be hidden of some piles; which cards lie in a pile that all see is not."""
    path = tmp_path / "table.scn"
    path.write_text(OPEN_TABLE, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    machine = Playable(program)
    game = machine.start(seed=1)
    told = []
    for _ in range(2):
        decision = game.decision
        assert decision is not None
        option = decision.options[0]
        game.choose(option)
        told.append((option.label(), open_label(option, list(game.state), 1)))
    assert told[0][0].startswith("Turn ") and told[0][1] == told[0][0]
    assert told[1][0].startswith("Keep ") and told[1][1] == "Keep ?"
