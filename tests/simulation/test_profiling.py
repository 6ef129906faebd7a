"""Profiles: all steps are the engine's own, and each is told at the line that takes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.codegen.expressions import PROFILING
from dsl.engine.codegen.program import generate
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.profile import ProfiledMachine
from dsl.engine.runtime import Run
from dsl.ir.program import Program
from dsl.library import load
from dsl.passes.pipeline import Lowering
from dsl.players.random_player import RandomPlayer
from dsl.resources import games
from dsl.simulation.profiling import Entry, Profiled, ProfilingEngine
from dsl.simulation.running import Wanted, simulate
from tests.examples import CLASSICS
from tests.soak import without_largest

GAME = """
game work:
    players a, b
    decisions at most 4
map board on squares(30, 30)
state of Cell:
    mark: 0..9 = 0
state:
    n: 0..1000000 = 0
value marked -> 0..900:
    return count c in Cell where c.mark > 0 and c.mark < 9
value twice(k: 0..9) -> 0..9000:
    return marked + k
action go(k: 1..9) by p:
    need marked is 0
    for i in 1..k:
        n = n + 1
    if k is 9:
        n = twice(k)
round:
    for p in order of play:
        p chooses:
            go(k) for k in 1..9
"""
PER_ELEMENT = 1 + 1 + 2 * (1 + 2 + 1)
"""The element; `and` of two comparisons, each of a field of it and a number."""
MARKED = 900 * PER_ELEMENT // 100


class Watched(Game):
    """A game that keeps all its runs."""

    runs: list[Run]

    def _run(self) -> Run:
        run = super()._run()
        self.__dict__.setdefault("runs", []).append(run)
        return run


def compiled(folder: Path, text: str) -> Program:
    path = folder / "work.scn"
    path.write_text(text, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program


def played(machine: Machine, choices: list[int]) -> Watched:
    game = Watched.start(machine)
    for number in choices:
        game.choose(number)
    assert isinstance(game, Watched)
    return game


def told(program: Program, machine: ProfiledMachine, text: str = GAME) -> Profiled:
    lines = text.splitlines()
    return Profiled(program, machine.profile, lambda spot: lines[spot[1] - 1].strip())


def at(entries: list[Entry], begin: str) -> Entry:
    (found,) = (each for each in entries if each.name.startswith(begin))
    return found


def test_each_step_is_told_at_the_line_that_takes_it(tmp_path: Path) -> None:
    program = compiled(tmp_path, GAME)
    machine = ProfiledMachine(program)
    played(machine, [4, 8])  # go(5) and go(9); then the options of a third decision are listed
    found = told(program, machine)
    listed, done = 3 * 9, 2
    marked = at(found.heads, "value marked")
    asked = marked.runs
    assert asked >= listed + 1
    assert marked.own.steps == pytest.approx(asked * MARKED, abs=asked)
    assert at(found.heads, "may go").runs >= listed
    assert at(found.heads, "action go").runs == done
    assert at(found.heads, "value twice").runs == 1
    assert at(found.heads, "value twice").total.steps == pytest.approx(MARKED, abs=3)
    line = at(found.lines, "for i in 1..k")
    assert line.own.steps == pytest.approx(5 + 9, abs=1), "a round of a loop is a step"
    assert at(found.lines, "n = n + 1").runs == 5 + 9
    assert at(found.lines, "n = twice").runs == 1
    assert at(found.lines, "need marked").total.steps == pytest.approx((asked - 1) * MARKED, abs=asked)


def test_what_is_read_for_options_is_under_the_line_of_the_menu(tmp_path: Path) -> None:
    program = compiled(tmp_path, GAME)
    machine = ProfiledMachine(program)
    played(machine, [])
    found = told(program, machine)
    menu = at(found.heads, "menu go(k)")
    assert menu.runs == 1
    assert menu.total.steps >= 9 * MARKED
    assert at(found.heads, "value marked").own.steps <= menu.total.steps
    stacks = [each for each in found.stacks().splitlines() if "value marked" in each]
    assert stacks
    assert all(";menu go(k) for k in 1..9;" in each and ";may go;" in each for each in stacks)


def test_a_profile_plays_the_same_game_in_the_same_steps(tmp_path: Path) -> None:
    program = compiled(tmp_path, GAME)
    plain, profiled = Machine(program), ProfiledMachine(program)
    games = played(plain, [4, 8, 0]), played(profiled, [4, 8, 0])
    assert games[0].state == games[1].state
    assert [run.steps for run in games[0].runs] == [run.steps for run in games[1].runs]


@pytest.mark.parametrize("game", without_largest([*games(), "hex", "reversi"]))
def test_all_steps_together_are_the_engine_s(game: str) -> None:
    program = load(game if game in games() else CLASSICS / game).program
    machine, steps = ProfiledMachine(program), 0
    for seed in range(2):
        player, game_ = RandomPlayer(seed), Watched.start(machine, seed=seed)
        for _ in range(40):
            if game_.count:
                game_.choose(player.index(game_.count))
        assert isinstance(game_, Watched)
        steps += sum(run.steps for run in game_.runs)
    found = Profiled(program, machine.profile, lambda _: "text; of a line 7")
    assert found.steps == steps > 0
    assert sum(each.own.steps for each in found.heads) <= steps
    assert sum(each.own.steps for each in found.lines) == steps
    assert all(0 <= each.own.steps <= each.total.steps <= steps for each in (*found.heads, *found.lines))
    collapsed = [re.fullmatch(r"([^;]+(?:;[^;]+)*) (\d+)", each) for each in found.stacks().splitlines()]
    assert sum(int(each[2]) for each in collapsed if each) == steps
    assert all(collapsed)


def test_the_shares_of_code_are_its_weight() -> None:
    source = generate(Lowering(load("green_conquest").program), PROFILING)
    shares = [each for each in source.counted if each.shares]
    assert len(shares) > 100
    assert all(share.weight > 0 for each in shares for share in each.shares)
    assert max(len(each.shares) for each in shares) < 5000


def test_equal_seeds_give_equal_profiles() -> None:
    program = load(str(CLASSICS / "reversi")).program

    def figures() -> list[tuple[str, int, int, int]]:
        engine = ProfilingEngine(program, {})
        simulate(program, Wanted(3, 5, engine="python"), engine=engine)
        found = Profiled(program, engine.machine.profile, lambda _: "")
        return [(each.name, each.runs, each.own.steps, each.total.steps) for each in found.heads]

    assert figures() == figures()


def test_a_rule_that_takes_too_many_steps_is_counted_until_then(tmp_path: Path) -> None:
    text = GAME.replace("for i in 1..k:", "repeat 900000 times:\n        n = marked\n    for i in 1..k:")
    program = compiled(tmp_path, text)
    machine = ProfiledMachine(program)
    with pytest.raises(RuleFailure, match="step"):
        played(machine, [0])
    found = told(program, machine, text)
    assert found.heads[0].name == "value marked"
    assert found.steps > 1_000_000


def test_what_could_be_done_ahead_is_counted_where_it_is_asked(tmp_path: Path) -> None:
    program = load("green_conquest").program
    machine = ProfiledMachine(program)
    player, game = RandomPlayer(0), Game.start(machine, seed=0)
    for _ in range(60):
        if game.count:
            game.choose(player.index(game.count))
    found = Profiled(program, machine.profile, lambda _: "")
    searched = [each for each in found.stacks().splitlines() if "search " in each]
    assert searched
    assert all(each.startswith("game green_conquest;") for each in searched)
