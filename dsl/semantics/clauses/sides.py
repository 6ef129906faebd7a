"""Who decides for a side, and who wins together: `decider` and `allied`, values of the language that games change.

A side that is no player owns things, and somebody may decide for it: one player for several sides, or nobody. Both
values are there when a game speaks of them; without them nobody decides for a side that is no player, and everybody
wins for himself.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf, Type
from dsl.semantics.bodies.scope import number, replace_type
from dsl.semantics.clauses.motion import spoken_of
from dsl.semantics.gather.layers import Gathered
from dsl.semantics.things import entries as w
from dsl.semantics.things.entries import Param
from dsl.semantics.things.world import World

NOBODY = Id(0, optional=True)
PLAYER = Id(0)


def declare_sides(world: World, gathered: Gathered) -> None:
    """Enters the values of the language that a game speaks of and does not declare, and checks those it declares."""
    side = world.types["Side"]
    assert isinstance(side, Id)
    local = ir.Local(side, 0)
    if side != PLAYER:
        _enter(world, gathered, "decider", [Param("side", side)], NOBODY, itself(world, local))
    one, two = ir.Local(PLAYER, 0), ir.Local(PLAYER, 1)
    pair = [Param("one", PLAYER), Param("other", PLAYER)]
    _enter(world, gathered, "allied", pair, TRUTH, ir.Op(TRUTH, "eq", (one, two)))


def _enter(
    world: World, gathered: Gathered, name: str, params: list[Param], result: Type, base: ir.Expr
) -> None:
    found = world.callables.get(name)
    if found is None:
        if spoken_of(gathered, name):
            value = w.Value(len(world.values), name, params, result, None)
            value.base = base
            world.values.append(value)
            world.callables[name] = value
        return
    types = [param.type for param in params]
    if isinstance(found, w.Value) and [param.type for param in found.params] == types:
        if found.result is None:
            found.result = result
        if found.result == result or (isinstance(result, Id) and found.result == PLAYER):
            return
    if isinstance(found, w.Value) and found.decl is not None:
        shown = ", ".join(f"{param.name}: {world.show(param.type)}" for param in params)
        message = f"`{name}` is a value that the language reads: it has another form"
        hint = f"write `value {name}({shown}) -> {world.show(result)} = ...`, or give yours another name"
        world.error(Code.WRONG_ARGUMENTS, found.decl.name.span, message, hint=hint)
        found.result = found.result or result


def itself(world: World, side: ir.Expr) -> ir.Expr:
    """The player that a side is; none where it is no player."""
    assert isinstance(side.type, Id)
    domain, count = world.domains[side.type.domain], len(world.domains[0].members)
    here = ir.Op(TRUTH, "lt", (ir.Op(Int(0, len(domain.members) - 1), "id", (side,)), number(count)))
    player = replace_type(ir.Op(PLAYER, "cast", (side, number(0))), NOBODY)
    return ir.Op(NOBODY, "if", (here, player, ir.Const(NOBODY, NONE)))


def decider(world: World, side: ir.Expr) -> ir.Expr:
    """Who decides for a side, if anybody does."""
    value = world.callables.get("decider")
    if not isinstance(value, w.Value) or [param.type for param in value.params] != [side.type]:
        return itself(world, side)
    type_ = PLAYER if value.result == PLAYER else NOBODY
    return ir.Ask(type_, value.id, (side,))


def team(world: World, new: Callable[[Type], ir.Local], player: ir.Expr) -> ir.Expr | None:
    """All who win with a player, where the game says who is allied."""
    value = world.callables.get("allied")
    if not isinstance(value, w.Value) or [param.type for param in value.params] != [PLAYER, PLAYER]:
        return None
    everybody = SetOf(PLAYER)
    all_players: ir.Expr = ir.Const(everybody, (1 << len(world.domains[0].members)) - 1)
    if world.seats is not None:
        all_players = ir.Load(everybody, world.seats)
    other = new(PLAYER)
    together = ir.Ask(TRUTH, value.id, (player, other))
    return ir.Fold(everybody, "all", other.index, all_players, together, None)


def side_named(world: World, name: str) -> ir.Expr | None:
    """A side by its name, if there is one."""
    side = world.types.get("Side")
    assert isinstance(side, Id)
    at = world.domains[side.domain].index.get(name)
    return None if at is None else ir.Const(side, at)


def sides_known(world: World) -> list[str]:
    """The names of all sides."""
    side = world.types.get("Side")
    assert isinstance(side, Id)
    return world.domains[side.domain].members
