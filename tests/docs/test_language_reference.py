"""The reference of the language is complete, and each of its examples does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.diagnostics import Severity
from dsl.elaborate.bodies.builtins import BUILTINS
from dsl.elaborate.clauses.values import DEFAULT_STAGES
from dsl.engine.machine import Machine
from dsl.resolve.headers import KNOWN_FIELDS
from dsl.syntax import ast
from dsl.testing.runner import run_tests
from tests.docs.snippets import DOCS, FRAMES, Snippet, compiled, faults, snippets, told
from tests.figures.words import in_all, pages
from tests.soak import SOAK
from tests.testing.engines import both

PAGES = sorted((DOCS / "reference/language").glob("*.md"))
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
EXAMPLES = [snippet for page in PAGES for snippet in snippets(page)]

# What holds other nodes together and is no construct of its own.
SCAFFOLD = {"Node", "Name", "File", "Block", "Text"}

MOST_WORDS = 145
"""For each construct, its examples among them: what grows beyond says something twice."""


def marked(kind: str) -> list[str]:
    """The names in all comments `<!-- kind: A, B -->`."""
    found = re.findall(rf"<!-- {kind}: (.+?) -->", TEXT)
    return [name.strip() for names in found for name in names.split(",")]


def constructs() -> set[str]:
    """Every class of the syntax tree that an author's words become."""
    nodes = {
        name for name, each in vars(ast).items() if isinstance(each, type) and issubclass(each, ast.Node)
    }
    return nodes - SCAFFOLD


def test_every_construct_has_its_section() -> None:
    assert set(marked("ast")) == constructs()


def test_no_construct_has_two_sections() -> None:
    names = marked("ast")
    assert sorted(names) == sorted(set(names))


def test_the_pages_are_short() -> None:
    found = in_all(pages())
    assert found.words / found.constructs <= MOST_WORDS


def test_every_builtin_has_its_section() -> None:
    assert sorted(marked("builtin")) == sorted({*BUILTINS, "won", "lost", "ended", "sees", "empty", "round"})


@pytest.mark.parametrize("field", KNOWN_FIELDS)
def test_every_field_of_a_header_is_explained(field: str) -> None:
    assert re.search(rf"^\| `{field}\b", TEXT, re.MULTILINE)


@pytest.mark.parametrize("stage", DEFAULT_STAGES)
def test_every_stage_is_named(stage: str) -> None:
    assert f"`{stage}`" in TEXT


def test_every_section_has_an_example() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for section in re.split(r"^#{2,3} ", text, flags=re.MULTILINE)[1:]:
            if "<!-- ast:" in section or "<!-- builtin:" in section:
                assert "```scn" in section, f"{page.name}: {section.splitlines()[0]}"


def test_every_page_is_in_the_contents() -> None:
    index = (DOCS / "reference/language/README.md").read_text(encoding="utf-8")
    assert all(f"({page.name})" in index for page in PAGES if page.name != "README.md")


@pytest.mark.parametrize("frame", sorted(FRAMES.glob("*.scn")), ids=lambda path: path.stem)
def test_a_frame_compiles(frame: Path, tmp_path: Path) -> None:
    text = frame.read_text(encoding="utf-8")
    result = compiled(Snippet(frame.name, 1, text, {"file": frame.stem}), tmp_path)
    assert result.program is not None, told(result)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_does_what_the_page_says(example: Snippet, tmp_path: Path) -> None:
    earlier: dict[str, str] = {}
    if "file" in example.info:
        beside = [each for each in EXAMPLES if each.page == example.page and "file" in each.info]
        earlier = {each.info["file"]: each.text for each in beside}
        if "part" in example.info:
            return  # an imported file is compiled with the one that imports it
    result = compiled(example, tmp_path, earlier)
    found = [each.code for each in result.diagnostics if each.code.severity is Severity.ERROR]
    if example.error is None:
        assert not found, told(result)
        assert result.program is not None
        program = result.program  # in each run every second example is tried on both engines
        machine = both(program) if SOAK or EXAMPLES.index(example) % 2 == 0 else Machine(program)
        failed = [each for each in run_tests(machine) if not each.passed]
        assert not failed, "\n".join(f"{each.title}: {each.message}" for each in failed)
    else:
        assert example.error in faults(result), told(result)
        assert set(found) <= {example.error}, told(result)
