"""Does the engine of the page play and tell as Python's does? `python -m tests.browser.alike` asks for all games."""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dsl.browser.facts import facts
from dsl.browser.pack import ENGINE, script
from dsl.cli.effects import effects
from dsl.cli.goals import goals, others
from dsl.cli.looking import option_label
from dsl.cli.story import ending
from dsl.cli.taking_back import kept_by
from dsl.engine.decision import Decision, Option
from dsl.engine.display import languages
from dsl.engine.distinct import told_apart
from dsl.engine.failure import StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.public_words import open_label
from dsl.engine.settings import settings_of
from dsl.engine.views import may_see
from dsl.odds.forecast import forecasts
from dsl.players.random_player import RandomPlayer
from dsl.wasm.searching import hides
from dsl.wasm.telling import telling

HARNESS = Path(__file__).with_name("corpus.js")
PROGRESS = re.compile(r" \(-?\d+ [/:→] -?\d+\)$")
MOST = 60
"""Options of a decision whose labels are compared."""


def hashed(numbers: list[int]) -> int:
    """The hash that the page's side computes."""
    total = 0
    for each in numbers:
        total = (total * 31 + each) & 0xFFFFFFFF
    return (total ^ 0x80000000) - 0x80000000


def told_by_python(machine: Machine, given: dict[str, Any]) -> list[dict[str, Any]]:
    """The stops of a game as Python plays and tells it."""
    player = RandomPlayer(given["seed"])
    game = Game.start(machine, seed=given["seed"], options=given["options"], telling=True)
    found, known = [{"kept": "", "said": [[]], **_stop(game, given, 0)}], len(game.log)
    for _ in range(given["choices"]):
        if not game.count:
            break
        before, decision, number = game.clone(), game.decision, player.index(game.count)
        assert decision is not None
        game.choose(number)
        kept = kept_by(before, game) if given["kept"] else ""
        said = _said(machine, decision.options[number], list(game.state), given["languages"][0])
        found.append({"kept": kept, "said": [said], **_stop(game, given, known)})
        known = len(game.log)
    return found


def _said(machine: Machine, option: Option, after: list[int], language: str) -> list[str]:
    """What a choice says to each player, where something is hidden; nothing of passing."""
    program = machine.program
    if not hides(program) or option.kind in {"pass", "stop"}:
        return []
    players = range(len(program.domains[program.players].members))
    return [open_label(option, after, player, language) for player in players]


def _stop(game: Game, given: dict[str, Any], known: int) -> dict[str, Any]:
    machine, program = game.machine, game.machine.program
    decision, state = game.decision, list(game.state)
    players = range(len(program.domains[program.players].members))
    spoken = given["languages"]
    seen = [
        [
            hashed(
                [
                    int(may_see(machine, state, index, member, player))
                    for member in range(1 if var.of is None else len(program.domains[var.of].members))
                ]
            )
            for player in players
        ]
        if var.audience is not None or var.role == "order"
        else 0
        for index, var in enumerate(program.vars)
    ]
    options = decision.options[: given["most"]] if decision is not None else ()
    return {
        "state": hashed(state),
        "options": [[option_label(each, language) for language in spoken] for each in options],
        "count": game.count,
        "player": None if decision is None else decision.player,
        "prompt": [decision.prompt_in(language) for language in spoken] if decision is not None else [],
        "apart": told_apart(decision, options, spoken[0])
        if decision is not None and game.count <= given["most"]
        else [],
        "does": [_foreseen(decision, given["most"], language) for language in spoken]
        if decision is not None
        else [],
        "goals": [
            [list(goals(machine, state, player, language)) for player in (None, *players)]
            for language in spoken
        ],
        "near": [list(others(machine, state, player, spoken[0])) for player in players],
        "log": [
            [each.text(spoken[0], viewer) for viewer in (None, *players)]
            for each in game.log[known:]
            if each.kind != "end"
        ],
        "seen": seen,
        "sentence": [ending(machine, state, language) for language in spoken],
    }


def _foreseen(decision: Decision, most: int, language: str) -> list[str]:
    """What the first options do, as the terminal has it beside them."""
    options = decision.options[:most]
    found = forecasts(decision, language, options)
    return [
        effects(each, option_label(option, language)) for each, option in zip(found, options, strict=True)
    ]


def request(
    machine: Machine, seed: int, choices: int, options: dict[str, str | int], *, kept: bool = False
) -> dict[str, Any]:
    """What is to be played; `kept`: whether each choice may be taken back is compared too."""
    program = machine.program
    chosen = settings_of(program, options)
    names = {each.name: chosen[each.var] for each in program.options}
    return {
        "seed": seed,
        "choices": choices,
        "options": options,
        "settings": names,
        "languages": list(dict.fromkeys(("", *languages(program)))),
        "most": MOST,
        "kept": kept,
    }


