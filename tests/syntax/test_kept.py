"""Trees that are kept are the trees that parsing gives, faults and places included, and damage is noticed."""

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dsl.diagnostics import Diagnostics
from dsl.resources import game_folder, games
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax import tree_cache as kept
from dsl.syntax.parser import parse
from dsl.syntax.trees import walk
from tests.soak import some

LONG = "game long:\n    players red, blue\n\n" + "\n".join(
    f"value v{number}(n: 0..9) -> 0..99 = n + {number}  # {number}" for number in range(60)
)


class Drawer:
    """Entries by name, as a cache has them."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}
        self.reads = 0

    def read(self, name: str) -> bytes | None:
        found = self.entries.get(name)
        self.reads += found is not None
        return found

    def write(self, name: str, data: bytes) -> None:
        self.entries[name] = data


@pytest.fixture
def drawer(request: pytest.FixtureRequest) -> Drawer:
    found = Drawer()
    kept.keep_trees(found, "this compiler")
    request.addfinalizer(lambda: kept.keep_trees(None))
    return found


def library() -> list[Path]:
    folders = [folder for name in games() if (folder := game_folder(name)) is not None]
    return [path for folder in folders for path in sorted(folder.rglob("*.scn"))]


@pytest.mark.parametrize("path", some(library(), 3), ids=lambda path: path.stem)
def test_a_kept_tree_is_the_same_tree(drawer: Drawer, path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    if len(source.text) < kept.LEAST:
        return
    parsed = parse(source, Diagnostics())
    kept.tree_of(source, Diagnostics())
    again = kept.tree_of(source, Diagnostics())
    assert drawer.reads == 1
    assert again == parsed
    assert again.comments == parsed.comments
    assert [each.span for each in walk(again)] == [each.span for each in walk(parsed)]


def test_faults_are_told_again(drawer: Drawer) -> None:
    source = Source("a.scn", LONG + "\nvalue w -> 0..9 = = 3\n")
    first, second = Diagnostics(), Diagnostics()
    kept.tree_of(source, first)
    kept.tree_of(Source("b.scn", source.text), second)
    assert drawer.reads == 1
    assert [each.code for each in first] == [each.code for each in second] != []
    assert {each.span.source.name for each in second if each.span is not None} == {"b.scn"}


def test_another_text_and_another_compiler_have_trees_of_their_own(drawer: Drawer) -> None:
    kept.tree_of(Source("a.scn", LONG), Diagnostics())
    kept.tree_of(Source("a.scn", LONG + "\n"), Diagnostics())
    kept.keep_trees(drawer, "another")
    kept.tree_of(Source("a.scn", LONG), Diagnostics())
    assert drawer.reads == 0
    assert len(drawer.entries) == 3


def test_what_is_read_in_a_moment_is_not_kept(drawer: Drawer) -> None:
    kept.tree_of(Source("a.scn", "game a:\n    players red, blue\n"), Diagnostics())
    assert not drawer.entries


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"\xff\xfe",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"v1", b"v2"),
        lambda data: b"[" * 100_000,
        lambda data: json.dumps(["0" * 64, json.loads(data)[1]]).encode(),
        lambda data: signed("[]"),
        lambda data: signed("[[0, 0, 0], []]"),
        lambda data: signed("[[9999, 0, 0], []]"),
        lambda data: signed("[[-1], []]"),
        lambda data: signed(json.loads(data)[1].replace(",0,", ",999999,", 1)),
    ],
)
def test_a_damaged_entry_is_made_anew(drawer: Drawer, damage) -> None:  # type: ignore[no-untyped-def]
    source = Source("a.scn", LONG)
    tree = kept.tree_of(source, Diagnostics())
    name, good = next(iter(drawer.entries.items()))
    drawer.entries[name] = damage(good)
    assert kept.tree_of(source, Diagnostics()) == tree
    assert drawer.entries[name] == good


TESTED = (
    LONG
    + """
test "adds" [house]:
    given: gold = 2
    expect v1(2) is 3
mode brief:
    test "adds less":
        expect v1(0) is 1
"""
)


def among(tree: ast.File) -> list[ast.Test]:
    found = [each for one in tree.declarations for each in getattr(one, "declarations", (one,))]
    return [each for each in found if isinstance(each, ast.Test)]


def test_the_lines_of_kept_tests_are_made_when_they_are_asked_for(drawer: Drawer) -> None:
    source = Source("a.scn", TESTED)
    tree = kept.tree_of(source, Diagnostics())
    again = kept.tree_of(source, Diagnostics())
    assert drawer.reads == 1
    unread = among(again)
    assert [each.title.span.text for each in unread] == ['"adds"', '"adds less"']
    assert all(hasattr(each, "unread") for each in unread)
    assert unread == among(tree)
    assert not any(hasattr(each, "unread") for each in unread)
    for copied in (copy.deepcopy, pickle_again, replace):
        unread = among(kept.tree_of(source, Diagnostics()))
        assert list(map(copied, unread)) == among(tree)


def pickle_again(test: ast.Test) -> ast.Test:
    again: ast.Test = pickle.loads(pickle.dumps(test))
    return again


@pytest.mark.parametrize("lines", ["0", "null", "[]", "[-1]", "[9999,0,0]", "[-1,[3,0,0]]"])
def test_lines_that_are_damaged_are_read_in_the_source(drawer: Drawer, lines: str) -> None:
    source = Source("a.scn", TESTED)
    tree = kept.tree_of(source, Diagnostics())
    name, good = next(iter(drawer.entries.items()))
    written, told = json.loads(json.loads(good)[1])
    spoilt(written, json.loads(lines))
    drawer.entries[name] = signed(json.dumps([written, told]))
    assert among(kept.tree_of(source, Diagnostics())) == among(tree)


def spoilt(written: list[Any], lines: Any) -> None:
    """Other lines in all tests of a tree as it is kept."""
    for each in written:
        if isinstance(each, list):
            spoilt(each, lines)
    if written and written[0] == kept._kinds().index(ast.Test):
        written[4] = lines


def signed(body: str) -> bytes:
    """An entry whose hash is right, whatever it holds."""
    return json.dumps([kept._digest(body), body]).encode()
