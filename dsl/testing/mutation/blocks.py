"""Mutations of blocks: a citation behind a colon belongs to what the colon opens."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.linker.provenance import Site
from dsl.syntax import ast
from dsl.testing.mutation.trees import Path, inside
from dsl.testing.mutation.variants import Edit, Variant, emptied, moved, never, one, other_value


def of_block(site: Site) -> tuple[str, Iterator[Variant]]:
    """The kind of clause that a cited block is, and its mutations."""
    owner = site.parents[-1] if site.parents else None
    match owner:
        case ast.Action(kind=kind):
            return kind, _head(owner)
        case ast.Reaction(hook=hook):
            return hook, _reaction(site, owner)
        case ast.Round():
            return "round", _each_statement(site)
        case ast.Setup():
            return "setup", _each_statement(site)
        case ast.Value():
            return "value", _value(site, owner)
        case _:
            return "statement", _inner(site, owner)


def _head(owner: ast.Action) -> Iterator[Variant]:
    """A head is never offered, and never done."""
    yield Variant((Edit("never offered, never done", forbidden=owner.name),))


def _reaction(site: Site, owner: ast.Reaction) -> Iterator[Variant]:
    above = site.path[:-1]
    yield one("never stands", (*above, "tail", "condition"), never(owner.span))
    if owner.tail.condition is not None:
        yield from moved((*above, "tail", "condition"), owner.tail.condition)


def _each_statement(site: Site) -> Iterator[Variant]:
    """The steps of a round or of a setup are left out, each in turn; and done in the other order."""
    block: ast.Block = site.node
    for index, each in enumerate(block.statements):
        path = (*site.path, "statements", index)
        yield one(f"without {each.span.text.splitlines()[0]}", path, ast.Nothing(span=each.span))
    if len(block.statements) > 1:
        yield one("in the other order", (*site.path, "statements"), block.statements[::-1])


def _inner(site: Site, owner: object) -> Iterator[Variant]:
    block: ast.Block = site.node
    above = site.path[:-1]
    match owner:
        case ast.Until() | ast.RepeatUntil() if site.path[-1] == "body":
            yield one("never left early", (*above, "condition"), never(owner.span))
            yield from moved((*above, "condition"), owner.condition)
        case ast.RepeatTimes():
            yield emptied(site.path, block, "does nothing")
            yield other_value((*above, "count"), owner.count)
        case ast.Together():
            branch = ((ast.Truth(True, span=block.span), block),)
            yield one("one after the other", above, ast.If(branch, span=owner.span))
        case ast.If():
            yield emptied(site.path, block, "does nothing")
            yield from _condition(site, owner)
        case _:
            yield emptied(site.path, block, "does nothing")


def _condition(site: Site, owner: ast.If) -> Iterator[Variant]:
    """The bounds in the condition of the branch that the block is; `else` has none."""
    for at, (condition, block) in enumerate(owner.branches):
        if block is site.node:
            yield from moved((*site.path[:-3], "branches", at, 0), condition)


def _value(site: Site, owner: ast.Value) -> Iterator[Variant]:
    """What a value returns is another, each in turn; the bounds in it move by one."""
    yield from returns(site.path, site.node, owner.result)
    yield from moved(site.path, site.node)


def returns(path: Path, block: ast.Block, result: ast.TypeExpr | None) -> Iterator[Variant]:
    """Each value that a block returns is another, in turn."""
    for at, each in inside(path, block):
        if isinstance(each, ast.Return) and each.value is not None:
            yield other_value((*at, "value"), each.value, result)
