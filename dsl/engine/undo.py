"""The stops of a game, in both engines: how many are kept whole, and taking choices back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from dsl.catalogue import tr
from dsl.engine.failure import IllegalChoice
from dsl.engine.machine import Choice

SLOTS_KEPT = 4_000_000
FEWEST_KEPT = 50
"""How many slots, and how many moments at least, are kept to be taken back to; of older ones only what was told."""


class Stop(Protocol):
    """Where a game stood: its state, and what was chosen at the stop before. Long ago there is no state left."""

    @property
    def state(self) -> Sequence[int]: ...

    @property
    def choice(self) -> Choice | None: ...


AnyStop = TypeVar("AnyStop", bound=Stop)


def most_kept(size: int) -> int:
    """How many stops of a game with so many slots are kept whole."""
    return max(FEWEST_KEPT, SLOTS_KEPT // size)


def choices_of(stops: Sequence[Stop]) -> tuple[Choice, ...]:
    """What was chosen from the first stop to the last."""
    return tuple(each.choice for each in stops if each.choice is not None)


def take_back(stops: list[AnyStop], count: int) -> None:
    """Takes the last choices back. Raises `IllegalChoice` where there are not so many."""
    if not 0 <= count < len(stops):
        raise IllegalChoice(tr("there are only {count} choices to take back", count=len(stops) - 1))
    if not stops[-1 - count].state:
        raise IllegalChoice("that is too long ago to take back")
    if count:
        del stops[-count:]
