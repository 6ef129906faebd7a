"""Where no lesson knows the mistake, the hint is what makes the line readable, or how such a line is written."""

from __future__ import annotations

import time
from typing import get_args

import pytest

from dsl.diagnostics import Diagnostics
from dsl.near import allowance
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax.lessons.forms import DECLARED, STATED, TESTED
from dsl.syntax.parser import parse
from dsl.syntax.words import FOLLOWERS, declarations, statements

LINES = {
    "value v -> 0..9 = firrst c in Cell where c.free": "did you mean `value v -> 0..9 = first c in Cell where c.free`?",
    "value v -> bool = a is 1 ad b is 2": "did you mean `value v -> bool = a is 1 and b is 2`?",
    "round:\n    for p in order of plaay: b gains 1": "did you mean `for p in order of play: b gains 1`?",
    "action a: p.gains score 1": "did you mean `action a: p.score gains 1`?",
    "action a: c need in hand": "did you mean `action a: need c in hand`?",
    "value v = near(c p)": "write `,`, `is` or `in` between `c` and `p`",
    "value v -> bool = c nothing 3": "write `is`, `in` or `and` in place of `nothing`",
    "pile hand of Card objective each Player": "write `for` in place of `objective`",
    "value v -> bool = c is": "write a value behind `is`",
    "action curse(m: Man) by , nested at most 3: b gains 1": "write a name between `by` and `,`",
    'action a by "Play"': "",
    'forbid a when b is c: "no"': 'did you mean `forbid a when b is c "no"`?',
}


def _faults(text: str) -> Diagnostics:
    faults = Diagnostics()
    parse(Source("x.scn", text), faults)
    return faults


def _read(text: str) -> tuple[ast.Declaration, ...]:
    faults = Diagnostics()
    read = parse(Source("x.scn", text), faults).declarations
    assert not len(faults)
    return read


@pytest.mark.parametrize("line", LINES)
def test_the_hint_makes_the_line_readable(line: str) -> None:
    (fault,) = _faults(f"{line}\n")
    assert fault.hint if not LINES[line] else fault.hint == LINES[line]
    assert fault.fix is None or not fault.fix.is_safe


def test_a_line_that_no_change_helps_is_answered_with_one_that_can_be_read() -> None:
    (fault,) = _faults("window closing of a, b ? ? in turn\n")
    (other,) = _faults("round:\n    gold gains 1 2 3 4 5\n")
    assert fault.hint
    assert "gains 1" in other.hint


def _written(union: object) -> list[tuple[type[ast.Node], str]]:
    return [(kind, line) for kind in get_args(union) for line in kind.written]


@pytest.mark.parametrize(("kind", "line"), _written(ast.Declaration))
def test_the_declarations_that_are_shown_can_be_read(kind: type[ast.Node], line: str) -> None:
    rows = {
        "game": "rounds 3",
        "scenario": "rounds 3",
        "mod": 'title "x"',
        "table": "| id | n |\n    | a | 1 |",
        "extend": "| id | n |\n    | a | 1 |",
        "state": "wet: bool",
        "piece": "owner: Player",
        "mode": "value x = 1",
        "test": "expect x is 1",
        "menu": "pass",
        "window": "pass",
        "legend": '"." = plain',
        "language": '"Take" = "Prends"',
        "shape": '"""XX"""',
    }
    block = rows.get(line.split(maxsplit=1)[0].rstrip(":"), "gold gains 1")
    (read,) = _read(f"{line}\n    {block}\n" if line.endswith(":") else f"{line}\n")
    assert isinstance(read, kind)


@pytest.mark.parametrize(("kind", "line"), _written(ast.Stmt))
def test_the_statements_that_are_shown_can_be_read(kind: type[ast.Node], line: str) -> None:
    lines = 2 if kind is ast.Until else 1  # one line alone is no block that can end early
    block = "\n        gold gains 1" * lines if line.endswith(":") else ""
    (action,) = _read(f"action a:\n    {line}{block}\n")
    assert isinstance(action, ast.Action)
    assert [type(each) for each in action.body.statements] == [kind]


@pytest.mark.parametrize(("kind", "line"), _written(ast.TestLine))
def test_the_lines_of_tests_that_are_shown_can_be_read(kind: type[ast.Node], line: str) -> None:
    (test,) = _read(f'test "x":\n    {line}\n')
    assert isinstance(test, ast.Test)
    assert [type(each) for each in test.lines] == [kind]


def test_each_line_that_begins_with_a_word_of_its_own_can_be_shown() -> None:
    assert declarations() <= DECLARED.keys()
    assert statements() - FOLLOWERS.keys() <= STATED.keys() | TESTED.keys()


def test_what_is_tried_is_bounded() -> None:
    lines = "".join(f"value v{n} = {'a + ' * 60}b c d e f\n" for n in range(200))
    start = time.process_time()
    with allowance():
        assert len(_faults(lines))
    assert time.process_time() - start < 10
