"""The values of a game that say how something is drawn: `overlay` of its cells, `outline` of its pieces.

Each gives a member of a domain, or none, for one cell of the board or one piece of a pool.
"""

from __future__ import annotations

from collections.abc import Collection

from dsl.ir.program import Value
from dsl.ir.types import Id

OVERLAY = "overlay"
"""A value of a game that says what is drawn on its empty cells."""
OUTLINE = "outline"
"""A value of a game that says of which pieces only the outline is drawn, and why."""
DRAWN = (OVERLAY, OUTLINE)


def tells_drawing(value: Value, domains: Collection[int]) -> bool:
    """Does it give a member, or none, for one member of one of the domains?"""
    return value.params in [(Id(domain),) for domain in domains] and isinstance(value.result, Id)
