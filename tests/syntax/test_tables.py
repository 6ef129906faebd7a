import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Lark

from dsl.diagnostics import Diagnostics
from dsl.files import read_source
from dsl.resources import grammar_folder
from dsl.source import Source
from dsl.syntax import grammar as module
from dsl.syntax.parser import parse
from dsl.syntax.tables import lark_of

STARTS = ["declaration", "cell_effect", "cell_expr"]
TEXT = (grammar_folder() / "scenarii.lark").read_text(encoding="utf-8")
GOOD = Path(__file__).resolve().parent.parent / "corpus" / "syntax" / "good"


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


def actions(parser: Lark) -> dict[int, dict[str, tuple[str, str]]]:
    states = parser.parse_interactive("", start=STARTS[0]).parser_state.parse_conf.states
    return {
        state: {name: (kind.name, str(argument)) for name, (kind, argument) in row.items()}
        for state, row in states.items()
    }


def test_restored_tables_are_the_computed_ones() -> None:
    kept = Kept()
    computed = lark_of(TEXT, STARTS, kept)
    assert len(kept) == 1
    restored = lark_of(TEXT, STARTS, kept)
    assert restored.source_path == "<deserialized>"
    assert actions(restored) == actions(computed)
    assert [*map(repr, restored.terminals)] == [*map(repr, computed.terminals)]


def test_damaged_tables_are_computed_anew() -> None:
    kept = Kept()
    lark_of(TEXT, STARTS, kept)
    (name, whole), *_ = kept.items()
    document = json.loads(whole)
    del document["data"]["parser"]["parser"]["states"]
    for damaged in (b"", b"{}", b"[]", whole[:-100], json.dumps(document).encode(), b"\xff", b"[" * 100_000):
        kept[name] = damaged
        assert actions(lark_of(TEXT, STARTS, kept))
        assert json.loads(kept[name])["memo"]


def test_another_grammar_has_other_tables() -> None:
    kept = Kept()
    lark_of(TEXT, STARTS, kept)
    lark_of(TEXT + "\n", STARTS, kept)
    assert len(kept) == 2


@pytest.mark.usefixtures("nothing_made")
def test_what_is_read_with_kept_tables_is_the_same() -> None:
    sources = [read_source(path, path.name) for path in sorted(GOOD.glob("*.scn"))]
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
