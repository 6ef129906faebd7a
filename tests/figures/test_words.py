"""The words of the reference are counted as its figure says."""

import pytest

from tests.figures.targets import ROOT
from tests.figures.words import Page, counted, in_all, pages

SAMPLE = """# A page

## If, and for
<!-- ast: If, For -->

`if C:` does [its block](statements.md#if-and-for) where C holds - or not.

```scn frame=skirmish
if a is b: c = 1
```

| one | two words |
|---|---|
"""


def test_bars_marks_comments_and_targets_of_links_are_no_words() -> None:
    assert counted("a.md", SAMPLE) == Page("a.md", 2, text=18, examples=6)


def test_all_pages_are_counted() -> None:
    now = in_all(pages())
    assert now.constructs > 100 and now.text > now.examples > 1000


@pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="this is an export of the sources, without their history"
)
def test_pages_are_counted_as_they_were() -> None:
    assert in_all(pages("HEAD")).constructs > 100