def startable(machine: Machine, options: dict[str, int]) -> dict[str, str | int]:
    """The options, without the number of players where the mode is not for so many."""
    found: dict[str, str | int] = dict(options)
    try:
        Game.start(machine, options=found)
    except StartError:
        found.pop("players", None)
    return found


def compared(page: Any, machine: Machine, given: dict[str, Any], *, hiding: bool = True) -> list[str]:
    """Plays in a page that has the script of `loaded`, and yields what differs; `hiding`: a page of a game with secrets
    may not know how far players have come.
    """
    made = telling(machine)
    known = json.loads(json.dumps(facts(machine, made, machine.program.name)))
    unsure = {n for n, each in enumerate(made.sites) if not each.sure}
    theirs = page.evaluate(
        "([facts, code, given]) => corpus(facts, code, given)",
        [known, base64.b64encode(made.code).decode(), given],
    )
    ours = told_by_python(machine, given)
    return list(differences(ours, theirs, tolerant=bool(unsure), hides=hiding and hides(machine.program)))


def differences(
    ours: list[dict[str, Any]], theirs: list[dict[str, Any]], *, tolerant: bool, hides: bool = False
) -> list[str]:
    """What differs, at the first stop where something does; `tolerant`: `?` may stand in the page's log; `hides`: it
    may not know how far players have come.
    """
    for number, (one, two) in enumerate(zip(ours, theirs, strict=False)):
        found = []
        for key in one:
            if one[key] == two[key] or (tolerant and key == "log" and _hides_more(one[key], two[key])):
                continue
            if hides and key == "goals" and _tells_less(one[key], two[key]):
                continue
            if hides and key == "near" and _among(two[key], one[key]):
                continue
            if isinstance(one[key], list) and len(one[key]) == len(two[key]):
                places = [
                    k for k, pair in enumerate(zip(one[key], two[key], strict=True)) if pair[0] != pair[1]
                ]
                found.append(
                    f"stop {number}, {key} {places[0]}: {one[key][places[0]]} / {two[key][places[0]]}"
                )
            else:
                found.append(f"stop {number}, {key}: {str(one[key])[:600]} / {str(two[key])[:600]}")
        if found:
            return found
    return [] if len(ours) == len(theirs) else [f"{len(ours)} and {len(theirs)} stops"]


def _hides_more(ours: list[list[str]], theirs: list[list[str]]) -> bool:
    return len(ours) == len(theirs) and all(
        one == two or "?" in two
        for a, b in zip(ours, theirs, strict=True)
        for one, two in zip(a, b, strict=True)
    )


def _tells_less(ours: list[list[list[str]]], theirs: list[list[list[str]]]) -> bool:
    """Are goals the same but for how far somebody has come, where the page does not know who may see that?"""

    def pairs(one: list[str], two: list[str]) -> Iterator[tuple[str, str]]:
        for line, other in zip(one, two, strict=True):
            yield from zip(line.split(" · "), other.split(" · "), strict=True)

    return all(
        a == b or PROGRESS.sub("", a) == b
        for language in zip(ours, theirs, strict=True)
        for one, two in zip(*language, strict=True)
        for a, b in pairs(one, two)
    )


def _among(some: list[list[str]], more: list[list[str]]) -> bool:
    """Is all that is told of how near others are among what is told elsewhere?"""

    def said(lines: list[str]) -> set[tuple[str, str]]:
        heads = (line.partition(": ") for line in lines)
        return {(head, part) for head, _, parts in heads for part in parts.split(" · ")}

    return all(said(one) <= said(other) for one, other in zip(some, more, strict=True))


def loaded(browser: Any) -> Any:
    """A page with the engine and what plays the corpus."""
    page = browser.new_page()
    page.add_script_tag(
        content=script((*ENGINE, "saves.js", "taking_back.js")) + HARNESS.read_text(encoding="utf-8")
    )
    return page


def main() -> int:
    """A line for each game; 1 if one differs."""
    from tests.browser.chromium import running
    from tests.figures.play import table
    from tests.figures.targets import targets

    parser = argparse.ArgumentParser("python -m tests.browser.alike", description=__doc__)
    parser.add_argument("--choices", type=int, default=40, help="how many choices of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="", help="only games whose name has this in it")
    parser.add_argument("--kept", action="store_true", help="compare what may be taken back, too")
    parser.add_argument("paths", nargs="*", help="other games")
    given = parser.parse_args()
    failed = False
    with running() as browser:
        page = loaded(browser)
        from dsl.library import load

        chosen = [(each.name, each.machine(), each.mode) for each in targets() if given.game in each.name]
        chosen = [(each, load(each), "") for each in given.paths] or chosen
        for name, machine, mode in chosen:
            begun = time.perf_counter()
            options = startable(machine, dict(table(machine, given.seed, mode).options))
            found = compared(
                page, machine, request(machine, given.seed, given.choices, options, kept=given.kept)
            )
            print(f"{name}: {found or 'alike'} ({time.perf_counter() - begun:.1f} s)", flush=True)
            failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
