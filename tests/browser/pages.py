"""Pages in a browser, as a person plays them: opened from a file, by clicking.

`python -m tests.browser.pages` plays every game to its end, and compares the states that Python comes to.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from dsl.authoring.printed import printed
from dsl.browser.pack import page
from dsl.engine.machine import Machine
from dsl.saves import Save, read, replayed

CLICKS = """([most, by]) => {
  let count = 0;
  for (; count < most; count++) {
    const here = document.querySelector("[data-act=here]");
    if (here) { here.click(); count--; continue; }
    const options = document.querySelectorAll("[data-option]");
    if (!options.length) break;
    options[(count * by + 3) % options.length].click();
    const problem = document.querySelector(".problem")?.textContent;
    if (problem) throw new Error(problem);
  }
  document.querySelector("[data-act=here]")?.click();
  return count;
}"""
"""Clicks an option, again and again, until the game is over."""


def written(machine: Machine, folder: Path, name: str = "") -> Path:
    """The page of a program, in a file."""
    path = folder / f"{name or machine.program.name}.html"
    path.write_text(
        page(machine, name or machine.program.name, printed=printed(machine.program)), encoding="utf-8"
    )
    return path


def opened(browser: Any, path: Path, *, language: str = "en-GB", width: int = 1280, height: int = 800) -> Any:
    """A page at its first screen; what goes wrong in its script, and what it asks of a network, ends up in `faults`."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=language, accept_downloads=True, offline=True
    )
    found = context.new_page()
    found.faults = []
    found.on("pageerror", lambda error: found.faults.append(str(error)))
    found.on(
        "console", lambda message: found.faults.append(message.text) if message.type == "error" else None
    )
    found.on("request", lambda sent: found.faults.append(sent.url) if _is_foreign(sent.url) else None)
    found.goto(path.as_uri())
    found.wait_for_selector("[data-act=start]")
    return found


def _is_foreign(address: str) -> bool:
    return not address.startswith(("file:", "blob:"))


def begun(found: Any, seed: int = 7, **settings: str) -> None:
    """Begins a game with a seed, settings and who plays (`seat_0="random"`)."""
    found.fill("[name=seed]", str(seed))
    for name, value in settings.items():
        found.select_option(f'[name="{name.replace("seat_", "seat ")}"]', value)
    found.click("[data-act=start]")


def clicked(found: Any, most: int = 100_000, by: int = 7) -> int:
    """Clicks options until the game is over, or so many; yields how many."""
    count: int = found.evaluate(CLICKS, [most, by])
    return count


def saved(found: Any, folder: Path) -> Save:
    """The save that the page gives."""
    with found.expect_download() as download:
        found.click("[data-act=save]")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    save = read(path)
    assert isinstance(save, Save), save
    return save


def same(machine: Machine, save: Save) -> bool:
    """Does Python come to the same state by the choices of a save?"""
    again = replayed(machine, save)
    return not hasattr(again, "message") and again.fingerprint == save.fingerprint


def main() -> int:
    """A line for each game; 1 if one cannot be played to its end."""
    from tests.browser.chromium import running
    from tests.figures.targets import targets

    parser = argparse.ArgumentParser("python -m tests.browser.pages", description=__doc__)
    parser.add_argument("--game", default="", help="only games whose name has this in it")
    parser.add_argument("--most", type=int, default=100_000, help="the most choices of a game")
    given, failed = parser.parse_args(), False
    with running() as browser, tempfile.TemporaryDirectory() as temporary:
        for each in targets():
            if given.game not in each.name:
                continue
            begin, machine, folder = time.perf_counter(), each.machine(), Path(temporary)
            found = opened(browser, written(machine, folder))
            begun(found, 7, **({"mode": str(_mode(machine, each.mode))} if each.mode else {}))
            count = clicked(found, given.most)
            ending = found.text_content(".ending") if found.query_selector(".ending") else "not over"
            alike = same(machine, saved(found, folder))
            seconds = time.perf_counter() - begin
            print(
                f"{each.name}: {count} choices, {ending}, {'alike' if alike else 'NOT ALIKE'} ({seconds:.0f} s)",
                flush=True,
            )
            for fault in found.faults:
                print(f"    {fault}")
            failed = failed or not alike or bool(found.faults)
            found.context.close()
    return int(failed)


def _mode(machine: Machine, mode: str) -> int:
    return next(each.choices.index(mode) for each in machine.program.options if each.name == "mode")


if __name__ == "__main__":
    sys.exit(main())
