"""The words of the language as people write them, and the words of other languages that they bring along."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from dsl.near import LOOK, is_clear, is_one_slip, nearest, spend
from dsl.syntax.grammar import DECLARATION, STATEMENT, WORD, grammar

DICE: Mapping[str, tuple[str, ...]] = {"DICE": ("2d6",), "DIE": ("d6",)}
"""What dice look like, of which there is no end."""

KINDS: Mapping[str, str] = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text between quotes",
    "CITE": "a citation",
    "ROW": "a row between bars",
    "MAPTEXT": "a drawing between triple quotes",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "$END": "the end",
}
"""What the terminals are that have no spelling of their own."""

HEADER_FIELDS = frozenset(
    {
        "title",
        "players",
        "sides",
        "rulebook",
        "rounds",
        "decisions",
        "language",
        "author",
        "index",
        "version",
        "note",
    }
)
FOLLOWERS: Mapping[str, str] = {
    "elif": "`if`",
    "else": "`if`",
    "finally": "`until`",
    "otherwise": "`repeat until` or a call",
}
"""Words that go on with a statement above them."""

OF_TWO = frozenset({"adjacent", "distance"})
"""Questions of the language that are asked of two places."""

FUNCTIONS = frozenset(
    {
        "adjacent",
        "around",
        "cells",
        "distance",
        "length",
        "lost",
        "places",
        "reachable",
        "remainder",
        "repeated",
        "room",
        "size",
        "supply",
        "won",
    }
)
"""What is always asked of something in brackets."""

FOREIGN_SIGNS: Mapping[str, str] = {
    "===": "is",
    "!==": "is not",
    "==": "is",
    "!=": "is not",
    "<>": "is not",
    "≠": "is not",
    "≤": "<=",
    "≥": ">=",
    "&&": "and",
    "||": "or",
    "+=": "gains",
    "-=": "loses",
    ":=": "=",
    "=>": "->",
    "=<": "<=",
    "!": "not",
    "×": "*",
    "−": "-",
    "…": "..",
    "...": "..",
}
"""Signs that mean nothing here, and what is read in their place."""

FOREIGN_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(FOREIGN_SIGNS, key=len, reverse=True)))

FOREIGN_WORDS: Mapping[str, str] = {
    "def": "what may happen is an `action`, what may be asked is a `value`",
    "fn": "what may happen is an `action`, what may be asked is a `value`",
    "func": "what may happen is an `action`, what may be asked is a `value`",
    "function": "what may happen is an `action`, what may be asked is a `value`",
    "class": "a kind of thing is a `piece` or a row of a `table`",
    "struct": "a kind of thing is a `piece` or a row of a `table`",
    "enum": "write `type name = one | other`",
    "rule": "a rule is a `modify`, a `forbid`, an `allow`, a `before` or an `after`",
    "elseif": "write `elif`",
    "elsif": "write `elif`",
    "unless": "write `if not`",
    "while": "write `repeat until ..., at most n times:` with what ends it",
    "loop": "write `repeat n times:` or `repeat until ..., at most n times:`",
    "foreach": "write `for x in ...`",
    "switch": "write `if` and `elif`",
    "match": "write `if` and `elif`",
    "break": "write `stop`",
    "continue": "put what follows into an `if`",
    "pass": "write `nothing`; `pass` is a line of a menu or a move of a test",
    "print": "write `say`",
    "var": "write `let name = ...`",
    "const": "write `let name = ...`, or `value name = ...` at the top level",
    "set": "write `name = ...` without `set`",
    "require": "write `need`",
    "assert": "write `need`, or `expect` in a test",
}
"""Words that begin a line in other languages, and what to write."""

FOREIGN_DECLARATIONS: Mapping[str, str] = {
    **dict.fromkeys(("win", "wins", "winner", "goal"), "write `victory PLAYER when CONDITION`"),
    **dict.fromkeys(("lose", "loser", "loss"), "write `defeat PLAYER when CONDITION`"),
    **dict.fromkeys(
        ("ending", "endings", "end", "tie", "stalemate"),
        "a game ends with `victory PLAYER when CONDITION`, `defeat PLAYER when CONDITION` or `draw when CONDITION`",
    ),
    **dict.fromkeys(("card", "cards"), "cards are a `piece NAME of TABLE, copies each`, and lie in a `pile`"),
    **dict.fromkeys(
        ("unit", "units", "pieces", "token", "tokens", "pawn"), "things on the board are a `piece NAME:`"
    ),
    **dict.fromkeys(
        ("board", "grid"), "write `map NAME on squares(8, 8)`, or `hexes(pointy):` and a drawing"
    ),
    **dict.fromkeys(("deck", "hand", "discard"), "cards lie in a `pile NAME of CARD`"),
    **dict.fromkeys(
        ("turn", "turns", "rounds", "game_loop"), "what is done in each round stands under `round:`"
    ),
    **dict.fromkeys(
        ("invariant", "invariants", "promise", "assert", "check", "never"),
        'what holds at every stop is said with `always "what it is about": CONDITION`',
    ),
    **dict.fromkeys(("variable", "variables", "global"), "what the game remembers stands under `state:`"),
    **dict.fromkeys(("on", "event", "trigger"), "write `after ACTION when CONDITION:`"),
    **dict.fromkeys(
        ("player", "players"), "players are named in the header of the game: `players red, blue`"
    ),
    **dict.fromkeys(
        ("initial", "start", "begin"), "what stands where at the beginning is said under `setup:`"
    ),
}
"""Words that people begin a declaration with, and what to write."""


@cache
def declarations() -> frozenset[str]:
    """The words that begin a line at the top level."""
    return frozenset(map(first_word, grammar().spelt_at(DECLARATION)))


@cache
def statements() -> frozenset[str]:
    """The words that begin a line of a block, or go on with one, and begin no declaration; but for those that are
    values by themselves, and the `at` of `at start of`, which elsewhere stands between two things.
    """
    begin = {first_word(each) for each in grammar().spelt_at(STATEMENT)}
    return frozenset(
        begin - {"", "at", "false", "none", "true"} - declarations() | FOLLOWERS.keys() | {"given"}
    )


def first_word(text: str) -> str:
    """The word that a line begins with; empty where it begins with none."""
    found = WORD.match(text)
    return found.group() if found else ""


def spellings(terminals: Iterable[str]) -> list[str]:
    """The words and signs of some terminals."""
    spelt = grammar().spellings
    return [word for terminal in terminals for word in DICE.get(terminal) or spelt.get(terminal, ())]


def terminals_of(word: str) -> frozenset[str]:
    """The terminals that a word or sign can be."""
    return _by_spelling().get(word, frozenset())


def is_known_sign(text: str) -> bool:
    """Whether the language has a use for a sign somewhere."""
    return any(text and text in word for word in _by_spelling() if not word[0].isalpha()) or text == '"'


@cache
def _by_spelling() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for terminal in grammar().spellings:
        for word in spellings([terminal]):
            found.setdefault(word, set()).add(terminal)
    return {word: frozenset(terminals) for word, terminals in found.items()}


def is_only_one(word: str, terminals: Iterable[str]) -> bool:
    """Whether no other word of some terminals is nearly as near to one as the nearest is."""
    return is_clear(word, [each for each in spellings(terminals) if WORD.fullmatch(each)])


def nearest_spelling(word: str, terminals: Iterable[str]) -> str:
    """The word among those of some terminals that another was likely meant to be; empty where none is near."""
    return nearest_word(word, [each for each in spellings(terminals) if WORD.fullmatch(each)])


def nearest_word(word: str, meant: Iterable[str]) -> str:
    """The one of some words of the language that another was likely meant to be, perhaps with its letters in another
    order; empty where none is.
    """
    meant = sorted(meant)
    near = nearest(word, meant, cutoff=0.75) if len(word) > 2 else ""
    return near or next((each for each in meant if sorted(each) == sorted(word.lower()) and each != word), "")


_ID = re.compile(r"[A-Z][A-Z0-9]*-[A-Z]*[0-9]+[a-z]?")


def nearest_handle(handle: str, known: Iterable[str]) -> str:
    """The citation or family that another was likely meant to be; another digit makes another rule, and is no slip."""
    names = sorted(known)
    if not _ID.fullmatch(handle):
        return nearest(handle, [each for each in names if not _ID.fullmatch(each)])
    if not spend(LOOK * len(names)):
        return ""
    near = [each for each in names if _ID.fullmatch(each) and is_one_slip(handle, each)]
    return near[0] if len(near) == 1 else ""
