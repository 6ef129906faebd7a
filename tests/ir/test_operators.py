"""Each declared operator on sample operands: its value, both engines and the oracle's own reading agree.

The samples are drawn from constants and variables of every kind, and kept where the rule of the operator takes them; so
an operator that is declared is tried without an entry here, and one whose entry is missing anywhere is found.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import pytest

from dsl.engine.codegen.operators import METHODS
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad, Kinds
from dsl.ir.operators import OPERATORS, Fails, evaluated, op_type
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.verify.program import verify
from dsl.wasm.game import Game as Inside
from dsl.wasm.module import Module
from tests.engine.oracle import BAG, HAND, ROW, SMALL, SPAN, VARS, WIDE, Oracle, state_world
from tests.ir.builders import CARDS, PLAYERS, member, num, with_main
from tests.soak import fewer

BIG = Int(-(2**45), 2**45)
RESULTS: tuple[Type, ...] = (
    *(TRUTH, Int(-3, 3), Int(-1000, 1000), Int(-1000, 1000, optional=True), BIG),
    *(Id(CARDS), Id(CARDS, optional=True), Id(PLAYERS), Id(PLAYERS, optional=True)),
    *(SMALL, WIDE, SetOf(Int(-10, 80)), SetOf(Int(1, 3)), HAND, SetOf(Id(PLAYERS))),
    *(BAG, BagOf(CARDS, 1), BagOf(CARDS, 9), ROW, ListOf(Int(0, 5), 2), ListOf(Int(-1, 9), 6), SPAN),
)
NUMBERS = SetOf(Int(1, 6))
OPERANDS: tuple[ir.Expr, ...] = (
    *(ir.Load(kind, n, None if of is None else member(of, 1)) for n, (_, of, kind, _) in enumerate(VARS)),
    *(num(value) for value in (-(2**40), -7, -2, -1, 0, 1, 2, 5, 64, 2**40)),
    *(ir.Const(TRUTH, 0), ir.Const(TRUTH, 1)),
    *(ir.Const(Int(0, 9, optional=True), each) for each in (NONE, 4)),
    *(member(CARDS, each) for each in (0, 2, 4)),
    *(ir.Const(Id(CARDS, optional=True), each) for each in (NONE, 3)),
    *(member(PLAYERS, 1), ir.Const(Id(PLAYERS, optional=True), NONE)),
    *(ir.Const(NUMBERS, each) for each in (0, 0b101, 0b111111)),
    *(ir.Const(SMALL, 0b1000001), ir.Const(HAND, 0), ir.Const(HAND, 31), ir.Const(WIDE, 1 << 64 | 2)),
    *(ir.Const(BAG, (0, 1, 0, 0, 2)), ir.Const(BagOf(CARDS, 1), (1, 0, 0, 0, 0))),
    *(ir.Const(ROW, ()), ir.Const(ROW, (1, 2, 3)), ir.Const(SPAN, (-3, 0))),
)
TRIES, MOST = fewer(12_000, 30_000), 40


@cache
def base() -> tuple[Oracle, Kinds]:
    program = with_main(state_world(), ir.Block((), ir.Return()))
    return Oracle(program), Kinds(program)


@cache
def samples(name: str) -> list[ir.Op]:
    """Operands of every kind, in what the operator takes."""
    dice, kinds = random.Random(name), base()[1]
    found: dict[ir.Op, None] = {}
    for _ in range(TRIES):
        args = tuple(dice.choice(OPERANDS) for _ in range(dice.choice((0, 1, 1, 2, 2, 2, 3))))
        declared = dice.choice(RESULTS)
        if args and dice.random() < 0.5:
            declared = dice.choice(args).type
        sample = ir.Op(declared, name, args)
        try:
            narrow = op_type(kinds, sample)
            if not kinds.fits(narrow, declared):
                sample = ir.Op(narrow, name, args)
            (kinds.good if isinstance(sample.type, Int) else kinds.stored)(sample.type)
        except Bad:
            continue
        found[sample] = None
        if len(found) == MOST:
            break
    return list(found)


def held(e: ir.Expr) -> int | tuple[int, ...]:
    """What an engine holds for an operand."""
    if isinstance(e, ir.Const):
        return e.value
    assert isinstance(e, ir.Load)
    first: int | tuple[int, ...] = VARS[e.var][3]
    return first


def read(e: ir.Expr) -> object:
    """What the oracle says."""
    try:
        return base()[0].value(e, {})
    except RuleFailure as failure:
        return failure.code


def computed(e: ir.Op) -> object:
    """What the declaration says."""
    oracle, kinds = base()
    try:
        value = evaluated(
            OPERATORS[e.op], list(map(held, e.args)), [each.type for each in e.args], e.type, kinds.bounds
        )
    except Fails as failure:
        return failure.code
    return oracle.read(e.type, value)


def is_wide(e: ir.Expr) -> bool:
    """Does the result take more than a slot of the state?"""
    return isinstance(e.type, Int) and max(-e.type.low, e.type.high) >= 2**31


def stored(e: ir.Expr) -> ir.Expr:
    """What is stored of a sample: its value, or where that is too wide whether it is what the oracle says."""
    said = read(e)
    return ir.Op(TRUTH, "eq", (e, num(said if isinstance(said, int) else 0))) if is_wide(e) else e


def first_of(kind: Type) -> int | tuple[int, ...]:
    """Some value of a type."""
    match kind:
        case Int(low, high):
            return max(low, min(high, 0))
        case Record(_, types):
            return tuple(each.low if isinstance(each, Int) else 0 for each in types)
        case BagOf():
            return (0,) * 5
        case ListOf():
            return ()
        case _:
            return 0


def played(found: Sequence[ir.Expr], *, inside: bool, locals_: tuple[Type, ...] = ()) -> list[object]:
    """What an engine says: each sample is stored by an option of its own."""
    made, said = state_world(), list[object]()
    values = [stored(e) for e in found]
    numbers = [
        made.var(f"result {n}", e.type, ir.Const(e.type, first_of(e.type))) for n, e in enumerate(values)
    ]
    offers = [ir.Offer("pass", (), None, None, (), made.text(str(n)), (), n + 1) for n in range(len(found))]
    blocks = [
        ir.Block((ir.Store(var, None, None, e, 0),), ir.Jump(0))
        for var, e in zip(numbers, values, strict=True)
    ]
    ask = ir.Decide(member(PLAYERS, 0), tuple(offers), None, (), False, None, 0)
    program = with_main(made, ir.Block((), ask), *blocks, locals_=locals_)
    assert not list(verify(program))
    game = Inside.start(Module.of(program, cache=False)) if inside else Game.start(Machine(program))
    for n, e in enumerate(found):
        try:
            game.choose(n)
        except RuleFailure as failure:
            said.append(failure.code)
            continue
        var = program.vars[numbers[n]]
        value = base()[0].read(var.type, in_slots(var.type, game.state[var.offset : var.offset + var.width]))
        said.append(value if not is_wide(e) else read(e) if value == 1 else "another number")
    return said


def in_slots(kind: Type, slots: tuple[int, ...]) -> int | tuple[int, ...]:
    """A value of the state, from its slots."""
    match kind:
        case SetOf():
            return sum((each & 0xFFFFFFFF) << 32 * n for n, each in enumerate(slots))
        case ListOf():
            return tuple(slots[1 : 1 + slots[0]])
        case BagOf() | Record():
            return tuple(slots)
        case _:
            return slots[0]


@pytest.mark.parametrize("name", OPERATORS)
def test_value_engines_and_oracle_agree(name: str) -> None:
    found = samples(name)
    assert found, "no sample is what it takes"
    expected = [read(e) for e in found]
    if OPERATORS[name].value is not None:
        assert [computed(e) for e in found] == expected
    for inside in (False, True):
        for e, one, other in zip(found, played(found, inside=inside), expected, strict=True):
            assert one == other, (inside, e)
    _only_what_is_declared_fails(name)


@pytest.mark.parametrize("name", OPERATORS)
def test_the_python_engine_has_either_a_template_or_a_method(name: str) -> None:
    assert bool(OPERATORS[name].python) != (name in METHODS) or name == "div_down"


def _only_what_is_declared_fails(name: str) -> None:
    declared, kinds = OPERATORS[name], base()[1]
    failed = {read(e) for e in samples(name) if isinstance(read(e), str)}
    assert failed <= {declared.fails}
    sure = [e for e in samples(name) if declared.sure is not None and declared.sure(kinds.bounds, e)]
    assert not any(isinstance(read(e), str) for e in sure)
    assert bool(failed) == bool(declared.fails), "no sample fails, or one does"


@pytest.mark.parametrize("inside", [False, True], ids=["python", "compiled"])
def test_a_list_has_the_least_measure_first_and_those_of_one_measure_as_they_were(inside: bool) -> None:
    die = ir.Local(Int(1, 6), 0)
    half = ir.Op(Int(0, 3), "div_down", (die, num(2)))
    found = [
        ir.Fold(ListOf(Int(1, 6), 6), "ordered", 0, ir.Const(NUMBERS, 0b111111), where, body)
        for body in (half, ir.Op(Int(-3, 0), "neg", (half,)))
        for where in (None, ir.Op(TRUTH, "ne", (die, num(4))))
    ]
    expected = [(1, 2, 3, 4, 5, 6), (1, 2, 3, 5, 6), (6, 4, 5, 2, 3, 1), (6, 5, 2, 3, 1)]
    assert [base()[0].value(each, {}) for each in found] == expected
    assert played(found, inside=inside, locals_=(Int(1, 6),)) == expected
