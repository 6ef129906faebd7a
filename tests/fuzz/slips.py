"""Slips of the pen, one at a time: each knows the lines it spoilt, so that one can ask whether a message finds it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from dsl.syntax.words import declarations, statements
from tests.fuzz.corpus import HEADER, TOKEN

NAME = re.compile(r"[^\W\d]\w*")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
KEYWORDS = frozenset(
    {
        *declarations(),
        *statements(),
        "when",
        "by",
        "of",
        "is",
        "where",
        "in",
        "chooses",
        "may",
        "gains",
        "loses",
        "over",
    }
)
SPARED = re.compile(r'"""|"[^"\n]*"|#[^\n]*|(?<=[ \t])\[[^\]\n]*\]')
"""What a slip leaves alone where it changes words: texts, comments, citations."""


@dataclass(frozen=True)
class Slip:
    """A spoilt text, the numbers of the lines that were spoilt, and the names that were lost."""

    text: str
    lines: frozenset[int]
    lost: frozenset[str] = field(default_factory=frozenset)


Kind = Callable[[list[str], Random], Slip | None]


def code_lines(lines: list[str]) -> list[int]:
    """The lines that say something: not blank, no comment alone, no line of a drawing."""
    found, drawing = [], False
    for number, line in enumerate(lines):
        fence = line.count('"""') % 2 == 1
        bare = line.strip()
        if bare and not bare.startswith("#") and not drawing and not fence:
            found.append(number)
        drawing ^= fence
    return found


def _bare(line: str) -> str:
    """A line with blanks in place of texts, comments and citations."""
    return SPARED.sub(lambda match: " " * len(match.group()), line)


def _made(lines: list[str], *changed: int, lost: set[str] | None = None) -> Slip:
    return Slip("\n".join(lines), frozenset(number + 1 for number in changed), frozenset(lost or ()))


def _some(lines: list[str], r: Random, pattern: re.Pattern[str]) -> tuple[int, re.Match[str]] | None:
    """A place in the code where a pattern stands."""
    found = [(n, match) for n in code_lines(lines) for match in pattern.finditer(_bare(lines[n]))]
    return r.choice(found) if found else None


def _put(
    lines: list[str], number: int, match: re.Match[str], text: str, lost: set[str] | None = None
) -> Slip:
    line = lines[number]
    lines[number] = line[: match.start()] + text + line[match.end() :]
    return _made(lines, number, lost=lost)


def _names(text: str) -> set[str]:
    return {word for word in NAME.findall(_bare(text)) if word not in KEYWORDS}


def remove_line(lines: list[str], r: Random) -> Slip | None:
    """Its neighbours fail, the head of its block, or what needs the names that it brought."""
    number = r.choice(code_lines(lines))
    line = lines.pop(number)
    depth = len(line) - len(line.lstrip())
    head = next((n for n in range(number - 1, -1, -1) if _depth(lines[n]) < depth), number)
    if not depth:
        head = next((n for n, each in enumerate(lines) if HEADER.match(each)), number)
    near = {
        n for n in (_code_before(lines, number), _code_behind(lines, number), head) if 0 <= n < len(lines)
    }
    lost = _names(line) | set(re.findall(r'"([^"\n]*)"', line))
    for below in lines[number:]:
        if _depth(below) <= depth:
            break
        lost |= _names(below) if _depth(below) < 999 else set()
    return _made(lines, *near, lost=lost)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() and not line.lstrip().startswith("#") else 999


def _code_before(lines: list[str], number: int) -> int:
    return next((n for n in range(number - 1, -1, -1) if _depth(lines[n]) < 999), -1)


def _code_behind(lines: list[str], number: int) -> int:
    return next((n for n in range(number, len(lines)) if _depth(lines[n]) < 999), number)


def remove_token(lines: list[str], r: Random) -> Slip | None:
    found = _some(lines, r, TOKEN)
    return found and _put(lines, *found, "", lost=_names(found[1].group()))


def double_line(lines: list[str], r: Random) -> Slip | None:
    number = r.choice(code_lines(lines))
    lines.insert(number, lines[number])
    return _made(lines, number, number + 1)


def double_token(lines: list[str], r: Random) -> Slip | None:
    found = _some(lines, r, TOKEN)
    return found and _put(lines, *found, f"{found[1].group()} {found[1].group()}")


def misspell(lines: list[str], r: Random) -> Slip | None:
    """A name loses a letter, doubles one or swaps two."""
    found = _some(lines, r, re.compile(r"[^\W\d]\w{2,}"))
    if found is None:
        return None
    word = found[1].group()
    at = r.randrange(len(word) - 1)
    changed = r.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] * 2 + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
    return _put(lines, *found, changed) if changed != word else None


def other_name(lines: list[str], r: Random) -> Slip | None:
    found = _some(lines, r, NAME)
    own = sorted({word for n in code_lines(lines) for word in _names(lines[n])})
    return _put(lines, *found, r.choice(own), lost={found[1].group()}) if found and own else None


