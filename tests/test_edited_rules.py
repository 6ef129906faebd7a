"""After an edit of rules, the tests that see of them what they saw before are not elaborated again, and nothing that is
wrong in them is missed.
"""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dsl.cache import Cache
from dsl.cli.rehearsing import rehearsed
from dsl.elaborate import tests as elaborating
from dsl.ir import scripts
from dsl.library import build
from dsl.linker.layers import Entry
from dsl.syntax import ast
from tests.examples import FOLDER
from tests.fuzz.edits import copied, edited
from tests.test_shifted import same

TEXT = """game apart:
    players red, blue
    rounds 4
state:
    gold: 0..9 = 3
state of Player:
    hp: 0..9 = 5
    foe: Player? = none
value pay = 2
value unnamed = 4
value cost(p: Player) -> 0..9 = p.hp
action earn by p "Earn":
    gold gains up to pay
action hit(q: Player) by p "Hit {q}":
    need p is not q
    q.hp loses up to 1
action tell(q: Player):
    gold gains up to unnamed
action lose:
    gold loses up to unnamed
round:
    for p in order of play:
        p chooses:
            earn
            hit(q) for q in Player
victory red when blue.hp is 0
test "earn":
    red: earn
    expect gold is 5
test "pays":
    given: gold = pay
    expect gold is 2
test "hit":
    given: red.hp = 3
    run hit(blue) by red
    expect blue.hp is 4
    expect cost(red) is 3
test "told":
    given:
        tell(red)
    expect gold > 3
test "foes":
    given:
        red.foe = blue
        if red.foe is not none:
            tell(red)
            red.foe.hp = 3
    expect blue.hp is 3
"""
UNSEEN = {
    "what may be none": ("gold gains up to unnamed", "q.foe = none"),
    "another number": ("gold gains up to unnamed", "gold gains up to 3"),
    "another range that no test names": ("value unnamed = 4", "value unnamed = 5"),
    "another order": (
        "    earn\n            hit(q) for q in Player",
        "    hit(q) for q in Player\n            earn",
    ),
    "a line more": ("q.hp loses up to 1", "q.hp loses up to 1\n    gold gains up to 1"),
    "lines that stand elsewhere": (
        "action tell(q: Player):\n",
        "\n\naction tell(q: Player):\n    gold gains up to 1\n",
    ),
}
SEEN = {
    "a range": ("value pay = 2", "value pay = 20"),
    "a type": ("value cost(p: Player) -> 0..9 = p.hp", "value cost(p: Player) -> Player? = p.foe"),
    "what it costs": ("= p.hp\n", "= p.hp + 0\n"),
    "what it may be refused for": ("    need p is not q\n", ""),
    "what it asks": ("gold gains up to unnamed", "red chooses: earn"),
    "a name": ("action tell(", "action said("),
    "a field": ("hp: 0..9", "hp: 0..2"),
    "a rule that is wrong": ("gold gains up to unnamed", "gold gains up to nothing_known"),
}


@pytest.fixture
def game(tmp_path: Path) -> Callable[[str], Path]:
    def written(text: str) -> Path:
        file = tmp_path / "game.scn"
        file.write_text(text, encoding="utf-8")
        return file

    return written


@pytest.fixture
def elaborated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the tests that are elaborated."""
    found: list[str] = []
    real = elaborating.Tests.test

    def noted(self: elaborating.Tests, entry: Entry, endings: dict[str, list[int]]) -> scripts.Test:
        assert isinstance(entry.declaration, ast.Test)
        found.append(entry.declaration.title.text)
        return real(self, entry, endings)

    monkeypatch.setattr(elaborating.Tests, "test", noted)
    return found


@pytest.mark.parametrize("edit", UNSEEN)
def test_what_no_test_sees(
    cache: Cache, game: Callable[[str], Path], elaborated: list[str], edit: str
) -> None:
    assert not len(same(game(TEXT), cache).diagnostics)
    file = game(TEXT.replace(*UNSEEN[edit]))
    elaborated.clear()
    found = build(str(file), tests=True, cache=cache, findings=True)
    assert not len(found.diagnostics) and found.played is not None
    assert elaborated == ["foes"]  # what the action writes that it orders bears on what is known behind it
    assert build(str(file), tests=True, cache=cache).cached
    same(file, cache)


@pytest.mark.parametrize("edit", SEEN)
def test_what_tests_may_see(
    cache: Cache, game: Callable[[str], Path], elaborated: list[str], edit: str
) -> None:
    assert not len(same(game(TEXT), cache).diagnostics)
    file = game(TEXT.replace(*SEEN[edit]))
    elaborated.clear()
    found = same(file, cache)
    assert found.played is None and len(elaborated) >= 5


def test_rules_and_tests_are_edited_in_turn(
    cache: Cache, game: Callable[[str], Path], elaborated: list[str]
) -> None:
    """What is known of the tests is not lost with an edit of either."""
    text = TEXT
    same(game(text), cache)
    for old, new in (
        ("unnamed = 4", "unnamed = 6"),
        ("expect gold is 5", "expect gold is 4 or gold is 5"),
        ("loses up to 1", "loses up to 2"),
        ("given: gold = pay", "given: gold = 2"),
    ):
        text = text.replace(old, new)
        file = game(text)
        elaborated.clear()
        build(str(file), tests=True, cache=cache, findings=True)
        assert set(elaborated) <= {"foes", "earn", "pays"} and "hit" not in elaborated
        same(file, cache)


def test_what_stumbles_behind_an_edit_is_told(cache: Cache, game: Callable[[str], Path]) -> None:
    same(game(TEXT), cache)
    file = game(TEXT.replace("gold gains up to pay", "gold gains 4 * pay"))
    found = build(str(file), tests=True, cache=cache, findings=True)
    assert not len(found.diagnostics) and found.played is not None
    assert len(rehearsed(found))


def test_what_only_tests_of_another_file_use_is_used(cache: Cache, tmp_path: Path) -> None:
    rules, *tests = re.split(r"^(?=test )", TEXT, flags=re.MULTILINE)
    home = tmp_path / "apart"
    (home / "tests").mkdir(parents=True)
    (home / "tests" / "apart_tests.scn").write_text("".join(tests[:-1]), encoding="utf-8")
    file = home / "apart.scn"
    file.write_text(rules, encoding="utf-8")
    assert not len(same(file, cache).diagnostics)
    file.write_text(rules.replace("unnamed = 4", "unnamed = 5"), encoding="utf-8")
    found = build(str(file), tests=True, cache=cache, findings=True)
    assert not len(found.diagnostics) and found.played is not None


def test_edits_of_an_example_are_checked_alike(cache: Cache, tmp_path: Path) -> None:
    """The short run; the long one is `python -m tests.fuzz edits --programs 2000 --games 100`."""
    r = Random(11)
    found = [
        each
        for name in ("le_gue_d_argent", "nine_mens_morris")
        for each in edited(copied(FOLDER / name, tmp_path / name), cache, r, 12)
    ]
    assert [each.difference for each in found if each.difference] == []
    assert {"", "rules"} <= {each.how for each in found} and {True, False} == {each.is_well for each in found}
