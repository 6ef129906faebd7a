"""A mod that makes lines of the game a fault is told at its own line, with the game's line beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic
from tests.shipped import built

ROOT = Path(__file__).resolve().parents[2]
VOLLEY = str(ROOT / "tests" / "thorns" / "volley")


def first_of(folder: Path, game: str, clauses: str) -> Diagnostic:
    """The first error of a game with a mod of these clauses; without the mod it has none."""
    path = folder / "one.scn"
    path.write_text(f'mod one for {Path(game).stem}:\n    note "a mod"\n{clauses}\n', encoding="utf-8")
    assert not built(game).diagnostics.has_errors
    return next(each for each in compile_game(game, [str(path)]).diagnostics if each.is_error)


FAULTS = {
    "asked_within_what_happens_together": (
        "instead of strike when t.wounds > 3:\n    p.losses gains 1",
        "E0414",
        "instead of strike",
        "together:",
    ),
    "asks_within_what_happens_together": (
        'instead of strike when n > 1:\n    p chooses x in 1..3 en "How many?"\n    p.losses = x',
        "E0414",
        "p chooses x",
        "strike",
    ),
    "an_action_leads_back": (
        "after strike when n > 2: strike(t, p, n)",
        "E0403",
        "strike(t, p, n)",
        "strike",
    ),
    "an_action_leads_back_through_another": (
        "after recover: again(f)\naction again(f: Figure): recover(f)",
        "E0403",
        "again(f)",
        "recover",
    ),
    "a_value_leads_back": (
        "modify hp: +1 when total > 3\nvalue total -> 0..999 = (sum hp(u) for u in Figure)",
        "E0403",
        "modify hp",
        "hp",
    ),
    "a_prohibition_leads_back": (
        "forbid strike when legal strike(t, p, 1)",
        "E0403",
        "forbid strike",
        "strike",
    ),
    "a_clause_that_another_names_is_removed": ("remove [VO-10]", "E0401", "remove [VO-10]", "[VO-10]"),
    "nothing_says_which_comes_first": (
        "after strike when n > 2:\n    p.losses = 0",
        "E0420",
        "after strike when n > 2",
        "after strike when t is not gone",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_the_mod_is_told_at_its_line(kind: str, tmp_path: Path) -> None:
    clauses, code, here, there = FAULTS[kind]
    found = first_of(tmp_path, VOLLEY, clauses)
    assert found.code.id == code
    assert found.span is not None and Path(found.file).name == "one.scn"
    assert found.span.text.startswith(here)
    assert any(
        Path(each.span.source.name).name == "volley.scn" and each.span.text.startswith(there)
        for each in found.labels
    )


def test_a_modifier_that_reads_what_happens_together(tmp_path: Path) -> None:
    clauses = "modify armour: +1 when t is Unit and t.damage > 0"
    path = tmp_path / "one.scn"
    path.write_text(f'mod one for command_and_conquer:\n    note "a mod"\n{clauses}\n', encoding="utf-8")
    found = [each for each in compile_game("command_and_conquer", [str(path)]).diagnostics if each.is_error]
    assert [(each.code.id, Path(each.file).name) for each in found] == [("E0414", "one.scn")]
    assert [Path(each.span.source.name).name for each in found[0].labels] == ["strikes.scn"]
    assert "leave `damage` out of this" in found[0].hint


@pytest.mark.parametrize("own", ["t", "k"])
def test_a_situation_calls_things_as_the_clause_does(own: str, tmp_path: Path) -> None:
    """Also what a field of them is, where the parameter is of a union."""
    clauses = (
        "modify hp(v): becomes 3 when v is knight\n"
        f"modify hp({own}): becomes 4 when {own}.owner is red and {own}.wounds > 2"
    )
    found = first_of(tmp_path, VOLLEY, clauses)
    assert found.code.id == "E0405"
    note = " ".join(found.notes)
    assert f"{own} is knight" in note and f"{own}.owner is red" in note and f"{own}.wounds is 3" in note


def test_a_situation_of_a_column_calls_the_row_as_the_clause_does(tmp_path: Path) -> None:
    clauses = "modify Kind.hp(k): becomes 3 when k is knight\nmodify Kind.hp(k): becomes 4 when k.harm < 3"
    found = first_of(tmp_path, VOLLEY, clauses)
    assert found.code.id == "E0405"
    assert "k is knight" in " ".join(found.notes) and "self" not in " ".join(found.notes)
