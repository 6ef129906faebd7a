"""Small slips in content and in tests, and what is said of them: the hint is what its author needs next."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic

GAME = """game small:
    players ann, bob
    rounds 3

type Size = little | large

table Place:
    | id | name    | next: set of Place |
    | x  | "Ax"    | y                  |
    | y  | "Why"   | x                  |

state:
    gold: 0..9
    home: Place?

piece Unit, up to 4:
    owner: Player
    at: Place?

setup: place Unit of ann at x
action earn by p: gold gains 1
action wait: nothing

round:
    for p in order of play:
        p chooses: earn

"""


def told(tmp_path: Path, text: str) -> list[Diagnostic]:
    path = tmp_path / "small.scn"
    path.write_text(GAME + text, encoding="utf-8")
    return list(compile_game(str(path), tests=True).diagnostics)


SLIPS = {
    "value v -> 0..9 = 3 + count n in {1, 2} where n > gold\n": "(count n in {1, 2} where n > gold)",
    "value v -> 0..9 = 3 + count u in Unit\n": "(count u in Unit)",
    "value v -> 0..9 =\n    3 if gold is 1\n    else 4\n": "between `(` and `)`",
    "change x: name en = Great Hall\n": '"Great Hall"',
    "change x: name = Great\n": 'name = "Great"',
    "value v -> Place? = -\n": "`none`",
    "state of Player:\n    mood: {calm, angry}\n": "type Mood = calm | angry",
    "value v -> Place? = large\n": "write a Place such as `x` or `y`, or `none`",
    "value v -> 0..9 = one\n": "written in digits: `1`",
    "action b by p: dig(p)\n": "the actions are: earn, wait",
    "action b: qqq = 3\n": "declared under `state:`",
    "forbid dig when gold is 3\n": "`action dig`",
    "value v -> 0..9 = 1234567890123456789\n": "write a smaller number",
    "setup\n    gold = 3\n": "ends with `:`",
    "value v -> 0..9 = qqq\n": "`let NAME = ...`",
    "value v -> 0..9 = size\n": "`size(...)`",
    'test "t":\n    rolls: 3\n    expect gold is 0\n': "write `rolls 3`",
    'test "t":\n    run wait\n    expect error\n': "`expect error E0601`",
    'test "t":\n    run wait\n    expect error "no"\n': "`expect error E0601`",
    'test "t":\n    assert gold is 0\n': "write `expect gold is 0`",
    'test "t":\n    given: gold = 3\n': "add a line such as `expect",
    'test "t":\n    rolls 3\n': "add a line such as `expect",
}


@pytest.mark.parametrize("text", SLIPS)
def test_the_hint_says_what_to_write(text: str, tmp_path: Path) -> None:
    first = told(tmp_path, text)[0]
    assert SLIPS[text] in first.hint
    assert first.fix is None or not first.fix.is_safe or first.fix.replacement != "none"


def test_none_is_no_safe_edit_for_an_unknown_name(tmp_path: Path) -> None:
    (first,) = told(tmp_path, "value v -> 0..9? = nonee\n")
    assert first.fix is not None
    assert (first.fix.replacement, first.fix.is_safe) == ("none", False)


def test_a_test_that_plays_checks_something(tmp_path: Path) -> None:
    assert told(tmp_path, 'test "t":\n    given: gold = 3\n    ann: earn\n') == []
    assert told(tmp_path, 'test "t":\n    given: gold = 3\n    run wait\n') == []


OPEN = {
    'action pay by p en "Pay fr "Payer":\n    nothing\n': '"Pay fr',
    'setup:\n    say "It begins\n    say "And goes on"\n': '"It begins',
}


@pytest.mark.parametrize("text", OPEN)
def test_an_open_quote_is_marked_where_its_text_begins(text: str, tmp_path: Path) -> None:
    first = told(tmp_path, text)[0]
    assert first.code.id == "E0102"
    assert first.span is not None
    assert first.span.text == OPEN[text]


def test_an_open_drawing_is_the_one_that_takes_in_a_declaration(tmp_path: Path) -> None:
    drawing = '    """\n    x x\n    """\n'
    text = f'shape one:\n    """\n    x x\nshape two:\n{drawing}shape three:\n{drawing}'
    first, *_ = told(tmp_path, text)
    assert first.code.id == "E0102"
    assert first.span is not None
    assert first.span.line == GAME.count("\n") + 2
    assert [each.code.id for each in told(tmp_path, text)].count("E0102") == 1


def test_a_nested_reaction_counts_by_the_name_of_its_action(tmp_path: Path) -> None:
    path = tmp_path / "small.scn"
    text = f"{GAME}after earn when gold is 1, nested at most 2: gold gains 1\n"
    path.write_text(text, encoding="utf-8")
    compiled = compile_game(str(path))
    program = compiled.program
    assert program is not None, [each.message for each in compiled.diagnostics]
    names = [var.name for var in program.vars if var.role == "depth"]
    assert names == ["depth of after earn"]
