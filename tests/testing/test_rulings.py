"""Readings that a rulebook leaves open are tested both ways: each choice of a ruling or an option, and the default."""

import pytest

from dsl.ir import program as ir
from dsl.ir.program import Option, Program
from dsl.library import build


def program_of(name: str) -> Program:
    program = build(name, (), tests=True).program
    assert program is not None
    return program


def chosen(program: Program, test: ir.Test) -> dict[str, int]:
    """The options that a test sets."""
    steps = (step for step in test.steps if step.kind == "option" and step.index is not None)
    return {program.options[step.index].name: step.numbers[0] for step in steps if step.index is not None}


def untested(program: Program, option: Option) -> set[int]:
    """The choices of a ruling under which no test that names it plays; of a number, the default and any other."""
    assert option.clause is not None
    ids = set(program.clauses[option.clause].ids)
    naming = [test for test in program.tests if ids & {*test.ids, *test.pins}]
    played = {chosen(program, test).get(option.name, option.default) for test in naming}
    if option.choices:
        return set(range(len(option.choices))) - played
    return set() if len(played) > 1 else {option.default}


GREEN_CONQUEST = program_of("green_conquest")
RULINGS = [each for each in GREEN_CONQUEST.options if each.clause is not None]


@pytest.mark.parametrize("option", RULINGS, ids=lambda each: each.name)
def test_each_reading_is_tested(option: Option) -> None:
    assert untested(GREEN_CONQUEST, option) == set()


def test_each_ambiguity_is_carried_out_somewhere() -> None:
    """A rule cites it, or its note says why none does."""
    told = [each for each in GREEN_CONQUEST.rules if each.status == "ambiguity"]
    cited = {id_ for each in GREEN_CONQUEST.clauses if each.kind != "test" for id_ in each.ids}
    assert len(told) == 142
    assert [each.id for each in told if each.id not in cited and not each.note] == []
