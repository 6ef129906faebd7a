"""Documents that leave: JSON keeps every character, escaped; in CSV a sign stands for what is unsafe, and no cell is a
formula.
"""

from __future__ import annotations

import json
import re

from dsl.diagnostics.excerpt import printable
from dsl.harmless import UNSAFE

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def json_text(document: object) -> str:
    """A document as JSON on several lines; what is unsafe stands there escaped, and is read back as it was."""
    return UNSAFE.sub(_escaped, json.dumps(document, ensure_ascii=False, indent=2))


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f"


def cell(value: object) -> object:
    """What stands in a cell of CSV: text that a spreadsheet would take for a formula begins with `'`."""
    if not isinstance(value, str):
        return value
    text = printable(value).replace("\n", " ")
    return f"'{text}" if text.startswith(_FORMULA) else text
