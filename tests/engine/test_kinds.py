"""Pieces whose kind not everybody sees: what each player reads, and what numbers tell."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dsl.authoring.survey import sections
from dsl.cli.board import drawings
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.kinds import kinds_at_first
from dsl.engine.machine import Machine
from dsl.engine.views import HIDDEN
from dsl.ir.program import Program
from tests.wasm.agree import agreed
from tests.wasm.soak import machine_of

ROOT = Path(__file__).parents[2]
VEILED = ROOT / "tests" / "figures" / "hidden" / "veiled.scn"
KINDS = ROOT / "tests" / "corpus" / "language" / "good" / "hidden_kinds.scn"
ANN, BOB = 0, 1


def program_of(path: Path) -> Program:
    program = compile_game(str(path)).program
    assert program is not None
    return program


@pytest.fixture(scope="module")
def game() -> Game:
    return Game.start(Machine(program_of(VEILED)), seed=3, telling=True)


def words(game: Game) -> set[str]:
    assert game.decision is not None
    return {option.label() for option in game.decision.options}


def test_whoever_chooses_reads_the_kinds_that_he_sees(game: Game) -> None:
    found = words(game)
    assert {"Turn up Scout", "Turn up Guard", "Turn up Spy", "Guess that Man is Spy"} <= found
    assert not {"Turn up Man", "Guess that Spy is Spy"} & found


def test_a_view_has_the_kinds_of_ones_own_pieces_in_play(game: Game) -> None:
    for player, other in ((ANN, BOB), (BOB, ANN)):
        kinds = game.view(player).values["kind"]
        assert isinstance(kinds, dict)
        seen = [kinds[f"man_{player + 1}_{n}"] is not HIDDEN for n in range(1, 9)]
        assert seen == [True] * 6 + [False] * 2  # six are in play, two in the supply
        assert all(kinds[f"man_{other + 1}_{n}"] is HIDDEN for n in range(1, 9))


def test_the_log_names_a_kind_to_whom_sees_it() -> None:
    game = Game.start(Machine(program_of(VEILED)), seed=3, telling=True)
    assert game.decision is not None
    option = next(each for each in game.decision.options if each.label().startswith("Scout goes"))
    game.choose(option.raw)
    where = option.label().removeprefix("Scout ")
    assert f"Scout {where}" in game.view(ANN).told()
    assert f"Man {where}" in game.view(BOB).told()
    assert not any("Scout" in line for line in game.view(BOB).told())


def test_the_board_shows_a_kind_to_whom_sees_it(game: Game) -> None:
    legends = []
    for viewer in (ANN, BOB, None):
        (drawing,) = drawings(game.machine, list(game.state), viewer, "")
        legends.append({each.plain.split(" ", 1)[1] for each in drawing.legend})
    assert {"Man", "Scout", "Guard", "Spy"} <= legends[ANN] == legends[BOB]
    assert "Man" not in legends[2]


def test_the_first_piece_in_the_supply_comes_into_play_whatever_it_is() -> None:
    program = program_of(KINDS)
    var = next(each for each in program.vars if each.role == "in_play")
    taken = [
        Game.start(Machine(program), seed=seed).state[var.offset : var.offset + var.width]
        for seed in range(3)
    ]
    assert taken == [(0b11,)] * 3


@pytest.mark.parametrize("path", [VEILED, KINDS], ids=lambda path: path.stem)
def test_both_engines_play_alike(path: Path) -> None:
    tally = agreed(machine_of(str(path)), range(6), 120, mode="")
    assert not tally.differences
    assert tally.decisions > 20


def test_a_survey_counts_the_pieces_of_each_kind() -> None:
    program = program_of(VEILED)
    (pool,) = program.pools
    found = kinds_at_first(program, pool)
    assert found is not None
    assert Counter(found.values) == {0: 6, 1: 6, 2: 4}
    (section,) = (each for each in sections(program) if each.kind == "pieces")
    assert [line.cells for line in section.rows] == [("scout", "6"), ("guard", "6"), ("spy", "4")]
