"""Whose eyes look at a game: those of one player, of everybody at once, or of somebody who sees all."""

from __future__ import annotations

from dsl.engine import layout
from dsl.engine.display import Member
from dsl.engine.kinds import kind_seen
from dsl.engine.machine import Machine
from dsl.engine.views import may_see
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.program import Pool
from dsl.ir.types import NONE, Id

Viewers = tuple[int, ...] | None
"""The players who must all see a thing for it to be shown; none: everything is shown."""


def everybody(machine: Machine) -> Viewers:
    """All players: what all of them may see is public."""
    program = machine.program
    return tuple(range(len(program.domains[program.players].members)))


def of_player(player: int | None) -> Viewers:
    """One player; none: somebody who sees everything."""
    return None if player is None else (player,)


class Eyes:
    """What some viewers may all see of a state."""

    def __init__(self, machine: Machine, state: list[int], viewers: Viewers) -> None:
        self.machine = machine
        self.program = machine.program
        self.state = state
        self.viewers = viewers

    def see(self, index: int, member: int) -> bool:
        """May they see variable number `index` of a member (0 where it belongs to none)?"""
        if self.viewers is None:
            return True
        return all(may_see(self.machine, self.state, index, member, each) for each in self.viewers)

    def scalar(self, index: int, member: int) -> int:
        """A variable of one slot; none where they may not see it."""
        var = self.program.vars[index]
        return self.state[var.offset + member * var.width] if self.see(index, member) else NONE

    def value(self, index: int, member: int) -> layout.Plain:
        """A variable of any type, whether they may see it or not."""
        var = self.program.vars[index]
        return layout.read(self.program, self.state, var.offset + member * var.width, var.type)

    def kind(self, pool: Pool, piece: int) -> Member | None:
        """The kind of a piece; none where its type has no kinds, or where it is face down for one of them."""
        found = None
        for viewer in self.viewers if self.viewers is not None else (None,):
            found = kind_seen(self.machine, self.state, pool, piece, viewer)
            if found is None:
                return None
        return found

    def hides(self, pool: Pool, piece: int) -> bool:
        """Is the kind of a piece hidden from one of them?"""
        return pool.kind is not None and self.kind(pool, piece) is None

    def follow(self, expr: ir.Expr) -> bool:
        """May they see all that an expression without locals reads?"""
        if self.viewers is None:
            return True
        return all(Sight(self.machine, list(self.state), each).sees(expr, {}) for each in self.viewers)

    def owns(self, domain: int) -> bool:
        """Is it a domain of players or sides, or one that has them as a part?"""
        declared = self.program.domains[domain]
        return declared.kind in {"player", "side"} or any(map(self.owns, declared.parts))

    def owner_of(self, pool: Pool, piece: int) -> Member | None:
        """Whose a piece is, by its first field that holds a player or a side."""
        for index, var in enumerate(self.program.vars):
            if var.of == pool.domain and var.role == "field" and var.drawn and isinstance(var.type, Id):
                if not self.owns(var.type.domain):
                    continue
                found = self.scalar(index, piece)
                return None if found == NONE else (var.type.domain, found)
        return None
