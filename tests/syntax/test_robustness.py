"""Whatever the text, the parser returns: no exception, no endless run, faults with places."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dsl.diagnostics import Diagnostics
from dsl.diagnostics.render import render_all
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax.layout import MAX_BLOCKS, MAX_BRACKETS
from dsl.syntax.parser import parse, parse_effect, parse_expression
from dsl.syntax.recovery import MAX_DEPTH, MAX_FAULTS
from tests.bounded import bounded

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "syntax"
SAMPLES = [path.read_text(encoding="utf-8") for path in sorted(CORPUS.glob("*/*.scn"))]
BITS = [
    *'()[]{}"|\n\t#:;,.=!&%“«é²٣\u00a0\x00\ufeff',
    '"""',
    "    ",
    " [CA-1]",
    "if ",
    "else",
    "any ",
    "\r\n",
    "9" * 40,
]


any_text = settings(deadline=None)


def read(text: str) -> tuple[ast.File, Diagnostics]:
    diagnostics = Diagnostics()
    file = parse(Source("test.scn", text), diagnostics)
    render_all(diagnostics)
    return file, diagnostics


def read_soon(text: str) -> None:
    with bounded():
        read(text)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A stretch of a sample with a few bits put in, taken out or moved."""
    sample = draw(st.sampled_from(SAMPLES))
    start = draw(st.integers(0, len(sample) - 1))
    text = sample[start : start + draw(st.integers(1, 600))]
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(BITS)) + text[at + draw(st.integers(0, 8)) :]
    return text


@any_text
@given(st.text())
def test_any_text(text: str) -> None:
    read_soon(text)


@any_text
@example("import|")
@given(mutated())
def test_spoilt_programs(text: str) -> None:
    read_soon(text)


@any_text
@given(st.text(st.sampled_from("a1 .,()[]{}|\"'+-=:#\n"), max_size=30))
def test_any_cell(text: str) -> None:
    source = Source("test.scn", text)
    for read_cell in (parse_expression, parse_effect):
        diagnostics = Diagnostics()
        found = read_cell(source, 0, len(text), diagnostics)
        assert found is not None or diagnostics.has_errors


@pytest.mark.parametrize(
    "text",
    [
        f"value x = {'(' * MAX_BRACKETS}1{')' * MAX_BRACKETS}",
        f"value x = {'not ' * (MAX_DEPTH - 2)}y",
        "round:\n" + "".join(f"{' ' * n}if x:\n" for n in range(1, MAX_BLOCKS)) + " " * MAX_BLOCKS + "foo",
        "value x = f(" + "1, " * 2000 + "2)",
        "round:\n    if x: a\n" + "    elif x: a\n" * 500,
    ],
    ids=["brackets", "operators", "blocks", "arguments", "branches"],
)
def test_what_is_deep_but_not_too_deep(text: str) -> None:
    file, diagnostics = read(text)
    assert list(diagnostics) == []
    assert len(file.declarations) == 1
    assert file == read(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        "value x = " + "(" * 5000,
        f"value x = {'(' * 100}1{')' * 100}",
        "value x = " + "not " * 5000 + "y",
        "value x = " + "1 + " * 5000 + "y",
        "value x = a" + ".b" * 5000,
        "value x = " + "a if b else " * 1000 + "c",
        "round:\n" + "".join(f"{' ' * n}if x:\n" for n in range(1, 300)) + " " * 300 + "foo",
        "replace " * 5000 + "value x = 3",
    ],
    ids=["open", "brackets", "not", "plus", "members", "conditionals", "blocks", "replace"],
)
def test_what_is_too_deep_is_told_once(text: str) -> None:
    _, diagnostics = read(text)
    assert [each.code.id for each in diagnostics] == ["E0110"]


def test_very_many_faults_are_not_all_looked_for() -> None:
    _, in_one = read("round:\n" + "    foo bar\n" * 1000)
    assert len(in_one) == MAX_FAULTS
    _, in_many = read("foo bar\n" * 2000)
    assert len(in_many) < 200


def test_a_tab_is_told_once_and_read_as_spaces() -> None:
    file, diagnostics = read("round:\n\tfoo\n\tif x:\n\t\tbar\nsetup:\n\tbaz\n")
    assert [each.code.id for each in diagnostics] == ["E0104"]
    assert len(file.declarations) == 2


def test_what_is_not_faulty_is_kept() -> None:
    file, diagnostics = read("value a = )\nround:\n    foo bar\n    baz\nvalue b = 3\n")
    assert len(diagnostics) == 2
    kept, b = file.declarations
    assert isinstance(kept, ast.Round)
    assert [each.span.text for each in kept.body.statements] == ["baz"]
    assert b.span.text == "value b = 3"
