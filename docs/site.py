"""What the site adds to the pages: a title where a block says in which file it belongs."""

from __future__ import annotations

import re
from typing import Any

FENCE = re.compile(r"^```(scn|sh|text|json|python)[ \t]+(\S[^\n]*)$", re.MULTILINE)
WHERE = {
    "file": "{}.scn",
    "save": "{}",
    "add": "{}, at its end",
    "replace": "{}, in the place of its namesake",
}
OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+(?:dsl|grammar|stdlib|examples|tests)/[^)]*\)")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Titles in the place of the info strings that the tests read; names in the place of links out of the site."""
    return OUTSIDE.sub(r"\1", FENCE.sub(_titled, markdown))


def _titled(fence: re.Match[str]) -> str:
    words = dict(word.partition("=")[::2] for word in fence[2].split())
    title = next((form.format(words[key]) for key, form in WHERE.items() if key in words), None)
    return f"```{fence[1]}" + (f' title="{title}"' if title else "")
