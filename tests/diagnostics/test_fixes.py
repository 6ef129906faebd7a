"""Each edit that a message carries puts its own fault right: the text that it makes has fewer faults than before."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic, Diagnostics
from dsl.source import Source
from dsl.syntax.parser import parse

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
BEGINNERS = sorted((CORPUS / "beginners").glob("*.scn"))
BAD = sorted((CORPUS / "syntax/bad").glob("*.scn"))


def mended(text: str, each: Diagnostic) -> str:
    assert each.fix is not None
    return text[: each.fix.span.start] + each.fix.replacement + text[each.fix.span.end :]


def read(name: str, text: str) -> list[Diagnostic]:
    found = Diagnostics()
    parse(Source(name, text), found)
    return [each for each in found if each.is_error]


def compiled(path: Path, text: str) -> list[Diagnostic]:
    path.write_text(text, encoding="utf-8")
    return [each for each in compile_game(str(path), tests=True).diagnostics if each.is_error]


@pytest.mark.parametrize("path", BEGINNERS, ids=lambda path: path.stem)
def test_beginners_can_take_each_edit(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    copy = tmp_path / path.name
    found = compiled(copy, text)
    for each in found:
        if each.fix is not None:
            assert len(compiled(copy, mended(text, each))) < len(found), each.message


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_faults_of_the_syntax_can_take_each_edit(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = read(path.name, text)
    for each in found:
        if each.fix is not None:
            assert len(read(path.name, mended(text, each))) < len(found), each.message
