"""Each code has a page that teaches it: title, explanation, a wrong example and a right one."""

import re
from pathlib import Path

import pytest

from dsl.diagnostics import Code

PAGES = Path(__file__).resolve().parents[2] / "docs/reference/errors"
SECTIONS = re.compile(
    r"# (?P<id>\w+): (?P<title>.+)\n\n(?P<explanation>.+?)\n\n"
    r"## Wrong\n\n(?P<wrong>.+?)\n\n## Right\n\n(?P<right>.+)",
    re.DOTALL,
)
EXAMPLE = re.compile(r"^```\w+\n(.+?)^```$", re.DOTALL | re.MULTILINE)


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
