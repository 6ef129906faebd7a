"""Chance that goes one way after another until it has gone them all, or so many of them at random.

It stands where the script of a test stands. `Ways` notes at each question how many answers there are and how much each
weighs, takes the first that is left, and goes back to the last question that has another: as an odometer counts. Dice
that are read as a sum are one question about that sum, dice that are read one by one are one about which numbers there
are among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from dsl.engine import chance
from dsl.engine.picking import Elements
from dsl.engine.script import Script
from dsl.odds.deck import Deck, Place

MOST_ANSWERS = 100_000
"""How many answers one question may have."""


class TooMany(Exception):
    """There is more to be gone through than anybody would wait for; `what` there is too much of, and how much."""

    def __init__(self, what: str, most: int) -> None:
        super().__init__(what)
        self.what = what
        self.most = most


class Asking(Script):
    """Chance as questions, each about which of some possibilities it is."""

    in_order = False

    def among(self, weights: Sequence[int]) -> int:
        """The number of a possibility."""
        raise NotImplementedError

    def roll(self, low: int, high: int) -> int:
        sides = high // low
        if high - low >= MOST_ANSWERS:
            raise TooMany("answers", MOST_ANSWERS)
        return low + self.among(_sums(low, sides))

    def roll_each(self, count: int, sides: int) -> list[int]:
        if comb(count + sides - 1, count) > MOST_ANSWERS:
            return super().roll_each(count, sides)
        hands, weights = _hands(count, sides)
        return list(hands[self.among(weights)])

    def pick(self, elements: Sequence[int], weights: Sequence[int] = (), of: Elements | None = None) -> int:
        return elements[0 if len(elements) == 1 else self.among(weights or (1,) * len(elements))]

    def shuffle(self, cards: list[int], kinds: Sequence[int] = (), names: Sequence[str] = ()) -> list[int]:
        return cards

    def places(self, cards: Sequence[int]) -> Sequence[int]:
        deck = Deck(range(len(cards)), self.among)
        return [Place(deck, number) for number in range(len(cards))]  # type: ignore[misc]


class Ways(Asking):
    """One way after the other, each with its probability."""

    def __init__(self) -> None:
        super().__init__()
        self._answers: list[int] = []
        self._weights: list[Sequence[int]] = []
        self._at = 0

    def among(self, weights: Sequence[int]) -> int:
        if self._at == len(self._answers):
            if len(weights) > MOST_ANSWERS:
                raise TooMany("answers", MOST_ANSWERS)
            self._answers.append(0)
            self._weights.append(weights)
        self._at += 1
        return self._answers[self._at - 1]

    @property
    def answers(self) -> Sequence[int]:
        """The number of the possibility at each question of this way."""
        return self._answers

    @property
    def share(self) -> Fraction:
        """The probability of this way."""
        pairs = list(zip(self._answers, self._weights, strict=True))
        return Fraction(prod(each[n] for n, each in pairs), prod(sum(each) for _, each in pairs))

    def next(self) -> bool:
        """Goes on to the next way; false where there is none."""
        while self._answers and self._answers[-1] + 1 == len(self._weights[-1]):
            self._answers.pop()
            self._weights.pop()
        self._at = 0
        if self._answers:
            self._answers[-1] += 1
        return bool(self._answers)


class Throws(Asking):
    """Chance by the one generator."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._state = [0, 0, 0, 0]
        self.asked = 0
        chance.seed(self._state, seed)

    def roll(self, low: int, high: int) -> int:
        return sum(self.roll_each(low, high // low))

    def roll_each(self, count: int, sides: int) -> list[int]:
        self.asked += 1
        return [chance.below(self._state, sides) + 1 for _ in range(count)]

    def among(self, weights: Sequence[int]) -> int:
        self.asked += 1
        total = sum(weights)
        drawn = chance.below(self._state, total)
        for number, weight in enumerate(weights):
            drawn -= weight
            if drawn < 0:
                return number
        raise AssertionError("the weights add up")


@cache
def _sums(count: int, sides: int) -> tuple[int, ...]:
    """In how many ways some dice come to each sum, from one each on."""
    found = [1]
    for _ in range(count):
        found = [sum(found[max(0, at - sides + 1) : at + 1]) for at in range(len(found) + sides - 1)]
    return tuple(found)


@cache
def _hands(count: int, sides: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """What some dice can show, without their order, and in how many orders each comes."""
    hands = list(combinations_with_replacement(range(sides, 0, -1), count))
    faces = range(1, sides + 1)
    return hands, [factorial(count) // prod(factorial(hand.count(face)) for face in faces) for hand in hands]
