"""What a game is called with its scenario, wherever a title stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.browser.facts import facts
from dsl.cli.main import cli
from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostics
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.codec import decode, encode
from dsl.ir.identity import identity
from dsl.ir.program import Program
from dsl.scene.reading import scene_of
from dsl.sheets.page import PAPERS
from dsl.sheets.rules import rules_of
from dsl.wasm.telling import telling

GAME = """game duel:
    title en "Duel" fr "Le duel"
    players ann, bob
    rounds 2
round:
    for p in order of play:
        p chooses:
            wait
            stay
action wait by p: nothing
action stay by p: nothing
"""
SCENARIO = """scenario dawn for duel:
    title en "At dawn" fr "À l'aube"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("duel")
    (found / "duel.scn").write_text(GAME, encoding="utf-8")
    (found / "dawn.scn").write_text(SCENARIO, encoding="utf-8")
    (found / "dusk.scn").write_text('scenario dusk for duel:\n    author "Ann"\n', encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def program(folder: Path) -> Program:
    made = compile_game(str(folder / "dawn.scn"))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program


def test_a_program_carries_what_its_scenario_is_called(program: Program) -> None:
    assert program.scenario_title is not None and program.title is not None
    again = decode(encode(program), Diagnostics())
    assert again is not None and again.scenario_title == program.scenario_title
    assert identity(replace(program, scenario_title=None)) == identity(program)


@pytest.mark.parametrize(
    ("scenario", "language", "title"),
    [
        ("dawn", "en", "Duel (At dawn)"),
        ("dawn", "fr", "Le duel (À l'aube)"),
        ("dusk", "fr", "Le duel (dusk)"),
        ("duel", "en", "Duel"),
    ],
)
def test_the_terminal_says_what_is_played(folder: Path, scenario: str, language: str, title: str) -> None:
    given = ["play", str(folder / f"{scenario}.scn"), "--auto", "--seed", "1", "--lang", language]
    assert CliRunner().invoke(cli, given, catch_exceptions=False).output.startswith(f"{title}\n")


def test_pictures_pages_and_sheets_say_it_too(program: Program) -> None:
    machine = Machine(program)
    state = Game.start(machine, seed=1).state
    assert scene_of(machine, state, None, "fr").title == "Le duel (À l'aube)"
    known = facts(machine, telling(machine), "dawn")
    assert known["title"] == {"": "Duel (At dawn)", "en": "Duel (At dawn)", "fr": "Le duel (À l'aube)"}
    (page, *_) = rules_of(program, PAPERS["a4"], "fr")
    assert "Le duel (À l'aube)" in {getattr(each, "text", "") for each in page.shapes}


def test_a_game_without_a_scenario_has_the_document_that_it_had(folder: Path) -> None:
    """So its hash, and with that every fingerprint of its games, stays."""
    made = compile_game(str(folder / "duel.scn"))
    assert made.program is not None and b"scenario_title" not in encode(made.program)
