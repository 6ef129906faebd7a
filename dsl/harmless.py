"""Where text leaves: no character of a game, a path or a message drives a terminal, turns text around, or becomes a
formula.

`Harmless` stands around the streams of the command and lets through, on a terminal, the styles and links that the
command itself writes. What becomes of such characters in JSON and CSV stands in `dsl/diagnostics/harmless.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TextIO

SIGN = "\N{REPLACEMENT CHARACTER}"
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Controls beside tab and newline, marks of direction, characters without width, tags, halves of characters."""
_RETURN = r"\r(?=\[|[0-9]|\x1b\[K)"
_STYLES = re.compile(
    r"(\x1b\[[0-9;]*m|\x1b\]8;[^\x00-\x1f\x7f-\x9f]*\x1b\\|\x1b\[H\x1b\[2J\x1b\[3J|\x1b\[K|" + _RETURN + ")"
)
"""What the command itself writes to a terminal: styles, links, an empty screen, progress in one line."""


def harmless(text: str, *, styled: bool = False) -> str:
    """A text without what is unsafe; `styled` leaves what the command itself writes to a terminal."""
    if UNSAFE.search(text) is None:
        return text
    if not styled:
        return UNSAFE.sub(SIGN, text)
    parts = _STYLES.split(text)
    return "".join(part if n % 2 else UNSAFE.sub(SIGN, part) for n, part in enumerate(parts))


class Harmless:
    """A stream of text that only harmless text goes through; all but writing is that of the stream itself.

    `styled` says of the stream whether styles are for it.
    """

    def __init__(self, stream: TextIO, styled: Callable[[TextIO], bool]) -> None:
        self._stream, self._styled = stream, styled

    def write(self, text: str | bytes) -> int:
        if isinstance(text, bytes):  # as click writes what completes a word
            text = text.decode("utf-8", "replace")
        if UNSAFE.search(text) is None:
            return self._stream.write(text)
        return self._stream.write(harmless(text, styled=self._styled(self._stream)))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":  # whoever would write bytes past this finds none
            raise AttributeError(name)
        return getattr(self._stream, name)
