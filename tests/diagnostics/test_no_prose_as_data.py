"""Texts for people are shown and never read: with each of them garbled, the same faults are told and put right."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic, Diagnostics
from dsl.mending import mend
from tests.diagnostics.test_repeats import GAME

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
TEXTS = {
    **{each.stem: each.read_text(encoding="utf-8") for each in sorted((CORPUS / "beginners").glob("*.scn"))},
    **{each: GAME.format(declared=each) for each in ("coins", "conis", "stones")},
    "blocks": GAME.format(declared="coins").replace("action spend", "actoin spend"),
    "stray": GAME.format(declared="coins").replace(
        "    p.coins loses up to 1\n", "        p.coins loses up to up 1\n"
    ),
    "indented": GAME.format(declared="coins").replace("    wood: 0..9\n", "    wood: 0..9\n  iron: 0..9\n"),
}
MANY = TEXTS["coins"].replace("wood", "wodo", 1).replace("round: nothing", "round: earn(anm)")

Told = tuple[object, ...]


def garbled(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest() if text else ""


def told(diagnostics: Diagnostics) -> list[Told]:
    """All that is told, without the texts."""
    return [
        (each.code, _place(each.span), each.subject, _place(each.cause), len(each.labels), len(each.notes))
        + ((_place(each.fix.span), each.fix.replacement, each.fix.is_safe) if each.fix else ())
        for each in diagnostics
    ]


def _place(span: object) -> str:
    return f"{span}" if span is not None else ""


@pytest.fixture
def gibberish(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = Diagnostics.add

    def add(self: Diagnostics, each: Diagnostic) -> None:
        notes = tuple(map(garbled, each.notes))
        text = {"message": garbled(each.message), "label": garbled(each.label), "hint": garbled(each.hint)}
        keep(self, replace(each, notes=notes, **text))

    monkeypatch.setattr(Diagnostics, "add", add)


@pytest.mark.parametrize("name", TEXTS)
def test_the_same_faults_are_told(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = tmp_path / f"{name}.scn"
    path.write_text(TEXTS[name], encoding="utf-8")
    plain = told(compile_game(str(path), tests=True).diagnostics)
    request.getfixturevalue("gibberish")
    found = compile_game(str(path), tests=True).diagnostics
    assert told(found) == plain
    assert all(len(each.message) == 64 for each in found)


def test_the_same_faults_are_put_right(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = tmp_path / "river.scn"
    path.write_text(MANY, encoding="utf-8")
    plain = mend([str(path)])
    assert plain.texts
    request.getfixturevalue("gibberish")
    assert mend([str(path)]).texts == plain.texts
