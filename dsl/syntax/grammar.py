"""The grammar as a machine: Lark's tables, driven token by token, and the words that each state can read.

Lark reads `grammar/scenarii.lark` and computes the LALR tables; the tokens are ours, because blocks, comments
and messages that teach need a lexer that knows where it stands. A word is reserved only where the grammar has
a use for it: at each place the lexer looks for nothing but what may stand there.
"""

import gc
import re
from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from lark import Lark, Token
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser

from dsl.resources import grammar_folder
from dsl.syntax.tables import Keeper, lark_of

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
_VALUES = frozenset(
    [
        *(
            "all",
            "any",
            "bag",
            "count",
            "error",
            "every",
            "first",
            "highest",
            "illegal",
            "interval",
            "least",
            "list",
        ),
        *("lowest", "most", "no", "roll", "set"),
    ]
)
_STATEMENTS = frozenset(
    [
        *(
            "decisions",
            "draw",
            "move",
            "open",
            "option",
            "picks",
            "random",
            "rolls",
            "ruling",
            "run",
            "shuffle",
        ),
        *("shuffles", "take"),
    ]
)
SOFT = _VALUES | _STATEMENTS
"""Words that begin a value, a type or a statement only where such a thing can follow, and else are names."""
_INFIX = frozenset(
    ["and", "at", "by", "else", "has", "if", "in", "is", "or", "over", "rounded", "to", "with"]
)
"""Words that stand between two things, and so are names where the second cannot follow."""
_BEHIND_VALUE = re.compile(
    r"[(.\[]|\s*(?:$|[=),\]}*/<>+;:|\"\[#]|-(?:\s|>)|(?:is|in|not|and|or|if|else|has|rounded|at|for|where|when|gains"
    r"|loses|by|otherwise|may|chooses|splits|secretly|repeatedly|satisfies|to|from|times|with|as|over|fr|en"
    r"|chosen(?=\s+by))\b(?!\s+in\b))"
)
"""What follows a name in a value, and cannot follow such a word."""
_BEHIND_STATEMENT = re.compile(
    r"[(.\[]|\s*(?:$|[=,;:\"\[#]|(?:is|in|not|has|gains|loses|by|chooses|may|splits|secretly|repeatedly|otherwise|for"
    r"|when|fr|en)\b(?![(.]|\s+(?:to|from|in)\b|\s*$))"
)
"""What follows a name where a statement begins, and cannot follow a word that begins one."""
_CLOSED = re.compile(r"\s*[,)\]}]")
_BEHIND = {
    **dict.fromkeys(_VALUES, _BEHIND_VALUE),
    **dict.fromkeys(_STATEMENTS, _BEHIND_STATEMENT),
    **dict.fromkeys(_INFIX, _CLOSED),
}
"""For a word that may be a name what must follow it to make it one."""
_STARTS = ["declaration", "cell_effect", "cell_expr"]
_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
_Reader: TypeAlias = tuple[tuple[str, re.Pattern[str]], ...]


class Grammar:
    """The tables, the terminals' patterns, and for each state of the parser those that it can read."""

    def __init__(self, parser: Lark) -> None:
        self._lark = parser
        terminals = sorted(parser.terminals, key=_rank)
        self.patterns = {
            each.name: re.compile(each.pattern.to_regexp()) for each in terminals if _is_seen(each)
        }
        self.spellings = {each.name: each.pattern.value for each in terminals if _is_literal(each)}
        self.words = {word: name for name, word in self.spellings.items() if WORD.fullmatch(word)}
        self._readers: dict[int, _Reader] = {}

    def begin(self, start: str) -> InteractiveParser:
        return self._lark.parse_interactive("", start=start)

    def read(self, state: InteractiveParser, text: str, start: int, end: int) -> tuple[str, int] | None:
        """The terminal that stands at an offset, out of those that the state can read, and where it ends.

        A word that can follow is read before one that could only end what came before.
        """
        choices = choices_of(state)
        may_be_name = "NAME" in choices
        if may_be_name and (soft := _soft_name(text, start, end)):
            return "NAME", soft
        ending: tuple[str, int] | None = None
        for terminal, pattern in self._reader(state):
            if found := pattern.match(text, start, end):
                if pattern is WORD:
                    word = self.words.get(found.group(), "NAME")
                    if word in choices and not (may_be_name and word != "NAME" and _only_ends(state, word)):
                        return word, found.end()
                    if may_be_name:
                        return "NAME", found.end()
                elif not (text[start].isalpha() and _only_ends(state, terminal)):
                    return terminal, found.end()
                elif not may_be_name:
                    ending = ending or (terminal, found.end())
        return ending

    def _reader(self, state: InteractiveParser) -> _Reader:
        """The patterns to try, in order; one stands for the names and all words that are spelt like names."""
        position = state.parser_state.position
        if position not in self._readers:
            choices = choices_of(state)
            reader = [(name, pattern) for name, pattern in self.patterns.items() if name in choices]
            spelt = {self.words[word] for word in self.words} | {"NAME"}
            first = next((at for at, (name, _) in enumerate(reader) if name in spelt), None)
            plain = [pair for pair in reader if pair[0] not in spelt]
            if first is not None:
                plain.insert(first, ("NAME", WORD))
            self._readers[position] = tuple(plain)
        return self._readers[position]


