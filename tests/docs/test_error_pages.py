"""Each code has a page that teaches it; what the page calls wrong has that fault, and what it calls right has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.compiler import Compiled
from dsl.diagnostics import Code, Severity
from dsl.testing.runner import run_tests
from tests.docs.snippets import Snippet, compiled, faults, snippets, told

PAGES = Path(__file__).resolve().parents[2] / "docs/reference/errors"
SECTIONS = re.compile(
    r"# (?P<id>\w+): (?P<title>[^\n]+)\n\n(?P<explanation>.+?)\n\n"
    r"## Wrong\n\n(?P<wrong>.+?)\n\n## Right\n\n(?P<right>.+)",
    re.DOTALL,
)
EXAMPLE = re.compile(r"^```\w+[^\n]*\n(.+?)^```$", re.DOTALL | re.MULTILINE)
OF_FILES = {Code.NO_HEADER, Code.UNKNOWN_MODULE, Code.RAGGED_MAP, Code.UNKNOWN_SIGN}
COMPILED = [code for code in Code if code.id[:3] in {"E02", "E03", "E04", "W02", "W04"} or code in OF_FILES]
PLAYED = [code for code in Code if code.id.startswith("E06")]


def examples(code: Code) -> tuple[Snippet, Snippet]:
    """The wrong and the right example of a page."""
    wrong, right = snippets(PAGES / f"{code.id}.md")
    return wrong, right


def errors(result: Compiled) -> list[Code]:
    return [code for code in faults(result) if code.severity is Severity.ERROR]


@pytest.mark.parametrize("code", Code, ids=str)
def test_a_code_has_its_page(code: Code) -> None:
    page = SECTIONS.fullmatch((PAGES / f"{code.id}.md").read_text(encoding="utf-8"))
    assert page is not None, "a page is `# CODE: title`, an explanation, `## Wrong` and `## Right`"
    assert (page["id"], page["title"]) == (code.id, code.title)
    assert len(page["explanation"].split()) >= 20
    assert EXAMPLE.search(page["wrong"])
    assert EXAMPLE.search(page["right"])
    assert page["wrong"] != page["right"]


def test_every_page_has_its_code() -> None:
    pages = {path.stem for path in PAGES.glob("[EW]*.md")}
    assert pages <= {code.id for code in Code}


@pytest.mark.parametrize("code", COMPILED, ids=str)
def test_the_wrong_example_has_that_fault_and_no_other(code: Code, tmp_path: Path) -> None:
    result = compiled(examples(code)[0], tmp_path)
    assert code in faults(result), told(result)
    assert set(errors(result)) <= {code}, told(result)
    assert all(each.span is not None or code is Code.NO_HEADER for each in result.diagnostics)


@pytest.mark.parametrize("code", COMPILED, ids=str)
def test_the_right_example_has_none(code: Code, tmp_path: Path) -> None:
    result = compiled(examples(code)[1], tmp_path)
    assert not errors(result), told(result)
    assert code not in faults(result), told(result)


@pytest.mark.parametrize("code", PLAYED, ids=str)
def test_the_wrong_example_fails_in_play(code: Code, tmp_path: Path) -> None:
    assert not outcome(examples(code)[0], f"    expect error {code.id}\n", tmp_path)


@pytest.mark.parametrize("code", PLAYED, ids=str)
def test_the_right_example_plays(code: Code, tmp_path: Path) -> None:
    assert not outcome(examples(code)[1], "", tmp_path)


def outcome(snippet: Snippet, expected: str, folder: Path) -> list[str]:
    """What a test that runs the example's action found wrong."""
    test = f'\ntest "it plays":\n    run {snippet.info["run"]}\n{expected}'
    result = compiled(Snippet(snippet.page, snippet.line, snippet.text + test, snippet.info), folder)
    assert result.program is not None, told(result)
    return [each.message for each in run_tests(result.program) if not each.passed]
