"""The lines of a text as the grammar counts them: logical lines with their depth, and the comments between.

A logical line ends at a newline outside brackets, and not behind a bar between the members of a type; blank lines and
comments are no lines; a drawing between triple quotes is one line. The scan also finds what is wrong with the text
before any rule of the grammar is asked (a quote or a bracket left open, a tab, an indentation that fits no block) and
marks the lines that hold such a fault, so that the parser leaves them alone and each fault is told once.
"""

import re
from collections.abc import Iterator
from dataclasses import field, replace
from functools import cache
from itertools import pairwise

from dsl.diagnostics import Diagnostic, Diagnostics
from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax import faults, words

MAX_BLOCKS = 60
MAX_BRACKETS = 60

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BLANK = re.compile(r"[ \t\r\f\ufeff]*")
_ROW = re.compile(r"\|(?:[^\n#]|#\w)*")
_PIECE = re.compile(
    r'(?P<drawing>"""(?:.|\n)*?""")|(?P<open_drawing>""")|(?P<string>"[^"\n]*")|(?P<open_string>"[^\n]*)'
    r"|(?P<comment>\#[^\n]*)|(?P<citation>(?<=[ \t])\[[^\]\n]*\])|(?P<opening>[(\[{])|(?P<closing>[)\]}])"
    r"|(?P<newline>\n)"
)
_REMARKS = re.compile(r"(?:[ \t]*#[^\n]*\n)*")
"""Lines with nothing but a comment."""
_CITATION = re.compile(r"(?<=[ \t#])\[(?:house\b|(?:house +)?[A-Z][A-Z0-9]*-[A-Z]?[0-9]+)[^\]\n]*\]")


@cache
def _declaration() -> re.Pattern[str]:
    """Where a declaration begins at the top level."""
    return re.compile(rf"\n(?=(?:{'|'.join(sorted(words.declarations()))})\b[^\n]*:)")


@record(frozen=True, slots=True)
class Line:
    """A logical line: its text from `start` to `end` without comment, and the depth of the block it is in.

    `skips` are the comments inside it, which brackets over several lines may have. A broken line holds a
    fault that has been told; of a line that is told only where it stands is wrong, and more may follow from that.
    """

    start: int
    end: int
    depth: int
    skips: tuple[tuple[int, int], ...] = ()
    is_broken: bool = False
    is_told: bool = False


@record(frozen=True, slots=True)
class Layout:
    """All the logical lines and comments of a source, in order."""

    lines: tuple[Line, ...]
    comments: tuple[Span, ...]


def lay_out(source: Source, diagnostics: Diagnostics) -> Layout:
    """The logical lines of a whole source."""
    scan = _Scan(source, diagnostics, 0, len(source.text))
    lines = tuple(_with_depths(source, scan.lines(), diagnostics))
    return Layout(lines, tuple(scan.comments))


def single_line(source: Source, start: int, end: int, diagnostics: Diagnostics) -> Line:
    """A stretch of one line, such as a table's cell, as a line of its own."""
    lines = _Scan(source, diagnostics, start, end).lines()
    return replace(next(lines, Line(start, start, 0)), depth=0)


def reads_alike(one: Source, other: Source) -> bool:
    """Is there nothing wrong with the lines and comments of two texts, and do these differ in comments, empty lines and
    ends of lines alone? What the parser reads is then the same, but for where it stands.
    """
    return (lines := _lines_of(one)) is not None and lines == _lines_of(other)


def _lines_of(source: Source) -> list[tuple[str, int]] | None:
    """The logical lines of a source with all that is written in them, and their columns; none where a fault is told."""
    found = Diagnostics()
    layout = lay_out(source, found)
    for comment in layout.comments:
        look_into_comment(comment, found)
    if len(found):
        return None
    return [(source.text[line.start : line.end], source.column_of(line.start)) for line in layout.lines]


