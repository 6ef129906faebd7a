"""One declaration, or one cell, through the parser: its tokens and layout in, a parse tree or a fault out.

A drive stops at the first fault. Recovery is to drive again, with the fault repaired or its line left out:
the parser starts afresh each time, so that no fault can come from another one's wreckage.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from lark import Token, Tree
from lark.exceptions import UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from dsl.source import Source
from dsl.syntax.grammar import WORD, accepted, grammar
from dsl.syntax.layout import Line
from dsl.syntax.words import FOREIGN_SIGN

Start: TypeAlias = Literal["declaration", "cell_effect", "cell_expr"]

_SHAPES = ("CITE", "MAPTEXT", "STRING", "NUMBER")
_BLANK = " \t\r\n\f\ufeff"


@dataclass(frozen=True, slots=True)
class Repair:
    """What to read in place of the text from some offset up to `end`."""

    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """Where a drive stopped: `line` counts in the lines driven, `at` to `end` is what cannot stand there.

    `terminal` is what it was read as, empty where it could not be read at all; `before` are the tokens that
    were accepted, from the grammar's start symbol `start`, and `wanted` what could have followed them.
    """

    start: Start
    line: int
    at: int
    end: int
    terminal: str
    before: tuple[Token, ...]
    wanted: frozenset[str]


def drive(
    source: Source, lines: Sequence[Line], start: Start, repairs: Mapping[int, Repair]
) -> Tree[Token] | Stuck:
    """The parse tree of some lines, from one of the grammar's start symbols."""
    state = grammar().begin(start)
    fed: list[Token] = []
    for number, token in _tokens(source, lines, state, start == "declaration", repairs):
        try:
            tree = state.feed_token(token)
        except UnexpectedToken:
            at, end = token.start_pos or 0, token.end_pos or 0
            return Stuck(start, number, at, end, token.type, tuple(fed), wanted_after(start, fed))
        if token.type == "$END":
            return cast("Tree[Token]", tree)
        fed.append(token)
    raise AssertionError("the end was not fed")


def read_tokens(source: Source, lines: Sequence[Line]) -> list[list[Token]]:
    """The tokens of each line of a declaration that has no faults."""
    state = grammar().begin("declaration")
    found: list[list[Token]] = [[] for _ in lines]
    for number, token in _tokens(source, lines, state, True, {}):
        state.feed_token(token)
        if token.end_pos != token.start_pos:
            found[number].append(token)
    return found


def wanted_after(start: Start, fed: Sequence[Token]) -> frozenset[str]:
    """What could follow some tokens; asked of a fresh parser, as a refusal leaves one in no good state."""
    state = grammar().begin(start)
    for token in fed:
        state.feed_token(token)
    return accepted(state)


def _tokens(
    source: Source,
    lines: Sequence[Line],
    state: InteractiveParser,
    in_blocks: bool,
    repairs: Mapping[int, Repair],
) -> Iterator[tuple[int, Token]]:
    """The tokens of some lines with the numbers of their lines, each read as the parser's state then asks."""
    depth = lines[0].depth
    end = lines[0].start
    for number, line in enumerate(lines):
        if line.depth > depth:
            depth += 1
            yield number, _mark("_INDENT", line.start)
        while line.depth < depth:
            depth -= 1
            yield number, _mark("_DEDENT", end)
        for token in _line_tokens(source, line, state, repairs):
            yield number, token
        end = line.end
        if in_blocks:
            yield number, _mark("_NL", end)
    last = len(lines) - 1
    for _ in range(depth - lines[0].depth):
        yield last, _mark("_DEDENT", end)
    yield last, _mark("$END", end)


def _line_tokens(
    source: Source, line: Line, state: InteractiveParser, repairs: Mapping[int, Repair]
) -> Iterator[Token]:
    skips = dict(line.skips)
    pending = dict(repairs)
    at = line.start
    while True:
        while at < line.end and (at in skips or source.text[at] in _BLANK):
            at = skips.get(at, at + 1)
        if repair := pending.pop(at, None):
            for terminal, words in _read_all(repair.text, state):
                yield Token(terminal, words, start_pos=at, end_pos=repair.end)
            at = repair.end
        elif at < line.end:
            terminal, end = _read(source.text, at, line.end, state)
            yield Token(terminal, source.text[at:end], start_pos=at, end_pos=end)
            at = end
        else:
            return


def read_on(source: Source, line: Line, state: InteractiveParser, text: str, at: int) -> Iterator[Token]:
    """The tokens of a text, and then those of a line from an offset on, each read as the parser's state then asks."""
    rest, end = list(source.text[at : line.end]), line.end
    for begin, stop in line.skips:
        for skipped in range(max(begin, at), min(stop, end)):
            rest[skipped - at] = " "
    for terminal, words in _read_all(text + "".join(rest), state):
        yield Token(terminal, words, start_pos=at, end_pos=at)


def _read_all(text: str, state: InteractiveParser) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        if text[at] in _BLANK:
            at += 1
            continue
        terminal, end = _read(text, at, len(text), state)
        yield terminal, text[at:end]
        at = end


def _read(text: str, at: int, end: int, state: InteractiveParser) -> tuple[str, int]:
    """The terminal at an offset and where it ends; none for a foreign sign and for what cannot be read."""
    if (sign := FOREIGN_SIGN.match(text, at, end)) and not _begins_row(state, text, at, end):
        return "", sign.end()
    if found := grammar().read(state, text, at, end):
        return found
    for terminal in _SHAPES:
        if shape := grammar().patterns[terminal].match(text, at, end):
            return terminal, shape.end()
    word = WORD.match(text, at, end)
    return "", word.end() if word else at + 1


def _begins_row(state: InteractiveParser, text: str, at: int, end: int) -> bool:
    """Whether two bars are the empty first cell of a row, not a sign of another language."""
    found = grammar().read(state, text, at, end) if text.startswith("||", at) else None
    return found is not None and found[0] == "ROW"


def _mark(terminal: str, at: int) -> Token:
    return Token(terminal, "", start_pos=at, end_pos=at)
