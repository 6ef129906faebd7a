"""Who wins together: the teams of a game."""

from __future__ import annotations

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.ir.nodes import Expr
from dsl.ir.program import OUT


def teams_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """The teams of those who play, as they are now, each in the order of the game and in that of their first players.

    They are what an ending says of who wins together (`value allied`); where none does, and in a position where that
    cannot be computed, everybody is for himself.
    """
    program = game.machine.program
    count = len(program.domains[program.players].members)
    playing = [player for player in range(count) if not game.state[OUT] >> player & 1]
    together = next((each.team for each in program.endings if each.team is not None), None)
    found: dict[int, list[int]] = {}
    for player in playing:
        allies = _allies(game, together, player)
        captain = next((first for first in found if allies >> first & 1), player)
        found.setdefault(captain, []).append(player)
    return tuple(map(tuple, found.values()))


def _allies(game: Game, together: Expr | None, player: int) -> int:
    """Those who win together with a player, a bit for each."""
    if together is None:
        return 0
    try:
        allies = game.evaluate(together, {0: player})
    except RuleFailure:
        return 0
    assert isinstance(allies, int)
    return allies
