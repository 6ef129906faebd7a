"""The lines of a source that a diagnostic marks, drawn for people.

A drawing is lines of styled pieces. Whatever the source holds, a drawing is bounded (long lines are cut
around the mark) and harmless (characters that would drive a terminal or reorder the text are shown as signs).
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from dsl.catalogue import told, tr
from dsl.records import record
from dsl.source import Source, Span

Piece: TypeAlias = tuple[str, str]
"""A text and its style, in the words of `rich`; the empty style is the terminal's own."""
Line: TypeAlias = tuple[Piece, ...]

FRAME = "blue"
PLAIN = ""

_WIDTH = 100
_BEFORE_THE_MARK = 40
_TAB = "    "
_CUT = "…"
_NOT_SHOWN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@record(frozen=True, slots=True)
class Mark:
    """A span to underline, with `sign` repeated in a style, and the words beside the line drawn."""

    span: Span
    sign: str
    style: str
    text: str = ""


def gutter_of(marks: Iterable[Mark]) -> int:
    """The width of the largest line number that a drawing of these marks needs."""
    return max((len(str(mark.span.line)) for mark in marks), default=1)


def excerpt(source: Source, marks: Sequence[Mark], gutter: int) -> Iterator[Line]:
    """The marked lines of one source in order, each underlined once for every mark that starts on it."""
    last: int | None = None
    by_line = groupby(
        sorted(marks, key=lambda mark: (mark.span.start, mark.span.end)), lambda mark: mark.span.line
    )
    for number, on_line in by_line:
        if last is not None and number == last + 2:
            yield from _source_line(source.line_text(last + 1), number - 1, gutter, 0)
        elif last is not None and number > last + 2:
            yield (("...", FRAME),)
        yield from _marked_line(source, number, tuple(on_line), gutter)
        last = number


def printable(text: str) -> str:
    """A text without the power to move a cursor or to turn its neighbours around; newlines are kept."""
    return "".join(char if char == "\n" else _shown(char) for char in text)


def edge(gutter: int, sign: str = "|") -> Piece:
    """The frame to the left of what is not a source line."""
    return f"{' ' * gutter} {sign}", FRAME


def _marked_line(source: Source, number: int, marks: Sequence[Mark], gutter: int) -> Iterator[Line]:
    text = source.line_text(number)
    line_start = source.line_starts[number - 1]
    cut = _cut_before(text, marks[0].span.start - line_start)
    yield from _source_line(text, number, gutter, cut)
    for mark in marks:
        start = min(max(mark.span.start - line_start, cut), cut + _WIDTH)
        end = min(mark.span.end - line_start, len(text), cut + _WIDTH)
        indent = " " * (_cells(text[cut:start]) + (len(_CUT) if cut else 0))
        underline = mark.sign * max(1, _cells(text[start:end].rstrip()))
        words = " ".join(filter(None, (printable(mark.text), _to_be_continued(mark.span))))
        yield edge(gutter), (f" {indent}", PLAIN), (f"{underline} {words}".rstrip(), mark.style)


def _source_line(text: str, number: int, gutter: int, cut: int) -> Iterator[Line]:
    before, after = _CUT if cut else "", _CUT if len(text) > cut + _WIDTH else ""
    shown = "".join(map(_shown, text[cut : cut + _WIDTH]))
    yield (f"{number:>{gutter}} |", FRAME), (f" {before}{shown}{after}".rstrip(), PLAIN)


def _cut_before(text: str, column: int) -> int:
    """How many characters to leave out at the left, so that a mark at a column is seen."""
    return max(0, column - _BEFORE_THE_MARK) if len(text) > _WIDTH else 0


def _to_be_continued(span: Span) -> str:
    last = span.source.line_of(max(span.start, span.end - 1))
    return told(tr("(up to line {line})", line=last)) if last > span.line else ""


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes, once shown."""
    return sum(_cells_of(shown) for char in text for shown in _shown(char))


def _cells_of(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _shown(char: str) -> str:
    if char == "\t":
        return _TAB
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in _NOT_SHOWN else char
