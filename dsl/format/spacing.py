"""The words and signs of one line with the spaces that belong between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl.syntax.lalr import Token

_VERBATIM = frozenset({"STRING", "MAPTEXT", "ROW"})
_OPENING = frozenset({"LPAR", "LBRACE", "LSQB"})
_CLOSING = frozenset({"RPAR", "RBRACE", "RSQB"})
_TOUCHES_BEFORE = _CLOSING | {"COMMA", "SEMICOLON", "COLON", "QMARK", "DOT"}
_TOUCHES_AFTER = _OPENING | {"DOT", "MINUS", "PLUS"}
_CALLED = frozenset({"NAME", "RPAR", "RSQB"})
_OPERATORS = frozenset({"SIGN", "FACTOR"})
_POSTFIX = frozenset({"NAME", "NUMBER", "DOT", "MINUS"})


def spaced(tokens: Sequence[Token]) -> str:
    """The text of some tokens of one line."""
    parts: list[str] = []
    for at, token in enumerate(tokens):
        if at and not _touch(tokens, at):
            parts.append(" ")
        parts.append(written(token))
    return "".join(parts)


def written(token: Token) -> str:
    """The text of one token; words that belong together have one space between them."""
    text = str(token)
    if token.type == "CITE":
        inside = re.sub(r"\s*([,:])\s*", r"\1 ", " ".join(text[1:-1].split()))
        return f"[{inside.strip()}]"
    return text if token.type in _VERBATIM else " ".join(text.split())


def _touch(tokens: Sequence[Token], at: int) -> bool:
    """Whether no space stands before a token that is not the first of its line."""
    before, kind = tokens[at - 1].type, tokens[at].type
    if kind == "LSQB":
        return True
    if kind in _TOUCHES_BEFORE or before in _TOUCHES_AFTER:
        return True
    if kind == "LPAR":
        return before in _CALLED
    if "RANGE" in (before, kind):
        return _is_plain_range(tokens, at if kind == "RANGE" else at - 1)
    if "FACTOR" in (before, kind):
        return _is_fraction(tokens, at if kind == "FACTOR" else at - 1)
    return False


def _is_fraction(tokens: Sequence[Token], at: int) -> bool:
    """Two numbers with a stroke between them, such as `1/2`, that no other factor comes near."""
    near = [each.type for each in tokens[max(0, at - 2) : at + 3]]
    numbers = 0 < at < len(tokens) - 1 and tokens[at - 1].type == tokens[at + 1].type == "NUMBER"
    return numbers and str(tokens[at]) == "/" and near.count("FACTOR") == 1


def _is_plain_range(tokens: Sequence[Token], at: int) -> bool:
    """A range between plain values, `1..u.move`; one between sums has spaces."""
    return _end_of_value(tokens, at, -1) not in _OPERATORS and _end_of_value(tokens, at, 1) not in _OPERATORS


def _end_of_value(tokens: Sequence[Token], at: int, step: int) -> str:
    """What stands beside the value on one side of a place; nothing where the line ends there."""
    depth = 0
    at += step
    while 0 <= at < len(tokens):
        kind = tokens[at].type
        depth += step * ((kind in _OPENING) - (kind in _CLOSING))
        if depth < 0 or (depth == 0 and kind not in _POSTFIX | _OPENING | _CLOSING):
            return kind
        at += step
    return ""
