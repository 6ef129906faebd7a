"""What a learner can do, as numbers below a fixed count.

Where the numbers that options have in every game of a program (`Option.id`) are few enough, these are taken. Of a game
with more of them an action is the place of an option in the list of its decision: always a small number, which means
something else at each decision.
"""

from __future__ import annotations

from dsl.api.arguments import whole
from dsl.api.game import Game, Option
from dsl.api.program import Program
from dsl.engine.failure import IllegalChoice


def checked(program: Program, most: int | None, render_mode: str | None) -> None:
    """What the environments are made with. Raises TypeError or ValueError."""
    if not isinstance(program, Program):
        raise TypeError(f"`program` is a program (`dsl.load(...)`), not {program!r}")
    if most is not None:
        whole(most, "`most`", 1)
    if render_mode not in (None, "ansi"):
        raise ValueError(f"there is no way to render as {render_mode!r}, only `ansi`")


MOST = 65_536
"""So many numbers of options are taken as they are."""
MOST_PLACES = 4_096
"""Options of one decision, where actions are places."""


class Actions:
    """The actions of one program; `by_place` says which of the two kinds is taken, None the first where it can be."""

    def __init__(self, program: Program, *, by_place: bool | None = None) -> None:
        self.by_place = program.option_count > MOST if by_place is None else by_place
        self.count = MOST_PLACES if self.by_place else program.option_count

    def legal(self, game: Game) -> list[int]:
        """What can be done now, in ascending order."""
        decision = game.decision
        if decision is None:
            return []
        return list(range(min(len(decision), MOST_PLACES))) if self.by_place else sorted(decision.ids)

    def option(self, game: Game, action: int) -> Option:
        """The option that an action stands for now. Raises `IllegalChoice`."""
        decision = game.decision
        if decision is None:
            raise IllegalChoice("the game has ended")
        if not self.by_place:
            return decision.by_id(action)
        action = whole(action, "an action")
        if not 0 <= action < len(decision):
            raise IllegalChoice(f"the option {action} is not offered here")
        return decision.options[action]


def rewards(game: Game) -> dict[str, float]:
    """What each player is rewarded with: 0 while a game goes on and for a draw; at its end 1 for each winner and -1 for
    the others. Where nobody else plays, a defeat is -1.
    """
    outcome, players = game.outcome, game.program.players
    if outcome is None or (outcome.kind in ("draw", "bound") and not outcome.winners):
        return dict.fromkeys(players, 0.0)
    return {each: 1.0 if each in outcome.winners else -1.0 for each in players}
