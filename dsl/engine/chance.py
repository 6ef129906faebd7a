"""The one generator: PCG32 (M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
Algorithms for Random Number Generation", 2014), variant XSH-RR 64/32, in the first four slots of the vector.

Slots 0 and 1 hold the low and the high word of its state, 2 and 3 those of its increment, which is odd. A
seed is any integer; its lowest 64 bits are what `pcg32_srandom_r` takes as `initstate`, with the sequence
54. A bounded draw is `pcg32_boundedrand_r`: draws below `2**32 mod bound` are thrown away, so that each
result is as likely. Every draw, one from a single possibility too, takes at least one number.

| what           | draws                                                                                     |
|----------------|-------------------------------------------------------------------------------------------|
| a die          | one below its number of sides                                                             |
| a pick         | one below the number of elements: the k-th in ascending order                             |
| a weighed pick | one below the sum of the weights: elements in ascending order share it out                |
| a shuffle of n | Fisher and Yates from the bottom: for i from n-1 down to 1, one below i+1, and they swap  |
"""

from __future__ import annotations

from collections.abc import Sequence

MULTIPLIER = 6364136223846793005
SEQUENCE = 54
_MASK = 0xFFFFFFFF
_MASK_64 = 0xFFFFFFFFFFFFFFFF
_SIGN = 0x80000000


def seed(state: list[int], number: int) -> None:
    """Puts the generator at the beginning of the stream that belongs to a seed."""
    increment = SEQUENCE << 1 | 1
    start = ((increment + (number & _MASK_64)) * MULTIPLIER + increment) & _MASK_64
    state[0:4] = [
        signed(start & _MASK),
        signed(start >> 32),
        signed(increment & _MASK),
        signed(increment >> 32),
    ]


def signed(word: int) -> int:
    """An unsigned 32-bit word as the signed number with the same bits."""
    return (word ^ _SIGN) - _SIGN


def draw(state: list[int]) -> int:
    """The next 32 bits."""
    old = (state[0] & _MASK) | (state[1] & _MASK) << 32
    new = (old * MULTIPLIER + ((state[2] & _MASK) | (state[3] & _MASK) << 32)) & _MASK_64
    state[0] = ((new & _MASK) ^ _SIGN) - _SIGN
    state[1] = ((new >> 32) ^ _SIGN) - _SIGN
    mixed = ((old >> 18 ^ old) >> 27) & _MASK
    turn = old >> 59
    return (mixed >> turn | mixed << (-turn & 31)) & _MASK


def below(state: list[int], bound: int) -> int:
    """A number from 0 to `bound - 1`, each as likely."""
    threshold = (0x100000000 - bound) % bound
    while True:
        number = draw(state)
        if number >= threshold:
            return number % bound


def shuffle(state: list[int], items: list[int]) -> None:
    """Every order as likely."""
    for last in range(len(items) - 1, 0, -1):
        other = below(state, last + 1)
        items[last], items[other] = items[other], items[last]


class Generator:
    """A generator of its own, apart from any game's: the same draws for the same seed."""

    __slots__ = ("_state",)

    def __init__(self, number: int) -> None:
        self._state = [0, 0, 0, 0]
        seed(self._state, number)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound - 1`, each as likely."""
        return below(self._state, bound)

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """The items in an order as likely as every other."""
        found = list(items)
        shuffle(self._state, found)
        return found
