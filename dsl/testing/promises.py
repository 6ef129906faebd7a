"""What is told of promises, and the program that is played to see whether they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dsl.engine.game import Game
from dsl.engine.promises import Broken, lines_of
from dsl.ir.nodes import Block, Op, Return
from dsl.ir.program import Procedure, Program, Routine
from dsl.testing import failure_text as told


def unkept(game: Game, broken: Broken) -> str:
    """What is told of a line that does not hold: which promise, its words, and for what it does not hold."""
    promise, line = lines_of(game.machine.program)[broken.line]
    condition = line.condition
    if isinstance(condition, Op) and condition.op == "or":  # unless its `when` is met
        condition = condition.args[-1]
    why = f"{broken.code} where it is read" if broken.code else told.cause(game, condition)
    return f'always "{promise.title}" is broken: {line.text}{f": {why}" if why else ""}'


def without_tests(program: Program) -> Program:
    """The program with its promises and without its tests, nor what only they run."""
    given = {step.index for test in program.tests for step in test.steps if step.kind == "given"}
    run = {step.index for test in program.tests for step in test.steps if step.kind == "run"}
    procedures = (
        Procedure("given", 0, (), None, ()) if number in given else each
        for number, each in enumerate(program.procedures)
    )
    idle = (Block((), Return(None)),)
    routines = (
        Routine("run", 0, (), (), 3, None, idle) if number in run else each
        for number, each in enumerate(program.routines)
    )
    return replace(program, tests=(), procedures=tuple(procedures), routines=tuple(routines))


def options_of(program: Program, chosen: Mapping[str, int]) -> dict[str, str]:
    """Options that are chosen otherwise than by default, by the names of their choices."""
    found = {}
    for option in program.options:
        value = chosen.get(option.name, option.default)
        if value != option.default:
            found[option.name] = option.choices[value] if option.choices else str(value)
    return found