def look_into_comment(comment: Span, diagnostics: Diagnostics) -> None:
    """Warn of a citation that a comment behind a line has swallowed."""
    source = comment.source
    line = source.line_starts[comment.line - 1]
    bracket = _CITATION.search(comment.text)
    if bracket and source.text[line : comment.start].strip():
        start = comment.start + bracket.start()
        place = source.span(start, comment.start + bracket.end())
        diagnostics.add(faults.citation_in_comment(place, source.span(comment.start, comment.start + 1)))


@record(slots=True)
class _Open:
    """A logical line while it is read; `brackets` are the offsets of those still open."""

    start: int
    column: int
    brackets: list[int] = field(default_factory=list)
    goes_on: bool = False
    """Does it go on behind the bar at its end?"""
    skips: list[tuple[int, int]] = field(default_factory=list)
    is_broken: bool = False


@record(slots=True)
class _Column:
    """Where the lines of an open block stand, as its first line has it; `strays` are others, of which it was told."""

    column: int
    line: Line
    strays: set[int] = field(default_factory=set)


class _Scan:
    """A walk over a stretch of text, from piece to piece; its lines have columns in place of depths."""

    def __init__(self, source: Source, diagnostics: Diagnostics, start: int, stop: int) -> None:
        self._source = source
        self._text = source.text
        self._diagnostics = diagnostics
        self._at = start
        self._stop = stop
        self.comments: list[Span] = []

    def lines(self) -> Iterator[Line]:
        while self._at < self._stop:
            begin = self._at
            start = self._skip(_BLANK)
            column = column_of(self._text[begin:start])
            match self._text[start : min(start + 1, self._stop)]:
                case "" | "\n" | "#":
                    self._finish_line([])
                case "|":
                    end = self._skip(_ROW)
                    self._finish_line([])
                    yield Line(start, self._trimmed(start, end), column)
                case _:
                    yield self._line(_Open(start, column))

    def _skip(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self._text, self._at, self._stop)
        self._at = found.end() if found else self._at
        return self._at

    def _finish_line(self, skips: list[tuple[int, int]]) -> None:
        """Past a comment, if there is one, and the newline."""
        newline = self._text.find("\n", self._at, self._stop)
        end = self._stop if newline < 0 else newline
        if self._text.startswith("#", self._at):
            self._comment(self._at, end, skips)
        self._at = min(end + 1, self._stop)

    def _comment(self, start: int, end: int, skips: list[tuple[int, int]]) -> None:
        self.comments.append(self._source.span(start, self._trimmed(start, end)))
        skips.append((start, end))

    def _line(self, line: _Open) -> Line:
        while piece := _PIECE.search(self._text, self._at, self._stop):
            self._at = piece.end()
            if piece.lastgroup != "newline":
                self._take(piece, line)
            elif not line.brackets:
                if not self._goes_on(line, piece.start()):
                    return self._closed(line, piece.start())
            elif self._starts_anew(line):
                return self._left_open(line)
        self._at = self._stop
        return self._left_open(line) if line.brackets else self._closed(line, self._stop)

    def _take(self, piece: re.Match[str], line: _Open) -> None:
        match piece.lastgroup:
            case "comment":
                self._comment(piece.start(), piece.end(), line.skips)
            case "opening":
                line.brackets.append(piece.start())
                if len(line.brackets) == MAX_BRACKETS + 1:
                    self._fail(line, faults.too_many_brackets(self._span_of(piece), MAX_BRACKETS))
            case "closing":
                self._close(piece, line)
            case "open_string":
                self._fail(line, self._open_string(piece))
                line.brackets.clear()
            case "drawing":
                self._look_into(piece, line)
            case "open_drawing":
                self._fail(line, faults.open_drawing(self._span_of(piece)))
                line.brackets.clear()
                self._at = self._stop
            case _:
                pass

    def _open_string(self, piece: re.Match[str]) -> Diagnostic:
        """A quote without its partner: it is that of the last text, or one before it that stands where none can."""
        begin = self._text.rfind("\n", 0, piece.start()) + 1
        written = self._text[begin : piece.end()]
        quotes = [found.start() for found in re.finditer('"', written)]
        for at, following in pairwise(quotes[:-1]):
            opens, closes = _opens(written, at), _opens(written, following)
            if opens and closes:  # two texts begin, and the first one has not ended
                end = following - len(written[:following]) + len(written[:following].rstrip())
                return faults.open_string(self._source.span(begin + at, begin + end), at_end=False)
        return faults.open_string(self._span_of(piece))

    def _look_into(self, piece: re.Match[str], line: _Open) -> None:
        """A drawing that takes in a declaration has not been closed: what closes it opens the next one."""
        begun = _declaration().search(piece.group()) if line.column else None
        if begun is None:
            return
        sign = self._source.span(piece.start(), piece.start() + 3)
        self._fail(line, faults.open_drawing(sign))
        line.brackets.clear()
        self._at = piece.start() + begun.start()

    def _close(self, piece: re.Match[str], line: _Open) -> None:
        opening = line.brackets.pop() if line.brackets else None
        if opening is None:
            self._fail(line, faults.nothing_to_close(self._span_of(piece)))
        elif _CLOSING[self._text[opening]] != piece.group():
            place = self._source.span(opening, opening + 1)
            self._fail(line, faults.wrong_bracket(self._span_of(piece), place))

    def _fail(self, line: _Open, fault: Diagnostic) -> None:
        """Tell a fault, unless the line has one already."""
        if not line.is_broken:
            self._diagnostics.add(fault)
        line.is_broken = True

    def _starts_anew(self, line: _Open) -> bool:
        """Whether the text line to come is one of its own, so that a bracket before it has been left open."""
        start = self._at
        end = _end_of_blank(self._text, start, self._stop)
        is_blank = end >= self._stop or self._text[end] in "\n#"
        closes = not is_blank and self._text[end] in ")]}"
        return not is_blank and not closes and column_of(self._text[start:end]) <= line.column

    def _goes_on(self, line: _Open, newline: int) -> bool:
        """Whether a line that ends in a bar, between two members of a type, goes on below, further to the right."""
        text_line = self._text.rfind("\n", line.start, newline) + 1
        if line.goes_on and self._text.startswith("#", _end_of_blank(self._text, text_line, newline)):
            return True  # nothing but a comment; what follows it has been looked at
        last = next((start for start, end in line.skips[-1:] if end >= newline), newline)
        remarks = _REMARKS.match(self._text, self._at, self._stop)
        begin = remarks.end() if remarks else self._at
        end = _end_of_blank(self._text, begin, self._stop)
        is_deeper = column_of(self._text[begin:end]) > line.column
        is_more = end < self._stop and self._text[end] not in "\n#|"
        line.goes_on = (
            is_more and is_deeper and self._text[max(line.start, text_line) : last].rstrip().endswith("|")
        )
        return line.goes_on

    def _left_open(self, line: _Open) -> Line:
        """Where a bracket stays open, only the first text line counts; the others are read again."""
        bracket = line.brackets[-1]
        self._fail(line, faults.open_bracket(self._source.span(bracket, bracket + 1)))
        newline = self._text.find("\n", line.start, self._stop)
        end = self._stop if newline < 0 else newline
        self.comments = [comment for comment in self.comments if comment.start < end]
        self._at = min(end + 1, self._stop)
        return self._closed(line, end)

    def _closed(self, line: _Open, end: int) -> Line:
        skips = tuple(skip for skip in line.skips if skip[0] < end)
        if skips and skips[-1][1] >= end:
            end = skips[-1][0]
            skips = skips[:-1]
        return Line(line.start, self._trimmed(line.start, end), line.column, skips, line.is_broken)

    def _span_of(self, piece: re.Match[str]) -> Span:
        return self._source.span(piece.start(), self._trimmed(piece.start(), piece.end()))

    def _trimmed(self, start: int, end: int) -> int:
        return start + len(self._text[start:end].rstrip())


