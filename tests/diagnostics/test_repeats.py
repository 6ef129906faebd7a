"""A name that is missing where it is declared is one mistake, however often it is used."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.diagnostics import Code, Diagnostic, Subject

GAME = """\
game river:
    players ann, bob
    rounds 3

state of Player:
    {declared}: 0..9
    wood: 0..9
action earn by p:
    p.coins gains up to 1
action spend by p:
    p.coins loses up to 1
    p.wood gains up to 1
action trade by p:
    p.coins = 2
    p.wodo gains up to 1
    p.wodo loses up to 1
round: nothing
"""


def told(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "river.scn"
    path.write_text(text, encoding="utf-8")
    return list(compile_game(str(path), tests=True).diagnostics)


def test_a_misspelt_declaration_is_told_once_with_all_its_uses(tmp_path: Path) -> None:
    first, *misspelt = told(tmp_path, GAME.format(declared="conis"))
    assert first.message == "Player has no field `coins`"
    assert first.notes == ("`coins` is used in 2 more places: lines 11 and 14",)
    assert "did you mean `conis`?" in first.hint and "where it is declared" in first.hint
    assert first.fix is not None and not first.fix.is_safe
    assert [each.span.line for each in misspelt if each.span is not None] == [15, 16]


def test_a_declaration_that_is_not_there_is_told_once(tmp_path: Path) -> None:
    first, *_ = told(tmp_path, GAME.format(declared="stones"))
    assert first.message == "Player has no field `coins`"
    assert first.notes == ("`coins` is used in 2 more places: lines 11 and 14",)
    assert first.fix is None


def test_an_unknown_name_is_the_subject_of_its_message(tmp_path: Path) -> None:
    text = GAME.format(declared="coins").replace("round: nothing", "round:\n    for p in Player: pluck(p)")
    subjects = {each.subject for each in told(tmp_path, text + 'forbid earnn when true "no"\n')}
    wanted = {Subject("field", "wodo", "Player"), Subject("action", "pluck"), Subject("action", "earnn")}
    assert wanted <= subjects


def test_a_use_that_is_misspelt_is_told_in_each_place(tmp_path: Path) -> None:
    found = told(tmp_path, GAME.format(declared="coins"))
    assert [each.code for each in found] == [Code.UNKNOWN_NAME] * 2
    assert all(each.fix is not None and each.fix.replacement == "wood" for each in found)


def test_rows_without_names_are_the_only_mistake(tmp_path: Path) -> None:
    head = "    | copies |\n    | 2      |\n    | 3      |\n"
    text = f"game river:\n    players ann, bob\n    rounds 3\n\ntable Card:\n{head}piece Sheet of Card, copies each:\n"
    text += (
        "    owner: Player\n    at: Player?\nsetup ann: place coin at bob; place gem at ann\nround: nothing\n"
    )
    (first,) = told(tmp_path, text)
    assert first.code is Code.BAD_CELL
