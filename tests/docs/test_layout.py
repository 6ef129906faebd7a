"""Everything that authors read stands in the one layout: the games, the examples, and those of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli.main import cli
from tests.docs.layout import ROOT, laid_out, pages

FOLDERS = ("stdlib", "examples", "docs/reference", "dsl/authoring/templates")


@pytest.mark.parametrize("folder", FOLDERS)
def test_sources_are_in_the_layout(folder: str) -> None:
    if any((ROOT / folder).rglob("*.scn")):
        result = CliRunner().invoke(cli, ["format", "--check", str(ROOT / folder)])
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_are_in_the_layout(page: Path) -> None:
    """What is not, `python -m tests.docs.layout --write` brings into it."""
    text = page.read_text(encoding="utf-8")
    assert laid_out(text) == text
