"""What a `match` in the program has no case for is never passed over in silence."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dsl.elaborate.bodies.statements import Statements
from dsl.records import record
from dsl.source import Source
from dsl.syntax.ast.base import Node

ROOT = Path(__file__).resolve().parents[1]


@record(frozen=True, slots=True)
class Swap(Node):
    """A statement that the grammar and the tree have, and the compiler does not know yet."""


def test_every_match_says_what_is_done_in_all_other_cases() -> None:
    """With `case _`, which does something, or `assert_never` where there is no other case."""
    open_ended, seen = [], 0
    for path in sorted((ROOT / "dsl").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Match):
                seen += 1
                if not _takes_all(node.cases[-1]):
                    open_ended.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert seen > 400
    assert open_ended == []


def _takes_all(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None


def test_a_statement_that_the_compiler_does_not_know_is_a_fault_of_the_compiler() -> None:
    statements = Statements.__new__(Statements)
    with pytest.raises(AssertionError, match="Swap"):
        statements.one(Swap(span=Source("swap.scn", "swap a, b").span(0, 9)))  # type: ignore[arg-type]
