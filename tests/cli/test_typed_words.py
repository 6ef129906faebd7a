"""What is typed at the prompt beside the names of commands: other words for them, hyphens for minus."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.cli.story import Teller
from dsl.library import load
from dsl.players.seats import HUMAN
from tests.cli.test_person import Sitting

GAME = """game depths:
    players ann
    rounds 9
state:
    depth: -9..9 = -2, called en "Depth" fr "Profondeur"
table Thing:
    | id    | name en | name fr |
    | book  | Book    | Livre   |
    | board | Plank   | Planche |
round:
    ann chooses:
        go(-3)
        go(2)
        write
action go(n: -9..9) by p en "go to {n}" fr "aller en {n}": depth = n
action write by p en "write a letter" fr "écrire une lettre": nothing
"""


def played(folder: Path, *typed: str, language: str = "") -> str:
    path = folder / "depths.scn"
    path.write_text(GAME, encoding="utf-8")
    sitting = Sitting(load(path), [*typed, "quit"], (HUMAN,))
    sitting.table.teller = Teller(sitting.table.machine, language, 0)
    return sitting.play()


@pytest.mark.parametrize("typed", ["go to -3", "-3", "go to \N{MINUS SIGN}3"])
def test_numbers_below_zero_have_the_sign_of_minus_and_are_typed_with_either(
    tmp_path: Path, typed: str
) -> None:
    shown = played(tmp_path, typed)
    assert "Depth \N{MINUS SIGN}2" in shown and "go to \N{MINUS SIGN}3" in shown
    assert "Depth \N{MINUS SIGN}2 → \N{MINUS SIGN}3" in shown
    assert "Depth -" not in shown


def test_other_words_for_commands(tmp_path: Path) -> None:
    at = tmp_path / "kept.save.json"
    assert "enregistrée dans" in played(tmp_path, f"Sauvegarder {at}", language="fr")
    assert at.exists()
    shown = played(tmp_path, "examine book", "inspect plank", "status")
    assert shown.count("Book") == 1 and shown.count("Plank") == 1


def test_an_option_with_such_a_word_comes_first(tmp_path: Path) -> None:
    assert "write a letter" in played(tmp_path, "write").rpartition("write\n")[2]
    assert "saved in" not in played(tmp_path, "write").rpartition("quit")[0]
