"""Places in a tree of declarations, and the tree with something else in one of them.

A path goes down from the tuple of layers: a name is a field, a number an item of a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from dsl.linker.provenance import Path
from dsl.syntax import ast

__all__ = ["GONE", "Path", "inside", "put"]


class Gone(Enum):
    """Stands for an item of a tuple that is left out."""

    GONE = "gone"


GONE = Gone.GONE


def inside(path: Path, node: Any) -> Iterator[tuple[Path, Any]]:
    """A node and all nodes in it, with their paths."""
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            yield from inside((*path, index), item)
    elif isinstance(node, ast.Node):
        yield path, node
        for each in fields(node):
            yield from inside((*path, each.name), getattr(node, each.name))


def put(tree: Any, path: Path, new: Any) -> Any:
    """The tree with `new` at a path, or without what is there."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        items = list(tree)
        child = put(items[step], rest, new)
        items[step : step + 1] = [] if child is GONE else [child]
        return tuple(items)
    assert is_dataclass(tree)
    assert not isinstance(tree, type)
    return replace(tree, **{step: put(getattr(tree, step), rest, new)})
