"""One declaration, or one cell, through the parser: its tokens and layout in, a parse tree or a fault out.

A drive stops at the first fault. Recovery is to drive again, with the fault repaired or its line left out:
the parser starts afresh each time, so that no fault can come from another one's wreckage.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from dsl.records import record
from dsl.source import Source
from dsl.syntax.grammar import WORD, grammar
from dsl.syntax.lalr import END, Parser, Refused, Token, Tree
from dsl.syntax.layout import Line
from dsl.syntax.words import FOREIGN_SIGN, FOREIGN_SIGNS

Start: TypeAlias = Literal["declaration", "cell_effect", "cell_expr"]

_SHAPES = ("CITE", "MAPTEXT", "STRING", "NUMBER")
_BLANK = " \t\r\n\f\ufeff"
_FOREIGN = frozenset(sign[0] for sign in FOREIGN_SIGNS)


@record(frozen=True, slots=True)
class Repair:
    """What to read in place of the text from some offset up to `end`."""

    end: int
    text: str


@record(frozen=True, slots=True)
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


def drive(source: Source, lines: Sequence[Line], start: Start, repairs: Mapping[int, Repair]) -> Tree | Stuck:
    """The parse tree of some lines, from one of the grammar's start symbols."""
    state = grammar().begin(start)
    fed: list[Token] = []
    for number, token in _tokens(source, lines, state, start == "declaration", repairs):
        try:
            tree = state.feed(token)
        except Refused:
            at, end = token.start_pos, token.end_pos
            return Stuck(start, number, at, end, token.type, tuple(fed), wanted_after(start, fed))
        if token.type == END:
            assert isinstance(tree, Tree)
            return tree
        fed.append(token)
    raise AssertionError("the end was not fed")


def read_tokens(source: Source, lines: Sequence[Line]) -> list[list[Token]]:
    """The tokens of each line of a declaration that has no faults."""
    state = grammar().begin("declaration")
    found: list[list[Token]] = [[] for _ in lines]
    for number, token in _tokens(source, lines, state, True, {}):
        state.feed(token)
        if token.end_pos != token.start_pos:
            found[number].append(token)
    return found


def wanted_after(start: Start, fed: Sequence[Token]) -> frozenset[str]:
    """What could follow some tokens; asked of a fresh parser, as a refusal leaves one in no good state."""
    state = grammar().begin(start)
    for token in fed:
        state.feed(token)
    return state.accepted()


def _tokens(
    source: Source,
    lines: Sequence[Line],
    state: Parser,
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
        yield from _line_tokens(source, number, line, state, repairs)
        end = line.end
        if in_blocks:
            yield number, _mark("_NL", end)
    last = len(lines) - 1
    for _ in range(depth - lines[0].depth):
        yield last, _mark("_DEDENT", end)
    yield last, _mark(END, end)


def _line_tokens(
    source: Source, number: int, line: Line, state: Parser, repairs: Mapping[int, Repair]
) -> Iterator[tuple[int, Token]]:
    text, at, stop = source.text, line.start, line.end
    if not repairs and not line.skips:
        read = grammar().read
        while at < stop:
            if text[at] in _BLANK:
                at += 1
                continue
            found = None if text[at] in _FOREIGN else read(state, text, at, stop)
            terminal, end = found or _read(text, at, stop, state)
            yield number, Token(terminal, text[at:end], at, end)
            at = end
        return
    skips = dict(line.skips)
    pending = dict(repairs)
    while True:
        while at < stop and (at in skips or text[at] in _BLANK):
            at = skips.get(at, at + 1)
        if repair := pending.pop(at, None):
            for terminal, words in _read_all(repair.text, state):
                yield number, Token(terminal, words, at, repair.end)
            at = repair.end
        elif at < stop:
            terminal, end = _read(text, at, stop, state)
            yield number, Token(terminal, text[at:end], at, end)
            at = end
        else:
            return


def read_on(source: Source, line: Line, state: Parser, text: str, at: int) -> Iterator[Token]:
    """The tokens of a text, and then those of a line from an offset on, each read as the parser's state then asks."""
    rest, end = list(source.text[at : line.end]), line.end
    for begin, stop in line.skips:
        for skipped in range(max(begin, at), min(stop, end)):
            rest[skipped - at] = " "
    for terminal, words in _read_all(text + "".join(rest), state):
        yield Token(terminal, words, at, at)


def _read_all(text: str, state: Parser) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        if text[at] in _BLANK:
            at += 1
            continue
        terminal, end = _read(text, at, len(text), state)
        yield terminal, text[at:end]
        at = end


def _read(text: str, at: int, end: int, state: Parser) -> tuple[str, int]:
    """The terminal at an offset and where it ends; none for a foreign sign and for what cannot be read."""
    if (
        text[at] in _FOREIGN
        and (sign := FOREIGN_SIGN.match(text, at, end))
        and not _begins_row(state, text, at, end)
    ):
        return "", sign.end()
    if found := grammar().read(state, text, at, end):
        return found
    for terminal in _SHAPES:
        if shape := grammar().patterns[terminal].match(text, at, end):
            return terminal, shape.end()
    word = WORD.match(text, at, end)
    return "", word.end() if word else at + 1


def _begins_row(state: Parser, text: str, at: int, end: int) -> bool:
    """Whether two bars are the empty first cell of a row, not a sign of another language."""
    found = grammar().read(state, text, at, end) if text.startswith("||", at) else None
    return found is not None and found[0] == "ROW"


def _mark(terminal: str, at: int) -> Token:
    return Token(terminal, "", at, at)
