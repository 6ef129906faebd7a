"""Clauses that cannot both hold: which can stand at once is told as trying all states would tell it."""

from __future__ import annotations

import random
from itertools import combinations, product
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics.render import render_all
from dsl.elaborate.clauses.solver import EXCLUDED, Situation, Terms, compatible
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.ir import nodes as ir
from dsl.ir.operators import Operator, computed
from dsl.ir.operators.numbers import NUMBERS
from dsl.ir.program import Program
from dsl.ir.types import NONE, TRUTH, Int
from dsl.ir.walk import within
from dsl.lower.ir_builder import number
from dsl.testing.runner import run_tests
from tests.semantics.test_mods import VOLLEY, mods
from tests.shipped import shipped

CONDITIONS = 160
PAIRS = 1_500
FIELDS = {"n": range(4), "m": (*range(3), NONE), "k": (*range(3), NONE), "wet": range(2), "worn": range(8)}
GAME = """game conditions:
    title "Conditions"
    players ann
    rounds 1
type Kind = axe | bow | cup
state:
    n: 0..3
    m: 0..2?
    k: Kind?
    wet: bool
    worn: set of Kind
value price(x: 0..3) -> 0..9 = 4 if x in {0, 3} else 0 if x is 1 else 7
action wait: nothing
round:
    ann chooses:
        wait
        wait "Wait again"
"""


def condition(chance: random.Random, depth: int) -> str:
    """A condition over the fields of the game."""
    if depth and chance.random() < 0.7:
        one, two = condition(chance, depth - 1), condition(chance, depth - 1)
        return chance.choice([f"({one} and {two})", f"({one} or {two})", f"(not {one})"])
    number = chance.choice(["n", str(chance.randrange(4)), "n + 1", "price(n)"])
    sign = chance.choice(["<", "<=", ">", ">=", "is", "is not"])
    kind = chance.choice(["axe", "bow", "cup"])
    return chance.choice(
        [
            f"{number} {sign} {chance.randrange(5)}",
            f"2 + (m or 1) {sign} n + 1",
            f"m {chance.choice(['is', 'is not'])} {chance.choice(['none', '1', '2'])}",
            f"n in {{{chance.randrange(4)}, {chance.randrange(4)}}}",
            f"k is {chance.choice([kind, 'none'])}",
            f"k in {{{kind}, cup}}",
            "wet",
            f"worn has {kind}",
            "k in worn",
            "worn is empty",
            f"k in (worn - {{{kind}}})",
        ]
    )


def made(folder: Path, text: str) -> Program:
    path = folder / "conditions.scn"
    path.write_text(text, encoding="utf-8")
    compiled = compile_game(str(path))
    assert compiled.program is not None, render_all(compiled.diagnostics)
    return compiled.program


def answers(machine: Machine, numbers: list[int]) -> list[tuple[bool, ...]]:
    """For each state of the fields, which values are true there."""
    first = list(Game.start(machine, seed=1).state)
    places = [next(each.offset for each in machine.program.vars if each.name == name) for name in FIELDS]
    found = []
    for values in product(*FIELDS.values()):
        for place, value in zip(places, values, strict=True):
            first[place] = value
        game = Game.restore(machine, packed(machine.hash, first))
        assert isinstance(game, Game)
        found.append(tuple(bool(game.evaluate(ir.Ask(TRUTH, number, ()))) for number in numbers))
    return found


def test_conditions_exclude_each_other_where_no_state_has_both(tmp_path: Path) -> None:
    chance = random.Random(13)
    lines = [f"value c{n} -> bool = {condition(chance, 2)}" for n in range(CONDITIONS)]
    program = made(tmp_path, GAME + "\n".join(lines) + "\n")
    numbers = [n for n, each in enumerate(program.values) if each.name.startswith("c")]
    machine = Machine(program)
    states, program = answers(machine, numbers), machine.program
    terms = Terms(
        [len(each.members) for each in program.domains],
        program.data,
        [each.type for each in program.vars],
        (),
    )
    held = [terms.of(program.values[number].base) for number in numbers]
    pairs = chance.sample(list(combinations(range(len(numbers)), 2)), PAIRS)
    excluded = 0
    for one, two in pairs:
        answer, _ = compatible(terms, (held[one], held[two]))
        if any(state[one] and state[two] for state in states):
            assert isinstance(answer, Situation), (lines[one], lines[two])
            assert not answer.is_opaque
        else:
            assert answer is EXCLUDED, (lines[one], lines[two])
            excluded += 1
    assert PAIRS // 20 < excluded < PAIRS // 2


