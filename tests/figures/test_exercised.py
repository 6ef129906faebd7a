"""What mods exercise counts for the game's own rules, and a richer start changes the start alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dsl.ir.program import Program
from tests.figures.exercised import compiled, reported, show
from tests.figures.targets import ROOT
from tests.soak import without_largest

RICH = {"command_and_conquer": "rich.scn", "green_conquest": "rich_field.scn"}
GAME = """\
game shop:
    players ann
    rounds 3
    rulebook SH "The shop"
    index rulebook

state:
    coins: 0..9 = 0
action buy: coins loses 5                                       [SH-1]
forbid buy when coins < 5                                       [SH-2]
action look: nothing                                            [SH-3]
round:
    ann chooses:
        buy
        look
"""
INDEX = {"rules": [{"id": f"SH-{number}", "title": "A rule"} for number in (1, 2, 3)]}
MOD = """\
mod wealth for shop:
    title "Wealth"
setup: coins = 9
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.scn").write_text(GAME, encoding="utf-8")
    (tmp_path / "rulebook.json").write_text(json.dumps(INDEX), encoding="utf-8")
    (tmp_path / "wealth.scn").write_text(MOD, encoding="utf-8")
    return tmp_path


def ids(
    name: Path, mods: tuple[str, ...] = (), *, directed: bool = False, plain: int | None = None
) -> set[str]:
    found = reported(str(name), 12, directed, mods, plain)
    assert found.play.games == 12 and found.play.failures == ()
    return {each.id for each in found.rules if each.exercised}


@pytest.mark.parametrize("directed", [False, True])
def test_what_took_effect_with_a_mod_counts_for_the_rules_of_the_game(shop: Path, directed: bool) -> None:
    assert ids(shop / "shop.scn", directed=directed) == {"SH-2", "SH-3"}
    assert ids(shop / "shop.scn", (str(shop / "wealth.scn"),), directed=directed) == {"SH-1", "SH-2", "SH-3"}


@pytest.mark.parametrize("plain, taken", [(12, {"SH-2", "SH-3"}), (1, {"SH-1", "SH-2", "SH-3"})])
def test_it_can_be_said_how_many_games_are_without_a_mod(shop: Path, plain: int, taken: set[str]) -> None:
    assert ids(shop / "shop.scn", (str(shop / "wealth.scn"),), plain=plain) == taken


@pytest.mark.parametrize("game", without_largest(sorted(RICH)))
def test_a_richer_start_takes_no_rule_away_and_adds_none(game: str) -> None:
    rich = ROOT / "tests" / "figures" / RICH[game]
    assert rules(compiled(game, (str(rich),))) == rules(compiled(game))


def rules(program: Program) -> list[tuple[object, ...]]:
    """Every clause but those of the header, of the setup and of the map, which are what a start is."""
    return sorted(
        (each.kind, each.name, each.ids, each.text)
        for each in program.clauses
        if each.ids and each.kind not in {"header", "map"}
    )


def test_the_figure_has_a_line_for_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert show(2, "cristal_et_acier", directed=True) == 0
    title, _, line = capsys.readouterr().out.splitlines()
    assert title.startswith("| game | random games |")
    assert line.startswith("| cristal_et_acier | 2 | 112 |")
