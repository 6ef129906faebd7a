r"""The texts that a terminal stands for, read off its pattern: `(gains|loses)\b` stands for `gains` and `loses`.

So messages, colours and completion know each word as soon as the grammar does. A pattern that is made of words and
signs has alternatives, groups, spaces, and looks at what stands around it; one with anything else, as that of a number,
has no end of texts.
"""

from __future__ import annotations

import re

_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_PART = re.compile(
    r"(?P<opens>\((?:\?:)?)|(?P<closes>\))|(?P<or>\|)|(?P<edge>\\b)|(?P<space>(?:\\s| )\+)|(?P<maybe>\?)"
    r"|(?P<text>\\[^\w\s]|[^\\\[\]().*+?{}^$|])"
)


def spellings_of(pattern: str) -> tuple[str, ...]:
    """The texts that a pattern matches, with one space where any number may stand, and with what may be left out.

    Empty where the pattern has more than words, signs and spaces.
    """
    parts = _parts(_without_looks(pattern))
    return tuple(dict.fromkeys(_texts(parts))) if parts else ()


def _without_looks(pattern: str) -> str:
    """A pattern without what it says of the text around what it matches."""
    kept, at = "", 0
    while at < len(pattern):
        if pattern.startswith(_LOOKS, at):
            depth = 0
            while True:
                depth += {"(": 1, ")": -1}.get(pattern[at], 0)
                at += 2 if pattern[at] == "\\" else 1
                if not depth:
                    break
        else:
            end = at + 2 if pattern[at] == "\\" else at + 1
            kept, at = kept + pattern[at:end], end
    return kept


def _parts(pattern: str) -> list[tuple[str, str]]:
    """The parts of a pattern, the last first, each with its kind; nothing where one is of no kind that is known."""
    parts, at = [], 0
    while at < len(pattern):
        found = _PART.match(pattern, at)
        if found is None or found.lastgroup is None:
            return []
        parts.append((found.lastgroup, found.group()))
        at = found.end()
    return parts[::-1]


def _texts(parts: list[tuple[str, str]]) -> list[str]:
    """The texts of the alternatives up to the end of a group, which are taken off the parts."""
    done: list[str] = []
    current = [""]
    while parts:
        kind, text = parts.pop()
        match kind:
            case "closes":
                break
            case "or":
                done, current = done + current, [""]
            case "opens":
                inner = _texts(parts)
                current = [before + behind for before in current for behind in inner]
            case "space":
                current = [f"{each} " for each in current]
            case "text":
                current = [each + text[-1] for each in current]
            case _:
                pass
    return done + current
