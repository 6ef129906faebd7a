"""Two choices of an option or ruling, or two modes, that read alike are told at the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.catalogue import told
from dsl.compiler import compile_game
from dsl.diagnostics import Code

GAME = """game choices:
    title en "Choices" fr "Choix"
    players ann, bob
    rounds 2
{line}
round:
    for p in order of play:
        p chooses:
            wait
            stay
action wait by p: nothing
action stay by p: nothing
"""


def found(folder: Path, line: str) -> list[tuple[str, str, int, str]]:
    path = folder / "choices.scn"
    path.write_text(GAME.replace("{line}", line), encoding="utf-8")
    return [
        (each.code, told(each.message, "fr"), each.span.line, each.span.text)
        for each in compile_game(str(path)).diagnostics
        if each.code == Code.DUPLICATE_NAME
    ]


@pytest.mark.parametrize(
    ("line", "message", "at"),
    [
        (
            'option pace: slow "Steady" | even "Steady" | fast "Quick" = fast',
            "deux choix de `pace` se lisent « Steady »",
            '"Steady"',
        ),
        (
            'option pace: slow en "Slow" fr "Posé" | even en "Even" fr "Posé" = even',
            "deux choix de `pace` se lisent « Posé »",
            'en "Even" fr "Posé"',
        ),
        (
            'option pace: slow | even "slow" = even',
            "deux choix de `pace` se lisent « slow »",
            '"slow"',
        ),
    ],
)
def test_two_choices_with_the_same_words_are_told(tmp_path: Path, line: str, message: str, at: str) -> None:
    ((_, text, row, span),) = found(tmp_path, line)
    assert text.replace("\N{NO-BREAK SPACE}", " ") == message
    assert (row, span) == (5, at)


def test_modes_are_told_too(tmp_path: Path) -> None:
    modes = 'mode calm "Game": nothing\nmode wild "Game": nothing'
    ((_, text, row, _),) = found(tmp_path, modes)
    assert "mode" in text and row == 6


def test_choices_with_words_of_their_own_are_not(tmp_path: Path) -> None:
    assert found(tmp_path, 'option pace: slow "Slow" | even | fast "Fast" = even') == []
