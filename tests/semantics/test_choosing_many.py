"""Questions that are asked several times say how often, and show nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """game many:
    players ann, bob
    rounds 1
table Kind:
    | id   | copies |
    | star |      4 |
    | moon |      4 |
piece Card of Kind, copies each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
state:
    most: 0..3 = 2
setup:
    shuffle deck
    for p in Player: draw 4 from deck to hand(p)
round:
    ann chooses {what}
    bob chooses last in 1..2 "Last?"
"""


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ('exactly 2 kept in hand(ann) en "Which?" fr "Lesquelles ?"', ["Which? (1/2)", "Which? (2/2)"]),
        ("up to 3 kept in 1..9", ["(1/3)", "(2/3)", "(3/3)"]),
        ('exactly 1 kept in 1..9 "Which?"', ["Which?"]),
        ('up to most kept in 1..9 "Which?"', ["Which?", "Which?"]),
    ],
)
def test_a_question_says_how_often_it_is_asked(tmp_path: Path, what: str, asked: list[str]) -> None:
    path = tmp_path / "many.scn"
    path.write_text(GAME.replace("{what}", what), encoding="utf-8")
    found = compile_game(str(path))
    assert [str(each.message) for each in found.diagnostics] == []
    assert found.program is not None
    game, prompts = Game.start(Machine(found.program), seed=1), []
    while game.decision is not None:
        prompts.append(game.decision.prompt)
        if "Which? (" in prompts[-1]:
            assert game.decision.prompt_in("fr") == prompts[-1].replace("Which?", "Lesquelles ?")
        game.choose(0)
    assert prompts == [*asked, "Last?"]
