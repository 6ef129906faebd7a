"""Lessons about the lines of tests: what people write in them, and how it is said here."""

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out, replaced
from dsl.syntax.place import Place

_HABITS = tuple(
    (re.compile(pattern), meant)
    for pattern, meant in (
        (r"expect\s+that\s+(.+)", r"expect \1"),
        (r"(?:assert|check|verify|ensure|require|need)\s+(.+)", r"expect \1"),
        (r"expect\s+(\w+)\s+(?:may\s+not|can\s*not|can't)\s+(.+)", r"expect illegal \2 by \1"),
        (r"expect\s+(\w+)\s+(?:may|can)\s+(.+)", r"expect legal \2 by \1"),
        (r"expect\s+not\s+legal\s+(.+)", r"expect illegal \1"),
        (r"expect\s+(legal|illegal)\s+by\s+(\w+)\s*:?\s*(.+)", r"expect \1 \3 by \2"),
        (r"expect\s+(?:nobody|nothing|no\s+one)\s+(?:is\s+|to\s+be\s+)?asked", "expect nothing asked"),
        (r"expect\s+(?:the\s+)?game\s+(?:is\s+)?(?:over|ended|finished)", "expect ended"),
        (r"expect\s+(?!not\b)(\w+)\s+(?:has\s+)?(?:wins|won|win)", r"expect won(\1)"),
        (r"expect\s+(?:not\s+)?(won|lost|drawn)\s+(\w+)", r"expect \1(\2)"),
        (r"run\s+(\w+)\s*:\s*(.+)", r"run \2 by \1"),
        (r"(roll|pick|shuffle)\s+(\d.*|\w+(?:\s*,.*)?)", r"\1s \2"),
        (r"(?:play|move)\s+(\w+)\s*:\s*(.+)", r"\1: \2"),
        (r"ask\s+(?:for\s+)?(?:all|every|each|always)\b.*", "ask every choice"),
        (r"given\s*:?\s*(\w+)\s+at\s+(\w+)", r"given: place \1 at \2"),
    )
)
"""Whole lines as people write them, and as they are meant."""
ERROR = (
    "`expect error` names a code of play, as in `expect error E0601`; that an action is refused is written "
    "`expect illegal ACTION by PLAYER`"
)
"""What is said where `expect error` names no code."""
_ERROR = re.compile(r"expect\s+(?:an?\s+)?error\b.*")
_SEVERAL = re.compile(r"(\w+)\s*,\s*(\w+)\s*:\s*(.+)")
_JOINED = re.compile(r"(expect\s+.+?|\w+\s*:\s*.+?)\s*$")


_CALL = re.compile(
    r"(?P<head>(?:\w+\s*:|run|expect\s+(?:il)?legal)\s+\w+)\s+(?P<given>\w+(?:(?:\s*,\s*|\s+)\w+)*?)(?P<by>\s+by\s+\w+)?"
)
_COUNTED = re.compile(r"\d+\s+tim\w*")
_BETWEEN = frozenset({"to", "at", "on", "from", "with", "and", "for"})


def bare_call(place: Place) -> Told | None:
    """`ann: step guard b2`, `run earn 3`: what an action is done to stands in brackets."""
    line = place.lines[place.stuck.line]
    found = _CALL.fullmatch(place.source.text[line.start : line.end].strip())
    head = place.head_span
    if (
        found is None
        or head is None
        or not head.text.startswith("test")
        or _COUNTED.fullmatch(found["given"])
    ):
        return None
    if place.text == ":" or str(place.on_line[0] if place.on_line else "") in {"given", "let"}:
        return None
    things = [each for each in re.split(r"[\s,]+", found["given"]) if each not in _BETWEEN]
    if not things:
        return None
    call = f"{found['head']}({', '.join(things)}){found['by'] or ''}"
    message = "what an action is done to stands between parentheses"
    hint = tr("write `{call}`", call=call)
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, message, place.span, hint=hint))


