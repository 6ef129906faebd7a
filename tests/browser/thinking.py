"""Do players think in a page as in Python? `python -m tests.browser.thinking` asks for all games with secrets."""

from __future__ import annotations

import argparse
import base64
import json
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

from dsl.browser.facts import facts
from dsl.browser.pack import ENGINE, script
from dsl.engine.chance import Generator
from dsl.engine.machine import Machine
from dsl.engine.worlds import Secrets
from dsl.search.searcher import Searcher
from dsl.search.worlds import Worlds
from dsl.wasm.searching import SEARCHING, search_module
from dsl.wasm.telling import telling
from tests.figures.play import table

HARNESS = Path(__file__).with_name("thoughts.js")
WORLDS = 3
"""Worlds that are drawn at each position."""


def positions(machine: Machine, seed: int, most: int, mode: str = "", every: int = 1) -> list[dict[str, Any]]:
    """Positions of a random game at which somebody chooses, every so many choices."""
    at = table(machine, seed, mode)
    game, player = at.start(machine), at.player()
    found: list[dict[str, Any]] = []
    while game.count and len(found) < most:
        if len(game.choices) % every == 0 and game.count > 1:
            given = {"state": list(game.state), "player": game.player, "seed": seed + len(found)}
            found.append({**given, "worlds": WORLDS, "playouts": 0})
        game.choose(player.index(game.count))
    return found


def given(machine: Machine) -> tuple[dict[str, Any], str]:
    """What a page gets of a program in which it thinks: the facts, and the module in base64."""
    made = telling(machine, thinking=True)
    known: dict[str, Any] = json.loads(json.dumps(facts(machine, made, machine.program.name)))
    return known, base64.b64encode(made.code).decode()


def there(page: Any, machine: Machine, asked: list[dict[str, Any]]) -> list[Any]:
    """What the page draws and finds at some positions."""
    answer = page.evaluate("([facts, code, asked]) => thoughts(facts, code, asked)", [*given(machine), asked])
    found: list[Any] = answer
    return found


def here(machine: Machine, given: list[dict[str, Any]]) -> list[Any]:
    """The same by Python."""
    searcher = Searcher(machine)
    worlds = Worlds(machine, search_module(machine).instance(SEARCHING))
    found: list[Any] = []
    for each in given:
        drawn = worlds.drawn(each["state"], each["player"], each["seed"])
        weighed: list[list[float]] = []
        if each["playouts"]:
            advice = searcher.think(tuple(each["state"]), playouts=each["playouts"], seed=each["seed"])
            weighed = [[one.visits, one.expectation, one.rank[0]] for one in advice.options]
        found.append([drawn and list(islice(drawn, each["worlds"])), weighed])
    return found


def exchanged(machine: Machine, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The positions with what whoever is asked may not know exchanged; those where nothing can be are left out."""
    secrets, chance, found = Secrets(machine), Generator(5), []
    for each in given:
        other = secrets.another(each["state"], each["player"], chance)
        if other is not None:
            found.append({**each, "state": other[0], "real": each["state"]})
    return found


def loaded(browser: Any) -> Any:
    """A page with the engine, and what thinks."""
    page = browser.new_page()
    text = script((*ENGINE, "thinker.js"))
    page.add_script_tag(content=text + HARNESS.read_text(encoding="utf-8"))
    return page


def main() -> int:
    """A line for each game; 1 if the page draws or finds anything else."""
    from tests.browser.chromium import running
    from tests.figures.worlds import secretive

    parser = argparse.ArgumentParser("python -m tests.browser.thinking", description=__doc__)
    parser.add_argument("--positions", type=int, default=12, help="how many of each game")
    parser.add_argument("--playouts", type=int, default=100, help="how many games each thought plays on")
    parser.add_argument("--game", default="", help="only games whose name has this in it")
    given, failed = parser.parse_args(), False
    with running() as browser:
        page = loaded(browser)
        for each in secretive():
            if given.game not in each.name:
                continue
            begun, machine = time.perf_counter(), each.machine()
            asked = positions(machine, 1, given.positions, each.mode, every=3)
            asked = [{**one, "playouts": given.playouts} for one in asked]
            ours = here(machine, asked)
            alike = ours == there(page, machine, asked)
            drawn = sum(worlds is not None for worlds, _ in ours)
            seconds = time.perf_counter() - begun
            told = "alike" if alike else "NOT ALIKE"
            print(
                f"{each.name}: {len(asked)} positions, {drawn} with secrets, {told} ({seconds:.1f} s)",
                flush=True,
            )
            failed = failed or not alike
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
