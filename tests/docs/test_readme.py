"""What the README shows is true: its game compiles, its slip is told in these words, its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli.main import cli
from dsl.compiler import compile_game
from dsl.diagnostics.render import render_all
from tests.docs.snippets import DOCS, snippets

README = DOCS.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
PAGES = [README, *sorted(DOCS.rglob("*.md"))]


def test_the_game_compiles_and_the_slip_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (game,) = snippets(README)
    file = tmp_path / "ford.scn"
    file.write_text(game.text, encoding="utf-8")
    program = compile_game(file.name).program
    assert program is not None and program.boards, "it shows a map"
    file.write_text(game.text.replace("in around(", "in arround("), encoding="utf-8")
    told = render_all(compile_game(file.name).diagnostics, color=False)
    shown = re.search(r"^```text\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    assert shown is not None and shown[1].strip() in told


def test_the_picture_is_what_the_command_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown, command = re.search(r"\]\((docs/pictures/ford\.svg)\)\nThat is `scenarii (.*?)`", TEXT).groups()  # type: ignore[union-attr]
    (game,) = snippets(README)
    Path("ford.scn").write_text(game.text, encoding="utf-8")
    run = CliRunner().invoke(cli, command.split())
    assert run.exit_code == 0, run.output
    assert Path("ford.svg").read_text("utf-8") == (README.parent / shown).read_text("utf-8")


def test_it_fits_on_one_screen() -> None:
    assert len(TEXT.splitlines()) <= 64


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
