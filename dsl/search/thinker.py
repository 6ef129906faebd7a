"""Who chooses at a computer's seat: `greedy`, which looks to the end of its own turn, and `mcts`, which
searches.
"""

from __future__ import annotations

import random
from functools import cached_property
from typing import NotRequired, TypedDict, Unpack

from dsl.engine.machine import Machine
from dsl.players.seats import GREEDY, effort_of
from dsl.search.searcher import ENOUGH, Advice, Progress, Searcher

APART = 1_000_003
"""Keeps the thoughts about one choice apart from those about the next."""


class Thought(TypedDict):
    """What a player is told beside the position: see `Thinker.advice`."""

    seed: int
    made: int
    progress: NotRequired[Progress | None]
    interruptible: NotRequired[bool]


class Thinker:
    """Thinks for the seats of a game. The module that it needs is compiled when it is first asked."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    @cached_property
    def searcher(self) -> Searcher:
        """What it thinks with."""
        return Searcher(self._machine)

    def choice(self, kind: str, state: tuple[int, ...], **thought: Unpack[Thought]) -> int:
        """The number of the option that a player takes: what he finds best, by chance where he looks no farther
        than his own turn and several promise as much. All else is as for `advice`.
        """
        found = self.advice(kind, state, settled=True, **thought)
        if kind != GREEDY:
            return found.best.number
        tried = max(each.visits for each in found.options)
        tested = [each for each in found.options if each.proven or each.visits * ENOUGH >= tried]
        most = max(each.expectation for each in tested)
        best = [each.number for each in tested if each.expectation == most]
        return random.Random(thought["seed"] * APART + thought["made"]).choice(best)

    def advice(
        self,
        kind: str,
        state: tuple[int, ...],
        *,
        seed: int,
        made: int,
        progress: Progress | None = None,
        interruptible: bool = False,
        settled: bool = False,
    ) -> Advice:
        """What the player of a seat finds at a decision of the game of a seed, before which so many choices have been
        made. Equal numbers of playouts give equal advice. Where it is `settled` by an option that wins for certain he
        looks no farther. One who is `interruptible` takes the best so far at Ctrl-C.
        Raises `Unplayable` where the game cannot be compiled, or has no memory.
        """
        seed = seed * APART + made
        if kind == GREEDY:
            return self.searcher.compare(state, seed=seed)
        effort = effort_of(kind)
        return self.searcher.think(
            state,
            playouts=effort.playouts,
            seconds=effort.seconds,
            seed=seed,
            progress=progress,
            interruptible=interruptible,
            settled=settled,
        )
