"""A page for everybody: what a screen reader is told, what a finger reaches, and how little room is enough."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dsl.library import load
from tests.browser.chromium import running
from tests.browser.pages import begun, clicked, opened, written
from tests.examples import FOLDER

GAMES = Path(__file__).with_name("games")

NAMELESS = """() => [...document.querySelectorAll("button, input, select, summary, dialog[open], section, [role]")]
  .filter((each) => (each.offsetParent !== null || each.ownerSVGElement) && !each.closest("[inert]"))
  .filter((each) => !(each.ariaLabel || each.labels?.[0]?.textContent || each.textContent || "").trim())
  .filter((each) => !["alert", "status"].includes(each.getAttribute("role")))
  .map((each) => each.outerHTML.slice(0, 120))"""
"""What can be used and has no name."""
SMALL = """() => [...document.querySelectorAll("button, select, summary, input:not([type=file])")]
  .map((each) => [each.outerHTML.slice(0, 80), (each.closest("label.check") ?? each).getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 24 || box.width < 24)).map(([text]) => text)"""
"""What is too small for a finger."""
WIDE = "() => document.documentElement.scrollWidth"
LEVELS = """() => [...document.querySelectorAll("h1, h2, h3")]
  .filter((each) => each.offsetParent && !each.closest("[inert]"))
  .map((each) => Number(each.tagName[1]))"""
"""The levels of headings, from the top."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with running() as found:
        yield found


@pytest.mark.parametrize("name", ["me_ccg", "cristal_et_acier", str(FOLDER / "chess")])
def test_all_has_a_name_and_fits_a_phone(browser: Any, tmp_path: Path, name: str) -> None:
    page = opened(browser, written(load(name), tmp_path), width=360, height=740)

    def fine() -> None:
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate(SMALL) == []
        assert page.evaluate(WIDE) <= 360
        levels = page.evaluate(LEVELS)
        assert all(after - before <= 1 for before, after in pairwise(levels))

    fine()
    assert page.evaluate("document.querySelector('.over').scrollTop") == 0
    begun(page, 7)
    page.evaluate("document.querySelector('[data-act=here]')?.click()")
    clicked(page, 5)
    fine()
    page.locator(".cards button, [data-act=look], .legend summary").first.evaluate("(e) => e.click()")
    fine()
    assert page.faults == []
    page.context.close()


def test_the_keyboard_keeps_its_place_and_hears_what_is_asked(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, written(load(FOLDER / "classics" / "tic_tac_toe"), tmp_path))
    at = "document.activeElement.dataset.act ?? document.activeElement.tagName"
    begun(page, 1)
    page.locator("[data-option]").first.focus()
    page.keyboard.press("Enter")
    options = page.get_by_role("list", name="o to choose: Your mark", exact=True)
    assert options.locator("[data-option]:focus").count() == 1
    page.locator("[data-option]").first.click()
    page.locator("nav [data-act=undo]").focus()
    page.keyboard.press("Enter")
    assert page.locator(".lines .choice").count() == 1 and page.evaluate(at) == "undo"
    page.locator("nav select").focus()
    page.locator("nav select").select_option("fr")
    assert page.text_content(".story h2") == "Ce qui s’est passé" and page.evaluate(at) == "SELECT"
    page.locator(".tools button").last.focus()
    page.keyboard.press("Enter")
    assert page.evaluate(at) == "fold"
    page.context.close()


def test_what_the_rules_leave_open_is_folded_behind_who_plays(browser: Any, tmp_path: Path) -> None:
    machine = load("green_conquest")
    page = opened(browser, written(machine, tmp_path))
    rulings = [each.name for each in machine.program.options if each.kind == "ruling"]
    assert rulings and page.locator(f'[name="{rulings[0]}"]').is_hidden()
    names = page.evaluate("[...document.querySelectorAll('form [name]')].map((e) => e.name)")
    assert names[:2] == ["mode", "players"]
    assert names.index("seat 0") < names.index("seed") < names.index(rulings[0])
    box = page.locator(".row.last").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 800, "one can begin without scrolling"
    assert page.locator("label", has=page.locator('[name="mode"]')).text_content().startswith("Mode")
    halves = page.locator("label", has_text="half-turn").locator("option").all_text_contents()
    assert halves == ["no (the default)", "yes"]
    page.click("details.rulings summary")
    page.select_option(f'[name="{rulings[0]}"]', index=1)
    page.click("[data-act=start]")
    page.wait_for_selector("[data-option]")
    page.context.close()


