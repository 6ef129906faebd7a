import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from lark import Lark, Token, Tree

from dsl.diagnostics import Diagnostics
from dsl.files import read_source
from dsl.resources import grammar_folder
from dsl.source import Source
from dsl.syntax import driver
from dsl.syntax import grammar as module
from dsl.syntax.grammar import grammar
from dsl.syntax.lalr import Child, Refused
from dsl.syntax.lalr import Token as Ours
from dsl.syntax.layout import lay_out
from dsl.syntax.parser import parse
from dsl.syntax.recovery import groups
from dsl.syntax.tables import STARTS, WRITTEN, Beside, Tables, tables_of

TEXT = (grammar_folder() / "scenarii.lark").read_text(encoding="utf-8")
GOOD = sorted((Path(__file__).resolve().parent.parent / "corpus" / "syntax" / "good").glob("*.scn"))


SMALL = "start: NAME\nNAME: /[a-z]+/\n"
"""A grammar whose tables take no time."""


class Kept(dict[str, bytes]):
    """A keeper in memory."""

    def read(self, name: str) -> bytes | None:
        return self.get(name)

    def write(self, name: str, data: bytes) -> None:
        self[name] = data


@pytest.fixture
def nothing_made() -> Iterator[None]:
    """As if no grammar had been made in this process."""
    before = list(module._made)
    module._made.clear()
    yield
    module._made[:] = before


@cache
def computed() -> tuple[Tables, Kept]:
    """The tables of the grammar, which take seconds, and what is kept of them."""
    kept = Kept()
    return tables_of(TEXT, STARTS, kept), kept


def test_restored_tables_are_the_computed_ones() -> None:
    first, kept = computed()
    assert len(kept) == 1
    data = dict(kept)
    assert tables_of(TEXT, STARTS, kept) == first
    assert data == kept


def test_the_tables_beside_the_grammar_are_its_own() -> None:
    written = (grammar_folder() / WRITTEN).read_bytes().replace(b"\r\n", b"\n")
    tables, kept = computed()
    assert [written] == [*kept.values()], "the grammar has changed: python -m dsl.syntax.tables --write"
    mine = Kept()
    assert tables_of(TEXT, STARTS, Beside(grammar_folder()), mine) == tables
    assert not mine, "they were computed"


def test_the_tables_are_numbered_by_the_grammar_alone() -> None:
    """Not by the order of sets, which is another in each process."""
    told = [
        subprocess.run(
            [sys.executable, "-m", "dsl.syntax.tables"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1] == f"{WRITTEN} is of this grammar\n"


def test_damaged_tables_are_computed_anew() -> None:
    kept = Kept()
    tables_of(SMALL, ["start"], kept)
    ((name, whole),) = kept.items()
    spoiled = whole.replace(b'"NAME"', b'"NUMBER"', 1)
    for damaged in (b"", b"[]", whole[:-100], spoiled, b"\xff", b"[" * 100_000):
        kept[name] = damaged
        tables = tables_of(SMALL, ["start"], kept)
        assert kept[name] == whole
        assert tables_of(SMALL, ["start"], kept) == tables


def test_another_grammar_has_other_tables() -> None:
    kept = Kept()
    tables_of(SMALL, ["start"], kept)
    tables_of(SMALL + "\n", ["start"], kept)
    assert len(kept) == 2


def test_tables_of_another_grammar_are_passed_over(tmp_path: Path) -> None:
    """As after an edit of the grammar: they are computed, and kept in the user's cache."""
    written = (grammar_folder() / WRITTEN).read_bytes()
    (tmp_path / WRITTEN).write_bytes(written)
    mine = Kept()
    changed = TEXT.replace(r"PASS.5: /pass\b/", r"PASS.5: /passes\b/")
    assert changed != TEXT
    tables = tables_of(changed, STARTS, Beside(tmp_path), mine)
    assert len(mine) == 1
    assert r"passes\b" in {each.pattern for each in tables.terminals if each.name == "PASS"}
    assert (tmp_path / WRITTEN).read_bytes() == written


@pytest.mark.usefixtures("nothing_made")
def test_what_is_read_with_kept_tables_is_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "Beside", lambda _: Beside(tmp_path))
    sources = [read_source(path, path.name) for path in GOOD]
    kept = Kept()
    trees = []
    for _ in range(2):
        module._made.clear()
        module.prepare(kept)
        diagnostics = Diagnostics()
        trees.append([parse(source, diagnostics) for source in sources if isinstance(source, Source)])
        assert not list(diagnostics)
    assert len(kept) == 1
    assert trees[0] == trees[1] != []


# ---------------------------------------------------------------- against Lark's own automaton


@pytest.fixture(scope="module")
def lark() -> Lark:
    return Lark(TEXT, parser="lalr", lexer="basic", start=list(STARTS), propagate_positions=True)


def alike(ours: Child, theirs: object) -> bool:
    if isinstance(theirs, Tree):
        assert ours is not None
        assert not isinstance(ours, str)
        same = ours.data == theirs.data and len(ours.children) == len(theirs.children)
        if not theirs.meta.empty:
            same = same and (ours.start_pos, ours.end_pos) == (theirs.meta.start_pos, theirs.meta.end_pos)
        return same and all(map(alike, ours.children, theirs.children))
    if isinstance(theirs, Token):
        assert ours is not None
        assert isinstance(ours, str)
        return (ours.type, str(ours), ours.start_pos) == (theirs.type, str(theirs), theirs.start_pos)
    return ours is None and theirs is None


def test_trees_are_those_that_lark_makes_of_the_same_tokens(lark: Lark) -> None:
    compared = 0
    for path in GOOD:
        source = read_source(path, path.name)
        assert isinstance(source, Source)
        for group in groups(lay_out(source, Diagnostics()).lines):
            ours, theirs = grammar().begin("declaration"), lark.parse_interactive("", start="declaration")
            for number, (_, token) in enumerate(driver._tokens(source, group, ours, True, {})):
                if number % 9 == compared % 9:  # Lark takes long to answer
                    assert ours.accepted() == theirs.accepts()  # type: ignore[no-untyped-call]
                made = ours.feed(token)
                places = {"start_pos": token.start_pos, "end_pos": token.end_pos, "line": 1, "column": 1}
                tree = theirs.feed_token(Token(token.type, str(token), **places, end_line=1, end_column=1))
            assert alike(made, tree)
            compared += 1
    assert compared > 50


def test_what_cannot_follow_is_refused_and_a_copy_goes_its_own_way() -> None:
    state = grammar().begin("cell_expr")
    state.feed(token("NAME", "a"))
    other = state.copy()
    state.feed(token("SIGN", "+"))
    with pytest.raises(Refused):
        other.feed(token("NAME", "b"))
    state.feed(token("NAME", "b"))
    assert state.feed(token("$END", "")) is not None


def token(kind: str, text: str) -> Ours:
    return Ours(kind, text)
