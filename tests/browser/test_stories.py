"""What a page tells of a whole game is what the terminal tells: `python -m tests.browser.stories` goes further."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.library import load
from tests.browser.chromium import running
from tests.browser.stories import compared, differences, loaded
from tests.cli.test_at_the_prompt import BOOK
from tests.cli.test_at_the_prompt import GAME as TRAPS
from tests.examples import FOLDER

GAMES = Path(__file__).with_name("games")


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    with running() as browser:
        yield loaded(browser)


@pytest.mark.parametrize(
    "name",
    [
        "cristal_et_acier",
        FOLDER / "le_gue_d_argent",
        GAMES / "laid.scn",
        GAMES / "put_back.scn",
        GAMES / "draws.scn",
    ],
)
@pytest.mark.parametrize("language", ["", "en"])
def test_the_same_story(page: Any, name: str | Path, language: str) -> None:
    assert compared(page, load(name), 2, language=language) == []


def test_pieces_that_share_their_name_are_told_with_their_places(page: Any, tmp_path: Path) -> None:
    """In options, and when one has been chosen."""
    (tmp_path / "rulebook.json").write_text(BOOK, encoding="utf-8")
    (tmp_path / "traps.scn").write_text(TRAPS, encoding="utf-8")
    machine, found = load(tmp_path / "traps.scn"), dict[int | None, list[str]]()
    assert compared(page, machine, 2, stories=found) == []
    assert any(
        each.startswith("Ann: March Guard to ") and each.endswith((" (a1)", " (a2)")) for each in found[None]
    )


def test_a_phase_in_which_something_changes_is_told(page: Any) -> None:
    """Where nothing that has words changes, its heading is left out; to players also where all of it is hidden from
    somebody: there the terminal knows who sees it, and the page does not.
    """
    found: dict[int | None, list[str]] = {}
    differing = compared(page, load(GAMES / "quiet_phases.scn"), 2, stories=found)
    told = [each for each in differing if each[3:4] in "+-" and each[3:6] not in {"---", "+++"}]
    assert sorted(told) == ["0: -phase: Plans ripen"] * 3 + ["1: -phase: Plans ripen"] * 3
    for viewer, lines in found.items():
        assert [lines.count(each) for each in ("Corn grows", "Reaping", "Nothing to see")] == [3, 3, 0], (
            viewer
        )
        assert lines.count("Plans ripen") == (3 if viewer is None else 0), viewer


def test_what_differs_is_found() -> None:
    told = [["round", "Round 1"], ["phase", "Sowing"], ["choice", "ann: Wait"]]
    assert differences(told, told) == []
    assert any(each == "-phase: Sowing" for each in differences(told, [told[0], told[2]]))
    assert differences([["choice", "ann: ?"]], [["choice", "ann: (hidden)"]]) == []
