"""Lines within the width of a terminal."""

from __future__ import annotations

import re
from textwrap import wrap

LEAST = 20
"""No line is folded to be narrower."""
_HELD = "\0"
"""Stands for such a space meanwhile: no text that is shown has it, while a no-break space of the text stays."""


def folded(text: str, width: int, further: str = "  ") -> list[str]:
    """A text in lines of at most a width, those behind the first further in; a number stays with its word."""
    held = re.sub(r"(?<=\d) (?=\w)", _HELD, text)
    lines = wrap(held, max(LEAST, width), subsequent_indent=further, break_on_hyphens=False)
    return [each.replace(_HELD, " ") for each in lines]
