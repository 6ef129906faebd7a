"""Heads that several modes declare, each in its own way: one head with a definition for each."""

from __future__ import annotations

from typing import assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.guards import needs
from dsl.linker.modes import Standing
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Guard
from dsl.syntax import ast
from dsl.syntax.trees import opening_citation

Declared = ast.Value | ast.Action | ast.Menu | ast.Window


def earlier(world: World, decl: Declared, where: Standing) -> tuple[w.Callable | None, Standing]:
    """The head that a declaration for some modes is another definition of, and the modes that it is for: none where
    its own head is not the same.
    """
    if where is None:
        return None, where
    found = world.callables.get(decl.name.text)
    known = getattr(found, "decl", None)
    if found is None or type(known) is not type(decl) or not getattr(found, "variants", ()):
        return None, where
    if _head(known) != _head(decl):
        world.error(
            Code.WRONG_ARGUMENTS,
            decl.name.span,
            tr("`{decl}` has another head here", decl=decl.name.text),
            labels=(Label(known.name.span, "and this one elsewhere"),),
            hint="what stands before its body is the same in all modes",
        )
        return found, frozenset()
    return found, where


def _head(decl: Declared) -> tuple[object, ...]:
    """What a definition says besides what it does: the same for all modes."""
    match decl:
        case ast.Value():
            return decl.params, decl.result, decl.rounding, decl.stages, decl.called
        case ast.Action():
            return decl.kind, decl.params, decl.by, decl.label, decl.nested
        case ast.Menu():
            return (decl.params,)
        case ast.Window():
            return decl.players, decl.turns, decl.nested
        case _:
            assert_never(decl)


def more_lines(
    world: World, found: w.Menu | w.Window, lines: tuple[ast.MenuLine, ...], where: Standing
) -> None:
    """The lines that a menu or window has in some modes."""
    found.lines += [(line, Guard(world.in_modes(where))) for line in lines]


def more_of_action(world: World, action: w.Action, decl: ast.Action, where: Standing) -> None:
    """What an action needs and does in some modes."""
    clause = world.clause(decl.kind, decl.name.text, opening_citation(decl.body), decl.name.span)
    action.variants.append((where, decl, clause))
    for need, lets in needs(decl.body):
        action.permits.append((need, Guard(world.in_modes(where), lets=lets)))


def close_heads(world: World) -> None:
    """An action that only some modes declare is refused in the others."""
    for action in world.actions:
        if action.variants:
            action.mode = world.in_modes(world.modes.union(where for where, _, _ in action.variants))
