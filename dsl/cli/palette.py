"""The colour in which something that can own is shown in a terminal: the one it is named after, or one that nobody else
has.
"""

from __future__ import annotations

from dsl.ir.program import Program
from dsl.scene.colours import FAMILIES, family_of

COLOURS = FAMILIES
_STYLES = {
    "pink": "bright_magenta",
    "orange": "dark_orange",
    "grey": "grey50",
    "black": "bright_black",
    "brown": "orange4",
}
"""Of the families that a terminal calls otherwise."""


def colour_of(program: Program, domain: int, member: int) -> str:
    """A colour for each member of a domain; those that are named after a colour have that one."""
    family = family_of(program, domain, member)
    return _STYLES.get(family, family)
