"""Players that think in a page: as in Python, and without what they may not know."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.engine.game import Game
from dsl.library import load
from dsl.search.thinker import Thinker
from tests.browser.chromium import running
from tests.browser.pages import begun, opened, saved, written
from tests.browser.thinking import exchanged, given, here, loaded, positions, there
from tests.examples import CLASSICS
from tests.search.test_bad_worth import DIG, DIVIDED
from tests.soak import only_when_long

SMALL = Path(__file__).resolve().parent.parent / "figures" / "hidden"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def page(browser: Any) -> Any:
    return loaded(browser)


@pytest.mark.parametrize("path", sorted(SMALL.glob("*.scn")), ids=lambda path: path.stem)
def test_the_same_worlds_and_thoughts_wherever_something_is_hidden(page: Any, path: Path) -> None:
    machine = load(path)
    asked = [{**each, "playouts": 60} for each in positions(machine, 2, 6)]
    ours = here(machine, asked)
    assert any(worlds is not None for worlds, _ in ours)
    assert there(page, machine, asked) == ours
    players = len(machine.program.domains[machine.program.players].members)
    others = [{**each, "player": (each["player"] + 1) % players, "playouts": 0} for each in asked]
    assert there(page, machine, others) == here(machine, others)


@pytest.mark.parametrize(
    "name", ["me_ccg", only_when_long("risk_halo"), SMALL / "looped.scn"], ids=lambda name: Path(name).stem
)
def test_nothing_hangs_on_what_a_player_may_not_know(page: Any, name: str | Path) -> None:
    """What he may not know is exchanged: the worlds, the visits and what he expects stay the same, in the page too."""
    machine = load(name)
    asked = [
        {**each, "playouts": 40} for each in positions(machine, 3, 4, every=5 if isinstance(name, str) else 3)
    ]
    others = exchanged(machine, asked)
    assert len(others) >= 3
    real = [{**each, "state": each["real"]} for each in others]
    found = there(page, machine, others)
    assert found == there(page, machine, real) == here(machine, real)
    assert all(worlds is not None for worlds, _ in found)


def test_what_another_has_answered_in_secret_is_not_known(page: Any) -> None:
    machine = load(SMALL / "secretly.scn")
    found = []
    for answer in range(3):
        game = Game.start(machine, seed=1)
        game.choose(answer)
        assert game.player == 1
        given = {"state": list(game.state), "player": 1, "seed": 4, "worlds": 9, "playouts": 100}
        found.append(there(page, machine, [given]))
    assert found[0] == found[1] == found[2]


def test_how_fast_the_end_of_a_game_was_says_nothing_of_the_next_one(page: Any) -> None:
    """Where a choice is proven at once, many games seem to take no time; a thought begins with one all the same."""
    machine = load(CLASSICS / "tic_tac_toe")
    near = Game.start(machine)
    for cell in ("a1", "b1", "a2", "b2"):
        near.choose(f"Mark {cell}")
    known, code = given(machine)
    games = page.evaluate(
        "([facts, code, near, start]) => after(facts, code, near, 25, start)",
        [known, code, list(near.state), list(Game.start(machine).state)],
    )
    assert 1 <= games < 100_000


def test_a_game_with_secrets_against_the_computer(browser: Any, tmp_path: Path) -> None:
    machine = load(SMALL / "bluff.scn")
    page = opened(browser, written(machine, tmp_path))
    assert page.locator('[name="seat 1"] option[value=mcts]').count() == 1
    page.evaluate("document.querySelector('[name=\"seat 1\"] option[value=mcts]').value = 'mcts:120'")
    begun(page, 4, seat_1="mcts:120")
    thinker, game, thought = Thinker(machine), Game.start(machine, seed=4), 0
    while game.count and thought < 3:
        made = len(game.choices)
        if game.player == 1:
            thought += game.count > 1
            game.choose(thinker.choice("mcts:120", game.state, seed=4, made=made))
            page.wait_for_function(
                "made => document.querySelectorAll('.lines .choice, .lines .pass').length > made", arg=made
            )
        else:
            page.locator("[data-option]").nth(0).click()
            game.choose(0)
    assert thought
    save = saved(page, tmp_path)
    assert save.choices[: len(game.choices)] == game.choices
    assert page.faults == []
    page.context.close()


def test_a_worth_that_cannot_be_computed_stops_the_game_there(browser: Any, tmp_path: Path) -> None:
    """As in Python: the game stands where the computer is asked, and it is said why."""
    path = tmp_path / "dig.scn"
    source = DIG.format(worth=DIVIDED, depth=2, after="0")
    path.write_text(source, encoding="utf-8")
    page = opened(browser, written(load(path), tmp_path))
    begun(page, 4, seat_1="mcts")
    page.locator("[data-option]").first.click()
    page.locator(".problem", has_text="failed").wait_for()
    assert page.text_content(".problem") == "A rule failed (E0609); the game stands where it stood."
    assert len(saved(page, tmp_path).choices) == 1
    assert page.faults == []
    page.context.close()
