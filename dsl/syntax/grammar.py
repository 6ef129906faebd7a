"""The grammar as a machine: its tables, driven token by token, and the words that each state can read.

Lark reads `grammar/scenarii.lark` and computes the LALR tables; driver and tokens are ours, because blocks, comments
and messages that teach need a lexer that knows where it stands. A word is reserved only where the grammar has
a use for it: at each place the lexer looks for nothing but what may stand there.
"""

import gc
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeAlias

from dsl.resources import grammar_folder
from dsl.syntax.lalr import Parser, Tables, Terminal, Token
from dsl.syntax.tables import GRAMMAR, STARTS, Beside, Keeper, tables_of

WORD = re.compile(r"[^\W\d]\w*")

RESERVED = frozenset(
    [
        *(
            "elif",
            "else",
            "empty",
            "false",
            "finally",
            "for",
            "if",
            "legal",
            "let",
            "need",
            "none",
            "not",
            "nothing",
        ),
        *(
            "otherwise",
            "pass",
            "place",
            "repeat",
            "return",
            "round",
            "say",
            "stop",
            "sum",
            "together",
            "true",
            "until",
        ),
    ]
)
"""Words that cannot be names, as they begin a value or a statement whatever follows, or go on with one; `empty` and
`round` mean one thing everywhere. The reference lists them, and tests hold them against the grammar."""
MEANINGS = {"round": "the number of the round", "empty": "a set or pile with nothing in it"}
"""Of the reserved words those that stand for something."""
_BLOCK = ("COLON", "_NL", "_INDENT")
DECLARATION = ("declaration",)
VALUE = ("cell_expr",)
STATEMENT = (*DECLARATION, "ROUND", *_BLOCK)
MENU_LINE = (*DECLARATION, "MENU", "NAME", *_BLOCK)
_TEST_LINE = (*DECLARATION, "TEST", "STRING", *_BLOCK)
_VALUES = (VALUE, (*DECLARATION, "STATE", *_BLOCK, "NAME", "COLON"), (*_TEST_LINE, "EXPECT"))
_STATEMENTS = (STATEMENT, MENU_LINE, _TEST_LINE)
"""Where something begins: the start symbol of the grammar, and the terminals before. Words that begin a value, a type,
what is expected, or a line of a block begin it only where such a thing can follow, and else are names, unless they are
reserved.
"""
_TESTED = frozenset(["expect", "given"])
"""What follows these may follow a name too: they begin lines of tests, and are names everywhere else."""
_INFIX = frozenset(
    ["after", "and", "at", "by", "else", "has", "if", "in", "is", "or", "over", "rounded", "to", "with"]
)
"""Words that stand between two things, and so are names where the second cannot follow."""
_BEHIND_VALUE = re.compile(
    r"[(.\[]|\s*(?:$|[=),\]}*/<>+;:|\"\[#]|-(?:\s|>)|(?:is|in|not|and|or|if|else|has|rounded|at|for|where|when|gains"
    r"|loses|by|otherwise|may|chooses|splits|secretly|repeatedly|satisfies|to|from|times|with|as|over|after|fr|en"
    r"|chosen(?=\s+by))\b(?!\s+in\b))"
)
"""What follows a name in a value, and cannot follow such a word."""
_BEHIND_STATEMENT = re.compile(
    r"[(.\[]|\s*(?:$|[=,;:\"\[#]|(?:is|in|not|has|gains|loses|by|chooses|may|splits|secretly|repeatedly|otherwise|for"
    r"|when|fr|en)\b(?![(.]|\s+(?:to|from|in)\b|\s*$))"
)
"""What follows a name where a statement begins, and cannot follow a word that begins one."""
_CLOSED = re.compile(r"\s*[,)\]}]")
_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
_Plain: TypeAlias = tuple[tuple[str, re.Pattern[str]], ...]


class _Reader:
    """What a state can read: the patterns to try, in order. One stands for the names and all words spelt like them.

    `before` and `behind` are those before and behind the words as one pattern each, whose groups are the terminals.
    """

    __slots__ = ("before", "behind", "may_be_name", "patterns", "words")

    def __init__(self, patterns: _Plain, first: int | None, may_be_name: bool) -> None:
        self.words = first is not None
        at = len(patterns) if first is None else first
        self.before, self.behind = _either(patterns[:at]), _either(patterns[at:])
        named = (("NAME", WORD),) if self.words else ()
        self.patterns = (*patterns[:at], *named, *patterns[at:])
        self.may_be_name = may_be_name


def _either(patterns: _Plain) -> re.Pattern[str] | None:
    return (
        re.compile("|".join(f"(?P<{name}>{each.pattern})" for name, each in patterns)) if patterns else None
    )


