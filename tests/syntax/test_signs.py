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


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("> =", ">="),
        ("<  =", "<="),
        ("= >", ">="),
        ("= <", "<="),
        ("< >", "is not"),
        ("! =", "is not"),
        ("= =", "is"),
    ],
)
def test_a_sign_with_a_space_in_it_is_put_together(written: str, meant: str) -> None:
    found = Diagnostics()
    source = f"game a:\n    players red\n    rounds 2\nvalue many(n: 0..9) -> bool = n {written} 3\n"
    parse(Source("a.scn", source), found)
    assert [each.fix.replacement for each in found if each.fix is not None] == [meant]


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("1 < n < 3", "write `1 < n and n < 3`"),
        ("0 <= n + 1 <= many(2)", "write `0 <= n + 1 and n + 1 <= many`"),
        ("9 > most(n, 3) > 1", "write `9 > most(n, 3) and most(n, 3) > 1`"),
    ],
)
def test_two_comparisons_in_one_are_joined(written: str, hint: str) -> None:
    found = Diagnostics()
    head = "game a:\n    players red\n    rounds 2\nvalue many(n: 0..9) -> bool = "
    parse(Source("a.scn", f"{head}{written}\n"), found)
    (told,) = found
    assert hint in told.hint and told.fix is not None
    mended = Diagnostics()
    span, fix = told.fix.span, told.fix
    whole = told.fix.span.source.text
    parse(Source("a.scn", f"{whole[: span.start]}{fix.replacement}{whole[span.end :]}"), mended)
    assert not list(mended)


@pytest.mark.parametrize("written", ["n is 1 < 3", "(1 < n) < 3", "1 < " + "n + " * 30 + "n < 3"])
def test_what_is_no_comparison_of_both_sides_is_not_joined(written: str) -> None:
    found = Diagnostics()
    head = "game a:\n    players red\n    rounds 2\nvalue many(n: 0..9) -> bool = "
    parse(Source("a.scn", f"{head}{written}\n"), found)
    assert not any("joins two" in each.hint for each in found)


def test_an_arrow_of_another_language_stands_before_a_type() -> None:
    found = Diagnostics()
    parse(Source("a.scn", "game a:\n    players red\n    rounds 2\nvalue many(n: 0..9) => 0..9 = n\n"), found)
    assert [each.fix.replacement for each in found if each.fix is not None] == ["->"]
