"""What is computed beside the rules has steps of its own: it never fails a game, changes it, or takes for ever."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from dsl.cli.board import drawings
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.views import HIDDEN
from dsl.wasm.machine import FastMachine
from tests.bounded import bounded

HEAVY = """game heavy:
    players a, b
    rounds 2
map m on squares(31, 31)
table Mark:
    | id | look |
    | s1 | red  |
state of Cell:
    z: 0..9
    {hidden}
state:
    n: 0..9
value heavy -> 0..100000 = count c in Cell where c.z is 3 or (any d in Cell where d.z is 4 and c.z is 2)
value watcher -> Player = a if heavy > 3 else b
value overlay(c: Cell) -> Mark? = s1 if heavy > 900 or c is a1 else none
action look by p "Look {{n}} {{heavy}}":
    repeat 20000 times: say "now {{heavy}}"
action rest(c: Cell) by p "Rest {{heavy}}": n = 1
round:
    for p in order of play:
        p chooses:
            look
            rest(c) for c in Cell
"""
FAILING = """game failing:
    players a, b
    rounds 3
table Model:
    | id | copies |
    | c1 |      4 |
piece Card of Model, copies each
state:
    watch: list of Player up to 2
    k: 0..9
    m: 0..9, seen by watcher
pile deck of Card, seen by watcher
pile used of Card
value watcher -> Player = watch[1]
value share -> 0..9 = 9 / k rounded down
action play(n: 1..4) by p "Play for {share}, {k}":
    random c in deck
    move c to used
    m gains 1
    say "it is {m}, {share} of {k}"
    say "each {k}"
    if m is 2: k = 3
round:
    for p in order of play:
        p may: play(n) for n in 1..4 where n <= size(deck)
"""
ENGINES = (Machine, FastMachine)


def machine_of(tmp_path: Path, text: str, kind: type[Machine] = Machine) -> Machine:
    path = tmp_path / f"{text.split()[1].rstrip(':')}.scn"
    path.write_text(text, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return kind(program)


def played(machine: Machine, *, telling: bool) -> tuple[list[int], list[str], Game]:
    """A game in which the first option is always taken: its last state, and what was told."""
    game = Game.start(machine, seed=5, telling=telling)
    while game.count:
        game.choose(0)
    return list(game.state), [entry.text() for entry in game.log], game


@pytest.mark.parametrize("kind", ENGINES)
def test_telling_has_steps_of_its_own_and_changes_nothing(tmp_path: Path, kind: type[Machine]) -> None:
    machine = machine_of(tmp_path, HEAVY.format(hidden=""), kind)
    with bounded():
        state, told, _ = played(machine, telling=True)
    assert state == played(machine, telling=False)[0]
    assert "Look 0 0" in told and "now {heavy}" in told
    assert told == played(machine_of(tmp_path, HEAVY.format(hidden="")), telling=True)[1]
    assert machine.unsaid["E0608"] > 0


@pytest.mark.parametrize("kind", ENGINES)
def test_telling_never_fails_where_playing_does_not(tmp_path: Path, kind: type[Machine]) -> None:
    machine = machine_of(tmp_path, FAILING, kind)
    state, told, game = played(machine, telling=True)
    assert state == played(machine, telling=False)[0]
    decision = Game.start(machine, seed=5).decision
    assert decision is not None and decision.options[0].names == ()  # and no fault of the engine
    assert "Play for {share}, 0" not in told  # the whole line is told without what it needs
    assert "it is {m}, {share} of {k}" in told and "it is 3, 3 of 3" in told
    seen = game.view(0).told()
    assert "it is ?, {share} of {k}" in seen and "it is ?, 3 of 3" in seen
    assert game.view(0).values["m"] is HIDDEN


def test_an_audience_that_is_too_much_work_is_empty(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, HEAVY.format(hidden="h: 0..9, seen by watcher"))
    game = Game.start(machine, seed=5, telling=True)
    with bounded():
        for player in (0, 1):
            seen = game.view(player).values["h"]
            assert isinstance(seen, Mapping) and set(seen.values()) == {HIDDEN}


def test_labels_have_each_their_share_whatever_was_asked_before(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, HEAVY.format(hidden=""))
    decision = Game.start(machine, seed=5).decision
    assert decision is not None
    with bounded():
        labels = [option.label() for option in decision.options]
    assert labels == ["Look 0 {heavy}", *["Rest {heavy}"] * (31 * 31)]
    assert [option.label() for option in reversed(decision.options)] == labels[::-1]


def test_a_drawing_has_steps_of_its_own(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, HEAVY.format(hidden=""))
    with bounded():
        assert drawings(machine, list(Game.start(machine, seed=5).state), None, "")
    assert machine.unsaid["E0608"] > 0
