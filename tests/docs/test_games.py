"""Each game has a page, and the page says of it what it says itself; commands on it run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.follow import follow
from tests.docs.games import PAGES, pages, with_told


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_a_page_is_in_step_with_its_game(page: Path) -> None:
    assert page.exists(), f"the game {page.stem} has no page"
    assert page.read_text(encoding="utf-8") == with_told(page), "run python -m tests.docs.games --write"


@pytest.mark.slow
@pytest.mark.parametrize("page", [PAGES / "README.md", *pages()], ids=lambda page: page.stem)
def test_its_commands_run(page: Path, tmp_path: Path) -> None:
    follow(page, tmp_path)
