"""Walks over trees, and what they ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeAlias

from dsl.fields import values_of
from dsl.syntax import ast
from dsl.syntax.ast.base import Indexed


def walk(node: Any) -> Iterator[ast.Node]:
    """All nodes of a tree, parents first."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        kind: type = type(each)
        if kind is tuple:
            waiting += each[::-1]
        elif (within := _within(kind)) is not None:
            yield each
            waiting += within(each)


Index: TypeAlias = tuple[tuple[ast.Node, ...], dict[type, list[ast.Node]]]
"""All nodes of a tree, parents first, and those of each kind."""


def nodes_of(tree: ast.Node, *kinds: type) -> Sequence[Any]:
    """The nodes of some kinds in a tree, parents first; without kinds all of them.

    Unlike `walk` it keeps an index in the tree, which is never changed: for declarations, in which many passes look for
    something, in each compilation of a game of which only a few declarations differ.
    """
    index: Index | None = getattr(tree, "index", None)
    if index is None:
        every = tuple(walk(tree))
        by_kind: dict[type, list[ast.Node]] = {}
        for node in every:
            by_kind.setdefault(type(node), []).append(node)
        index = every, by_kind
        _KEEP(tree, index)
    if not kinds:
        return index[0]
    found = [index[1][kind] for kind in kinds if kind in index[1]]
    if len(found) > 1:
        wanted = frozenset(kinds)
        return [node for node in index[0] if type(node) in wanted]
    return found[0] if found else ()


_KEEP: Callable[[ast.Node, Index], None] = vars(Indexed)["index"].__set__
"""A node is frozen for all others."""


@cache
def with_field(name: str) -> tuple[type, ...]:
    """The kinds of nodes that have a field of some name."""
    kinds = [each for each in vars(ast).values() if isinstance(each, type) and issubclass(each, ast.Node)]
    return tuple(each for each in dict.fromkeys(kinds) if name in {field.name for field in fields(each)})


@cache
def _within(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """What yields the fields of a kind of node in which others can stand, the last first; none for what is no node."""
    is_node = issubclass(kind, ast.Node)
    return values_of(names_within(kind)[::-1]) if is_node else None


@cache
def names_within(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node in which others can stand."""
    return tuple(each.name for each in fields(kind) if each.name != "span" and each.type not in LEAVES)


LEAVES = frozenset({"str", "int", "bool", "str | None", "int | None"})
"""Annotations of fields that hold no node."""


def opening_citation(block: ast.Block) -> ast.Citation | None:
    """The citation of what a block belongs to: behind its colon, or at the end of a line that is all of it."""
    if block.citation is not None or not block.statements:
        return block.citation
    last = block.statements[-1]
    one_line = block.span.line == block.span.end_line and block.span.line == last.span.line
    return getattr(last, "citation", None) if one_line else None


def quoted(words: str) -> str:
    """Words as a handle: with their quotes, so that no citation or family is called so; spaces count once."""
    once = " ".join(words.replace('"', "'").split())
    return f'"{once}"'


def handles_of(clause: ast.Need | ast.Permit | ast.Modify | ast.Reaction) -> tuple[str, ...]:
    """The names by which others speak of a clause: what it cites, its families, and its words for players in each
    language, or its condition as it is written where it has none.
    """
    said: ast.Need | ast.Tail = clause if isinstance(clause, ast.Need) else clause.tail
    condition, reason = said.condition, said.reason
    cited = opening_citation(clause.body) if isinstance(clause, ast.Reaction) else clause.citation
    own = [words for _, words in reason.texts] if reason is not None else []
    if not own and condition is not None and not (isinstance(clause, ast.Permit) and clause.verb == "allow"):
        own = [condition.span.text]
    named = (*cited.ids, *cited.families) if cited else ()
    return tuple(dict.fromkeys((*named, *map(quoted, own))))


def head_citation(value: ast.Value) -> ast.Citation | None:
    """The citation of a value: at its end, or behind the colon of its block."""
    if value.citation is None and isinstance(value.body, ast.Block):
        return opening_citation(value.body)
    return value.citation
