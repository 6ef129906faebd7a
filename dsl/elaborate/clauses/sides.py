"""Who decides for a side, and who wins together: `decider` and `allied`, values of the language that games change.

A side that is no player owns things, and somebody may decide for it: one player for several sides, or nobody. Both
values are there when a game speaks of them (`allied` comes from the prelude); without them nobody decides for a side
that is no player, and everybody wins for himself.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.sides import NOBODY, PLAYER, itself
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, Type
from dsl.linker.layers import Gathered
from dsl.linker.name_uses import spoken_of
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Param


def declare_sides(world: World, gathered: Gathered) -> None:
    """Enters `decider` where a game speaks of it and does not declare it, and checks the form of what is declared."""
    side = world.types["Side"]
    assert isinstance(side, Id)
    local = ir.Local(side, 0)
    if side != PLAYER:
        _enter(world, gathered, "decider", [Param("side", side)], NOBODY, itself(world, local))
    _check(world, "allied", [Param("one", PLAYER), Param("other", PLAYER)], TRUTH)


def _enter(
    world: World, gathered: Gathered, name: str, params: list[Param], result: Type, base: ir.Expr
) -> None:
    if name in world.callables:
        _check(world, name, params, result)
    elif spoken_of(gathered, name):
        value = w.Value(len(world.values), name, params, result, None)
        value.base = base
        world.values.append(value)
        world.callables[name] = value


def _check(world: World, name: str, params: list[Param], result: Type) -> None:
    """A value that the language reads has the form in which it reads it."""
    found = world.callables.get(name)
    if found is None:
        return
    types = [param.type for param in params]
    if isinstance(found, w.Value) and [param.type for param in found.params] == types:
        if found.result is None:
            found.result = result
        if found.result == result or (isinstance(result, Id) and found.result == PLAYER):
            return
    if isinstance(found, w.Value) and found.decl is not None:
        shown = ", ".join(f"{param.name}: {world.show(param.type)}" for param in params)
        message = tr("`{name}` is a value that the language reads: it has another form", name=name)
        hint = tr(
            "write `value {name}({shown}) -> {result} = ...`, or give yours another name",
            name=name,
            shown=shown,
            result=world.show(result),
        )
        world.error(Code.WRONG_ARGUMENTS, found.decl.name.span, message, hint=hint)
        found.result = found.result or result
