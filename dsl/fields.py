"""Several fields of an object at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any


def values_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What yields the fields of an object with these names, in their order: quicker than asking for each."""
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        single = attrgetter(*names)
        return lambda each: (single(each),)
    return lambda each: ()
