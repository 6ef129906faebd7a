"""What beginners write with tables, maps, indentation, names, `when` and `over`: each mistake is told by its own name.

The texts stand beside the programs in `tests/corpus/beginners`; `pytest --snapshot-update` writes them anew, to read.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot

from dsl.compiler import compile_game
from dsl.diagnostics.render import render

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "beginners"
PROGRAMS = sorted(CORPUS.glob("*.scn"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_mistake_is_named(path: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CORPUS)
    found = list(compile_game(path.name, tests=True).diagnostics)
    assert found
    for each in found:
        assert each.is_error
        assert each.hint or each.fix
        assert "cannot stand after" not in each.message
    snapshot.snapshot_dir = CORPUS
    snapshot.assert_match("\n\n".join(render(each) for each in found) + "\n", f"{path.stem}.txt")


def test_there_is_one_for_each_mistake() -> None:
    assert len(PROGRAMS) >= 10
