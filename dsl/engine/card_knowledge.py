"""Who has seen which card between two decisions: what decides whom a line of the log may name a card to.

A card that lies where not everybody sees it is named to those who see it when the line is told, who saw it where
it lay before, or who see it where it goes next. So `ann lays Ace` names the Ace to nobody else when it goes from
her hand to where only she sees it, and to all when it is laid open. Shuffling makes its cards unknown again.
What is reckoned from a card (`{c.cost}`) is told to those to whom the card itself would be named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from dsl.engine.bits import bits
from dsl.engine.layout import Plain, low_of
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id, ListOf, SetOf, Type

if TYPE_CHECKING:
    from dsl.engine.log import Entry

Card = tuple[int, int]
"""Its pool, and its number there."""


@dataclass(slots=True)
class Naming:
    """An argument of a line of the log that names cards or is reckoned from them: the players who may see all else
    of it, and for each of the cards those who may know it. Who sees the only card that is `named`, may see it whatever
    it was read from.
    """

    line: int
    at: int
    others: int
    cards: dict[Card, int]
    named: list[Card]

    @property
    def seen_by(self) -> int:
        return reduce(and_, self.cards.values(), self.others)


class Witness:
    """What a stretch of play has shown of cards: for each card the players who saw it, a bit for each."""

    def __init__(self, program: Program, pools: Mapping[int, int]) -> None:
        self.pools = pools
        self._program = program
        self._saw: dict[Card, int] = {}
        self._waiting: dict[Card, list[Naming]] = {}

    def cards(self, kind: Type, value: Plain | None) -> list[Card]:
        """The cards that lie in piles among what an argument names."""
        of = kind.of if isinstance(kind, SetOf | ListOf) else kind
        pool = self.pools.get(of.domain) if isinstance(of, Id) else None
        if pool is None or value is None:
            return []
        match kind:
            case SetOf():
                assert isinstance(value, int)
                return [(pool, card) for card in bits(value, low_of(self._program, kind))]
            case ListOf():
                assert isinstance(value, tuple)
                return [(pool, card) for card in value]
            case _:
                assert isinstance(value, int)
                return [] if value == NONE else [(pool, value)]

    def saw(self, card: Card) -> int:
        """Those who have seen a card where it lay before."""
        return self._saw.get(card, 0)

    def told(self, naming: Naming) -> None:
        """A line of the log names cards, wherever they go next."""
        for card in naming.cards:
            self._waiting.setdefault(card, []).append(naming)

    def moved(self, card: Card, before: int, after: int, log: list[Entry]) -> None:
        """A card moves from where some players see it to where others do: lines that named it name it to them."""
        seen = self._saw.get(card, 0) | before | after
        self._saw[card] = seen
        for naming in self._waiting.pop(card, ()):
            naming.cards[card] |= after
            naming.others |= after if naming.named == [card] else 0
            masks = list(log[naming.line].seen_by)
            masks[naming.at] = naming.seen_by
            log[naming.line] = replace(log[naming.line], seen_by=tuple(masks))

    def shuffled(self, pool: int, cards: list[int]) -> None:
        """Nobody knows any more which of these cards is which, nor which of them a line named."""
        for card in cards:
            self._saw.pop((pool, card), None)
            self._waiting.pop((pool, card), None)


def secret_pools(program: Program) -> dict[int, int]:
    """Of the domains whose pieces lie in piles that not everybody sees, the pool."""
    return {
        pool.domain: number
        for number, pool in enumerate(program.pools)
        if pool.pile is not None and program.vars[pool.pile].audience is not None
    }
