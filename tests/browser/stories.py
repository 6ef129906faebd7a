"""Does a page tell what the terminal tells? `python -m tests.browser.stories` asks for whole random games."""

from __future__ import annotations

import argparse
import base64
import difflib
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

from dsl.browser.facts import facts
from dsl.browser.pack import ENGINE, script
from dsl.cli.story import Answer, Teller
from dsl.engine.distinct import chosen_apart
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.settings import settings_of
from dsl.wasm.searching import hides
from dsl.wasm.telling import telling
from tests.browser.alike import startable
from tests.browser.pages import wanted
from tests.figures.play import table

HARNESS = Path(__file__).with_name("stories.js")
HIDDEN = re.compile(r"\((hidden|caché)\)")
"""What a page writes for a lone question mark."""
Lines = list[list[str]]


def compared(
    page: Any,
    machine: Machine,
    seed: int,
    *,
    mode: str = "",
    language: str = "",
    choices: int = 100_000,
    stories: dict[int | None, list[str]] | None = None,
) -> list[str]:
    """What differs in the stories of a game, to somebody who sees all and to each player where something is hidden;
    `stories` gets what the page tells each of them.
    """
    program = machine.program
    made = telling(machine)
    known = json.loads(json.dumps(facts(machine, made, program.name)))
    options = startable(machine, dict(table(machine, seed, mode).options))
    chosen = settings_of(program, options)
    players = range(len(program.domains[program.players].members)) if hides(program) else ()
    given = {
        "seed": seed,
        "settings": {each.name: chosen[each.var] for each in program.options},
        "language": "" if language == program.language else language,
        "viewers": [None, *players],
        "choices": choices,
    }
    theirs = page.evaluate(
        "([facts, code, given]) => stories(facts, code, given)",
        [known, base64.b64encode(made.code).decode(), given],
    )
    found: list[str] = []
    for viewer, lines in zip((None, *players), theirs["told"], strict=True):
        ours = told_by_python(machine, seed, options, theirs["choices"], language, viewer)
        if stories is not None:
            stories[viewer] = [text for _, text in lines]
        found += [f"{'all' if viewer is None else viewer}: {each}" for each in differences(ours, lines)]
    return found


def told_by_python(
    machine: Machine,
    seed: int,
    options: dict[str, str | int],
    choices: list[Any],
    language: str,
    viewer: int | None,
) -> Lines:
    """The story as the terminal tells it, without what has changed, which the panels of a page show."""
    game = Game.start(machine, seed=seed, options=options, telling=True)
    teller = Teller(machine, language, viewer)
    lines = teller.stretch(None, game.log, None, list(game.state))
    sealed: tuple[Answer, ...] = ()
    for offer, values in choices:
        decision, before, known = game.decision, list(game.state), len(game.log)
        assert decision is not None
        option = next(each for each in decision.options if each.raw == (offer, tuple(values)))
        apart = chosen_apart(decision, option, language)
        answer = Answer(decision, option, () if decision.end.sealed else sealed, apart)
        game.choose(option)
        lines += teller.stretch(answer, game.log[known:], before, list(game.state))
        sealed = (*sealed, answer) if decision.end.sealed else ()
    lines += teller.pending()
    return [[each.kind, each.text] for each in lines if each.kind != "change"]


def differences(ours: Lines, theirs: Lines) -> list[str]:
    """What only one of two stories has."""
    one, two = (
        [f"{kind}: {HIDDEN.sub('?', text.strip())}" for kind, text in each] for each in (ours, theirs)
    )
    return list(difflib.unified_diff(one, two, "terminal", "page", lineterm="", n=1))


def loaded(browser: Any) -> Any:
    """A page with the table and what plays at it."""
    page = browser.new_page()
    names = (*ENGINE, "saves.js", "taking_back.js", "seats.js")
    page.add_script_tag(content=script(names) + HARNESS.read_text(encoding="utf-8"))
    return page


def main() -> int:
    """A line for each game, with what differs; 1 if one does."""
    from tests.browser.chromium import running

    parser = argparse.ArgumentParser("python -m tests.browser.stories", description=__doc__)
    parser.add_argument("--game", default="", help="only games and examples whose name has this in it")
    parser.add_argument("--mode", default="", help="only this mode of games that have modes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", default="", help="of the reader; the game's own if it is not given")
    parser.add_argument("--choices", type=int, default=100_000, help="the most choices of a game")
    given, failed = parser.parse_args(), False
    with running() as browser:
        page = loaded(browser)
        for title, machine, mode in wanted(given.game, given.mode):
            begun = time.perf_counter()
            found = compared(
                page, machine, given.seed, mode=mode, language=given.language, choices=given.choices
            )
            seconds = time.perf_counter() - begun
            print(f"{title}: {'DIFFERENT' if found else 'alike'} ({seconds:.0f} s)", flush=True)
            for each in found:
                print(f"    {each}", flush=True)
            failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