def placed(place: Place) -> Told | None:
    """`place guard of ann on a1`, and `guard at a1` as a statement."""
    first = str(place.on_line[0]) if place.on_line else ""
    if place.text in {"on", "to", "onto"} and "place" in {str(each) for each in place.on_line}:
        message = tr("`{place}` is written `at` here", place=place.text)
        return replaced(place, Code.UNEXPECTED_TOKEN, message, "at")
    types = [token.type for token in place.on_line]
    if (
        place.text != "at"
        or types not in (["NAME"], ["GIVEN", "COLON", "NAME"])
        or "LPAR" not in place.wanted
    ):
        return None
    line = place.lines[place.stuck.line]
    start = place.on_line[-1].start_pos or line.start
    written = place.source.text[start : line.end].strip()
    if re.fullmatch(r"\w+\s+at\s+\w+", written) is None or first in {"expect", "run"}:
        return None
    hint = tr(
        "write `place {written}` for a new one, or `{first}.at = ...` for one that is there",
        written=written,
        first=place.previous,
    )
    message = "where something stands is set, or it is placed there"
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, message, place.span, hint=hint))


_BEHIND_A_SPOT = frozenset({"", "with", "as", "chosen", ";"})


def placed_nowhere(place: Place) -> Told | None:
    """`place Token of p`: it is not said where."""
    words = [str(each) for each in place.on_line]
    if place.text not in _BEHIND_A_SPOT or "BESIDE" not in place.wanted or "place" not in words:
        return None
    start = len(words) - 1 - words[::-1].index("place")
    if len(words) - start < 2:
        return None
    span = place.source.span(place.on_line[start].start_pos or 0, place.on_line[-1].end_pos or 0)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "it is not said where this is placed",
        span,
        label="expected `at CELL`, `in PLACE` or `beside CELL`",
        hint=tr(
            "write `{span} at CELL`; what stands on no map lies in a pile, such as "
            "`pile box of Token for each Player`",
            span=span.text,
        ),
    )
    return left_out(place, diagnostic)


_SETTINGS = re.compile(r"with\b[^;#\n\[]*")


def named_before_with(place: Place) -> Told | None:
    """`place guard at a1 as one with damage = 1`: what is set stands before the name."""
    tokens = place.on_line
    is_named = len(tokens) > 3 and tokens[-2] == "as" and "place" in {str(each) for each in tokens}
    if place.text != "with" or not is_named:
        return None
    found = _SETTINGS.match(place.source.text, place.stuck.at, place.lines[place.stuck.line].end)
    assert found is not None
    start = tokens[-2].start_pos or 0
    end = found.start() + len(found.group().rstrip())
    meant = f"{found.group().rstrip()} as {tokens[-1]}"
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "`with` stands before `as`",
        place.source.span(place.stuck.at, end),
        hint=tr("write `{meant}`", meant=meant),
        fix=Fix(place.source.span(start, end), meant, tr("write `{meant}`", meant=meant), is_safe=True),
    )
    return Told(diagnostic, place.stuck.line, start, Repair(end, meant), sure=True)


def test_line(place: Place) -> Told | None:
    """A line of a test as it is written elsewhere: the hint is the whole line as it is meant."""
    head = place.head_span
    if head is None or not head.text.startswith("test"):
        return None
    line = place.lines[place.stuck.line]
    text = place.source.text[line.start : line.end].strip()
    for pattern, meant in _HABITS:
        if found := pattern.fullmatch(text):
            return _meant(place, f"write `{found.expand(meant)}`")
    if _ERROR.fullmatch(text):
        return _meant(place, ERROR)
    if found := _SEVERAL.fullmatch(text):
        one, two, move = found.groups()
        return _meant(place, f"write a line for each: `{one}: {move}` and `{two}: {move}`")
    if place.text == ",":
        before = place.source.text[line.start : place.stuck.at].strip()
        behind = place.source.text[place.stuck.end : line.end].strip()
        sign = " and" if before.startswith("expect") else ";"
        is_inside = any(before.count(one) > before.count(two) for one, two in ("()", "[]", "{}"))
        if _JOINED.fullmatch(before) and behind and not is_inside:
            return _meant(place, f"write `{before}{sign} {behind}`")
    return None


def _meant(place: Place, hint: str) -> Told:
    message = "a line of a test is not written so"
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, message, place.span, hint=hint))
