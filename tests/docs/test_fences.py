"""No block of the documentation goes unchecked: each is followed, compiled, or compared with what it shows.

The one way out is the word `hint` behind the fence: a picture of something that no program prints, each counted below.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.cli.main import cli
from dsl.diagnostics import Code
from tests.docs.follow import SECONDS, Block, blocks, follow
from tests.docs.snippets import DOCS
from tests.forked import forked
from tests.test_bad_input import GAME

ERRORS = DOCS / "reference/errors"
FOLLOWED = [DOCS / "reference/cli.md", DOCS / "reference/rules.md", DOCS / "reference/python.md"]
OTHERS = {
    DOCS.parent / "README.md": (
        {"scn", "text", "sh"},
        "test_readme, and the command that builds from nothing",
    ),
    DOCS / "reference/prelude.md": ({"text"}, "test_prelude"),
}
FOLDERS = {
    DOCS / "reference/language": ({"scn"}, "test_language_reference"),
    DOCS / "reference/errors": ({"scn"}, "test_error_pages"),
    **{
        DOCS / each: ({"scn", "sh", "text", "python", "json"}, "test_follow")
        for each in ("tutorial", "howto")
    },
    DOCS / "internals": ({"scn", "sh", "text", "python", "json"}, "test_follow"),
    DOCS / "games": ({"sh", "text"}, "test_games"),
}
PICTURES = {
    "ir.md": 2,
    "figures.md": 1,
    "0001-the-language-on-paper.md": 1,
    "index.md": 1,
    "passes.md": 1,
    "pipeline.md": 1,
    "cli.md": 3,
    "me_ccg.md": 1,
    "python.md": 11,  # the examples of docstrings, which test_interface runs
}
"""How many pictures a page may have."""
PAGES = [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS.parent).as_posix())
def test_every_block_is_checked(page: Path) -> None:
    own, _ = OTHERS.get(page, (set(), ""))
    around, _ = FOLDERS.get(page.parent, (set(), ""))
    pictures = 0
    for block in blocks(page):
        pictures += "hint" in block.info and block.page == page
        known = block.language in own | around or page in FOLLOWED or _of_an_error(block)
        assert known or "hint" in block.info, f"{block}: nothing checks this block"
    fences = page.read_text(encoding="utf-8").count("\n```")
    assert fences == 2 * sum(block.page == page for block in blocks(page)), "a fence without a language"
    assert pictures <= PICTURES.get(page.name, 0) or page.parent.name in {"tutorial", "howto"}


def _of_an_error(block: Block) -> bool:
    return block.page.parent == ERRORS and (block.language == "sh" or block.page.stem in MADE)


@pytest.mark.slow
@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: page.stem)
def test_a_page_of_the_reference_holds_when_followed(
    page: Path, tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCENARII_CACHE", str(shared_cache))
    folder = tmp_path / "here"
    folder.mkdir()
    follow(page, folder)


def test_every_command_is_run_on_the_page_of_commands() -> None:
    lines = [
        line for block in blocks(FOLLOWED[0]) if block.language == "sh" for line in block.text.splitlines()
    ]
    assert {line.split()[1] for line in lines} >= set(cli.commands)
    text = FOLLOWED[0].read_text(encoding="utf-8")
    missing = [
        f"{name} {option}"
        for name, command in cli.commands.items()
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--") and f"{option}" not in text
    ]
    assert not missing, "options that the page does not name"


# ---------------------------------------------------------------- pages of errors in files


def _valley(folder: Path) -> Path:
    made = folder / "vallee"
    made.mkdir(exist_ok=True)
    (made / "rules.scn").write_text(GAME, encoding="utf-8")
    return made


def _sources(folder: Path, **files: str | bytes) -> list[str]:
    made = _valley(folder)
    for name, text in files.items():
        data = text.encode() if isinstance(text, str) else text
        (made / f"{name}.scn").write_bytes(data)
    return ["check", "vallee"]


def _linked(folder: Path, *, link: bool) -> list[str]:
    made, elsewhere = _valley(folder), folder / "map.scn"
    (made / "rules.scn").write_text(f"import map\n{GAME}", encoding="utf-8")
    elsewhere.write_text("value one = 1\n", encoding="utf-8")
    if link:
        (made / "map.scn").symlink_to(elsewhere)
    else:
        (made / "map.scn").write_bytes(elsewhere.read_bytes())
    return ["check", "vallee"]


def _index(folder: Path, text: str) -> list[str]:
    made = _valley(folder)
    game = GAME.replace('rulebook S "Small"', 'rulebook CA "Small"\n    index rulebook').replace("[S-1]", "")
    (made / "rules.scn").write_text(game, encoding="utf-8")
    (made / "rulebook.json").write_text(text, encoding="utf-8")
    return ["check", "vallee"]


def _compiled(folder: Path, spoil: Callable[[str], str] = str) -> list[str]:
    _run(folder, ["compile", str(_valley(folder)), "-o", "vallee.ir.json"])
    path = folder / "vallee.ir.json"
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    return ["check", "vallee.ir.json"]


def _saved(folder: Path, spoil: Callable[[str], str] = str, *, then: str = "") -> list[str]:
    made = _valley(folder)
    _run(folder, ["play", "vallee", "--auto", "--seed", "1", "--record", "save.json"])
    path = folder / "save.json"
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    (made / "rules.scn").write_text(
        GAME.replace("0..9 = 1", f"0..9 = {then}") if then else GAME, encoding="utf-8"
    )
    return ["play", "--load", "save.json", "--auto"]


def _ranges(text: str) -> str:
    assert '"low":0,"high":9' in text
    return text.replace('"low":0,"high":9', '"low":9,"high":0')


def _blocks(code: str) -> list[Block]:
    return list(blocks(ERRORS / f"{code}.md"))


MADE: dict[str, tuple[Callable[[Path], list[str]], Callable[[Path], list[str]]]] = {
    "E0002": (
        lambda folder: _sources(folder, everything="# full\n" * 500_000),
        lambda folder: _sources(folder, maps="# one\n"),
    ),
    "E0003": (
        lambda folder: _sources(folder, words='value forest = 1 # "For\xeat"\n'.encode("latin-1")),
        lambda folder: _sources(folder, words='value forest = 1 # "Forêt"\n'),
    ),
    "E0004": (lambda folder: _sources(folder, map=b"\x89PNG\r\n\x00\x00"), _sources),
    "E0005": (lambda folder: _sources(folder, rules=""), _sources),
    "E0007": (lambda folder: _linked(folder, link=True), lambda folder: _linked(folder, link=False)),
    "E0013": (
        lambda folder: _index(folder, _blocks("E0013")[0].text),
        lambda folder: _index(folder, _blocks("E0013")[1].text),
    ),
    "E0501": (lambda folder: _compiled(folder, lambda _: '{"cells": []}'), _compiled),
    "E0502": (lambda folder: _compiled(folder, _ranges), _compiled),
    "E0503": (lambda folder: _saved(folder, lambda text: text[: len(text) // 2]), _saved),
    "E0504": (lambda folder: _saved(folder, then="2"), _saved),
}
"""What a page of an error pictures, made for the test: the wrong way, and the right one."""


@pytest.mark.parametrize("code", MADE)
def test_what_a_page_pictures_has_that_fault_or_none(code: str, tmp_path: Path) -> None:
    for number, make in enumerate(MADE[code]):
        folder = tmp_path / str(number)
        folder.mkdir()
        ended, said = _run(folder, make(folder))
        assert (code in said) == (number == 0), said
        assert (ended != 0) == (number == 0), said


@pytest.mark.parametrize(
    "code", [each.id for each in Code if any(b.language == "sh" for b in _blocks(each.id))]
)
def test_the_commands_on_a_page_of_an_error_run(code: str, tmp_path: Path) -> None:
    _valley(tmp_path)
    _run(tmp_path, ["play", "vallee", "--auto", "--seed", "1", "--record", "vallee.json"])
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/map.png").write_bytes(b"\x89PNG")
    follow(ERRORS / f"{code}.md", tmp_path)
    wrong = _blocks(code)[0].text.splitlines()[0].partition("#")[0].split()[1:]
    assert f"error[{code}]" in _run(tmp_path, wrong)[1]


def _run(folder: Path, arguments: list[str]) -> tuple[int, str]:
    run = forked(arguments, folder, os.environ, seconds=SECONDS)
    return run.returncode, run.stdout + run.stderr


def test_a_document_of_another_form_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\nscenarii list --format json\n```\n```json\n" + json.dumps({"no": 1}) + "\n```\n",
        encoding="utf-8",
    )
    with pytest.raises(AssertionError, match="no such document"):
        follow(page, tmp_path)
