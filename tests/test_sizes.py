"""Files and functions that can be read at one sitting: 400 lines and 50, with the few exceptions that are reasoned."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "dsl").rglob("*.py"))
MOST_LINES, MOST_OF_A_FUNCTION = 400, 50

LONG_FILES = {"dsl/ir/nodes.py": "the closed catalogue of nodes, which is read as one table"}
LONG_FUNCTIONS = {
    "dsl/semantics/bodies/statements.py:one": "a line or two for each kind of statement",
    "dsl/semantics/things/types.py:resolve": "a case for each kind of type",
    "dsl/syntax/build/expressions.py:expression": "a case for each kind of expression",
}


def _lengths(path: Path) -> dict[str, int]:
    """The functions of a file, with how many lines each has."""
    name = path.relative_to(ROOT).as_posix()
    return {
        f"{name}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_is_long(path: Path) -> None:
    if path.relative_to(ROOT).as_posix() not in LONG_FILES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    long = {name: count for name, count in _lengths(path).items() if count > MOST_OF_A_FUNCTION}
    assert set(long) <= set(LONG_FUNCTIONS), long


def test_each_exception_is_one() -> None:
    lengths = {name: count for path in FILES for name, count in _lengths(path).items()}
    assert all(lengths[name] > MOST_OF_A_FUNCTION for name in LONG_FUNCTIONS)
    for name in LONG_FILES:
        assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) > MOST_LINES
