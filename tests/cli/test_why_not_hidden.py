"""`why not` tells nothing that follows from what the one who asks may not see."""

from __future__ import annotations

import pytest

from dsl.cli.asking import why_not
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.library import load

GAME = """\
game covert:
    players ann, bob
    rounds 3
table Sort:
    | id    | copies |
    | scout |      1 |
map field on squares(3, 3)
piece Unit of Sort, copies each for each Player:
    owner: Player
    at: Cell?
    rank: 1..3, seen by owner
state of Player:
    plan: 1..3, seen by self
state:
    shown: 0..9
setup:
    for p in Player: place scout of p at (a1 if p is ann else c3)
action wait by p "Wait": nothing
action march(u: Unit) by p "March {u}":
    need u.rank > 1 "too low"
    need u.owner is p "not yours"
    shown = 1
action turn(u: Unit) by p "Turn {u}": shown = 2
action praise(u: Unit) by p "Praise {u} of rank {u.rank} at {u.at}":
    need u.owner is p "no praise for others"
action brag by p "Brag":
    need bob.plan > 1 "he dare not"
    shown = 3
round:
    ann chooses:
        march(u) for u in Unit
        turn(u) for u in Unit where u.rank > 1 and u.owner is ann
        praise(u) for u in Unit where u.owner is ann
        wait
    bob chooses:
        brag
        wait
"""
ASKED = (
    "march(scout_2_1)",
    "turn(scout_2_1)",
    "brag",
    "march(scout_1_1)",
    "praise scout of rank 1 at c3",
    "praise scout of rank 3 at c3",
    "praise rank 3",
    "praise rank 1",
)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    path = tmp_path_factory.mktemp("covert") / "covert.scn"
    path.write_text(GAME, encoding="utf-8")
    return Machine(load(str(path), environment={"SCENARII_CACHE": "off"}).program)


def told(machine: Machine, rank: int, plan: int) -> dict[str, list[str]]:
    """What `why not` answers to ann, where bob's unit has a rank and he has a plan."""
    program, game = machine.program, Game.start(machine, seed=1)
    state, numbers = list(game.state), {each.name: each for each in program.vars}
    state[numbers["rank"].offset + 1], state[numbers["plan"].offset + 1] = rank, plan
    found = Game.restore(machine, packed(machine.hash, state))
    assert isinstance(found, Game) and found.decision is not None and found.decision.player_name == "ann"
    return {asked: why_not(found, asked, "en") for asked in ASKED}


def test_what_is_hidden_makes_no_difference(machine: Machine) -> None:
    answers = [told(machine, rank, plan) for rank, plan in ((1, 1), (3, 1), (1, 3), (3, 3))]
    assert all(each == answers[0] for each in answers)
    assert any("not yours" in line for line in answers[0]["march(scout_2_1)"])
    assert "u.owner is ann" in "".join(answers[0]["turn(scout_2_1)"])
    assert not any("dare" in line for line in answers[0]["brag"])


def test_what_is_ones_own_is_told(machine: Machine) -> None:
    assert any("too low" in line for line in told(machine, 1, 1)["march(scout_1_1)"])


def test_a_label_is_matched_by_what_is_computed_in_it(machine: Machine) -> None:
    """But not by what follows from a field that is hidden."""
    answers = told(machine, 1, 1)
    assert "It is offered now." in "".join(answers["praise rank 1"])
    assert not any("no praise" in line for line in answers["praise rank 3"])
