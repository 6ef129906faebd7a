"""Texts and the places in them.

Everything inside the compiler counts in offsets: the number of code points before a place. Lines and columns,
both from 1, exist only at the rim, where a place is shown to somebody.
"""

import unicodedata
from bisect import bisect_right
from dataclasses import field

from dsl.records import record


@record(frozen=True, slots=True)
class Source:
    r"""A text and the name it is known by: a path as the author gave it, or a word such as `<test>`.

    Lines end with `\n`; whoever reads a file has already turned the other endings into it.
    """

    name: str
    text: str = field(repr=False)
    line_starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        end_of_line = self.text.find("\n")
        while end_of_line >= 0:
            starts.append(end_of_line + 1)
            end_of_line = self.text.find("\n", end_of_line + 1)
        object.__setattr__(self, "line_starts", tuple(starts))

    def __str__(self) -> str:
        return self.name

    def line_of(self, offset: int) -> int:
        r"""The line, from 1, on which an offset lies; a line's own `\n` belongs to it."""
        return bisect_right(self.line_starts, offset)

    def position_of(self, offset: int) -> tuple[int, int]:
        """The line and the column, from 1."""
        line = self.line_of(offset)
        return line, offset - self.line_starts[line - 1] + 1

    def column_of(self, offset: int) -> int:
        """The column, from 1, in code points."""
        return self.position_of(offset)[1]

    def line_text(self, line: int) -> str:
        """A line without its ending; lines count from 1."""
        start = self.line_starts[line - 1]
        is_last = line == len(self.line_starts)
        return self.text[start:] if is_last else self.text[start : self.line_starts[line] - 1]

    def span(self, start: int, end: int) -> "Span":
        return Span(self, start, end)

    @property
    def end(self) -> "Span":
        """The empty place after the last character."""
        return Span(self, len(self.text), len(self.text))


@record(frozen=True, slots=True)
class Span:
    """A stretch of a source: offsets `start` up to, not including, `end`. It may be empty."""

    source: Source
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end <= len(self.source.text):
            raise ValueError(f"no such span: {self.start}..{self.end} in {self.source.name}")

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    @property
    def line(self) -> int:
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        return self.source.column_of(self.start)

    @property
    def end_line(self) -> int:
        return self.source.line_of(self.end)

    @property
    def end_column(self) -> int:
        """The column just after the last character."""
        return self.source.column_of(self.end)

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]


def join(first: Span, last: Span) -> Span:
    """The smallest span around two spans of one source, in whichever order they come."""
    if first.source is not last.source and first.source != last.source:
        raise ValueError(f"cannot join a span of {first.source} with one of {last.source}")
    return Span(first.source, min(first.start, last.start), max(first.end, last.end))


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes: wide signs two, those that join the one before none."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
