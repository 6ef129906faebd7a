"""The engine of the page plays, names and tells as Python's does: `python -m tests.browser.alike` goes further."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.cli.effects import effects
from dsl.engine.game import Game
from dsl.library import load
from dsl.odds.forecast import forecasts
from tests.browser.alike import compared, differences, loaded, request, startable, told_by_python
from tests.browser.chromium import running
from tests.cli.test_at_the_prompt import BOOK
from tests.cli.test_at_the_prompt import GAME as TRAPS
from tests.cli.test_secrets import BIDS
from tests.figures.play import table
from tests.figures.targets import targets
from tests.soak import some

GOOD = Path(__file__).resolve().parent.parent / "corpus" / "language" / "good"
SECRETS = ("hidden_kinds", "secrets_offered_cards", "secrets_in_fog", "owned_cards")
KEPT = ("secrets", "secrets_in_values", "secrets_offered_cards", "cards")
LEFT = ("command_and_conquer", "green_conquest")
"""Games that are left to the longer run, as making their modules takes long."""


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    with running() as browser:
        yield loaded(browser)


@pytest.mark.slow
def test_games_of_the_library_and_the_examples(page: Any) -> None:
    for each in {each.what: each for each in targets()}.values():
        machine = each.machine()
        if machine.program.name in LEFT:
            continue
        options = startable(machine, dict(table(machine, 1, each.mode).options))
        assert compared(page, machine, request(machine, 1, 12, options)) == [], each.name


def test_what_not_everybody_sees(page: Any) -> None:
    for name in SECRETS:
        machine = load(GOOD / f"{name}.scn")
        assert compared(page, machine, request(machine, 3, 30, {})) == [], name


def test_what_may_be_taken_back(page: Any) -> None:
    found = set()
    for name in KEPT:
        machine = load(GOOD / f"{name}.scn")
        given = request(machine, 3, 20, {}, kept=True)
        assert compared(page, machine, given) == [], name
        found |= {each["kept"] for each in told_by_python(machine, given)}
    assert found == {"", "revealed", "rolled"}


@pytest.mark.parametrize("after", ["for p in Player: last = n[p]", "for p in Player: p.bid = n[p]"])
def test_what_may_be_taken_back_after_secret_answers(page: Any, tmp_path: Path, after: str) -> None:
    """Whoever answered last is told what the other answered by the rules, or is not."""
    path = tmp_path / "bids.scn"
    path.write_text(BIDS.replace("NEXT", after), encoding="utf-8")
    given = request(machine := load(path), 3, 6, {}, kept=True)
    assert compared(page, machine, given) == []
    kept = [each["kept"] for each in told_by_python(machine, given)][1:]
    assert kept == 2 * ["", "revealed" if "last" in after else "", ""]


def test_what_options_do_by_all_kinds_of_chance(page: Any) -> None:
    machine = load(Path(__file__).with_name("games") / "foreseen.scn")
    for seed in some((1, 5), 2):
        assert compared(page, machine, request(machine, seed, 12, {})) == [], seed
    game = Game.start(machine, seed=1)
    assert game.decision is not None
    told = [effects(each, "") for each in forecasts(game.decision, "fr")]
    assert "[Bourse −5, Biens (Ann) +1 Garde]" in told, told
    assert any(" % " in each for each in told), told


def test_goals_that_ask_that_a_number_be_0(page: Any) -> None:
    machine = load(Path(__file__).with_name("games") / "gone.scn")
    assert compared(page, machine, request(machine, 1, 3, {})) == []


def test_goals_that_ask_for_the_highest_a_sum_or_how_many(page: Any) -> None:
    """What others have in secret is not counted before anybody's eyes."""
    machine = load(Path(__file__).with_name("games") / "counted.scn")
    given = request(machine, 1, 6, {})
    assert compared(page, machine, given) == []
    ours = told_by_python(machine, given)[-1]
    assert ours["goals"][0][1] == [
        "victory: most points (Points 2 : 5) · the whole of the others (Points 2 : 9) · above the lowest (4 : 2) · "
        "fields (2 / 3) · marks (2 / 9) · gold · last"
    ]


def test_how_near_to_winning_others_are(page: Any) -> None:
    """What they have in secret is not told."""
    machine = load(Path(__file__).with_name("games") / "race.scn")
    given = request(machine, 1, 3, {})
    assert compared(page, machine, given) == []
    assert told_by_python(machine, given)[0]["options"][0][0] == "wait \N{MINUS SIGN}2"
    assert told_by_python(machine, given)[0]["near"] == [
        ["victory (Blue): points (2 / 5)"],
        ["victory (Red): points (0 / 5)"],
    ]


def test_options_name_the_places_of_pieces_that_share_their_name(page: Any, tmp_path: Path) -> None:
    (tmp_path / "rulebook.json").write_text(BOOK, encoding="utf-8")
    (tmp_path / "traps.scn").write_text(TRAPS, encoding="utf-8")
    given = request(machine := load(tmp_path / "traps.scn"), 1, 6, {})
    assert compared(page, machine, given) == []
    assert "a1" in told_by_python(machine, given)[0]["apart"]


def test_points_in_piles_that_everybody_sees_are_counted(page: Any) -> None:
    machine = load(Path(__file__).with_name("games") / "open_piles.scn")
    ours = told_by_python(machine, given := request(machine, 1, 4, {}))
    lines = {line for lines in ours[0]["goals"][0] for line in lines}
    assert lines == {"victory: points (Points 0 / 6) · a heavy deck", "victory: points · a heavy deck"}
    assert compared(page, machine, given, hiding=False) == []


def test_a_difference_is_found() -> None:
    ours = [{"state": 1, "log": [["a", "b"]]}]
    assert differences(ours, [{"state": 2, "log": [["a", "b"]]}], tolerant=True)
    assert differences(ours, [{"state": 1, "log": [["a", "?"]]}], tolerant=False)
    assert not differences(ours, [{"state": 1, "log": [["a", "?"]]}], tolerant=True)
    assert differences(ours, [*ours, *ours], tolerant=True)
    far, less = [{"goals": [[["victory: rich (2 / 9) · old"]]]}], [{"goals": [[["victory: rich · old"]]]}]
    assert differences(far, less, tolerant=True)
    assert not differences(far, less, tolerant=False, hides=True)
    assert differences(less, far, tolerant=False, hides=True)
