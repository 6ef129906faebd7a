"""Who decides for a side, and who wins with a player, as expressions."""

from __future__ import annotations

from collections.abc import Callable

from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf, Type
from dsl.lower.ir_builder import number, replace_type
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World

NOBODY = Id(0, optional=True)
"""A player, or none."""
PLAYER = Id(0)


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
