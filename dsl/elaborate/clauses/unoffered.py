"""Menus that nothing offers: they are read all the same, so that what is wrong in them is told.

A menu is elaborated where it is offered, and its lines may speak of what is known there: a player, what a loop goes
through. Where nothing offers it, nobody knows of what type that is, so that names that are known somewhere agree with
everything.
"""

from __future__ import annotations

from dsl.elaborate.bodies.scope import BAD
from dsl.elaborate.clauses.actions import Actions
from dsl.linker.declaration_index import LOCAL
from dsl.linker.layers import Gathered
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of


def tell_of_unoffered(world: World, actions: Actions, gathered: Gathered) -> bool:
    """Elaborates each menu that no rule has offered, for its faults alone; is all well still?"""
    menus = [
        head
        for head in world.callables.values()
        if isinstance(head, w.Menu) and head.lines and head.name not in world.unfolded | world.searches.keys()
    ]
    if not menus:
        return not world.reporter.diagnostics.has_errors
    somewhere = {
        name
        for entry in gathered.entries
        if not isinstance(entry.declaration, ast.Test)
        for name in _named(entry.declaration)
    } - set(world.known_names())
    for menu in menus:
        own = {name for line, _ in menu.lines for name in _named(line)}
        actions.unoffered(menu, dict.fromkeys(sorted(somewhere - own), BAD))
    return not world.reporter.diagnostics.has_errors


def _named(tree: ast.Node) -> set[str]:
    """The names that are known in a part of a declaration only."""
    found: set[str] = set()
    for node in nodes_of(tree):
        names = [getattr(node, "by", None), getattr(node, "name", None) if isinstance(node, LOCAL) else None]
        found |= {name.text for name in names if isinstance(name, ast.Name)}
    return found
