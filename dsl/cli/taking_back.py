"""What may be taken back: a player's own last decision, as long as nothing has come of it that cannot be forgotten.

Dice, random picks and shuffles, what was shown to somebody who had not seen it, and what another has decided since
stay as they are, unless all agree (`--takeback`).
"""

from __future__ import annotations

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.views import may_see
from dsl.ir.program import Program

GENERATOR = slice(0, 4)


def kept_by(before: Game, after: Game) -> str:
    """Why the choice between two moments is not to be taken back: `rolled`, `revealed`; empty where it may be."""
    if before.state[GENERATOR] != after.state[GENERATOR]:
        return "rolled"
    return "revealed" if revealed(before.machine, list(before.state), list(after.state)) else ""


def revealed(machine: Machine, before: list[int], after: list[int]) -> bool:
    """Does somebody see something now that he did not see before?"""
    program: Program = machine.program
    players = range(len(program.domains[program.players].members))
    for index, var in enumerate(program.vars):
        if var.audience is None:
            continue
        for member in range(1 if var.of is None else len(program.domains[var.of].members)):
            for player in players:
                if may_see(machine, after, index, member, player) and not may_see(
                    machine, before, index, member, player
                ):
                    return True
    return False
