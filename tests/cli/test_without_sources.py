"""A compiled game tells the same without its sources: a game, `why` and `why not`, in two languages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl.cli.asking import why, why_not
from dsl.engine.game import Game
from dsl.engine.layout import bounds
from dsl.engine.machine import Machine
from dsl.ir.program import Action, Program
from dsl.ir.types import Id, Int
from dsl.library import load
from dsl.resources import games
from tests.cli.conftest import Run
from tests.shipped import shipped
from tests.soak import only_when_long

DECISIONS, ASKED = 40, 3
"""How many decisions are made, and about how many actions of each it is asked."""
VERY_LARGE = ("command_and_conquer", "green_conquest")
"""Left to the long run, as they take long to compile and to begin."""
PLAYED = ("--auto", "--seed", "7", "--lang", "en", "--until", "300")
"""How one game is played: of a long one its first decisions, which show most of its rules, and not all 7,000."""


def told(machine: Machine, language: str) -> Iterator[str]:
    """What is said of a game that is played by chance, and of what could not be done in it."""
    program, game, r = machine.program, Game.start(machine, seed=5), random.Random(5)
    for _ in range(DECISIONS):
        decision = game.decision
        if decision is None:
            break
        yield from why(game, language, decision.player)
        offered = sorted({each.action for each in decision.end.offers if each.action is not None})
        for number in offered[:ASKED]:
            yield from why_not(game, asked(program, program.actions[number], r), language)
        game.choose(r.randrange(game.count))


def asked(program: Program, action: Action, r: random.Random) -> str:
    """An action with arguments by chance."""
    args = []
    for number, kind in enumerate(action.params):
        if number == action.by or not isinstance(kind, Int | Id):
            continue
        low, high = bounds(program, kind)
        value = r.randint(low, high)
        args.append(program.domains[kind.domain].members[value] if isinstance(kind, Id) else str(value))
    return f"{action.name}({', '.join(args)})"


@pytest.mark.slow
@pytest.mark.parametrize("name", [only_when_long(each) if each in VERY_LARGE else each for each in games()])
def test_a_compiled_game_tells_the_same_in_an_empty_folder(
    run: Run, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("compile", name, "-o", str(tmp_path / "game.ir.json"))
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    beside = run("play", name, *PLAYED).stdout
    machine = Machine(shipped(name))
    sources = {language: [*told(machine, language)] for language in ("fr", "en")}
    monkeypatch.chdir(empty)
    compiled = load("../game.ir.json")
    assert run("play", "../game.ir.json", *PLAYED).stdout == beside
    for language, lines in sources.items():
        assert [*told(compiled, language)] == lines
        assert len(set(lines)) > 10
    assert not list(empty.iterdir())
