"""Places in a tree of declarations, and the tree with something else in one of them.

A path goes down from the tuple of layers: a name is a field, a number an item of a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from dsl.semantics.layers import Layer
from dsl.syntax import ast

Path = tuple[str | int, ...]


class Gone(Enum):
    """Stands for an item of a tuple that is left out."""

    GONE = "gone"


GONE = Gone.GONE


@dataclass(frozen=True, slots=True)
class Site:
    """A node that cites a rule, and where it is; `parents` lead to it from its declaration, nearest last."""

    path: Path
    node: Any
    citation: ast.Citation
    parents: tuple[Any, ...]


def cited(layers: tuple[Layer, ...]) -> Iterator[Site]:
    """Each node of the rules (not of their tests) that cites an id, in the order of the files."""
    for number, layer in enumerate(layers):
        yield from _below((number, "header"), layer.header, ())
        for at, file in enumerate(layer.files):
            for index, declaration in enumerate(file.declarations):
                if not isinstance(declaration, ast.Header | ast.Test | ast.Import):
                    yield from _below((number, "files", at, "declarations", index), declaration, ())


def _below(path: Path, node: Any, parents: tuple[Any, ...]) -> Iterator[Site]:
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            yield from _below((*path, index), item, parents)
        return
    if not isinstance(node, ast.Node) or isinstance(node, ast.Citation):
        return
    found = getattr(node, "citation", None)
    if isinstance(found, ast.Citation) and found.ids:
        yield Site(path, node, found, parents)
    for each in fields(node):
        yield from _below((*path, each.name), getattr(node, each.name), (*parents, node))


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