def _soft_name(text: str, start: int, end: int) -> int:
    """Where a word ends that begins no phrase or statement here, as what follows shows; 0 where none stands."""
    word = WORD.match(text, start, end)
    if word is None:
        return 0
    behind = _BEHIND.get(word.group())
    return word.end() if behind is not None and behind.match(text, word.end(), end) else 0


def choices_of(state: InteractiveParser) -> Mapping[str, object]:
    """The symbols the state has an action for: what may follow, and some that only end what came before."""
    choices: Mapping[str, object] = state.choices()  # type: ignore[no-untyped-call]
    return choices


def _only_ends(state: InteractiveParser, terminal: str) -> bool:
    """Whether a terminal cannot follow here, although the state has an action for it.

    LALR states share their lookaheads: behind the end of a line, the state knows the words that begin any
    line of any block. Which of them can begin this one shows when the open rules are closed one by one.
    """
    states = state.parser_state.parse_conf.states
    stack = list(state.parser_state.state_stack)
    while action := states[stack[-1]].get(terminal):
        kind, rule = action
        if kind is Shift:
            return False
        del stack[len(stack) - len(rule.expansion) :]
        stack.append(states[stack[-1]][rule.origin.name][1])
    return True


def accepted(state: InteractiveParser) -> frozenset[str]:
    """The terminals that may follow."""
    return frozenset(state.accepts())  # type: ignore[no-untyped-call]


def grammar() -> Grammar:
    """The grammar, made once per process."""
    return _made[0] if _made else prepare()


_made: list[Grammar] = []


def prepare(keeper: Keeper | None = None) -> Grammar:
    """Makes the grammar, unless it has been made: from tables that are kept, where there are any."""
    if _made:
        return _made[0]
    collects = gc.isenabled()
    gc.disable()
    try:
        text = (grammar_folder() / "scenarii.lark").read_text(encoding="utf-8")
        _made.append(Grammar(lark_of(text, _STARTS, keeper)))
    finally:
        if collects:
            gc.enable()
    return _made[0]


def _rank(terminal: TerminalDef) -> tuple[int, bool, int, str]:
    """Where a terminal comes among those to try: by its priority; names and words, then the longer signs."""
    literal = _is_literal(terminal)
    is_word = not literal or WORD.fullmatch(terminal.pattern.value) is not None
    return -terminal.priority, not is_word, -len(terminal.pattern.value) if literal else 0, terminal.name


def _is_literal(terminal: TerminalDef) -> bool:
    return isinstance(terminal.pattern, PatternStr)


def _is_seen(terminal: TerminalDef) -> bool:
    return terminal.name not in _LAYOUT


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
def _beginnings() -> tuple[InteractiveParser, ...]:
    """The states before a value, a statement and a line of a menu."""
    blocks = [grammar().begin("declaration"), grammar().begin("declaration")]
    for state, head in zip(blocks, (["ROUND"], ["MENU", "NAME"]), strict=True):
        for terminal in [*head, "COLON", "_NL", "_INDENT"]:
            state.feed_token(Token(terminal, "", start_pos=0, end_pos=0))
    return grammar().begin("cell_expr"), *blocks


def _reads_as_name(state: InteractiveParser, word: str) -> bool:
    found = grammar().read(state, word, 0, len(word))
    return found is not None and found[0] == "NAME"
