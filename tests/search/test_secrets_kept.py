"""What a player may not see changes nothing that he can ask for: the hint, the computer's choice in his place, what
stands behind his options, and what he may take back. In each game ann makes one secret after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl.cli import taking_back
from dsl.cli.taking_back import kept_by
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.odds import forecast
from dsl.odds.forecast import forecasts
from dsl.playable import Playable
from dsl.search.thinker import Thinker
from dsl.search.worlds import Worlds
from tests.figures.worlds import seen

PLAN = """\
game plan:
    players ann, bob
    rounds 1
state of Player:
    plan: 0..5, seen by self
    points: 0..9, called "Points"
value goal -> 0..5 = 0
action think(n: 0..5) by p "Think {n}": p.plan = n
action guess(n: 0..5) by p "Guess {n}":
    FOLLOWS
action settle(q: Player, n: 0..5):
    if n is ann.plan: q.points gains 1
state:
    said: 0..5
action say_it(n: 0..5) by p "Say {n}": said = n
action idle by p "Idle": nothing
round:
    ann chooses: think(n) for n in 0..5
    BEFORE
    bob chooses:
        guess(n) for n in 0..5
        say_it(n) for n in 0..5
    BEHIND
    bob chooses:
        idle
        idle "Wait"
victory p "points" when p.points > 0
"""


def plan(follows: str = "nothing", before: str = "said = 0", behind: str = "said = 0") -> str:
    return PLAN.replace("FOLLOWS", follows).replace("BEFORE", before).replace("BEHIND", behind)


def held(kind: str, written: str, read: str) -> str:
    """The same with a plan that holds several values, or a value in one of its parts."""
    text = plan(follows=f"if {read}: p.points gains 1")
    text = text.replace("plan: 0..5, seen", f"plan: {kind}, seen").replace("p.plan = n", written)
    return text.replace("if n is ann.plan", f"if {read}")


KINDS = """\
game kinds:
    players ann, bob
    rounds 1
map board on squares(3, 1)
table Sort:
    | id   | power |
    | weak |     1 |
    | mid  |     2 |
    | big  |     3 |
piece Man of Sort, one each for each Player:
    owner: Player
    at: Cell
    kind: Sort, seen by owner
state of Player:
    points: 0..9, called "Points"
action settle_weak by p "Here": place weak of p at a1
action settle_mid by p "Here": place mid of p at a1
action settle_big by p "Here": place big of p at a1
action guess(n: 1..3) by p "Guess {n}":
    for m in Man where m.owner is ann:
        if m.power is n: p.points gains 1
action idle by p "Idle": nothing
round:
    ann chooses:
        settle_weak
        settle_mid
        settle_big
    bob chooses:
        guess(n) for n in 1..3
        idle
    bob chooses:
        idle
        idle "Wait"
victory p "points" when p.points > 0
"""
SECRETLY = """\
game sealed:
    players ann, bob
    rounds 2
state of Player:
    points: 0..9, called "Points"
round:
    ann, bob secretly choose n in 0..5 "A number"
    if n[ann] is n[bob]: bob.points gains 1
    bob chooses m in 1..2 "Again"
victory p "points" when p.points > 0
"""
CARDS = """\
game cards:
    players ann, bob
    rounds 1
table Sort:
    | id   | power |
    | one  |     1 |
    | two  |     2 |
    | four |     4 |
    | five |     5 |
piece Card of Sort, one each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
pile laid of Card
state of Player:
    points: 0..9, called "Points"
setup:
    for c in Card: move c to hand(ann)
action keep(c: Card) by p "Keep {c}":
    for d in hand(p) where d is not c: move d to deck
round:
    ann chooses: keep(c) for c in hand(ann)
    for c in hand(ann):
        bob chooses n in 1..5 "How strong?"
        move c to laid
        if c.power is n: bob.points gains 1
    bob chooses m in 1..2 "Again"