def _opens(line: str, at: int) -> bool:
    """Does a quote look as if a text began behind it: with nothing before it that it could close?"""
    before, behind = line[at - 1 : at], line[at + 1 : at + 2]
    return before in {"", " ", "(", "{", "=", "|"} and behind not in {"", " ", ")", ":", ",", "]"}


def column_of(indentation: str) -> int:
    """How far to the right a line starts; a tab goes to the next stop."""
    column = 0
    for char in indentation:
        if char == "\t":
            column += faults.TAB_STOP - column % faults.TAB_STOP
        elif char == " ":
            column += 1
    return column


def _end_of_blank(text: str, start: int, stop: int) -> int:
    found = _BLANK.match(text, start, stop)
    return found.end() if found else start


def _with_depths(source: Source, lines: Iterator[Line], diagnostics: Diagnostics) -> Iterator[Line]:
    """The lines with block depths in place of columns; those in too deep a block are broken."""
    columns: list[_Column] = []
    told_tab = told_depth = False
    for line, following in pairwise((*lines, None)):
        assert line is not None
        if not told_tab and (tab := _tab_before(source, line)):
            diagnostics.add(faults.tab(tab))
            told_tab = True
        fault = _enter(source, columns, line, following)
        if fault and not told_tab:
            diagnostics.add(fault)
        depth = len(columns) - 1
        is_broken = line.is_broken or depth > MAX_BLOCKS
        if depth > MAX_BLOCKS and not told_depth:
            diagnostics.add(faults.too_many_blocks(source.span(line.start, line.end), MAX_BLOCKS))
            told_depth = True
        is_told = fault is not None and len(columns) > 1
        yield Line(line.start, line.end, min(depth, MAX_BLOCKS + 1), line.skips, is_broken, is_told)


