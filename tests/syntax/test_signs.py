"""Signs that are something in other languages say what is written here."""

import pytest

from dsl.diagnostics import Diagnostics
from dsl.source import Source
from dsl.syntax.parser import parse


@pytest.mark.parametrize(
    ("line", "hint"),
    [("round: n gains round % 3", "remainder(n, k)"), ("round: n gains round ^ 2", "n * n")],
)
def test_a_sign_of_other_languages_has_its_hint(line: str, hint: str) -> None:
    found = Diagnostics()
    parse(Source("a.scn", f"game a:\n    players red\n    rounds 2\n{line}\n"), found)
    assert any(hint in each.hint for each in found)


@pytest.mark.parametrize(("written", "meant"), [("=>", ">="), ("=<", "<="), ("≥", ">=")])
def test_a_comparison_with_its_signs_in_another_order_is_known(written: str, meant: str) -> None:
    found = Diagnostics()
    source = f"game a:\n    players red\n    rounds 2\nvalue many(n: 0..9) -> bool = n {written} 3\n"
    parse(Source("a.scn", source), found)
    assert [each.fix.replacement for each in found if each.fix is not None] == [meant]


def test_an_arrow_of_another_language_stands_before_a_type() -> None:
    found = Diagnostics()
    parse(Source("a.scn", "game a:\n    players red\n    rounds 2\nvalue many(n: 0..9) => 0..9 = n\n"), found)
    assert [each.fix.replacement for each in found if each.fix is not None] == ["->"]
