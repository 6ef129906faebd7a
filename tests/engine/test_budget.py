"""A decision may take more steps in a larger game, on each engine alike; a search that takes more is told apart."""

from pathlib import Path
from typing import Literal

import pytest

import dsl
from dsl.compiler import compile_game
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import MOST_ASKED, MOST_STEPS, STEPS, Program, budget
from dsl.simulation.running import Wanted, simulate
from dsl.wasm.game import Game as Inside
from dsl.wasm.machine import FastMachine
from dsl.wasm.module import Module

GAME = """game grown:
    players ann, bob
    rounds 2
map board on squares({width}, {height})
state of Cell:
    mark: 0..9
state:
    n: 0..9
menu planting:
    plant(c) for c in Cell
action plant(c: Cell): c.mark gains up to 1
action look by p:
    if reachable(planting, {goal}, at most 20): n = 1
round:
    {course}
{more}
"""
CROWD = "value crowd(c: Cell) -> 0..9 = 9 if (any d in Cell where distance(c, d) + d.mark > 90) else 0"
ENDLESS = "repeat 1000000 times:\n        repeat 1000000 times: n = 3"


def compiled(
    folder: Path, width: int, height: int, course: str, goal: str = "n is 3", more: str = ""
) -> Program:
    path = folder / "grown.scn"
    path.write_text(GAME.format(width=width, height=height, course=course, goal=goal, more=more))
    program = compile_game(str(path)).program
    assert program is not None
    return program


def failure(engine: str, program: Program) -> RuleFailure:
    with pytest.raises(RuleFailure) as caught:
        match engine:
            case "inside":
                Inside.start(Module.of(program, cache=False), seed=1)
            case "fast":
                Game.start(FastMachine(program, cache=False), seed=1)
            case _:
                Game.start(Machine(program), seed=1)
    return caught.value


engines = pytest.mark.parametrize("engine", ["python", "fast", "inside"])


@pytest.mark.parametrize(
    ("width", "height", "steps"),
    [(14, 10, STEPS), (20, 20, 10 * 400**2), (26, 20, 10 * 520**2), (30, 30, MOST_STEPS)],
)
def test_the_budget_grows_with_the_board(width: int, height: int, steps: int, tmp_path: Path) -> None:
    assert budget(compiled(tmp_path, width, height, "n = 1")) == steps


@engines
def test_a_decision_may_take_so_many_and_no_more(engine: str, tmp_path: Path) -> None:
    assert "more than 1,600,000 steps" in failure(engine, compiled(tmp_path, 20, 20, ENDLESS)).message
    found = compiled(tmp_path, 20, 20, "repeat 700000 times: n = 3")  # in each of two rounds
    Game.start(Machine(found) if engine == "python" else FastMachine(found, cache=False), seed=1)


@engines
def test_a_search_that_is_given_up_is_another_failure(engine: str, tmp_path: Path) -> None:
    """It has found nothing, and does not say that there is nothing."""
    searching = compiled(tmp_path, 10, 10, "look by ann", "(count c in Cell where c.mark is 9) > 1")
    found = failure(engine, searching)
    assert found.code == "E0613"
    assert "given up" in found.message
    assert "1,000,000 steps" in found.message
    assert found.place is not None


@engines
def test_a_loop_behind_a_search_is_none(engine: str, tmp_path: Path) -> None:
    course = "look by ann\n    " + ENDLESS
    near = compiled(tmp_path, 3, 3, course, "(any c in Cell where c.mark is 1)")
    assert failure(engine, near).code == "E0608"


@engines
def test_whoever_plays_may_give_a_decision_another_number_of_steps(engine: str, tmp_path: Path) -> None:
    found = compiled(tmp_path, 3, 3, "repeat 5000 times: n = 3")

    def begun(steps: int) -> object:
        if engine == "inside":
            return Inside.start(Module.of(Machine(found, steps=steps), cache=False), seed=1)
        made = (
            Machine(found, steps=steps)
            if engine == "python"
            else FastMachine(found, cache=False, steps=steps)
        )
        return Game.start(made, seed=1)

    assert begun(20_000)
    with pytest.raises(RuleFailure) as caught:
        begun(7_000)
    assert caught.value.code == "E0608"
    assert "more than 7,000 steps" in caught.value.message


def test_nobody_gives_it_more_than_engines_count(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="from 1,000 to 1,000,000,000 steps"):
        Machine(compiled(tmp_path, 3, 3, "n = 1"), steps=MOST_ASKED + 1)


@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_simulated_games_may_take_as_many_as_asked_for(engine: str, tmp_path: Path) -> None:
    found = compiled(tmp_path, 3, 3, "repeat 5000 times: n = 3")
    few = simulate(found, Wanted(3, engine=engine, steps=7_000), 1)
    assert few.tally.failures["E0608"] == 3
    assert not simulate(found, Wanted(3, engine=engine, steps=20_000), 1).tally.failures


def test_the_message_tells_what_took_the_steps_and_how_to_allow_more(tmp_path: Path) -> None:
    found = compiled(tmp_path, 20, 20, "for c in Cell: n = crowd(c)", more=CROWD)
    with pytest.raises(RuleFailure) as caught:
        Game.start(Machine(found, steps=5_000), seed=1, telling=True)
    told = caught.value.message
    assert told.startswith("more than 5,000 steps between two decisions, ")
    assert "`value crowd` at" in told
    assert "grown.scn:16" in told
    assert "`--steps 10000`" in told
    with pytest.raises(RuleFailure, match=r"more than 5,000 steps between two decisions$"):
        Game.start(Machine(found, steps=5_000), seed=1)


@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_a_game_is_loaded_with_a_number_of_steps(engine: Literal["python", "wasm"], tmp_path: Path) -> None:
    compiled(tmp_path, 3, 3, "repeat 5000 times: n = 3")
    path = tmp_path / "grown.scn"
    with pytest.raises(RuleFailure, match="more than 7,000 steps"):
        dsl.load(path, engine=engine, steps=7_000).start(seed=1)
    assert dsl.load(path, engine=engine, steps=20_000).start(seed=1).outcome is not None
