"""How a row of a table looks, as its column `look` says: a sign, a colour, a picture, of each at most one, with spaces
between them. It is part of no rule.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dsl.diagnostics.excerpt import printable
from dsl.pictures import NAMES, Unsafe, safe_picture
from dsl.records import record
from dsl.source import display_width

MOST_WIDE = 2
"""Columns of the terminal that a sign takes."""
PICTURE = "<svg"
"""What a picture begins with, in a compiled program the last part of a look."""
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@record(frozen=True, slots=True)
class Look:
    """What is drawn for a row; empty what it does not say."""

    sign: str = ""
    fill: str = ""
    picture: str = ""
    """As `dsl.pictures` keeps it."""


PLAIN = Look()


def parts_of(text: str) -> list[str]:
    """What stands in a look; a picture as one part."""
    before, begins, picture = text.partition(PICTURE)
    return [*before.split(), *([begins + picture] if begins else [])]


def part_of(text: str) -> str:
    """What a part of a look says: `sign`, `fill` or `picture`; nothing where it says none of them."""
    if text.startswith(PICTURE):
        return "picture"
    if _COLOUR.fullmatch(text) or text in NAMES:
        return "fill"
    is_sign = 0 < display_width(text) <= MOST_WIDE and len(text) <= 2 * MOST_WIDE and text not in {"-", "."}
    return "sign" if is_sign and printable(text) == text else ""


@lru_cache(2048)
def look_of(text: str) -> Look:
    """A look as a compiled program has it; what nobody could have written is left out."""
    found: dict[str, str] = {}
    for each in parts_of(text):
        name, value = part_of(each), each
        if name == "picture":
            try:
                value = safe_picture(each)
            except Unsafe:
                continue
        if name:
            found.setdefault(name, NAMES.get(value, value.lower()) if name == "fill" else value)
    return Look(**found)
