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
from dsl.library import load
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
    sworn: 0..9 = 4, seen by self
action pick(t: Tree, n: 1..5) by p: t.left loses n
action rest(q: Player) by p: nothing
action shout by p: nothing
menu orders(t: Tree, p: Player):
    pick(t, n + 1) for n in 0..4 where n < t.left when rain < 2 and t.left > 3
    shout when p.sworn > 5 and opponent(p).sworn > 5
round:
    rain gains 1
    for p in order of play:
        p may:
            orders(t, p) for t in Tree where t.owner is p
            rest(q) for q in Player where q is not p and p.sworn > 3
"""
ASKED = {
    "pick(apple, 5)": ["  pick(t, n + 1) for n in 0..4 where n < t.left when rain < 2 and t.left > 3",
                       "      `where n < t.left` does not hold: Apple, left 3 (orchard/orchard.scn:20)"],
    "pick(apple, 3)": ["  pick(t, n + 1) for n in 0..4 where n < t.left when rain < 2 and t.left > 3",
                       "      `t.left > 3` does not hold: Apple, left 3 (orchard/orchard.scn:20)"],
    "rest(ann)": ["  rest(q) for q in Player where q is not p and p.sworn > 3",
                  "      `q is not p` does not hold (orchard/orchard.scn:27)"],
    "shout": ["  shout when p.sworn > 5 and opponent(p).sworn > 5",
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


def test_of_secrets_no_value_is_told(tmp_path: Path) -> None:
    text = GAME.replace("0..9 = 4", "0..9 = 7").replace("opponent(p).sworn > 5", "opponent(p).sworn > 8")
    found = why_not(begun(tmp_path, text), "shout", "")
    assert found[-1] == "      `opponent(p).sworn > 8` does not hold (orchard/orchard.scn:21)"


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
