"""The tutorial and the how-tos hold when they are followed to the letter; the site builds without a warning."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.follow import BLOCK, WRITING, blocks, follow
from tests.docs.snippets import DOCS

FOLDERS = ("tutorial", "howto", "internals")
STARTED = {"first_scenario", "find_the_odds"}
"""Pages that are followed with a new Python for each command; the commands of the others are forked."""
PAGES = [page for folder in FOLDERS for page in sorted((DOCS / folder).glob("*.md"))]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_holds_when_followed(
    page: Path, tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCENARII_CACHE", str(shared_cache))
    folder = tmp_path / "here"
    folder.mkdir()
    assert any(block.language == "sh" for block in blocks(page)), "a page that runs nothing proves nothing"
    follow(page, folder, started=page.stem in STARTED)


@pytest.mark.parametrize("page", [*PAGES, DOCS / "reference" / "cli.md"], ids=lambda page: page.stem)
def test_the_text_says_into_which_file_a_block_goes(page: Path) -> None:
    """What stands behind the fence of a block is not shown everywhere: the file named last is the block's own."""
    text, wrong, named = page.read_text(encoding="utf-8"), [], ""
    at = 0
    for found in BLOCK.finditer(text):
        for each in re.findall(r"`([\w./]+\.scn)`", text[at : found.start()]):
            named = each
        at = found.end()
        info = dict(word.partition("=")[::2] for word in found[2].split())
        wanted = next((info[key] for key in WRITING if key in info), named)
        if found[1] == "scn" and wanted != named:
            wrong.append((text.count("\n", 0, found.start()) + 1, wanted, named))
    assert not wrong


def test_there_are_pages_whose_commands_are_started() -> None:
    assert {each.stem for each in PAGES} > STARTED


def test_a_false_word_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\nscenarii --version\n```\n```text\nnothing like it\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"page\.md:4: expected"):
        follow(page, tmp_path)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=DOCS.parent,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "site/reference/language/rules/index.html").read_text(encoding="utf-8")
    assert re.search(r'<span class="kd?">modify</span>', page), "sources are coloured"


@pytest.mark.parametrize("page", sorted((DOCS / "internals").glob("*.md")), ids=lambda page: page.stem)
def test_the_files_that_the_internals_name_are_there(page: Path) -> None:
    named = re.findall(r"`((?:dsl|grammar|tests|docs)/[\w/.]+)`", page.read_text(encoding="utf-8"))
    assert named
    assert [each for each in named if not (DOCS.parent / each).exists()] == []
