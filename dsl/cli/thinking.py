"""Computer players at a terminal: what is seen while they think, and what they advise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dsl.cli.style import console
from dsl.cli.table import Table
from dsl.cli.words import grouped, word
from dsl.engine.decision import Decision, Option
from dsl.players.seats import GREEDY, HUMAN, MCTS, RANDOM, effort_of

if TYPE_CHECKING:
    from rich.status import Status

    from dsl.search.searcher import Progress

PATIENCE = 0.3
"""Seconds of thought before anything is shown of it."""
MOST_ADVISED = 5
HARDLY = 0.01
"""Expectations that lie no farther apart tell nothing."""
SOON = "mcts:1s"


def thought(table: Table, decision: Decision) -> Option:
    """What a computer player chooses; Ctrl-C takes the best so far where a person plays too, and else ends the game."""
    if table.seats[decision.player] in {RANDOM, GREEDY}:
        return table.by_computer(decision)
    with _shown(table) as progress:
        return table.by_computer(decision, progress)


def advised(
    table: Table, decision: Decision, effort: str, called: Callable[[list[tuple[int, Option]]], list[str]]
) -> Iterator[str]:
    """What a computer player would choose here with what the player knows, and what it expects, in lines, the options
    as they are `called` at the prompt. Raises `SeatError` for a time that is none, and `Unplayable`.
    """
    kind = f"{MCTS}:{effort}" if effort else SOON
    effort_of(kind)
    spoken = table.teller.spoken
    if len(decision.options) == 1:
        yield word("only choice", spoken, option=called([(1, decision.options[0])])[0])
        return
    with _shown(table) as progress:
        found = table.advice(kind, progress)
    ranked = found.ranked[:MOST_ADVISED]
    names = called([(each.number + 1, decision.options[each.number]) for each in ranked])
    for each, name in zip(ranked, names, strict=True):
        yield word(
            "advice",
            spoken,
            option=name,
            percent=f"{100 * each.expectation:.0f}",
            share=f"{100 * each.visits / max(found.playouts, 1):.0f}",
        )
    expected = [each.expectation for each in ranked]
    if len(expected) > 1 and max(expected) - min(expected) < HARDLY:
        yield word("no difference", spoken)
    yield word("advice from", spoken, games=grouped(found.playouts, spoken))
    if found.failed:
        yield word("advice failed", spoken, games=grouped(found.failed, spoken))


@contextmanager
def _shown(table: Table) -> Iterator[Progress | None]:
    """Tells on the terminal, if there is one, how long somebody has been thinking."""
    if not sys.stderr.isatty() or HUMAN not in table.seats:
        yield None
        return
    status: Status | None = None

    def tell(games: int, seconds: float) -> None:
        nonlocal status
        if seconds < PATIENCE:
            return
        if status is None:
            status = console(sys.stderr).status("")
            status.start()
        spoken = table.teller.spoken
        status.update(word("thinking", spoken, games=grouped(games, spoken), seconds=f"{seconds:.1f}"))

    try:
        yield tell
    finally:
        if status is not None:
            status.stop()
