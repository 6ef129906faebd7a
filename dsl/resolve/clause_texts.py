"""What a clause says, as its author wrote it: the words by which `why`, `why not` and sums tell of it.

They stand in the program, so that whoever plays it needs neither its sources nor the grammar. What is written over
several lines is told in one.
"""

from __future__ import annotations

from typing import NamedTuple

from dsl.ir.program import Ranged
from dsl.syntax import ast


class Said(NamedTuple):
    """The last fields of a clause (`dsl.ir.program.Clause`)."""

    label: int | None = None
    conditions: tuple[str, ...] = ()
    ranges: tuple[Ranged, ...] = ()
    action: int | None = None
    member: tuple[int, int] | None = None


UNSAID = Said()


def offered(line: ast.MenuLine) -> Said:
    """What a line of a menu asks for."""
    ranges = (
        Ranged(each.name.text, written(each.domain), _conditions(each.condition)) for each in line.selections
    )
    return Said(conditions=_conditions(line.condition), ranges=tuple(ranges))


def written(tree: ast.Node) -> str:
    """The text of a tree in one line."""
    return " ".join(tree.span.text.split())


def _conditions(tree: ast.Expr | None) -> tuple[str, ...]:
    if tree is None:
        return ()
    joined = _joined(tree)
    return tuple(_within(each) if len(joined) > 1 else written(each) for each in joined)


def _within(tree: ast.Expr) -> str:
    """The text of a condition that others are joined to."""
    return f"({written(tree)})" if isinstance(tree, ast.Binary) and tree.op == "or" else written(tree)


def _joined(tree: ast.Expr) -> list[ast.Expr]:
    """The conditions that `and` joins, as the program joins them: a value within two bounds is one."""
    if isinstance(tree, ast.Binary) and tree.op == "and" and not _is_span(tree.left, tree.right):
        return [*_joined(tree.left), *_joined(tree.right)]
    return [tree]


def _is_span(low: ast.Expr, high: ast.Expr) -> bool:
    """`x >= 1 and x <= 3`: the same as `x in 1..3`."""
    if not isinstance(low, ast.Binary) or not isinstance(high, ast.Binary):
        return False
    return low.op == ">=" and high.op in {"<=", "<"} and low.left.span.text == high.left.span.text
