"""Who can only pass is not asked where all see it; where only he sees it, he is."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """
game talk:
    players ann, bob
    rounds 2
state of Player:
    mood: 0..9 = 1, seen by self
    tired: bool
    left: 0..3 = 1
state:
    storm: bool = false
    talks: 0..9
value calm -> bool = not storm
action speak(n: 0..3) by p "Speak {n}":
    need n <= p.mood
    need not p.tired "tired"
    p.tired = true
forbid speak when storm and n is 0
window talking of ann, bob as who, in turn until all pass:
    speak(n) for n in 0..3 WHEN
round:
    open talking
    talks gains 1
"""


def asked(tmp_path: Path, when: str, *edits: tuple[str, str]) -> tuple[int, int]:
    """How many questions come before the end if all pass or speak once, and how often nobody could speak."""
    text = GAME.replace("WHEN", when)
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "talk.scn"
    file.write_text(text, encoding="utf-8")
    result = compile_game(str(file))
    assert result.program is not None, result.diagnostics
    game, questions, alone = Game.start(Machine(result.program), seed=1), 0, 0
    while game.decision is not None:
        questions += 1
        alone += game.count == 1
        game.choose(0)
    return questions, alone


@pytest.mark.parametrize(
    ("when", "edits", "expected"),
    [
        ("", (), (2, 0)),  # each speaks once, and is tired for the next round
        ("when calm", (), (2, 0)),
        ("when not calm", (), (0, 0)),  # all see the weather
        ("when who is ann", (), (1, 0)),
        ("when n > 1 and calm", (), (4, 4)),  # what is read behind the range may rest on it
        ("when who.mood > 1", (), (4, 4)),  # bob's mood is his own
        ("when who.mood > 1 and not calm", (), (4, 4)),  # and what stands behind it is not read
        ("where n > who.mood when storm", (), (0, 0)),  # but for what cannot fail
        ("", (('    need not p.tired "tired"\n', '    need p.mood < 9 and not p.tired "tired"\n'),), (6, 4)),
    ],
)
def test_who_is_asked(
    tmp_path: Path, when: str, edits: tuple[tuple[str, str], ...], expected: tuple[int, int]
) -> None:
    assert asked(tmp_path, when, *edits) == expected


@pytest.mark.parametrize(("most", "expected"), [(0, (2, 0)), (-1, (0, 0))])
def test_options_that_all_see_count(tmp_path: Path, most: int, expected: tuple[int, int]) -> None:
    """Beside a line about a secret, which nobody can choose now, stands one whose options all see."""
    line = f"for n in 0..3 when storm\n    rest(m) for m in 0..3 where m <= {most}"
    rest = 'action rest(m: 0..3) by p "Rest":\n    need not p.tired\n    p.tired = true\nround:\n'
    assert asked(tmp_path, "when storm", ("for n in 0..3 when storm", line), ("round:\n", rest)) == expected


def test_a_need_that_may_be_lifted_is_no_reason(tmp_path: Path) -> None:
    need = '    need not p.tired "tired"\n'
    cited = '    need not p.tired "tired" [house, tiredness]\n'
    lift = "forbid speak when storm and n is 0\n"
    lifted = f"{lift}allow speak when p.left > 2, over [tiredness]\n"
    assert asked(tmp_path, "", (need, cited), (lift, lifted)) == (6, 4)
