"""Lessons about words that are right elsewhere: `when` and `if`, `is` and `=`, and blocks in the line of another."""

import re

from dsl.diagnostics import Code, Diagnostic, Fix
from dsl.syntax import words
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out, replaced
from dsl.syntax.place import Place

_WITH_BLOCKS = frozenset({"if", "for", "repeat", "until", "together"})


def when_for_if(place: Place) -> Told | None:
    """`when C:` as a statement."""
    if [token.type for token in place.on_line] != ["NAME"] or place.previous != "when":
        return None
    span = place.first_span
    diagnostic = Diagnostic(
        Code.FOREIGN_SIGN,
        "`when` is written `if` here",
        span,
        hint="`when` says in which case a clause, an ending or a line of a menu holds; a statement asks with `if`",
        fix=Fix(span, "if", "write `if`"),
    )
    return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, "if"), sure=True)


def if_for_when(place: Place) -> Told | None:
    """`forbid enter if C`."""
    if place.text != "if" or "when" not in words.spellings(place.wanted):
        return None
    hint = "`if` begins a statement; the condition of a clause, an ending or a line of a menu is said with `when`"
    return replaced(place, Code.FOREIGN_SIGN, "`if` is written `when` here", "when", hint)


def asking_for_setting(place: Place) -> Told | None:
    """`p.coins is 5` as a statement."""
    if place.text != "is" or "GAIN" not in place.wanted:
        return None
    hint = "`=` gives a value to a field; `is` asks whether it has that value"
    return replaced(place, Code.UNEXPECTED_TOKEN, "`is` is written `=` here", "=", hint)


def asking_without_colon(place: Place) -> Told | None:
    """`p may` over the lines of a menu."""
    line = place.lines[place.stuck.line]
    text = place.source.text
    is_open = place.text in {"may", "repeatedly", "chooses"} and place.has_block(place.stuck.line)
    if not is_open or re.search(r":|\[", text[line.start : line.end]):
        return None
    at = place.source.span(line.end, line.end)
    diagnostic = Diagnostic(
        Code.MISSING_COLON,
        "a colon is missing at the end of this line",
        at,
        label="expected `:`",
        hint="a line that opens a block ends with `:`, and only a citation may stand behind it",
        fix=Fix(at, ":", "write the colon", is_safe=True),
    )
    return Told(diagnostic, place.stuck.line, line.end, Repair(line.end, ":"), lacks_block=False)


def block_in_a_line(place: Place) -> Told | None:
    """`for p in order of play: p may: ...`: what has lines of its own, in the line of another."""
    if not any(token.type == "COLON" for token in place.on_line):
        return None
    asks = place.text in {"may", "repeatedly"} or (place.text == ":" and place.previous == "chooses")
    if not asks and not (place.text in _WITH_BLOCKS and place.previous == ":"):
        return None
    what = place.previous if place.text == ":" else place.text
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        f"`{what}` opens a block of its own, and cannot stand in the line of another",
        place.span,
        hint="behind a colon, on its line, stand only short statements: write this one below, four spaces further in",
    )
    return left_out(place, diagnostic)
