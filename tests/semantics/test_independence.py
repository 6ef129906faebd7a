"""Conditions that are said to be independent never exclude each other where each can hold by itself."""

from random import Random

import pytest

from dsl.elaborate.clauses.independence import about
from dsl.elaborate.clauses.solver import EXCLUDED, Situation, Terms, compatible
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int
from tests.soak import fewer

PIECE, MAYBE = Id(0), Id(0, optional=True)
NUMBER = Int(0, 3)
VARS = (NUMBER, NUMBER, PIECE, MAYBE)
COLUMN = pr.Data("column", NUMBER, ((0, 3),), (0, 1, 2))


def local(r: Random) -> ir.Local:
    index = r.randrange(3)
    return ir.Local(MAYBE if index == 2 else PIECE, index)


def number(r: Random) -> ir.Expr:
    match r.randrange(6):
        case 0 | 1:
            return ir.Load(NUMBER, r.randrange(2), local(r))
        case 2:
            return ir.Ask(NUMBER, r.randrange(2), (local(r),))
        case 3:
            return ir.Lookup(NUMBER, 0, (local(r),))
        case 4:
            return ir.Load(NUMBER, r.randrange(2), ir.Load(PIECE, 2, local(r)))
        case _:
            return ir.Const(NUMBER, r.randrange(4))


def piece(r: Random) -> ir.Expr:
    match r.randrange(4):
        case 0:
            return ir.Load(PIECE, 2, local(r))
        case 1:
            return ir.Const(PIECE, r.randrange(3))
        case _:
            return local(r)


def condition(r: Random, depth: int = 2) -> ir.Expr:
    match r.randrange(5 if depth else 3):
        case 0:
            return ir.Op(TRUTH, r.choice(("eq", "ne")), (piece(r), piece(r)))
        case 1 | 2:
            return ir.Op(TRUTH, r.choice(("lt", "le", "eq", "ne")), (number(r), number(r)))
        case 3:
            return ir.Op(TRUTH, "not", (condition(r, depth - 1),))
        case _:
            return ir.Op(TRUTH, r.choice(("and", "or")), (condition(r, depth - 1), condition(r, depth - 1)))


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_independent_conditions_hold_at_once_if_each_can(pieces: int) -> None:
    r, independent, near = Random(pieces), 0, 0
    for _ in range(fewer(1_500, 20_000)):
        one = condition(r)
        two = condition(r) if r.random() < 0.8 else ir.Op(TRUTH, "not", (one,))
        terms = Terms([pieces], [COLUMN], VARS, ())
        asked = terms.of(one), terms.of(two)
        if any(not isinstance(compatible(terms, (each,))[0], Situation) for each in asked):
            continue
        excluded = compatible(terms, asked)[0] is EXCLUDED
        if about(one).is_independent_of(about(two)):
            independent += 1
            assert not excluded
        else:
            near += excluded
    assert min(independent, near) > 40


def test_one_field_of_one_owner_leaves_open_who_that_is() -> None:
    strong = ir.Op(TRUTH, "lt", (ir.Const(NUMBER, 2), ir.Load(NUMBER, 0, ir.Local(PIECE, 0))))
    here = ir.Op(TRUTH, "eq", (ir.Local(PIECE, 0), ir.Local(PIECE, 1)))
    stronger = ir.Op(
        TRUTH, "lt", (ir.Load(NUMBER, 0, ir.Local(PIECE, 0)), ir.Load(NUMBER, 0, ir.Local(PIECE, 1)))
    )
    assert about(strong).is_independent_of(about(here))
    assert not about(stronger).is_independent_of(about(here))  # nothing is stronger than itself
    assert not about(strong).is_independent_of(about(stronger))
