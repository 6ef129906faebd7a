"""Values of games that the language reads: `decider`, who decides for a side, `allied`, who win together, and what is
drawn of cells and pieces. They have the form in which they are read.

A side that is no player owns things, and somebody may decide for it: one player for several sides, or nobody. Both
values are there when a game speaks of them (`allied` comes from the prelude); without them nobody decides for a side
that is no player, and everybody wins for himself.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.sides import NOBODY, PLAYER, itself
from dsl.ir import nodes as ir
from dsl.ir.drawn import OUTLINE, OVERLAY, tells_drawing
from dsl.ir.types import TRUTH, Id, Type
from dsl.linker.layers import Gathered
from dsl.linker.name_uses import spoken_of
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Param
from dsl.syntax import ast


def declare_sides(world: World, gathered: Gathered) -> None:
    """Enters `decider` where a game speaks of it and does not declare it, and checks the form of what is declared."""
    side = world.types["Side"]
    assert isinstance(side, Id)
    local = ir.Local(side, 0)
    if side != PLAYER:
        _enter(world, gathered, "decider", [Param("side", side)], NOBODY, itself(world, local))
    else:
        _check_sides(world)
    _check(world, "allied", [Param("one", PLAYER), Param("other", PLAYER)], TRUTH)


def _check_sides(world: World) -> None:
    """Where all sides are players, each of whom decides for himself, nobody is asked who decides."""
    found = world.callables.get("decider")
    if isinstance(found, w.Value) and found.decl is not None:
        world.error(
            Code.WRONG_ARGUMENTS,
            found.decl.name.span,
            tr("`{name}` is asked for sides that are no players, and there are none", name="decider"),
            hint="write `sides red, blue` in the header for those, or give yours another name",
        )


def check_drawn(world: World) -> None:
    """The values by which a game says how cells and pieces are drawn have the form in which they are read."""
    board = world.board
    pools = [domain for domain in world.domains if domain.pool]
    for value in world.values:
        if value.decl is None or value.lowered is None:
            continue
        cell = [board.domain] if board is not None else []
        if value.name == OVERLAY and cell and not tells_drawing(value.lowered, cell):
            misread(world, value.decl, f"c: {world.show(Id(cell[0]))}", "ROW?")
        if value.name == OUTLINE and pools and not tells_drawing(value.lowered, [each.id for each in pools]):
            misread(world, value.decl, f"p: {pools[0].name}", "ROW?")


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
        misread(world, found.decl, shown, world.show(result))
        found.result = found.result or result


def misread(world: World, decl: ast.Value, shown: str, result: str) -> None:
    """Tells of a value that has a name of the language, and neither the parameters nor the result that it reads."""
    name = decl.name.text
    message = tr("`{name}` is a value that the language reads: it has another form", name=name)
    hint = tr(
        "write `value {name}({shown}) -> {result} = ...`, or give yours another name",
        name=name,
        shown=shown,
        result=result,
    )
    world.error(Code.WRONG_ARGUMENTS, decl.name.span, message, hint=hint)