def indentation(lines: list[str], r: Random) -> Slip | None:
    number = r.choice(code_lines(lines))
    bare = lines[number].lstrip()
    start = len(lines[number]) - len(bare)
    moved = max(0, start + r.choice((-4, -2, -1, 1, 2, 4)))
    if moved == start:
        return None
    lines[number] = " " * moved + bare
    near = {n for n in (_code_before(lines, number), number) if n >= 0}
    return _made(lines, *near)


def _rows(lines: list[str]) -> list[int]:
    return [n for n in code_lines(lines) if lines[n].lstrip().startswith("|")]


def _row(lines: list[str], r: Random, *, heads: bool = True) -> tuple[int, list[str]] | None:
    rows = _rows(lines)
    rows = rows if heads else [n for n in rows if n - 1 in rows]
    if not rows:
        return None
    number = r.choice(rows)
    return number, lines[number].split("|")


def cell_type(lines: list[str], r: Random) -> Slip | None:
    """A word where numbers stand, a number where words stand."""
    found = _row(lines, r, heads=False)
    if found is None or len(found[1]) < 4:
        return None
    number, cells = found
    at = r.randrange(2, len(cells) - 1)
    cells[at] = " many " if re.search(r"\d", cells[at]) else " 7 "
    lines[number] = "|".join(cells)
    return _made(lines, number)


def ragged_row(lines: list[str], r: Random) -> Slip | None:
    found = _row(lines, r)
    if found is None or len(found[1]) < 4:
        return None
    number, cells = found
    at = r.randrange(1, len(cells) - 1)
    if r.random() < 0.5:
        del cells[at]
    else:
        cells.insert(at, cells[at])
    lines[number] = "|".join(cells)
    return _made(lines, number)


def remove_column(lines: list[str], r: Random) -> Slip | None:
    """A whole column goes: what reads it fails."""
    found = _row(lines, r)
    if found is None or len(found[1]) < 4:
        return None
    rows = _rows(lines)
    first = last = found[0]
    while first - 1 in rows:
        first -= 1
    while last + 1 in rows:
        last += 1
    at = r.randrange(1, len(found[1]) - 1)
    lost: set[str] = set()
    for number in range(first, last + 1):
        cells = lines[number].split("|")
        if at < len(cells) - 1:
            lost |= _names(cells[at])
            del cells[at]
        lines[number] = "|".join(cells)
    return _made(lines, _code_before(lines, first), *range(first, last + 1), lost=lost)


def number_range(lines: list[str], r: Random) -> Slip | None:
    found = _some(lines, r, NUMBER)
    return found and _put(lines, *found, r.choice(("9999", "100000", "2147483648", "-5")))


def remove_colon(lines: list[str], r: Random) -> Slip | None:
    found = _some(lines, r, re.compile(":"))
    return found and _put(lines, *found, "")


def other_keyword(lines: list[str], r: Random) -> Slip | None:
    found = _some(lines, r, re.compile(rf"\b(?:{'|'.join(sorted(KEYWORDS))})\b"))
    if found is None:
        return None
    word = r.choice(sorted(KEYWORDS))
    return _put(lines, *found, word) if word != found[1].group() else None


def open_end(lines: list[str], r: Random) -> Slip | None:
    """A quote or bracket is not closed, or not opened."""
    found = [(n, m) for n in code_lines(lines) for m in re.finditer(r'["()\[\]{}]', lines[n].split("#")[0])]
    return _put(lines, *r.choice(found), "") if found else None


def swap_tokens(lines: list[str], r: Random) -> Slip | None:
    """Two neighbours on a line change places."""
    number = r.choice(code_lines(lines))
    tokens = list(TOKEN.finditer(_bare(lines[number])))
    if len(tokens) < 2:
        return None
    at = r.randrange(len(tokens) - 1)
    one, two = tokens[at : at + 2]
    line = lines[number]
    between = line[one.end() : two.start()]
    changed = line[: one.start()] + two.group() + between + one.group() + line[two.end() :]
    if changed == line:
        return None
    lines[number] = changed
    return _made(lines, number)


SLIPS: dict[str, Kind] = {
    "removed line": remove_line,
    "removed token": remove_token,
    "removed colon": remove_colon,
    "removed column": remove_column,
    "doubled line": double_line,
    "doubled token": double_token,
    "misspelt name": misspell,
    "another name": other_name,
    "another keyword": other_keyword,
    "wrong indentation": indentation,
    "wrong type in a cell": cell_type,
    "ragged row": ragged_row,
    "number out of range": number_range,
    "open quote or bracket": open_end,
    "swapped tokens": swap_tokens,
}


def slip(text: str, r: Random) -> tuple[str, Slip]:
    """The name of a slip, and what it made of a text."""
    while True:
        kind = r.choice(tuple(SLIPS))
        made = SLIPS[kind](text.split("\n"), r)
        if made is not None and made.text != text:
            return kind, made
