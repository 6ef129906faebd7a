"""How the lines that begin with a word are written: what is said where nothing better is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from dsl.catalogue import tr
from dsl.syntax import ast
from dsl.syntax.place import Place
from dsl.syntax.words import first_word


def _by_word(kinds: object) -> Mapping[str, str]:
    """What the nodes of a union say about how they are written, by the word that each begins with."""
    return {first_word(each): each for kind in get_args(kinds) for each in kind.written}


DECLARED, STATED, TESTED = _by_word(ast.Declaration), _by_word(ast.Stmt), _by_word(ast.TestLine)
"""For each word that begins a declaration, a statement, or a line of a test, one as it is written."""

WITHIN: Mapping[str, str] = {
    "piece": "a field is as in `owner: Player` or `hits: 0..9 = 3`",
    "state": "a field is as in `gold: 0..9 = 3`",
    "table": "a row is as in `| dagger | 3 |`, with a bar before and behind each cell",
    "game": "a line of the header is as in `players red, blue` or `rounds 12`",
    "scenario": "a line of the header is as in `players red, blue` or `rounds 12`",
    "mod": 'a line of the header is as in `title en "My mod"`',
    "always": "a line of `always` is a condition, as in `gold < 9`",
}
"""What the lines are under a head with a word."""
_TOP_LEVEL = "a line at the top level begins with a word such as `table`, `value`, `modify` or `action`"


def form(place: Place) -> str:
    """How a line with its first word is written; or what lines there are in its block; empty where nothing is known."""
    word = place.first_word
    starts = place.wanted_at_start
    if not place.lines[place.stuck.line].depth:
        known = DECLARED
    elif "RUN" in starts:
        known = TESTED
    else:
        known = STATED
    if word in known:
        return tr("a line with `{word}` is written as in `{known}`", word=word, known=known[word])
    if "RUN" in starts:
        return tr(
            "a line of a test is as in `given: gold = 3`, `run upkeep`, `red: take_gold(2)` or `expect gold is 3`"
        )
    if "LET" in starts:
        return tr(
            "a statement is as in `x = 3`, `x gains 1`, `do_this(x)`, or begins with a word such as `if` or `for`"
        )
    head = place.head_span
    if head is None:
        return "" if place.on_line else _TOP_LEVEL
    return WITHIN.get(first_word(head.text), "")
