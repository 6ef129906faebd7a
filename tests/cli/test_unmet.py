"""`why not` names the condition of a menu's line that fails, with what is read there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.cli.asking import why_not
from dsl.engine.game import Game
from dsl.engine.layout import bounds
from dsl.engine.machine import Machine
from dsl.ir.types import Id, Int
from dsl.library import LoadError, load
from dsl.players.random_player import RandomPlayer

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "classics" / "breakthrough"
GAME = """\
game orchard:
    players ann, bob
    rounds 3

table Tree:
    | id    | name en | fruit |
    | apple | Apple   | 3     |
    | plum  | Plum    | 5     |
state of Tree:
    owner: Player = ann
    left: 0..9 = self.fruit
state:
    rain: 0..9, called "Rain"
state of Player:
    sworn: 0..9 = 4, seen by trusted(self)
action pick(t: Tree, n: 1..5) by p: t.left loses n
action rest(q: Player) by p: nothing
action shout by p: nothing
menu orders(t: Tree, p: Player):
    pick(t, n + 1) for n in 0..4 where n < t.left when rain < 2 and t.left > 3
    shout when p.sworn > 5 and rain > 0
round:
    rain gains 1
    for p in order of play:
        p may:
            orders(t, p) for t in Tree where t.owner is p
            rest(q) for q in Player where q is not p and p.sworn > 3
value trusted(p: Player) = {p}
"""
ASKED = {
    "pick(apple, 5)": ["  pick(t, n + 1) for n in 0..4 where n < t.left when rain < 2 and t.left > 3",
                       "      `where n < t.left` does not hold: Apple, left 3 (orchard/orchard.scn:20)"],
    "pick(apple, 3)": ["  pick(t, n + 1) for n in 0..4 where n < t.left when rain < 2 and t.left > 3",
                       "      `t.left > 3` does not hold: Apple, left 3 (orchard/orchard.scn:20)"],
    "rest(ann)": ["  rest(q) for q in Player where q is not p and p.sworn > 3",
                  "      `q is not p` does not hold (orchard/orchard.scn:27)"],
    "shout": ["  shout when p.sworn > 5 and rain > 0",
              "      `p.sworn > 5` does not hold: ann, sworn 4 (orchard/orchard.scn:21)"],
}  # fmt: skip


def begun(folder: Path, text: str = GAME) -> Game:
    path = folder / "orchard" / "orchard.scn"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return Game.start(Machine(load(str(path), environment={"SCENARII_CACHE": "off"}).program), seed=1)


@pytest.mark.parametrize("asked", ASKED)
def test_the_condition_is_named_with_its_place_and_values(tmp_path: Path, asked: str) -> None:
    assert why_not(begun(tmp_path), asked, "")[1:] == ASKED[asked]


OUTER = "orders(t, p) for t in Tree where t.owner is p"
AROUND = {
    " when rain > 1": "what this line stands in asks for `rain > 1`: Rain 1",
    " when p.sworn in 2..3 and rain > 0": "what this line stands in asks for `ann.sworn in 2..3`: ann, sworn 4",
    " and rain > 1": "what this line stands in asks for `rain > 1`: Rain 1",
    " and t.left in 0..9 and t is not apple": "what this line stands in asks for `apple is not apple`",
}


@pytest.mark.parametrize("behind", AROUND)
def test_the_condition_of_a_line_around_is_named(tmp_path: Path, behind: str) -> None:
    text = GAME.replace("t.left > 3", "t.left > 2 and n in 0..4").replace(OUTER, OUTER + behind)
    line = "  pick(t, n + 1) for n in 0..4 where n < t.left when rain < 2 and t.left > 2 and n in 0..4"
    told = f"      {AROUND[behind]} (orchard/orchard.scn:20)"
    assert why_not(begun(tmp_path, text), "pick(apple, 3)", "")[1:] == [line, told]


def test_the_line_itself_is_named_where_the_line_around_it_holds(tmp_path: Path) -> None:
    text = GAME.replace(OUTER, f"{OUTER} when rain in 1..2 and p.sworn > 3")
    text = text.replace("t.left > 3", "t.left in 4..9")
    found = why_not(begun(tmp_path, text), "pick(apple, 3)", "")
    assert found[-1] == "      `t.left in 4..9` does not hold: Apple, left 3 (orchard/orchard.scn:20)"


def test_a_condition_over_several_lines_is_told_in_one(tmp_path: Path) -> None:
    text = GAME.replace("rain < 2 and t.left > 3", "(t.left > 3 or\n        rain > 5)")
    found = why_not(begun(tmp_path, text), "pick(apple, 3)", "")
    assert found[1] == "  pick(t, n + 1) for n in 0..4 where n < t.left when (t.left > 3 or"
    assert found[2].startswith("      `when t.left > 3 or rain > 5` does not hold: Apple, left 3")


def test_what_a_line_around_does_not_go_over_is_told(tmp_path: Path) -> None:
    found = why_not(
        begun(tmp_path, GAME.replace(" in Tree where", " in {plum} where")), "pick(apple, 1)", "fr"
    )
    assert found[-1] == "      ce qui contient cette ligne parcourt `{plum}` (orchard/orchard.scn:20)"


CARDS = """\
game cards:
    players ann, bob
    rounds 3

