"""Versions of the language and of games: what fits, and what is told where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game

GAME = "game march:\n    players ann\n    rounds 2\n{0}round: nothing\n"


def told(folder: Path, game: str, mod: str) -> list[tuple[str, str]]:
    (folder / "march.scn").write_text(GAME.format(game), encoding="utf-8")
    path = folder / "night.scn"
    path.write_text(f'mod night for march:\n    note "dark"\n{mod}', encoding="utf-8")
    return [
        (each.code.id, each.message)
        for each in compile_game(str(folder / "march.scn"), [str(path)]).diagnostics
    ]


@pytest.mark.parametrize("version", ["1.2", "1.2.0", "1.3", "1.10", "1.2.9"])
def test_a_version_with_the_same_first_number_that_is_not_older_fits(version: str, tmp_path: Path) -> None:
    assert told(tmp_path, f'    version "{version}"\n', '    needs "1.2"\n') == []


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ('    version "1.1.9"\n', "and this is 1.1.9"),
        ('    version "2.0"\n', "and this is 2.0"),
        ('    version "first"\n', "says no version"),
        ("", "says no version"),
    ],
)
def test_another_version_does_not_fit(game: str, words: str, tmp_path: Path) -> None:
    ((code, message),) = told(tmp_path, game, '    needs "1.2"\n')
    assert code == "E0014"
    assert words in message


def test_a_newer_language_is_told_before_what_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "later.scn"
    text = "game later:\n    players ann\n    language 2\n    rounds 2\nround: nothing\nweather sunny 3\n"
    path.write_text(text, encoding="utf-8")
    found = list(compile_game(str(path)).diagnostics.sorted())
    assert found[0].code.id == "E0014"
    assert found[0].hint.startswith("a newer Scenarii")


def test_what_is_no_version(tmp_path: Path) -> None:
    ((code, message),) = told(tmp_path, '    version "1.2"\n', '    needs "soon"\n')
    assert (code, message) == ("E0014", "`soon` is no version")
