"""Each ruling is tested both ways: a test that cites it passes under one choice, and fails under the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dsl.engine.machine import Machine
from dsl.ir import program as pr
from dsl.ir.program import Option, Program
from dsl.resources import game_folder
from dsl.testing.runner import run_test
from tests.shipped import shipped

GAMES = ("me_ccg", "command_and_conquer")


def rulings(program: Program) -> Iterator[tuple[int, Option]]:
    """Those that cite an ambiguity of the book, with their numbers."""
    for number, option in enumerate(program.options):
        clause = None if option.clause is None else program.clauses[option.clause]
        if clause is not None and clause.kind == "ruling" and clause.ids:
            yield number, option


def about(program: Program, option: Option) -> list[pr.Test]:
    assert option.clause is not None
    ids = set(program.clauses[option.clause].ids)
    return [test for test in program.tests if ids & {*test.ids, *test.pins}]


def choice(test: pr.Test, number: int, option: Option) -> int:
    """Under which of its choices a test plays."""
    steps = [step for step in test.steps if step.kind == "option" and step.index == number]
    return steps[-1].numbers[0] if steps else option.default


def under(test: pr.Test, number: int, chosen: int) -> pr.Test:
    """The same test under another choice."""
    kept = tuple(step for step in test.steps if step.kind != "option" or step.index != number)
    return replace(test, steps=(pr.TestStep("option", index=number, numbers=(chosen,)), *kept))


def choices(option: Option) -> range:
    low, high = option.range or (0, len(option.choices) - 1)
    return range(low, high + 1)


@pytest.mark.parametrize("game", GAMES)
def test_each_choice_of_a_ruling_is_told_from_each_other_by_a_test(game: str) -> None:
    program = shipped(game, tests=True)
    machine, missing = Machine(program), []
    for number, option in rulings(program):
        tests = about(program, option)
        for one in choices(option):
            own = [test for test in tests if choice(test, number, option) == one]
            missing += [
                f"{option.name}: no test of choice {one} fails under {other}"
                for other in choices(option)
                if other != one and all(run_test(machine, under(test, number, other)).passed for test in own)
            ]
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_all_that_is_ours_is_carried_out_somewhere_and_tested(game: str) -> None:
    program = shipped(game, tests=True)
    folder = game_folder(game)
    assert folder is not None
    index = json.loads((folder / "rulebook.json").read_text(encoding="utf-8"))
    ours = {each["id"] for part in ("ambiguities", "house") for each in index[part]}
    carried = {cited for clause in program.clauses if clause.kind != "test" for cited in clause.ids}
    tested = {cited for test in program.tests for cited in (*test.ids, *test.pins)}
    assert sorted(ours - carried) == []
    assert sorted(ours - tested) == []
