"""A place where the parser is stuck, as the lessons look at it."""

from collections.abc import Sequence

from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax.driver import Stuck, wanted_after
from dsl.syntax.grammar import WORD
from dsl.syntax.lalr import Token
from dsl.syntax.layout import Line

_SHOWN = 40
_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
_OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
_PHRASES = frozenset({"QUANTIFIER", "EXTREME", "SUM", "EVERY"})


@record(frozen=True, slots=True)
class Place:
    """Where a drive over some lines of a source stopped."""

    source: Source
    lines: Sequence[Line]
    stuck: Stuck

    @property
    def span(self) -> Span:
        return self.source.span(self.stuck.at, self.stuck.end)

    @property
    def text(self) -> str:
        """What cannot stand here; empty for a mark of the layout."""
        return self.span.text if self.terminal not in _LAYOUT else ""

    @property
    def shown(self) -> str:
        """The text as a message quotes it."""
        return _quoted(self.text)

    @property
    def previous(self) -> str:
        """What stands before it on its line, as a message quotes it."""
        return _quoted(str(self.on_line[-1])) if self.on_line else ""

    @property
    def is_word(self) -> bool:
        return WORD.fullmatch(self.text) is not None

    @property
    def terminal(self) -> str:
        return self.stuck.terminal

    @property
    def wanted(self) -> frozenset[str]:
        return self.stuck.wanted

    @property
    def is_last(self) -> bool:
        """Whether nothing but a colon follows on its line."""
        return self.source.text[self.stuck.end : self.lines[self.stuck.line].end].strip(" \t:") == ""

    @property
    def is_arrow(self) -> bool:
        """Whether the type of a result follows."""
        return self.source.text.startswith("->", self.stuck.at)

    @property
    def has_colon_behind(self) -> bool:
        """Whether its line ends with the colon of a block."""
        line = self.lines[self.stuck.line]
        return line.end > self.stuck.end and self.source.text[line.end - 1] == ":"

    @property
    def on_line(self) -> list[Token]:
        """The tokens before it on its line."""
        start = self.lines[self.stuck.line].start
        return [
            token
            for token in self.stuck.before
            if (token.start_pos or 0) >= start and token.type not in _LAYOUT
        ]

    @property
    def first_span(self) -> Span:
        """The first word or sign of its line."""
        if not self.on_line:
            return self.span
        first = self.on_line[0]
        return self.source.span(first.start_pos or 0, first.end_pos or 0)

    @property
    def head_span(self) -> Span | None:
        """The line that opens the block in which its line stands, if there is one."""
        depth = self.lines[self.stuck.line].depth
        before = self.lines[: self.stuck.line]
        head = next((line for line in reversed(before) if line.depth < depth), None)
        return self.source.span(head.start, head.end) if head else None

    @property
    def first_word(self) -> str:
        text = self.first_span.text
        return text if WORD.fullmatch(text) else ""

    @property
    def wanted_at_start(self) -> frozenset[str]:
        """What could have begun its line."""
        on_line = len(self.on_line)
        before = self.stuck.before
        return wanted_after(self.stuck.start, before[: len(before) - on_line])

    @property
    def open_phrase(self) -> Token | None:
        """The word of the phrase that is open here: one that no bracket has closed."""
        phrases: list[Token | None] = [None]
        for token in self.on_line:
            if token.type in _OPENING:
                phrases.append(None)
            elif token.type in _CLOSING and len(phrases) > 1:
                phrases.pop()
            elif token.type in _PHRASES and phrases[-1] is None:
                phrases[-1] = token
        return phrases[-1]

    def has_block(self, number: int) -> bool:
        """Whether lines stand under a line."""
        following = self.lines[number + 1 : number + 2]
        return bool(following) and following[0].depth > self.lines[number].depth


def _quoted(text: str) -> str:
    """The first line of a text, and not too much of that."""
    first, *more = text.split("\n")
    return f"{first[:_SHOWN]}…" if more or len(first) > _SHOWN else first
