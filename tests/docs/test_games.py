"""Each game has a page, and the page says of it what it says itself; commands on it run."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.resources import games
from tests.docs.follow import follow
from tests.docs.games import PAGES, pages, with_told

SMALL = "cristal_et_acier"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_a_page_is_in_step_with_its_game(page: Path) -> None:
    assert page.exists(), f"the game {page.stem} has no page"
    assert page.read_text(encoding="utf-8") == with_told(page), "run python -m tests.docs.games --write"


@pytest.mark.slow
@pytest.mark.parametrize("page", [PAGES / "README.md", *pages()], ids=lambda page: page.stem)
def test_its_commands_run(
    page: Path, tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the tests of the large games, which take long and are run, in both engines, by
    `tests/testing/test_runner.py`.
    """
    monkeypatch.setenv("SCENARII_CACHE", str(shared_cache))
    tests = f"scenarii test {page.stem}"
    assert page.stem not in games() or tests in page.read_text(encoding="utf-8").splitlines()
    follow(page, tmp_path, elsewhere="" if page.stem == SMALL else tests)
