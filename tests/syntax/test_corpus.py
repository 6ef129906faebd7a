"""The corpus: good programs give a tree and nothing else, bad ones exactly what their lines pin."""

import re
from collections import defaultdict
from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot

from dsl.diagnostics import Diagnostics
from dsl.diagnostics.render import render_all
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax.parser import parse

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "syntax"
PIN = re.compile(r"# error:((?: [EW]\d{4})+)$")


def parsed(path: Path) -> tuple[ast.File, Diagnostics]:
    diagnostics = Diagnostics()
    return parse(Source(path.name, path.read_text(encoding="utf-8")), diagnostics), diagnostics


@pytest.mark.parametrize("path", sorted((CORPUS / "good").glob("*.scn")), ids=lambda path: path.stem)
def test_a_good_program_has_no_fault(path: Path) -> None:
    tree, diagnostics = parsed(path)
    assert render_all(diagnostics) == ""
    assert tree.declarations


@pytest.mark.parametrize("path", sorted((CORPUS / "bad").glob("*.scn")), ids=lambda path: path.stem)
def test_a_bad_program_is_told_of_each_fault_once(path: Path, snapshot: Snapshot) -> None:
    _, diagnostics = parsed(path)
    told: dict[int, list[str]] = defaultdict(list)
    for diagnostic in diagnostics:
        assert diagnostic.span is not None
        told[diagnostic.span.line].append(diagnostic.code.id)
    pinned = {
        number: pin[1].split()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (pin := PIN.search(line))
    }
    assert {line: sorted(codes) for line, codes in told.items()} == pinned
    snapshot.assert_match(render_all(diagnostics, limit=100), f"{path.stem}.txt")