def test_the_form_says_who_plays_in_a_mode_and_what_options_are(browser: Any, tmp_path: Path) -> None:
    """In French too, as far as the game and its rulebook have words."""
    path = written(load(GAMES / "modes.scn"), tmp_path)
    page = opened(browser, path)
    seats = page.locator("label", has=page.locator("[name^='seat ']"))
    assert [each.is_visible() for each in seats.all()] == [True] * 4
    modes = page.locator("[name=mode] option").all_text_contents()
    assert modes == ["All together (the default)", "Between two"]
    page.select_option("[name=mode]", label="Between two")
    assert [each.is_visible() for each in seats.all()] == [True, True, False, False]
    page.select_option("[name=mode]", index=0)
    page.fill("[name=players]", "3")
    page.locator("[name=players]").blur()
    assert [each.is_visible() for each in seats.all()] == [True, True, True, False]
    page.select_option("[name=mode]", index=1)
    assert "not for so many players" in page.text_content(".over .problem")
    page.fill("[name=players]", "0")
    page.locator("[name=players]").blur()
    assert page.text_content(".over .problem") == ""
    begins = page.locator("label", has=page.locator("[name=begins]"))
    assert begins.locator("option").all_text_contents() == ["By lot", "eldest (the default)"]
    assert begins.locator("small").all_text_contents() == ["MO-01: Who is eldest begins"]
    assert page.locator("[name=quick] option").all_text_contents() == ["no (the default)", "yes"]
    purse = page.locator("label", has=page.locator("[name=purse]")).locator("small")
    assert purse.all_text_contents() == ["1 to 9, 3 by default"]
    how_many = page.locator("label", has=page.locator("[name=players]")).locator("small")
    assert how_many.all_text_contents() == ["2 to 4, 0 by default"]
    page.locator("form label", has_text="Language").locator("select").select_option("fr")
    begins = page.locator("label", has=page.locator("[name=begins]"))
    assert begins.locator("small").all_text_contents() == ["MO-01 : L’aîné commence"]
    assert begins.locator("option").all_text_contents() == ["Au sort", "eldest (par défaut)"]
    page.context.close()


def test_who_is_not_in_the_mode_is_nobody_from_whom_something_is_kept(browser: Any, tmp_path: Path) -> None:
    """One person against the computer sees his own at once, though the mode leaves out others who would be persons."""
    page = opened(browser, written(load(GAMES / "modes.scn"), tmp_path))
    begun(page, 1, mode="1", seat_1="random")
    assert page.locator("[data-act=here]").count() == 0
    assert page.locator("[data-option]").count() == 2
    page.context.close()


def test_a_whole_game_is_played_on_a_phone_with_the_keyboard_alone(browser: Any, tmp_path: Path) -> None:
    """Whoever begins, or says that he is there, is at the first option; what has the focus is in view."""
    at = "document.activeElement.dataset.act ?? (document.activeElement.dataset.option ? 'option' : '')"
    seen = """() => { const { top, bottom } = document.activeElement.getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight + 1; }"""
    for name in ("le_gue_d_argent", "kuhn_poker"):
        page = opened(browser, written(load(FOLDER / name), tmp_path), width=360, height=740)
        assert page.evaluate(at) == "start"
        page.keyboard.press("Enter")
        for count in range(400):
            if page.locator(".ending").count():
                break
            where = page.evaluate(at)
            assert where in {"option", "here"}, (name, count)
            if where == "option":
                for _ in range((7 * count + 3) % page.locator("[data-option]").count()):
                    page.keyboard.press("Tab")
                assert page.evaluate(at) == "option"
            assert page.evaluate(seen), (name, count)
            assert page.evaluate(WIDE) <= 360 and page.evaluate(SMALL) == [] == page.evaluate(NAMELESS)
            page.keyboard.press("Enter")
        assert page.locator(".ending").text_content(), name
        assert page.faults == []
        page.context.close()
