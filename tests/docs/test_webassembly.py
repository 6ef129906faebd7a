"""The page about the engine in WebAssembly names all that there is."""

import re

import pytest

from dsl.wasm.searching import SEARCHING
from dsl.wasm.telling import TELLING
from tests.examples import FOLDER

ROOT = FOLDER.parent
PAGE = (ROOT / "docs/internals/webassembly.md").read_text(encoding="utf-8")
ROWS = re.findall(r"(?m)^\| (`.*?) \|", PAGE)
NAMED = {name for row in ROWS for name in re.findall(r"`([\w.]+)", row)}
FILES = [path.name for path in (ROOT / "dsl/wasm").iterdir() if path.suffix in {".py", ".wat"}]


@pytest.mark.parametrize("name", sorted({*FILES} - {"__init__.py"}))
def test_each_file_has_its_row(name: str) -> None:
    assert name in NAMED


def test_each_row_is_of_a_file_or_a_function() -> None:
    assert NAMED - {*FILES} == {*SEARCHING, *TELLING}


def test_the_figures_that_are_told_are_those_of_the_code() -> None:
    from dsl.ir.program import MOST_STEPS, STEPS
    from dsl.wasm.assembly import WORK

    assert (STEPS, MOST_STEPS) == (1_000_000, 8_000_000)
    assert "after a million steps, eight millions" in PAGE
    assert WORK == 50_000_000 and "every 50 million steps" in PAGE
