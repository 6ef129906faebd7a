"""Pieces that are placed, and have no field that says where: told before any rule is read, as all rules build on it.

Without the field a type of pieces is no part of what stands on the board, so that the rules about such pieces would
seem to be about others.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.linker.layers import Gathered
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of


def lacks_places(world: World, gathered: Gathered) -> bool:
    """Tells of the types of pieces that are placed and cannot be; is there one?"""
    pieces = {entry.declaration.name.text: entry.declaration for entry in gathered.of(ast.Piece)}
    cards = {entry.declaration.of.text for entry in gathered.of(ast.Pile)}
    placed: dict[str, list[ast.Place]] = {}
    for entry in gathered.entries:
        for node in nodes_of(entry.declaration, ast.Place):
            domain = _placed(world, node)
            if domain is not None and domain.name not in cards:
                placed.setdefault(domain.name, []).append(node)
    found = {name: trees for name, trees in placed.items() if name in pieces}
    for name, trees in found.items():
        if "at" not in world.reporter.lost:
            _tell(world, pieces[name], trees)
    world.reporter.lost.update({"at"} if found else ())
    return bool(found)


def _placed(world: World, tree: ast.Place) -> w.Domain | None:
    """The pieces that a statement places, if they have no place."""
    for domain in world.domains:
        pool = domain.pool
        if pool is None:
            continue
        kinds = world.domains[pool.table.domain].members if pool.table else [domain.name]
        if tree.kind.text in kinds:
            return None if {"at", "in"} & set(domain.fields) else domain
    return None


def _tell(world: World, piece: ast.Piece, trees: list[ast.Place]) -> None:
    name, first = piece.name.text, trees[0]
    more = len(trees) - 1
    notes = (
        (
            tr(
                "{name} is placed in {more} more place{value}",
                name=name,
                more=more,
                value="s" if more > 1 else "",
            ),
        )
        if more
        else ()
    )
    hint = tr("give it a field under `piece {name}:`, such as `at: Cell?`", name=name)
    labels = (Label(piece.name.span, tr("`{name}` is declared here, without `at`", name=name)),)
    world.error(
        Code.UNKNOWN_NAME,
        first.span,
        tr("a {name} has no place", name=name),
        hint=hint,
        labels=labels,
        notes=notes,
    )
