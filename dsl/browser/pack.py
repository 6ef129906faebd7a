"""Puts modules of JavaScript together.

The files in `page/` are plain modules that import each other by name. In the page they stand one after the other in one
script, without their `import` and `export`: so each name at the top of a module is given once among all of them.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).with_name("page")
ENGINE = ("values.js", "chance.js", "events.js", "engine.js")
"""The modules that play and tell, without a screen."""
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?:\{[^}]*\};\n)?", re.MULTILINE)


def script(names: tuple[str, ...]) -> str:
    """Some modules as one script."""
    return "\n".join(_bare((FOLDER / name).read_text(encoding="utf-8")) for name in names)


def _bare(text: str) -> str:
    return _EXPORT.sub("", _IMPORT.sub("", text))
