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