def _enter(source: Source, columns: list[_Column], line: Line, following: Line | None) -> Diagnostic | None:
    """Bring the columns of the open blocks to those around a line; one between two counts to one of them."""
    own, span = _Column(line.depth, line), source.span(line.start, line.end)
    if not columns:
        columns.append(own)
        is_field = (
            words.first_word(span.text) in words.HEADER_FIELDS
        )  # the parser tells that no header begins
        return faults.indented_start(span) if own.column and not is_field else None
    inner = None
    while len(columns) > 1 and columns[-1].column > own.column and own.column not in columns[-1].strays:
        inner = columns.pop()
    outer = columns[-1]
    if own.column == outer.column or own.column in outer.strays:
        return None
    if own.column < outer.column:
        columns[0] = own  # the first line is indented, as has been told
    elif inner is None:
        columns.append(own)
    else:
        columns += _block_of(span, own, outer, inner, following)
        columns[-1].strays.add(own.column)
        above = source.span(inner.line.start, inner.line.end)
        return faults.between_blocks(span, own.column, above, outer.column, inner.column)
    return None


def _block_of(
    span: Span, own: _Column, outer: _Column, inner: _Column, following: Line | None
) -> list[_Column]:
    """The block inside the outer one to which a line between both likely belongs; empty where it is the outer one."""
    opens = span.text.endswith(":") and following is not None
    if opens and following is not None and own.column < following.depth <= inner.column:
        return [own]
    if outer.column == 0:
        return [] if words.first_word(span.text) in words.declarations() else [inner]
    return [] if own.column - outer.column < inner.column - own.column else [inner]


def _tab_before(source: Source, line: Line) -> Span | None:
    begin = source.line_starts[source.line_of(line.start) - 1]
    tab = source.text.find("\t", begin, line.start)
    return source.span(tab, tab + 1) if tab >= 0 else None