class Grammar:
    """The tables, the terminals' patterns, and for each state of the parser those that it can read."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        terminals = sorted(tables.terminals, key=_rank)
        self.patterns = {
            each.name: re.compile(each.pattern) for each in terminals if each.name not in _LAYOUT
        }
        self.spellings = {each.name: each.spellings for each in terminals}
        self.words = {
            each.literal: each.name for each in terminals if each.literal and WORD.fullmatch(each.literal)
        }
        self._behind = {
            **dict.fromkeys(self._soft(_STATEMENTS), _BEHIND_STATEMENT),
            **dict.fromkeys(self._soft(_VALUES), _BEHIND_VALUE),
            **dict.fromkeys(_INFIX, _CLOSED),
        }
        """For a word that may be a name what must follow it to make it one."""
        self._readers: dict[int, _Reader] = {}

    def _soft(self, places: Iterable[Sequence[str]]) -> set[str]:
        """The words that begin something in some places, and are not reserved."""
        words = {each for place in places for each in self.spelt_at(place) if WORD.fullmatch(each)}
        return words - RESERVED - _TESTED

    def begin(self, start: str) -> Parser:
        return Parser(self._tables, start)

    def at(self, place: Sequence[str]) -> Parser:
        """The state behind a start symbol and some terminals."""
        state = self.begin(place[0])
        for terminal in place[1:]:
            state.feed(Token(terminal, ""))
        return state

    def spelt_at(self, place: Sequence[str]) -> list[str]:
        """The words and signs of the language that something may begin with in a place."""
        return [each for terminal in self.at(place).accepted() for each in self.spellings.get(terminal, ())]

    def read(self, state: Parser, text: str, start: int, end: int) -> tuple[str, int] | None:
        """The terminal that stands at an offset, out of those that the state can read, and where it ends.

        A word that can follow is read before one that could only end what came before.
        """
        reader = self._readers.get(state.stack[-1]) or self._reader(state)
        word = WORD.match(text, start, end) if reader.words else None
        spelt = word.group() if word else ""
        if word and reader.may_be_name:
            follows = self._behind.get(spelt)
            if follows is not None and follows.match(text, word.end(), end):
                return "NAME", word.end()
        if reader.before is not None and (found := reader.before.match(text, start, end)):
            terminal = found.lastgroup
            assert terminal is not None
            if not text[start].isalpha() or state.can_follow(terminal):
                return terminal, found.end()
            return self._sought(state, reader, text, start, end)
        if word and reader.words:
            terminal = self.words.get(spelt, "NAME")
            if terminal in state.choices and not (
                reader.may_be_name and terminal != "NAME" and not state.can_follow(terminal)
            ):
                return terminal, word.end()
            if reader.may_be_name:
                return "NAME", word.end()
        if reader.behind is not None and (found := reader.behind.match(text, start, end)):
            terminal = found.lastgroup
            assert terminal is not None
            if not text[start].isalpha() or state.can_follow(terminal):
                return terminal, found.end()
            return self._sought(state, reader, text, start, end)
        return None

    def _sought(
        self, state: Parser, reader: _Reader, text: str, start: int, end: int
    ) -> tuple[str, int] | None:
        """The same, pattern by pattern: where the first that matches could only end what came before."""
        ending: tuple[str, int] | None = None
        for terminal, pattern in reader.patterns:
            if found := pattern.match(text, start, end):
                if pattern is WORD:
                    word = self.words.get(found.group(), "NAME")
                    ends = reader.may_be_name and word != "NAME" and not state.can_follow(word)
                    if word in state.choices and not ends:
                        return word, found.end()
                    if reader.may_be_name:
                        return "NAME", found.end()
                elif not text[start].isalpha() or state.can_follow(terminal):
                    return terminal, found.end()
                elif not reader.may_be_name:
                    ending = ending or (terminal, found.end())
        return ending

    def _reader(self, state: Parser) -> _Reader:
        choices = state.choices
        spelt = {*self.words.values(), "NAME"}
        reader = [(name, pattern) for name, pattern in self.patterns.items() if name in choices]
        first = next((at for at, (name, _) in enumerate(reader) if name in spelt), None)
        plain = tuple(pair for pair in reader if pair[0] not in spelt)
        made = self._readers[state.stack[-1]] = _Reader(plain, first, "NAME" in choices)
        return made


def grammar() -> Grammar:
    """The grammar, made once per process."""
    return _made[0] if _made else prepare()


_made: list[Grammar] = []


def prepare(keeper: Keeper | None = None) -> Grammar:
    """Makes the grammar, unless it has been made: from the tables that come with it, or that are kept."""
    if _made:
        return _made[0]
    collects = gc.isenabled()
    gc.disable()
    try:
        folder = grammar_folder()
        text = (folder / GRAMMAR).read_text(encoding="utf-8")
        keepers = [Beside(folder), *([keeper] if keeper is not None else [])]
        _made.append(Grammar(tables_of(text, STARTS, *keepers)))
    finally:
        if collects:
            gc.enable()
    return _made[0]


def _rank(terminal: Terminal) -> tuple[int, bool, int, str]:
    """Where a terminal comes among those to try: by its priority; names and words, then the longer signs."""
    literal = terminal.literal
    is_word = literal is None or WORD.fullmatch(literal) is not None
    return -terminal.priority, not is_word, 0 if literal is None else -len(literal), terminal.name


def is_reserved(word: str) -> bool:
    """Whether a word cannot be a name."""
    return word in RESERVED


def begins_something(word: str) -> bool:
    """Whether a name could not be read where a value, a statement or a line of a menu begins, as the grammar says."""
    return not all(_reads_as_name(state, word) for state in _beginnings())


@cache
def begins_no_value(word: str) -> bool:
    """Whether a name could not be read where a value is wanted."""
    return not _reads_as_name(_beginnings()[0], word)


@cache
def _beginnings() -> tuple[Parser, ...]:
    """The states before a value, a statement and a line of a menu."""
    return tuple(map(grammar().at, (VALUE, STATEMENT, MENU_LINE)))


def _reads_as_name(state: Parser, word: str) -> bool:
    found = grammar().read(state, word, 0, len(word))
    return found is not None and found[0] == "NAME"
