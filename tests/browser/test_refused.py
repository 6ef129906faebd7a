"""A page opened where a browser refuses it something: it says so in words, and what still can be done is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.library import load
from tests.browser.chromium import running
from tests.browser.pages import begun, clicked, opened, saved, written
from tests.examples import FOLDER


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(load(FOLDER / "classics" / "tic_tac_toe"), tmp_path_factory.mktemp("page"))


def without(browser: Any, path: Path, script: str, **context: Any) -> Any:
    """The page in a browser in which a script has run first."""
    page = browser.new_context(accept_downloads=True, offline=True, **context).new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.add_init_script(script)
    page.goto(path.as_uri())
    return page


def test_without_scripts_the_page_is_text(browser: Any, path: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(path.as_uri())
    told = page.inner_text("body")
    assert "Tic-tac-toe" in told and "JavaScript" in told
    assert page.locator("button").count() == 0
    page.context.close()


@pytest.mark.parametrize(
    "script",
    [
        "delete window.WebAssembly",
        "WebAssembly.compile = () => Promise.reject(new Error('refused by policy'))",
        "delete window.DecompressionStream",
    ],
)
def test_without_webassembly_the_page_says_what_it_needs(browser: Any, path: Path, script: str) -> None:
    page = without(browser, path, script, locale="fr-FR")
    page.wait_for_function("document.querySelector('#root').textContent.includes('WebAssembly')")
    assert "Chrome 137" in page.inner_text("#root")
    assert page.faults == []
    page.context.close()


@pytest.mark.parametrize(
    "script", ["delete window.Worker", "URL.createObjectURL = () => { throw new Error('no') }"]
)
def test_without_workers_the_computer_plays_by_chance_and_says_so(
    browser: Any, path: Path, script: str
) -> None:
    page = without(browser, path, script)
    page.wait_for_selector("[data-act=start]")
    begun(page, 4, seat_1="mcts")
    page.locator("[data-option]").first.click()
    page.locator(".lines .choice").nth(1).wait_for()
    assert "chose at random" in page.text_content(".problem")
    assert page.faults == []
    page.context.close()


def test_without_storage_and_downloads_the_game_goes_on(browser: Any, path: Path) -> None:
    """Nothing can be kept: saving says why not, and the game is played to its end."""
    refused = (
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no') } });"
        "URL.createObjectURL = () => { throw new Error('not allowed here') }"
    )
    page = without(browser, path, refused)
    page.wait_for_selector("[data-act=start]")
    begun(page, 4)
    page.locator("[data-option]").first.click()
    page.click("[data-act=save]")
    page.wait_for_selector('.problem:has-text("not allowed here")')
    page.evaluate("document.querySelector('.problem').remove()")
    assert clicked(page) > 3
    assert page.text_content(".ending")
    assert page.faults == []
    page.context.close()


def test_a_file_that_may_not_be_read_is_told(browser: Any, path: Path, tmp_path: Path) -> None:
    page = opened(browser, path)
    begun(page, 1)
    page.locator("[data-option]").first.click()
    saved(page, tmp_path)
    file = next(tmp_path.glob("*.save.json"))
    page.evaluate("() => { File.prototype.text = () => Promise.reject(new DOMException('no')) }")
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector('.problem:has-text("may not read it")')
    page.evaluate("() => { Object.defineProperty(File.prototype, 'size', { get: () => 2 ** 30 }) }")
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector('.problem:has-text("larger than any save")')
    assert page.locator(".lines .choice").count() == 1
    assert page.faults == []
    page.context.close()


STOPS = """
const Real = WebAssembly.Instance;
let left = 1;
WebAssembly.Instance = function (module, imports) {
  const made = new Real(module, imports);
  const choose = (number) => {
    if (left-- > 0) {
      new DataView(made.exports.memory.buffer).setInt32(40, 7);
      throw new WebAssembly.RuntimeError("no stack is left");
    }
    return made.exports.choose(number);
  };
  return { exports: { ...made.exports, choose } };
};
"""
"""The browser stops the module once, in the middle of a choice."""


def test_a_module_that_is_stopped_is_begun_anew_where_the_game_stood(browser: Any, path: Path) -> None:
    page = without(browser, path, STOPS)
    page.wait_for_selector("[data-act=start]")
    begun(page, 4)
    page.locator("[data-option]").first.click()
    assert "no stack is left" in page.text_content(".problem")
    assert page.locator(".lines .choice").count() == 0
    assert page.locator("[data-option]").count() == 9
    page.locator("[data-option]").first.click()
    assert page.locator(".lines .choice").count() == 1
    assert page.locator("[data-option]").count() == 8
    assert page.faults == []
    page.context.close()
