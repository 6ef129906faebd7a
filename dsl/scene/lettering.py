"""How wide text is, and how it is broken into lines.

Widths are those of DejaVu Sans, hundredths of its size, which is wider than most: what fits here fits in other
sans-serif types. Whatever has no width of its own counts as a wide letter, and East Asian wide characters (UAX #11) as
a whole square.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache

from dsl.catalogue import nearest, told, tr

_REGULAR = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61,
    69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59,
    82, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
_BOLD = (
    35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84,
    84, 84, 58, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 37, 77, 64, 100, 84, 85, 73, 85, 77, 72, 68, 81, 77, 110, 77,
    72, 73, 46, 37, 46, 84, 50, 50, 67, 72, 59, 72, 68, 44, 72, 71, 34, 34, 67, 34, 104, 71, 69, 72, 72, 49, 60, 48, 71,
    65, 92, 65, 65, 58, 71, 37, 71, 84,
)  # fmt: skip
_OTHER = 100
ELLIPSIS = "…"
CLOSING, OPENING = frozenset({":", ";", "!", "?", "»", "%"}), "«"
"""Signs that some languages set apart, and that never begin or end a line."""
SHORT = 4
"""How many characters a number has at most that does not stand alone in the last line."""
LINE, STEP = 1.15, 0.25
"""Of lines that fill a room: how high each is, of its size, and by how much that is made smaller at a time."""


@lru_cache(maxsize=4096)
def _advance(character: str, bold: bool) -> int:
    widths = _BOLD if bold else _REGULAR
    base = unicodedata.normalize("NFD", character)[:1]
    if " " <= base <= "~":
        return widths[ord(base) - 32]
    if unicodedata.combining(character):
        return 0
    return {"·": 38, "–": 50, "’": 38, "«": 70, "»": 70}.get(character, _OTHER)


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a line of text is, in the unit of its size."""
    return sum(_advance(each, bold) for each in text) * size / 100


def fitted(text: str, width: float, size: float, *, least: float, bold: bool = False) -> float:
    """The largest size up to `size`, and at least `least`, in which a line fits into a width."""
    now = width_of(text, size, bold=bold)
    return size if now <= width else max(least, size * width / now)


def cut(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """A line that fits into a width: as it is, or its beginning and an ellipsis."""
    if width_of(text, size, bold=bold) <= width:
        return text
    room = width - width_of(ELLIPSIS, size, bold=bold)
    kept = 0.0
    for at, each in enumerate(text):
        kept += width_of(each, size, bold=bold)
        if kept > room:
            return text[:at].rstrip() + ELLIPSIS
    return text


def wrapped(
    text: str, width: float, size: float, *, bold: bool = False, most: int | None = None
) -> list[str]:
    """Text in lines that fit into a width; what is left over behind `most` lines is an ellipsis."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        joined = _words(paragraph)
        while joined:
            word = joined.pop(0)
            if " " in word and width_of(word, size, bold=bold) > width:
                joined[:0] = word.split(" ")
                continue
            longer = f"{line} {word}" if line else word
            if width_of(longer, size, bold=bold) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            line = word
            while width_of(line, size, bold=bold) > width and len(line) > 1:
                head = _head(line, width, size, bold=bold)
                lines.append(head)
                line = line[len(head) :]
        lines.append(line)
    if most is not None and len(lines) > most:
        lines = [
            *lines[: most - 1],
            cut(f"{lines[most - 1]} {' '.join(lines[most:])}", width, size, bold=bold),
        ]
        if not lines[-1].endswith(ELLIPSIS):
            lines[-1] = cut(lines[-1] + ELLIPSIS, width, size, bold=bold)
    return lines


def _words(paragraph: str) -> list[str]:
    """The words of a paragraph, each with the signs that stand apart from it but in its line, as in French. A short
    number stays with the word that it counts, which is the next one (`2 steps`), or with the word before it where
    something ends behind it (`strength 11.`, `part II`).
    """
    found: list[str] = []
    words = paragraph.split()
    is_counting = False
    for at, word in enumerate(words):
        is_number = any(map(str.isdigit, word[:2])) and len(word) <= SHORT
        is_number = is_number or (at == len(words) - 1 and set(word) <= set("IVX"))
        ends = at == len(words) - 1 or not word[-1:].isalnum() or words[at + 1] in CLOSING
        if found and (is_counting or (is_number and ends) or word in CLOSING or found[-1].endswith(OPENING)):
            found[-1] += f" {word}"
        else:
            found.append(word)
        is_counting = (is_number and not ends) or word == "×"
    return found


def filling(
    text: str,
    width: float,
    height: float,
    size: float,
    *,
    least: float,
    bold: bool = False,
    narrowed: Callable[[float], float] | None = None,
) -> tuple[list[str], float]:
    """A text in lines, and the largest size in which all of it has room without a word being broken; what has none in
    the least size is cut. `narrowed` says how much of a width is left at a height above or below the middle.
    """
    while True:
        lines, high = wrapped(text, width, size, bold=bold), size * LINE
        reaches = [abs(n - (len(lines) - 1) / 2) * high + high / 2 for n in range(len(lines))]
        if (
            len(lines) * high <= height
            and all(width_of(each, size, bold=bold) <= width for each in _words(text))
            and (
                narrowed is None
                or all(
                    width_of(line, size, bold=bold) <= narrowed(at)
                    for line, at in zip(lines, reaches, strict=True)
                )
            )
        ):
            return lines, size
        if size - STEP < least:
            return wrapped(text, width, size, bold=bold, most=max(1, int(height // high))), size
        size -= STEP


def paired(name: str, value: str, language: str) -> str:
    """A name with its value, with the colon as a language sets it."""
    return told(tr("{what}: {result}", what=name, result=value), nearest(language))


def _head(word: str, width: float, size: float, *, bold: bool) -> str:
    """As much of a word as fits, and at least one character."""
    kept = 0.0
    for at, each in enumerate(word):
        kept += width_of(each, size, bold=bold)
        if kept > width and at:
            return word[:at]
    return word
