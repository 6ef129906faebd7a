"""Trees as JSON, so that a file that has not changed need not be parsed again: reading one back takes a tenth of that.

The lines of tests are made when they are asked for. A node is a list: the number of its kind, where it begins and
ends, and its fields. A tuple is a list behind `TUPLE`, a place that is a field behind `PLACE`; texts, numbers and
truths stand for themselves. An entry is named by the hash of the text and of the compiler that read it, and holds the
faults that were found with the tree.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import fields
from functools import cache, partial
from typing import Any

from dsl.diagnostics import Diagnostics
from dsl.diagnostics.serialized import read_back, stored
from dsl.fields import values_of
from dsl.source import Source, Span
from dsl.syntax import ast
from dsl.syntax.parser import parse
from dsl.syntax.tables import Keeper
from dsl.syntax.trees import walk

TUPLE, PLACE = -1, -2
LEAST = 1_500
"""How many characters a source has that is worth an entry of its own."""

_kept_in: list[tuple[Keeper, str]] = []


def keep_trees(keeper: Keeper | None, compiler: str = "") -> None:
    """From now on trees are kept here, and looked for: under the name of the compiler that makes them."""
    _kept_in[:] = [(keeper, compiler)] if keeper is not None else []


def tree_of(source: Source, diagnostics: Diagnostics) -> ast.File:
    """The tree of a source: the one that is kept, or a new one, which is kept from now on."""
    if not _kept_in or len(source.text) < LEAST:
        return parse(source, diagnostics)
    keeper, compiler = _kept_in[0]
    name = f"tree-{_digest(f'{compiler} {source.text}')[:40]}.json"
    known = _restored(keeper.read(name), source)
    if known is not None:
        diagnostics.extend(known[1])
        return known[0]
    faults = Diagnostics()
    tree = parse(source, faults)
    told = stored(faults, [source])
    if told is not None:
        body = json.dumps([_value(tree), told], ensure_ascii=False, separators=(",", ":"))
        keeper.write(name, json.dumps([_digest(body), body], ensure_ascii=False).encode())
    diagnostics.extend(faults)
    return tree


def _restored(data: bytes | None, source: Source) -> tuple[ast.File, Diagnostics] | None:
    """The tree and the faults of an entry; none where it is damaged, in whatever way."""
    if data is None:
        return None
    try:
        digest, body = json.loads(data)
        if _digest(body) != digest:
            return None
        tree, faults = json.loads(body)
        found = _again(tree, source)
        return (found, read_back(faults, [source])) if isinstance(found, ast.File) else None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return None


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


# ---------------------------------------------------------------- there and back


@cache
def _kinds() -> tuple[type[ast.Node], ...]:
    """The kinds of nodes, in one order."""
    found = {each for each in vars(ast).values() if isinstance(each, type) and issubclass(each, ast.Node)}
    return tuple(sorted(found, key=lambda each: each.__name__))


@cache
def _plans() -> dict[type, tuple[int, Callable[[Any], tuple[Any, ...]]]]:
    """For each kind its number, and what yields its fields without its place, in the order in which one is made."""
    return {
        kind: (number, values_of([each.name for each in fields(kind) if each.name != "span"]))
        for number, kind in enumerate(_kinds())
    }


_PLAIN: frozenset[type] = frozenset({str, int, bool, type(None)})


def _value(tree: ast.Node) -> list[Any]:
    plans = _plans()

    def told(value: Any) -> list[Any]:
        kind: type = type(value)
        if kind is tuple:
            return [TUPLE, *[each if type(each) in _PLAIN else told(each) for each in value]]
        if kind is Span:
            return [PLACE, value.start, value.end]
        number, held = plans[kind]
        place = value.span
        inner = [each if type(each) in _PLAIN else told(each) for each in held(value)]
        return [number, place.start, place.end, *inner]

    return told(tree)


def _again(value: list[Any], source: Source) -> Any:
    kinds = _kinds()
    test = kinds.index(ast.Test)

    def made(value: list[Any]) -> Any:
        kind = value[0]
        if kind == TUPLE:
            return tuple([made(each) if type(each) is list else each for each in value[1:]])
        place = Span(source, value[1], value[2])
        if kind == PLACE:
            return place
        if kind == test:
            title, lines, *rest = value[3:]
            held = [made(each) if type(each) is list else each for each in (title, *rest)]
            return ast.Test.with_lines_later(
                held[0], partial(_lines, made, lines, place), *held[1:], span=place
            )
        return kinds[kind](*[made(each) if type(each) is list else each for each in value[3:]], span=place)

    return made(value)


def _lines(made: Callable[[list[Any]], Any], lines: list[Any], place: Span) -> tuple[ast.TestLine, ...]:
    """The lines of a test; from its source where the entry is damaged there."""
    try:
        found: tuple[ast.TestLine, ...] = made(lines)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        found = ()
    if type(found) is tuple and found:
        return found
    again = walk(parse(place.source, Diagnostics()))
    return next((each.lines for each in again if isinstance(each, ast.Test) and each.span == place), ())
