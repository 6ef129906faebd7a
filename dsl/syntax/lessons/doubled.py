"""Lessons about what stands twice, and about small signs between two things that were left out or turned around."""

from __future__ import annotations

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Label
from dsl.source import Span
from dsl.syntax import expected
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out
from dsl.syntax.place import Place

_BRACKETS = frozenset("()[]{}")


def line_twice(place: Place) -> Told | None:
    """The head of a block that stands there twice."""
    if place.wanted != {"_INDENT"} or place.stuck.line < 1:
        return None
    first, second = place.lines[place.stuck.line - 1], place.lines[place.stuck.line]
    above, here = (place.source.span(each.start, each.end) for each in (first, second))
    if above.text != here.text or first.depth != second.depth:
        return None
    diagnostic = Diagnostic(
        Code.MISSING_BLOCK,
        "this line stands twice, and nothing stands under the first one",
        above,
        labels=(Label(here, "the same line"),),
        hint="take one of them away",
    )
    return Told(diagnostic, place.stuck.line - 1)


def word_twice(place: Place) -> Told | None:
    """`need need c.water`, `and and`, `p p.gold`: one of them stands where nothing can."""
    tokens = place.on_line
    if not tokens:
        return None
    last = tokens[-1]
    if place.text and place.text == str(last) and place.text not in _BRACKETS:
        start, end = last.end_pos or 0, place.stuck.end
        return _told(place, place.text, place.span, place.source.span(start, end))
    before = tokens[-2] if len(tokens) > 1 else None
    if before is not None and str(before) == str(last) and str(last) not in _BRACKETS:
        span = place.source.span(last.start_pos or 0, last.end_pos or 0)
        return _told(place, str(last), span, place.source.span(before.end_pos or 0, span.end))
    return None


def _told(place: Place, text: str, span: Span, gap: Span) -> Told:
    fix = Fix(gap, "", "take one of them away", is_safe=True)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("`{text}` stands twice", text=text),
        span,
        hint="take one of them away",
        fix=fix,
    )
    return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, ""))


def colon_between(place: Place) -> Told | None:
    """`owner Player`, `(p Player)`, `modify cost +1`, `for x in S x.f = 1`, `a pass` in a test."""
    if not place.on_line or place.terminal in {"_NL", "_INDENT", "_DEDENT", "$END"} or not place.text:
        return None
    if expected.only(place.wanted) != {"COLON"} and not _is_untyped(place):
        return None
    if not _is_untyped(place) and (place.is_arrow or place.has_colon_behind):
        return None
    if place.text == "=":
        return _untyped_value(place)
    at = place.on_line[-1].end_pos or place.stuck.at
    here = place.source.span(at, at)
    line = place.lines[place.stuck.line]
    rest = place.source.text[place.stuck.at : line.end].split("  ")[0]
    if _is_untyped(place):
        kind = re.compile(r"\w+(?:\.\.-?\d+)?").match(place.source.text, place.stuck.at)
        rest = kind.group() if kind else place.shown
    written = f"{place.previous}: {rest}"
    diagnostic = Diagnostic(
        Code.MISSING_COLON,
        tr(
            "a colon is missing between `{previous}` and `{shown}`",
            previous=place.previous,
            shown=place.shown,
        ),
        here,
        label="expected `:`",
        hint=tr("write `{written}`", written=written),
        fix=Fix(here, ":", "write the colon", is_safe=True),
    )
    return Told(diagnostic, place.stuck.line, at, Repair(place.stuck.at, ":"))


def _untyped_value(place: Place) -> Told:
    """`armour = 1` where a column or field is declared, `change rider.speed = 3`."""
    line = place.lines[place.stuck.line]
    rest = place.source.text[place.stuck.end : line.end].split("  ")[0].strip()
    words = [str(token) for token in place.on_line]
    if words[0] == "change" and words[2:3] == ["."] and len(words) == 4:
        message = "the row that is changed stands before a colon"
        written = f"change {words[1]}: {words[3]} = {rest}"
        hint = tr("write `{written}`", written=written)
    else:
        message = tr("`{name}` is declared without its type", name=place.previous)
        hint = tr(
            "its type stands behind a colon, as in `{name}: 0..9 = {rest}`", name=place.previous, rest=rest
        )
    diagnostic = Diagnostic(Code.UNEXPECTED_TOKEN, message, place.span, hint=hint)
    return left_out(place, diagnostic)


def _is_untyped(place: Place) -> bool:
    """Does a name of a parameter stand here, with its type behind it?"""
    types = [token.type for token in place.on_line[-2:]]
    return (
        types in (["LPAR", "NAME"], ["COMMA", "NAME"])
        and (place.is_word or place.terminal == "NUMBER")
        and place.wanted == {"COLON", "COMMA", "RPAR"}
    )


def is_before_not(place: Place) -> Told | None:
    """`u.at not none`."""
    if place.text != "not" or "COMPARE" not in place.wanted:
        return None
    here = place.source.span(place.stuck.at, place.stuck.at)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "`is` is missing before `not`",
        place.span,
        hint="write `is not`; of sets `not in` and `has no`",
        fix=Fix(here, "is ", "write `is not`"),
    )
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, "is not"), sure=True)


_MAY_BE_NONE = re.compile(r"\?\s*([^\W\d]\w*)")


def none_before_type(place: Place) -> Told | None:
    """`at: ?Cell`."""
    found = _MAY_BE_NONE.match(place.source.text, place.stuck.at, place.lines[place.stuck.line].end)
    if place.text != "?" or found is None or place.previous != ":":
        return None
    span, meant = place.source.span(place.stuck.at, found.end()), f"{found[1]}?"
    fix = Fix.write(span, meant, is_safe=True)
    diagnostic = Diagnostic(Code.UNEXPECTED_TOKEN, "`?` stands behind its type", span, fix=fix)
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(found.end(), meant), sure=True)


def number_first(place: Place) -> Told | None:
    """`4 rounds` in a header."""
    head = place.head_span
    if place.terminal != "NUMBER" or place.on_line or head is None:
        return None
    if not re.match(r"(?:game|scenario|mod|mode)\b", head.text):
        return None
    line = place.lines[place.stuck.line]
    rest = place.source.text[place.stuck.end : line.end].split()
    name = rest[0] if rest else tr("rounds")
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "a line of a header begins with what it says",
        place.span,
        hint=tr("write `{name} {shown}`", name=name, shown=place.shown),
    )
    return left_out(place, diagnostic)
