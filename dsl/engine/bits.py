"""The elements of a set."""

from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def bits(mask: int, low: int = 0) -> tuple[int, ...]:
    """The elements of a set in ascending order; bit 0 stands for `low`."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1 + low)
        mask ^= lowest
    return tuple(found)