victory p "points" when p.points > 0
"""

KEPT = {
    "read again": plan(behind="if said is ann.plan: bob.points gains 1"),
    "by the action": plan(follows="if n is ann.plan: p.points gains 1"),
    "in a set": held("set of 0..5", "p.plan = {n}", "n in ann.plan"),
    "not in a set": held("set of 0..5", "p.plan = {n}", "n not in ann.plan"),
    "in a list": held("list of 0..5 up to 3", "p.plan gains n", "n in ann.plan"),
    "in a record": held("(what: 0..5, more: bool)", "p.plan = (n, false)", "ann.plan.what is n"),
    "in a bag": held("bag of Player up to 5", "p.plan[ann] = n", "ann.plan[ann] is n"),
    "two together": held(
        "0..5, seen by self\n    more: 0..5",
        "\n    p.plan = n\n    p.more = n",
        "not (n is ann.plan and n is ann.more)",
    ),
    "the kind of a piece": KINDS,
    "set for a while": plan(
        follows="if n is goal: p.points gains 1", before="for the rest of round: modify goal: +ann.plan"
    ),
    "put off": plan(follows="at end of round: settle(p, n)"),
    "answered in secret": SECRETLY,
    "cards in a loop": CARDS,
}
LATER = {"read again", "put off", "answered in secret", "cards in a loop"}
"""Those in which nothing comes of it before the next question."""
TOLD = {
    "a choice": plan(
        before="ann chooses k in 0..5\n    ann.plan = k", behind="if said is k: bob.points gains 1"
    ),
    "a let": plan(before="let k = ann.plan", behind="if said is k: bob.points gains 1"),
    "set for a while": plan(
        follows="if n is goal: p.points gains 1",
        before="let k = ann.plan\n    for the rest of round: modify goal: +k",
    ),
    "put off": plan(before="at end of round: settle(bob, ann.plan)"),
}
EFFORT, SEED = "mcts:120", 3


def machine(folder: Path, text: str) -> Playable:
    path = folder / "game.scn"
    path.write_text(text, encoding="utf-8")
    found = compile_game(str(path))
    assert found.program is not None, [str(each.message) for each in found.diagnostics]
    return Playable(found.program)


def secrets(game: Game) -> Iterator[Game]:
    """The game in which ann has made each of her choices, and bob is asked."""
    assert game.player == 0
    for number in range(game.count):
        world = game.clone()
        world.choose(number)
        assert world.player == 1
        yield world


def leaks(played: Playable) -> list[str]:
    """What bob could ask for that is not the same whatever ann has chosen."""
    worlds = [*secrets(played.start(seed=1))]
    assert len(worlds) > 2
    assert len({repr(seen(each.view(1))) for each in worlds}) == 1
    thinker, found = Thinker(played), []
    advice = [thinker.advice(EFFORT, each.state, seed=SEED, made=1) for each in worlds]
    if len({repr([(e.visits, e.expectation) for e in each.options]) for each in advice}) > 1:
        found.append("hint")
    if len({thinker.choice(EFFORT, each.state, seed=SEED, made=1) for each in worlds}) > 1:
        found.append("choice")
    decisions = [each.decision for each in worlds]
    if len({forecasts(each) for each in decisions if each is not None}) > 1:
        found.append("options")
    for number in range(worlds[0].count):
        after = [each.clone() for each in worlds]
        for each in after:
            each.choose(number)
        kept = {kept_by(before, each) for before, each in zip(worlds, after, strict=True)}
        if len(kept) > 1 or ("" in kept and len({repr(seen(each.view(1))) for each in after}) > 1):
            found.append("undo")
    return sorted({*found})


@pytest.mark.parametrize("name", KEPT)
def test_what_a_player_may_not_see_changes_nothing_that_he_can_ask_for(name: str, tmp_path: Path) -> None:
    assert leaks(machine(tmp_path, KEPT[name])) == []


@pytest.mark.parametrize("name", KEPT)
def test_what_is_told_for_certain_happens_whatever_is_hidden(name: str, tmp_path: Path) -> None:
    played = machine(tmp_path, KEPT[name])
    points = next(each for each in played.program.vars if each.name == "points").offset + 1
    for world in secrets(played.start(seed=1)):
        assert world.decision is not None
        for number, told in enumerate(forecasts(world.decision)):
            after = world.clone()
            after.choose(number)
            assert ("Points +1" in told.sure) <= (after.state[points] > world.state[points])


@pytest.mark.parametrize("name", TOLD)
def test_what_would_change_it_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.scn"
    path.write_text(TOLD[name], encoding="utf-8")
    assert {each.code.id for each in compile_game(str(path)).diagnostics} == {"E0421"}


@pytest.mark.parametrize("name", KEPT)
def test_the_comparison_finds_who_thinks_and_takes_back_in_this_world_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worlds, "drawn", lambda *_: None)
    monkeypatch.setattr(taking_back, "learnt", lambda *_: False)
    monkeypatch.setattr(forecast, "_worlds", lambda _, state, viewer: [state])
    found = leaks(machine(tmp_path, KEPT[name]))
    assert "hint" in found
    assert ("options" in found) is (name not in LATER)
    assert ("undo" in found) is (
        name not in {"put off", "cards in a loop"}
    )  # shown later, or laid open for all
