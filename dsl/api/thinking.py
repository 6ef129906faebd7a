"""What a computer player finds at a decision: the search of `play --players mcts`, with what its player may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from dsl.api.arguments import whole
from dsl.api.game import Game, Option

if TYPE_CHECKING:
    from dsl.engine.machine import Machine
    from dsl.search.searcher import Searcher

_searchers: WeakKeyDictionary[Machine, Searcher] = WeakKeyDictionary()
"""What thinks about the games of each program: its module is compiled once."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """An option, and what came of trying it."""

    option: Option
    """The option of the decision."""
    visits: int
    """In how many of the games it was chosen."""
    expectation: float
    """What its player got from these on average: 1 for a win, 0 for a loss; 0.5 where it was never chosen."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a computer player found at a decision."""

    player: str
    """Who is asked: the name in the rules."""
    weighed: tuple[Weighed, ...]
    """All options, the best first."""
    games: int
    """How many games were played on from there."""
    worlds: int
    """In how many worlds that the player cannot tell apart they began: 1 where nothing is hidden from him."""

    @property
    def best(self) -> Option:
        """The option that a computer player would choose."""
        return self.weighed[0].option


def think(game: Game, *, games: int | None = None, seconds: float = 1.0, seed: int = 0) -> Advice:
    """Thinks about the decision of a game as `play --players mcts` does, and changes nothing there.

    Plays on `games` games, or else as many as `seconds` allow; fewer where it is proven how all options end. It knows
    what the player who is asked may see, and no more. Equal numbers of games and seeds give equal advice. The search
    runs in compiled code, with either engine.
    Raises ValueError where the game is over or a number is out of range, `Unplayable` where the game cannot be
    compiled, and `RuleFailure` where what the position is worth to a player cannot be computed.

        dsl.think(game, games=200).best.label()
    """
    from dsl.players.seats import LONGEST_THOUGHT, MOST_PLAYOUTS
    from dsl.search.searcher import Searcher

    if not isinstance(game, Game):
        raise TypeError(f"`game` is a game under way (`program.start()`), not {game!r}")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"`seconds` is a number, not {seconds!r}")
    if not 0 < seconds <= LONGEST_THOUGHT:
        raise ValueError(f"`seconds` is more than 0 and at most {LONGEST_THOUGHT:,.0f}, not {seconds}")
    if games is not None and not 0 < (games := whole(games, "`games`", 0)) <= MOST_PLAYOUTS:
        raise ValueError(f"`games` is from 1 to {MOST_PLAYOUTS:,}, not {games:,}")
    decision = game.decision
    if decision is None:
        raise ValueError("the game is over: there is nothing to think about")
    machine = game.program._machine
    searcher = _searchers.get(machine)
    if searcher is None:
        searcher = _searchers[machine] = Searcher(machine)
    found = searcher.think(
        game._inner.state, playouts=games, seconds=float(seconds), seed=whole(seed, "`seed`")
    )
    options = decision.options
    weighed = tuple(Weighed(options[each.number], each.visits, each.expectation) for each in found.ranked)
    return Advice(decision.player, weighed, found.playouts, found.worlds)
