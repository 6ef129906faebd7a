"""From a source without faults to the lines that are written, before their columns are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from dsl.diagnostics import Diagnostics
from dsl.format.line import INDENT, Written
from dsl.format.spacing import spaced, written
from dsl.source import Source, Span
from dsl.syntax.driver import read_tokens
from dsl.syntax.lalr import Token
from dsl.syntax.layout import Layout, Line, column_of, lay_out
from dsl.syntax.recovery import groups

_OPENING = frozenset({"LPAR", "LBRACE", "LSQB"})
_CLOSING = frozenset({"RPAR", "RBRACE", "RSQB"})
_SAID = frozenset({"OVER", "OF", "BECAUSE", "AMONG", "REMOVE"})
"""Behind these words a citation is what the line is about, not where it comes from."""


def read(source: Source) -> list[Written]:
    """The lines of a source, in order."""
    return _Reading(source, lay_out(source, Diagnostics())).lines()


class _Reading:
    """A walk over the lines of a source; `_last` is the last line of the text that was taken."""

    def __init__(self, source: Source, layout: Layout) -> None:
        self._source = source
        self._layout = layout
        self._comments = list(reversed(layout.comments))
        self._found: list[Written] = []
        self._last = 0
        self._columns: list[int] = [0]

    def lines(self) -> list[Written]:
        for group in groups(self._layout.lines):
            tokens = read_tokens(self._source, group)
            heads = _heads(group, tokens)
            for number, line in enumerate(group):
                following = group[number + 1].depth if number + 1 < len(group) else 0
                self._stand_alone(line.start, line.depth)
                first = len(self._found)
                self._line(line, tokens[number])
                self._found[-1].opens = following > line.depth
                self._found[first].is_head = number in heads
        self._stand_alone(len(self._source.text), 0)
        _mark_ends(self._found)
        return self._found

    def _stand_alone(self, before: int, depth: int) -> None:
        """The comments with a line of their own that come before an offset, in the block they belong to."""
        while self._comments and self._comments[-1].start < before:
            comment = self._comments.pop()
            column = self._column(comment.start)
            fitting = (at for at in range(len(self._columns) - 1, depth, -1) if self._columns[at] <= column)
            self._add(comment, Written(next(fitting, depth), comment=_comment(comment)))

    def _line(self, line: Line, tokens: Sequence[Token]) -> None:
        """A logical line, which brackets, or bars between the members of a type, may have spread over several lines."""
        del self._columns[line.depth :]
        self._columns.append(self._column(line.start))
        levels: list[int] = []
        goes_on = 0
        for piece in _pieces(self._source, tokens):
            self._inside(piece[0], line, levels)
            level = levels[-1] + 1 if levels else goes_on
            goes_on = 1 if str(piece[-1]) == "|" else 0
            closing = 0
            while closing < len(piece) and piece[closing].type in _CLOSING and closing < len(levels):
                closing += 1
                level = levels[-closing]
            for token in piece:
                if token.type in _OPENING:
                    levels.append(level)
                elif token.type in _CLOSING:
                    levels.pop()
            self._piece(piece, line.depth + level, opens=bool(levels))

    def _inside(self, token: Token, line: Line, levels: Sequence[int]) -> None:
        """The comments between the brackets of a line, before one of its tokens."""
        while self._comments and line.start < self._comments[-1].start < (token.start_pos or 0):
            comment = self._comments.pop()
            self._add(
                comment, Written(line.depth + (levels[-1] if levels else 0) + 1, comment=_comment(comment))
            )

    def _piece(self, tokens: Sequence[Token], depth: int, *, opens: bool) -> None:
        """One line of text, with the comment at its end."""
        span = self._source.span(tokens[0].start_pos or 0, tokens[-1].end_pos or 0)
        made = Written(depth, opens=opens)
        if _ends_with_source(tokens):
            made.citation = written(tokens[-1])
            tokens = tokens[:-1]
        if tokens[0].type == "ROW":
            made.cells = tuple(cell.strip() for cell in str(tokens[0])[1:-1].split("|"))
        elif tokens[0].type == "MAPTEXT":
            made.text, made.is_drawing = self._drawing(tokens[0], depth), True
        else:
            made.text = spaced(tokens)
        self._add(span, made)
        if self._comments and self._comments[-1].line == self._last:
            made.comment = _comment(self._comments.pop())

    def _drawing(self, token: Token, depth: int) -> str:
        """A drawing as it is drawn, shifted with the quotes that open it."""
        first, *others = (line.rstrip() for line in str(token).split("\n"))
        shift = INDENT * depth - self._column(token.start_pos or 0)
        margins = [len(line) - len(line.lstrip(" ")) for line in others if line]
        shift = max(shift, -min(margins, default=0))
        moved = [f"{' ' * shift}{line}"[max(0, -shift) :] if line else "" for line in others]
        if moved and moved[-1].strip() == '"""':
            moved[-1] = f'{" " * (INDENT * depth)}"""'
        return "\n".join([first, *moved])

    def _add(self, span: Span, made: Written) -> None:
        made.gap = span.line > self._last + 1
        self._last = self._source.line_of(max(span.start, span.end - 1))
        self._found.append(made)

    def _column(self, offset: int) -> int:
        start = self._source.line_starts[self._source.line_of(offset) - 1]
        return column_of(self._source.text[start:offset])


def _comment(span: Span) -> str:
    return span.text.rstrip()


def _pieces(source: Source, tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of a logical line by lines of text."""
    for _, piece in groupby(tokens, key=lambda token: source.line_of(token.start_pos or 0)):
        yield list(piece)


def _ends_with_source(tokens: Sequence[Token]) -> bool:
    """Whether the last token says where the line comes from."""
    return len(tokens) > 1 and tokens[-1].type == "CITE" and tokens[-2].type not in _SAID


def _heads(lines: Sequence[Line], tokens: Sequence[Sequence[Token]]) -> set[int]:
    """The numbers of the lines that begin a declaration: those at the top level, and those of a mode."""
    heads = {0}
    modes = {0} if tokens[0][0].type == "MODE" else set()
    for number, line in enumerate(lines[1:], 1):
        modes = {depth for depth in modes if depth < line.depth}
        if modes and line.depth == max(modes) + 1:
            heads.add(number)
            modes |= {line.depth} if tokens[number][0].type == "MODE" else set()
    return heads


def _mark_ends(lines: Sequence[Written]) -> None:
    """Say of each declaration where it ends; the comments behind it are not its own."""
    for at, head in enumerate(lines):
        if head.is_head:
            head.ends = at
            for number in range(at + 1, len(lines)):
                if lines[number].is_head and lines[number].depth <= head.depth:
                    break
                if not lines[number].is_comment:
                    head.ends = number