@pytest.mark.parametrize("declared", [each for each in NUMBERS if not each.fails], ids=lambda each: each.name)
def test_every_operator_on_numbers_is_computed_of_what_is_known(declared: Operator) -> None:
    n, terms = ir.Local(Int(0, 3), 0), Terms((), (), (), (Int(0, 3),))
    numbers = (3, 2, 1)[: len(declared.takes.split(","))]
    assert declared.value is not None
    found = computed(declared.name, n, *map(number, numbers[1:]))
    is_three = ir.Op(TRUTH, "eq", (n, number(3)))
    is_another = ir.Op(TRUTH, "ne", (found, number(declared.value(*numbers))))
    assert compatible(terms, [terms.of(is_three), terms.of(is_another)])[0] is EXCLUDED


def test_cases_of_one_thing_are_not_looked_at_pair_by_pair(tmp_path: Path) -> None:
    names = [f"card_{n}" for n in range(300)]
    cases = [f"action effect({name}) by p: purse gains 1" for name in names]
    text = [
        *(
            "game cards:",
            "    players ann",
            "    rounds 1",
            "state:",
            "    purse: 0..9",
            "table Card:",
            "    | id | cost |",
        ),
        *(f"    | {name} | 1 |" for name in names),
        *(
            "action effect(k: Card) by p: nothing",
            *cases,
            "round:",
            "    ann may:",
            "        effect(k) for k in Card",
        ),
    ]
    program = made(tmp_path, "\n".join(text) + "\n")
    assert clashes(program) == 0
    game = Game.start(Machine(program), seed=1)
    assert game.count == len(names) + 1
    game.choose(len(names) - 1)
    assert game.outcome is not None


def clashes(program: Program) -> int:
    """How often a program tests whether two clauses that replace an action stand at once."""
    bodies = [each.body for each in program.procedures]
    bodies += [block.body for routine in program.routines for block in routine.blocks]
    return sum(isinstance(each, ir.Fail) and each.code == "E0607" for body in bodies for each in within(body))


def test_what_can_never_stand_at_once_is_not_tested_in_play() -> None:
    assert clashes(shipped("me_ccg")) == 0


OPEN = (
    "instead of recover when (count x in Figure where x.stunned) > 1: nothing [house, many]",
    "instead of recover when any x in Figure where x.stunned: nothing [house, some]",
)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_mods_that_may_contradict_each_other_are_told_and_named_in_play(
    order: tuple[int, ...], tmp_path: Path
) -> None:
    test = """
test "both":
    given:
        place archer of red at rear with stunned = true
        place giant of red at rear with stunned = true
    run recover(first f in Figure)
"""
    paths = mods(tmp_path, "volley", *OPEN, test)
    found = compile_game(VOLLEY, [paths[order[0]], paths[order[1]], paths[2]], tests=True)
    (told,) = [each for each in found.diagnostics if each.code.id == "W0407"]
    assert told.span is not None
    assert {Path(each.source.name).stem for each in (told.span, told.labels[0].span)} == {"one", "two"}
    assert found.program is not None, render_all(found.diagnostics)
    (result,) = [each for each in run_tests(found.program) if each.title == "both"]
    assert "E0607" in result.message
    for name, clause in (("one", "many"), ("two", "some")):
        assert f"[{clause}] ({name}/{name}.scn:3)" in result.message


def test_of_two_mods_the_later_line_is_told_with_a_situation(tmp_path: Path) -> None:
    first = "instead of recover when f.stunned: nothing"
    second = "instead of recover when f.owner is red: nothing"
    found = compile_game(VOLLEY, mods(tmp_path, "volley", first, second))
    (told,) = found.diagnostics
    assert (told.code.id, told.notes) == (
        "E0406",
        ("both stand where f is archer_1_1, f.stunned and f.owner is red",),
    )
    ranked = compile_game(
        VOLLEY, mods(tmp_path, "volley", f"{first} [house, a]", second.replace(":", ", over a:"))
    )
    assert not len(ranked.diagnostics)
