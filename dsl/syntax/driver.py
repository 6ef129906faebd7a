"""One declaration, or one cell, through the parser: its tokens and layout in, a parse tree or a fault out.

A drive stops at the first fault. Recovery is to drive again, with the fault repaired or its line left out:
the parser starts afresh each time, so that no fault can come from another one's wreckage.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from lark import Token, Tree
from lark.exceptions import UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from dsl.source import Source
from dsl.syntax.grammar import accepted, grammar
from dsl.syntax.layout import Line

_BLANK = " \t\r\n\f\ufeff"


@dataclass(frozen=True, slots=True)
class Repair:
    """What to read in place of a stretch of text: terminals and their words."""

    end: int
    tokens: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Stuck:
    """Where a drive stopped: `line` counts in the lines driven, `at` to `end` is what cannot stand there.

    `terminal` is what it was read as, empty where it could not be read at all; `before` are the tokens that
    were accepted and `wanted` the terminals that could have followed them.
    """

    line: int
    at: int
    end: int
    terminal: str
    before: tuple[Token, ...]
    wanted: frozenset[str]


def drive(
    source: Source, lines: Sequence[Line], start: str, repairs: Mapping[int, Repair]
) -> Tree[Token] | Stuck:
    """The parse tree of some lines, from one of the grammar's start symbols."""
    state = grammar().begin(start)
    fed: list[Token] = []
    for number, token in _tokens(source, lines, state, start == "declaration", repairs):
        try:
            tree = state.feed_token(token)
        except UnexpectedToken:
            tree = None
        else:
            fed.append(token)
            if token.type == "$END":
                return cast("Tree[Token]", tree)
            continue
        wanted = _wanted(start, fed)
        return Stuck(number, token.start_pos or 0, token.end_pos or 0, token.type, tuple(fed), wanted)
    raise AssertionError("the end was not fed")


def _wanted(start: str, fed: Sequence[Token]) -> frozenset[str]:
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
    at = line.start
    while True:
        while at < line.end and (at in skips or source.text[at] in _BLANK):
            at = skips.get(at, at + 1)
        if at >= line.end:
            return
        if repair := repairs.get(at):
            for terminal, words in repair.tokens:
                yield Token(terminal, words, start_pos=at, end_pos=repair.end)
            at = repair.end
            continue
        found = grammar().read(state, source.text, at, line.end)
        terminal, end = found if found else ("", at + 1)
        yield Token(terminal, source.text[at:end], start_pos=at, end_pos=end)
        at = end


def _mark(terminal: str, at: int) -> Token:
    return Token(terminal, "", start_pos=at, end_pos=at)
