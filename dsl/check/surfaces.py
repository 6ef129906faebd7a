"""What a test can see of the rules: the *surface* of a game.

A test names actions, values and fields, and is elaborated from their heads: how the body of an action or of a value is
written does not bear on it. So after the edit of a body nothing need be elaborated of the tests in which nothing was
found beside rules with the same surface. It has two parts. The *written* surface is all that stands in the rules but
the bodies of actions, values, rounds and setups; it is known before anything is elaborated. The *inferred* one follows
from the bodies all the same, and is known when the rules have been verified: types, whether an action may ask somebody,
what evaluations cost.

Where a test depends on more than that, what it is elaborated from says so (`World.depends_on_bodies`), and the test is
*tangled*: it is elaborated anew after each edit of the rules.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

from dsl.ir.verify.program import Findings
from dsl.linker.layers import Gathered
from dsl.linker.modules import Modules
from dsl.records import record
from dsl.resolve.symbol_table import World
from dsl.resources import SOURCE_SUFFIX
from dsl.syntax import ast

WORD = re.compile(r"[^\W\d]\w*")
DEEPEST = 200
"""How deep rules may go that a test calls, whatever their bodies are: beneath the limits of two functions on top of
them, `MAX_NESTING` each, there is room for as much within `MAX_CALL_NESTING`.
"""
WIDE = (ast.Test, ast.Always, ast.Import)
"""Declarations that are no rules."""


@record(frozen=True, slots=True)
class Written:
    """The written surface of a game: its texts, and of each value at the top level its name and what its head says."""

    texts: tuple[str, ...]
    values: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        return _digest((self.texts, self.values))


def written(modules: Modules) -> Written:
    """All that is written in the rules of a game but the bodies of actions, values, rounds and setups."""
    texts: list[str] = [modules.name, modules.scenario]
    values: list[tuple[str, str]] = []
    for layer in modules.layers:
        texts.append(layer.header.span.text)
        for number, file in enumerate(layer.files):
            texts.append(f"file {number}")
            for each in file.declarations:
                if isinstance(each, ast.Value):
                    values.append((each.name.text, _head(each)))
                elif not isinstance(each, WIDE):
                    texts.append(_head(each))
    texts += [source.text for path, source in modules.sources.items() if path.suffix != SOURCE_SUFFIX]
    return Written(tuple(texts), tuple(values))


def inferred(world: World, gathered: Gathered, seen: Written, found: Findings) -> str:
    """A hash of what follows from the bodies of rules and can be seen of them from a test; empty where that has no
    bounds.
    """
    if found.deepest > DEEPEST:
        return ""
    return _digest(
        (*_of_the_whole(world), *_of_actions(world, found), *_of_values(world, gathered, seen, found))
    )


def _head(declaration: Any) -> str:
    """A declaration as it is written, without its body where tests do not see that."""
    span = declaration.span
    if not isinstance(declaration, ast.Action | ast.Value | ast.Round | ast.Setup):
        return str(span.text)
    body = declaration.body.span
    return f"{span.text[: body.start - span.start]}\n{span.text[body.end - span.start :]}"


def _of_the_whole(world: World) -> Iterator[Any]:
    yield [(each.name, each.kind, each.members, each.parts, sorted(each.fields)) for each in world.domains]
    yield [(each.name, each.of, each.type, each.role, each.armed is None) for each in world.vars]
    yield [(name, type(each).__name__) for name, each in world.callables.items()]
    yield (world.history is None, world.instant is None, world.setting_up is None, world.defeats)


def _of_actions(world: World, found: Findings) -> Iterator[Any]:
    for each in world.actions:
        yield (each.name, each.red, each.asks, each.asks_within, sorted(each.leads), each.counted)
        yield (each.depth, each.depth_var is None, each.by, sorted(each.modified))
        yield ([(param.name, param.type) for param in each.params], found.cost("judge", each.id))
        yield [type(clause).__name__ for clause, _ in each.permits]
        yield [reaction.hook for reaction, _ in each.reactions]


def _of_values(world: World, gathered: Gathered, seen: Written, found: Findings) -> Iterator[Any]:
    """Of the values that a test names, or what it may see of the rules: a range that is inferred is often another after
    an edit.
    """
    texts = [*seen.texts, *(entry.declaration.span.text for entry in gathered.of(ast.Test))]
    named = {word for text in texts for word in WORD.findall(text)}
    heads: dict[str, set[str]] = {}
    for name, head in seen.values:
        heads.setdefault(name, set()).update(WORD.findall(head))
    for name, words in heads.items():
        named |= words - {name}
    at_the_top = {name for name, _ in seen.values}
    for each in world.values:
        if each.name in named or each.name not in at_the_top:
            params = [(param.name, param.type) for param in each.params]
            yield (each.name, params, each.result, found.cost("value", each.id))


def _digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()
