"""Entering what is called by a name: each name once."""

from __future__ import annotations

from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

Head = ast.Value | ast.Action | ast.Menu | ast.Window | ast.Pile


def enter(world: World, name: ast.Name, head: w.Callable) -> None:
    """Enters a head under its name; a name that stands for something already is a fault."""
    if name.text in world.callables or name.text in world.globals:
        world.duplicate(name, _declared(world, name.text))
        return
    world.callables[name.text] = head


def _declared(world: World, name: str) -> Span | None:
    """Where a head or field of that name is declared."""
    if name in world.globals:
        field = world.vars[world.globals[name]].field
        return field.name.span if field is not None else None
    decl: Head | ast.Table | None = getattr(world.callables[name], "decl", None)
    return decl.name.span if decl is not None else None
