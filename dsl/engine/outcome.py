"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.engine.bits import bits
from dsl.engine.display import member_name, text_of
from dsl.ir.program import REASON, STATUS, WINNERS, Program


@dataclass(frozen=True, slots=True)
class Outcome:
    """`kind`: victory (with winners), defeat (a player's, that left nobody to win), draw, or bound (no
    ending held).
    """

    winners: tuple[str, ...]
    players: tuple[int, ...]
    """The winners as numbers."""
    kind: str
    reason: int
    """The ending that ended the game, -2 its bound."""
    label: str
    clause: int | None


def outcome_of(program: Program, state: list[int], language: str = "") -> Outcome | None:
    """The outcome of a state; none while the game goes on."""
    if not state[STATUS]:
        return None
    players, reason = bits(state[WINNERS]), state[REASON]
    names = tuple(member_name(program, program.players, each, language) for each in players)
    if not 0 <= reason < len(program.endings):
        return Outcome(names, players, "bound", reason, "", None)
    ending = program.endings[reason]
    kind = "victory" if players else "defeat" if ending.kind == "defeat" else "draw"
    return Outcome(names, players, kind, reason, text_of(program, ending.label, language), ending.clause)
