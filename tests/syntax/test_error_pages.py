"""The pages of the syntax errors keep their word: the wrong program has that fault, the right one none."""

import re
from pathlib import Path

import pytest

from dsl.diagnostics import Code, Diagnostics
from dsl.source import Source
from dsl.syntax.parser import parse

PAGES = Path(__file__).resolve().parents[2] / "docs/reference/errors"
EXAMPLE = re.compile(r"```scn\n(.*?)```", re.DOTALL)
OF_MAPS = {Code.RAGGED_MAP, Code.UNKNOWN_SIGN}  # found when a map is read, not when it is parsed
CODES = [code for code in Code if code.id.startswith("E01") and code not in OF_MAPS]


@pytest.mark.parametrize("code", CODES, ids=str)
def test_a_page_shows_its_fault_and_no_other(code: Code) -> None:
    wrong, right = EXAMPLE.findall((PAGES / f"{code.id}.md").read_text(encoding="utf-8"))
    assert set(faults(wrong)) == {code}
    assert faults(right) == []


def faults(text: str) -> list[Code]:
    diagnostics = Diagnostics()
    parse(Source("page", text), diagnostics)
    return [each.code for each in diagnostics]
