"""Whole modes in play: each, with each number of players, is saved and resumed at every decision."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostics
from dsl.engine.failure import StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.codec import decode, encode

GOOD = Path(__file__).parent / "good"
PROGRAMS = ("four_modes", "seats", "whole_modes")
Chosen = dict[str, str | int]


@cache
def machine(name: str) -> Machine:
    program = compile_game(str(GOOD / f"{name}.scn")).program
    assert program is not None
    again = decode(encode(program), Diagnostics())
    assert again == program
    return Machine(program)


def choices(name: str) -> Iterator[Chosen]:
    """Each mode, with each number of players that the option allows."""
    options = {option.name: option for option in machine(name).program.options}
    counts = options["players"].range if "players" in options else None
    for mode in options["mode"].choices:
        for count in range(counts[1] + 1) if counts else [None]:
            yield {"mode": mode} if count is None else {"mode": mode, "players": count}


def started(name: str, chosen: Chosen, seed: int = 0) -> Game | None:
    try:
        return Game.start(machine(name), seed=seed, options=chosen)
    except StartError:
        return None


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_mode_plays_and_is_resumed_at_every_decision(name: str) -> None:
    played: set[object] = set()
    for chosen in choices(name):
        for seed in range(4):
            game = started(name, chosen, seed)
            if game is None:
                continue
            played.add(chosen["mode"])
            other, chooser = game, Random(seed)
            while (decision := game.decision) is not None:
                option = chooser.randrange(len(decision.options))
                restored = Game.restore(machine(name), other.snapshot())
                assert isinstance(restored, Game)
                game.choose(option)
                restored.choose(option)
                assert restored.fingerprint == game.fingerprint
                other = restored
            assert game.outcome == other.outcome is not None
    assert played == set(machine(name).program.options[0].choices)


def seated(name: str, **chosen: str | int) -> set[str] | None:
    """Who is asked in a game, or none where it does not start."""
    game = started(name, chosen)
    if game is None:
        return None
    players = machine(name).program.domains[0].members
    asked = set()
    while (decision := game.decision) is not None:
        asked.add(players[decision.player])
        game.choose(0)
    return asked


def test_only_those_who_have_a_seat_are_asked() -> None:
    assert seated("seats", mode="duel") == {"red", "green"}
    assert seated("seats", mode="free_for_all", players=3) == {"red", "blue", "green"}
    assert seated("seats", mode="coalition", players=3) == {"red", "green", "yellow"}
    assert seated("seats", mode="coalition") == {"red", "blue", "green", "yellow"}


def test_a_number_that_a_mode_does_not_take_is_refused() -> None:
    for mode, players in (("duel", 3), ("coalition", 2), ("free_for_all", 1)):
        chosen: Chosen = {"mode": mode, "players": players}
        assert seated("seats", **chosen) is None
        with pytest.raises(StartError, match="not for so many players"):
            Game.start(machine("seats"), options=chosen)
    assert seated("four_modes", mode="objective", players=2) is None
    assert seated("four_modes", mode="objective", players=5) is not None


GAME = """game way:
    players a, b
    rounds 2
    {0}
state:
    n: 0..20
action tick by p: n gains 1
action wait by p: nothing
round:
    for p in order of play:
        p chooses:
            tick
            wait
mode one "First":
    rounds 3
mode two "Second":
    forbid wait "no waiting"
"""


def decisions(game: Game) -> int:
    count = 0
    while game.decision is not None:
        game.choose(0)
        count += 1
    return count


def test_the_header_says_which_mode_is_played_and_how_long(tmp_path: Path) -> None:
    path = tmp_path / "way.scn"
    path.write_text(GAME.format("mode two"), encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    machine_of_it = Machine(program)
    assert decisions(Game.start(machine_of_it, options={"mode": "one"})) == 6
    assert Game.start(machine_of_it).decision is None, "there is no choice in the second mode"
    scenario = tmp_path / "short.scn"
    scenario.write_text("scenario short for way:\n    rounds 1\n    mode one\n", encoding="utf-8")
    made = compile_game(str(scenario))
    short = made.program
    assert short is not None, [each.message for each in made.diagnostics]
    assert decisions(Game.start(Machine(short))) == 2, "a scenario's rounds hold in all modes"


def test_a_column_that_is_modified_as_if_it_were_a_value_is_told_how(tmp_path: Path) -> None:
    path = tmp_path / "walk.scn"
    path.write_text(
        "game walk:\n    players red, blue\n    rounds 1\ntable Kind:\n    | id | steps |\n    | k  |     2 |\n"
        "piece Man of Kind, one each\naction go by p: nothing\nround:\n    red chooses: go\n"
        "modify steps: +1\n"
    )
    (found,) = compile_game(str(path)).diagnostics
    assert found.code.value == "E0205"
    assert "modify Kind.steps(x)" in found.hint