table Kind:
    | id     | cost |
    | dagger | 4    |
    | prayer | 5    |
piece Card of Kind, up to 4 each:
    owner: Player?
pile deck of Card, seen by none
pile heap of Card
setup ann: place 4 dagger in deck
action play(n: 1..3) by p: nothing
action rest by p: nothing
menu orders: play(n) for n in 1..3
round:
    let c = first k in deck
    for p in order of play:
        p may:
            orders when c is not none and c.cost < 3
            rest
"""


def test_a_card_has_its_name_where_it_is_seen(tmp_path: Path) -> None:
    found = why_not(begun(tmp_path, CARDS.replace("in deck", "in heap")), "play(2)", "")
    told = "      what this line stands in asks for `dagger_4.cost < 3` (cards/orchard.scn:16)"
    assert found[1:] == ["  menu orders: play(n) for n in 1..3", told]


def test_a_card_that_is_not_seen_decides_nothing(tmp_path: Path) -> None:
    """So there is nothing to tell of it."""
    with pytest.raises(LoadError, match="gives a secret away"):
        begun(tmp_path, CARDS)


def test_each_question_about_a_whole_game_is_answered() -> None:
    """Whatever is asked, at any moment of a random game, has an answer of its own."""
    machine = Machine(load(str(EXAMPLE)).program)
    game, player, r = Game.start(machine, seed=3), RandomPlayer(3), random.Random(3)
    answered = 0
    for _ in range(30):
        if not game.count:
            break
        assert game.decision is not None
        offered = {each.action for each in game.decision.end.offers if each.action is not None}
        for action in [machine.program.actions[each] for each in sorted(offered)]:
            if all(isinstance(kind, Id | Int) for kind in action.params):
                args = [r.randint(*bounds(machine.program, kind)) for kind in action.params]
                if action.by is not None:
                    args[action.by] = game.decision.player
                found = game.why_not(action.name, args)
                assert found.offered or found.refusals or found.unmet
                answered += 1
        game.choose(player.index(game.count))
    assert answered > 20


STEPS = """\
game steps:
    players ann, bob
    rounds 3

state:
    n: 0..9

action raw(k: 1..3) by p "Step {k}": n gains up to k
action step_out(k: 1..3) by p "Step {k}":
    need k < 3 "too far"
    raw(k)
action rest by p "Rest": nothing
action stand by p "Stand still": nothing

round:
    for p in order of play:
        p chooses:
            step_out(k) for k in 1..3
            rest "Stand still"
"""


def test_of_actions_with_one_label_the_one_that_is_asked_for_answers(tmp_path: Path) -> None:
    """What is offered is said to be, and what is refused tells by what, also where an earlier action is called so."""
    game = begun(tmp_path, STEPS)
    assert why_not(game, "step 1", "") == ["It is offered now."]
    assert why_not(game, "step 3", "") == ["Not now, because:", "  too far"]
    assert why_not(game, "step", "") == [
        "3 actions are called like that:",
        "Step 3",
        "  Not now, because:",
        "    too far",
        "Step 1, Step 2",
        "  It is offered now.",
    ]


@pytest.mark.parametrize("asked", ["stand still", "still"])
def test_an_option_with_the_words_of_another_action_is_offered(tmp_path: Path, asked: str) -> None:
    assert why_not(begun(tmp_path, STEPS), asked, "")[-1].strip() == "It is offered now."
