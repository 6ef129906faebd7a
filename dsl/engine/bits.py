"""The elements of a set."""

from functools import lru_cache

from dsl.ir.limits import MAX_MEMBERS

SMALL, MIDDLE = 1 << 64, 1 << 512
_NUMBERS = tuple(range(MAX_MEMBERS))


def bits(mask: int, low: int = 0) -> tuple[int, ...]:
    """The elements of a set in ascending order; bit 0 stands for `low`.

    Those of sets seen before are kept: of small sets many, of large ones few, so that they take some tens of
    megabytes at most.
    """
    return _small(mask, low) if mask < SMALL else _middle(mask, low) if mask < MIDDLE else _large(mask, low)


def _elements(mask: int, low: int) -> tuple[int, ...]:
    found = []
    if mask.bit_count() * 4 < mask.bit_length():
        while mask:
            lowest = mask & -mask
            found.append(lowest.bit_length() - 1 + low)
            mask ^= lowest
        return tuple(found)
    digits = f"{mask:b}"[::-1]
    if low:
        return tuple([at for at, digit in enumerate(digits, low) if digit == "1"])
    return tuple([at for at, digit in zip(_NUMBERS, digits, strict=False) if digit == "1"])


_small = lru_cache(maxsize=1 << 16)(_elements)
_middle = lru_cache(maxsize=1 << 12)(_elements)
_large = lru_cache(maxsize=1 << 9)(_elements)
