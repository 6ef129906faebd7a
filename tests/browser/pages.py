"""Pages in a browser, as a person plays them: opened from a file, by clicking.

`python -m tests.browser.pages` plays every game, in each of its modes, and every example to its end, and compares the
states that Python comes to.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsl.authoring.printed import printed
from dsl.browser.pack import page
from dsl.engine.machine import Machine
from dsl.library import load
from dsl.resources import SOURCE_SUFFIX, games
from dsl.saves import Save, read, replayed
from tests.examples import FOLDER, example_folders

CLICKS = """([most, by, since]) => {
  let count = since;
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = () => {}; // which lays out the page each time
  try {
    for (; count < most + since; count++) {
      const here = document.querySelector("[data-act=here]");
      if (here) { here.click(); count--; continue; }
      const options = document.querySelectorAll("[data-option]");
      if (!options.length) break;
      options[(count * by + 3) % options.length].click();
      const problem = document.querySelector(".problem")?.textContent;
      if (problem) throw new Error(problem);
    }
    document.querySelector("[data-act=here]")?.click();
  } finally {
    HTMLElement.prototype.focus = focus;
  }
  return count - since;
}"""
"""Clicks an option, again and again, until the game is over."""
AT_ONCE = 250
"""After so many clicks the command says how far the game is."""


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


def clicked(found: Any, most: int = 100_000, by: int = 7, since: int = 0) -> int:
    """Clicks options until the game is over, or so many; yields how many. `since`: how many were clicked before."""
    count: int = found.evaluate(CLICKS, [most, by, since])
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


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a game in its page: how many options were clicked, how it ended, what went wrong, the seconds that
    clicking took and those that Python took.
    """

    count: int
    ending: str
    faults: tuple[str, ...]
    clicking: float
    replaying: float

    def __str__(self) -> str:
        return (
            f"{self.count} choices, {self.ending or 'not over'}, {'; '.join(self.faults) or 'alike'}"
            f" ({self.clicking:.0f} s in the page, {self.replaying:.0f} s in Python)"
        )


def played(
    browser: Any,
    machine: Machine,
    folder: Path,
    mode: str = "",
    *,
    most: int = 100_000,
    seconds: float = float("inf"),
    told: Callable[[int, float], None] = lambda count, passed: None,
) -> Played:
    """A game of a page to its end, or at most so many choices or seconds; `told` hears how far it is."""
    found = opened(browser, written(machine, folder))
    try:
        begun(found, 7, **({"mode": str(modes(machine).index(mode))} if mode else {}))
        begin, count = time.perf_counter(), 0
        passed = 0.0
        while count < most and passed < seconds:
            new = clicked(found, min(AT_ONCE, most - count), since=count)
            count, passed = count + new, time.perf_counter() - begin
            if new < AT_ONCE:
                break
            told(count, passed)
        ending = found.text_content(".ending") if found.query_selector(".ending") else ""
        save, begin = saved(found, folder), time.perf_counter()
        alike = same(machine, save)
        faults = [*([] if ending else ["NOT OVER"]), *([] if alike else ["NOT ALIKE"]), *found.faults]
        return Played(count, ending, tuple(faults), passed, time.perf_counter() - begin)
    finally:
        found.context.close()


def modes(machine: Machine) -> tuple[str, ...]:
    """The modes of a game; none where it has none."""
    return next((each.choices for each in machine.program.options if each.kind == "mode"), ())


def paths() -> dict[str, str]:
    """By name what there is to be played: the games of the package, and all examples, scenarios and mods among them."""
    found = {name: name for name in games()} | {each.name: str(each) for each in example_folders()}
    found |= {each.stem: str(each) for each in sorted((FOLDER / "scenarios").glob(f"*{SOURCE_SUFFIX}"))}
    mods = sorted((FOLDER / "mods").rglob(f"*{SOURCE_SUFFIX}"))
    return found | {each.stem: str(each) for each in mods if "\nmod " in each.read_text(encoding="utf-8")}


def wanted(game: str, mode: str) -> Iterator[tuple[str, Machine, str]]:
    """What there is to be played whose name has `game` in it, in each of its modes or in one, each with a title and the
    mode. Ends the command where there is no such game or mode.
    """
    some = False
    for name, path in paths().items():
        if game not in name:
            continue
        machine = load(path)
        for each in modes(machine) or ("",):
            if mode in {"", each}:
                some = True
                yield f"{name}:{each}" if each else name, machine, each
    if not some:
        sys.exit("no such game or mode")


def main() -> int:
    """A line for each game; 1 if one cannot be played to its end."""
    from tests.browser.chromium import running

    parser = argparse.ArgumentParser("python -m tests.browser.pages", description=__doc__)
    parser.add_argument("--game", default="", help="only games and examples whose name has this in it")
    parser.add_argument("--mode", default="", help="only this mode of games that have modes")
    parser.add_argument("--most", type=int, default=100_000, help="the most choices of a game")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="the most seconds of clicking in a game"
    )
    given, failed = parser.parse_args(), False
    with running() as browser, tempfile.TemporaryDirectory() as temporary:
        for title, machine, mode in wanted(given.game, given.mode):

            def told(count: int, passed: float, title: str = title) -> None:
                print(f"{title}: {count} choices, {passed:.0f} s …", file=sys.stderr, flush=True)

            found = played(
                browser, machine, Path(temporary), mode, most=given.most, seconds=given.seconds, told=told
            )
            print(f"{title}: {found}", flush=True)
            failed = failed or bool(found.faults)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
