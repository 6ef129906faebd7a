"""Lessons about what other languages, or other places of this one, have accustomed authors to."""

import re
from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out, replaced
from dsl.syntax.place import Place

_TEST_WORDS = frozenset({"run", "rolls", "picks", "shuffles", "expect"})
_NOT_PROMISED = frozenset({"expect", "need", "let", "for", "if", "given", "run", "assert", "say"})
_DICE = re.compile(r"(?P<count>\d{0,3})d(?P<sides>\d{1,4})\b")
_RULES = re.compile(r"\((?P<ids>[A-Z]{1,6}-[A-Z]?\d+[^()\n]*)\)[ \t]*:?[ \t]*(?=$|#)", re.MULTILINE)


def comment(place: Place) -> Told | None:
    """`//` for `#`."""
    at = place.stuck.at - (place.previous == "/" and place.source.text[place.stuck.at - 1 :][:1] == "/")
    if place.text != "/" or place.source.text[at : at + 2] != "//":
        return None
    span = place.source.span(at, at + 2)
    fix = Fix.write(span, "#", is_safe=True)
    diagnostic = Diagnostic(Code.FOREIGN_SIGN, "a comment begins with `#`", span, fix=fix)
    line = place.lines[place.stuck.line]
    if at == place.stuck.at and place.on_line:
        return Told(diagnostic, place.stuck.line, at, Repair(line.end, ""), sure=True)
    return left_out(place, diagnostic)


def dice(place: Place) -> Told | None:
    """`1d6` without `roll`, and `roll d6`."""
    found = _DICE.match(place.source.text, place.stuck.at)
    if not found:
        return None
    rolled = place.previous == "roll"
    if bool(found["count"]) is rolled or (place.terminal and not rolled):
        return None
    span = place.source.span(found.start(), found.end())
    meant = f"{'' if rolled else 'roll '}{found['count'] or 1}d{found['sides']}"
    message = "how many dice are rolled is missing" if rolled else "dice are rolled with `roll`"
    fix = Fix.write(span, meant, is_safe=True)
    diagnostic = Diagnostic(Code.UNEXPECTED_TOKEN, message, span, fix=fix)
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(found.end(), meant), sure=True)


_ASKS_FIRST = frozenset({"if", "elif"})


def then(place: Place) -> Told | None:
    """`if C then S`, `if C then:`, `if C: then S`."""
    tokens = place.on_line
    if not tokens:
        return None
    asked = str(tokens[0]) in _ASKS_FIRST and place.text == "then" and "COLON" in place.wanted
    is_behind = place.previous == "then" and len(tokens) > 1 and str(tokens[-2]) == ":" and place.is_word
    if not asked and not is_behind:
        return None
    word = place.span if asked else place.source.span(tokens[-1].start_pos or 0, tokens[-1].end_pos or 0)
    text, line = place.source.text, place.lines[place.stuck.line]
    behind = re.compile(r"[ \t]*(?P<colon>:?)[ \t]*").match(text, word.end, line.end)
    assert behind is not None
    hint = "what is done stands behind the colon of `if`: `if gold > 2: score gains 1`"
    if is_behind:
        fix = Fix(place.source.span(word.start, behind.end()), "", "take it away", is_safe=True)
        message = "`then` is no word here: the colon says it"
        diagnostic = Diagnostic(Code.FOREIGN_SIGN, message, word, hint=hint, fix=fix)
        return Told(diagnostic, place.stuck.line, word.start, Repair(word.end, ""), sure=True)
    end = behind.end("colon") if behind["colon"] else word.end
    span = place.source.span(tokens[-1].end_pos or 0, end)
    fix = Fix(span, ":", "write `:` in its place", is_safe=True)
    message = "`then` is written `:` here"
    diagnostic = Diagnostic(Code.FOREIGN_SIGN, message, word, hint=hint, fix=fix)
    return Told(diagnostic, place.stuck.line, word.start, Repair(end, ":"), sure=True)


def range_words(place: Place) -> Told | None:
    """`1 to 6` for `1..6`."""
    if place.text != "to" or "RANGE" not in place.wanted or place.on_line[-1].type != "NUMBER":
        return None
    return replaced(place, Code.FOREIGN_SIGN, "`to` is written `..` here", "..")


_RULE = re.compile(r"\w+-\w+")


def cited_without_brackets(place: Place) -> Told | None:
    """`over CA-041` for `over [CA-041]`."""
    tokens = [str(token) for token in place.on_line[-2:]]
    if place.text != "-" or tokens[:1] != ["over"] or len(tokens) < 2:
        return None
    start = place.on_line[-1].start_pos or place.stuck.at
    found = _RULE.match(place.source.text, start)
    if found is None:
        return None
    span, meant = place.source.span(start, found.end()), f"[{found.group()}]"
    fix = Fix.write(span, meant, is_safe=True)
    diagnostic = Diagnostic(Code.BAD_CITATION, "a citation stands in brackets", span, fix=fix)
    return Told(diagnostic, place.stuck.line, start, Repair(found.end(), f" {meant}"), sure=True)


def cited_in_parentheses(place: Place) -> Told | None:
    """`(CA-041)` for `[CA-041]`."""
    found = _RULES.match(place.source.text, place.stuck.at) if place.text == "(" else None
    if not found or "CITE" not in place.wanted:
        return None
    end = found.end("ids") + 1
    span = place.source.span(place.stuck.at, end)
    meant = f"[{found['ids']}]"
    fix = Fix.write(span, meant, is_safe=True)
    diagnostic = Diagnostic(Code.BAD_CITATION, "a citation stands in brackets", span, fix=fix)
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(end, f" {meant}"), sure=True)


def supply_without_comma(place: Place) -> Told | None:
    """`piece Pawn up to 4` for `piece Pawn, up to 4`."""
    is_piece = bool(place.on_line) and place.on_line[0] == "piece" and len(place.on_line) in {2, 4}
    if not is_piece or place.text not in {"for", "up", "one"} or "COMMA" not in place.wanted:
        return None
    meant = f", {'one each ' if place.text == 'for' else ''}{place.text}"
    at = place.on_line[-1].end_pos or place.stuck.at
    span = place.source.span(at, place.stuck.end)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "a comma stands before how many pieces there are",
        place.span,
        hint="how many are `up to 4 each`, `one each`, and `for each Player` behind it",
        fix=Fix(
            span,
            meant,
            tr("write `{on_line}{meant}`", on_line=place.on_line[-1], meant=meant),
            is_safe=place.text != "for",
        ),
    )
    return Told(diagnostic, place.stuck.line, at, Repair(place.stuck.end, meant), sure=True)


def path_in_import(place: Place) -> Told | None:
    """`import ../maps`, `import "maps.scn"` for `import maps`."""
    if not place.on_line or place.on_line[0] != "import" or place.text in {"", ","} or place.is_word:
        return None
    line = place.lines[place.stuck.line]
    begin = place.on_line[0].end_pos or line.start
    behind = place.source.text[begin : line.end]
    span = place.source.span(line.end - len(behind.lstrip()), line.end)
    written = span.text.strip().strip('"').removesuffix(".scn")
    leaves = re.search(r"[/\\~]|\.\.", written) is not None
    code = Code.PATH_ESCAPES if leaves else Code.UNEXPECTED_TOKEN
    message = "only files beside this one are imported" if leaves else "a file is imported by its bare name"
    last = re.sub(r"\W.*", "", re.split(r"[/\\]", written)[-1])
    hint = (
        tr("write `import {last}`", last=last)
        if last
        else "write its name without the ending, `import chapters`"
    )
    hint += ", and put the file into this folder" if leaves else ""
    return Told(Diagnostic(code, message, span, hint=hint), place.stuck.line)


def test_word(place: Place) -> Told | None:
    """A line of a test inside its `given:`."""
    if [token.type for token in place.on_line] != ["NAME"] or place.previous not in _TEST_WORDS:
        return None
    diagnostic = Diagnostic(
        Code.MISPLACED_LINE,
        tr(
            "`{previous}` begins a line of a test, and stands in a block of statements",
            previous=place.previous,
        ),
        place.first_span,
        hint="write it below, in the column of `given`; inside, an action is called by its name alone",
    )
    return replace(left_out(place, diagnostic), lacks_block=True)


def promised(place: Place) -> Told | None:
    """A statement, or a line of a test, among the conditions of `always`."""
    line = place.lines[place.stuck.line]
    head = place.head_span
    within = head is not None and head.text.startswith("always")
    text = place.source.text[line.start : line.end]
    if not within and not text.startswith("always"):
        return None
    word = text.partition(" ")[0].rstrip(":") if within else ""
    changes = place.terminal == "GAIN" or place.text in {"gains", "loses"}
    if word not in _NOT_PROMISED and not changes:
        return None
    span = place.span if changes else place.source.span(line.start, line.start + len(word))
    what = (
        tr("changes the game")
        if changes
        else tr("is no condition: `{word}` stands in tests and actions", word=word)
    )
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("this {what}", what=what),
        span,
        hint="a line of `always` says what holds: `n < 9`, `every u in Unit satisfies u.hp > 0`",
    )
    return Told(diagnostic, place.stuck.line)


def call_in_a_test(place: Place) -> Told | None:
    """`buy(salt)` as a line of a test."""
    names = [token.type for token in place.on_line]
    ends = place.terminal == "_NL" or place.text == "by"
    if not ends or names[:2] != ["NAME", "LPAR"] or names[-1] != "RPAR":
        return None
    if "RUN" not in place.wanted_at_start or place.has_block(place.stuck.line):
        return None
    line = place.lines[place.stuck.line]
    span = place.source.span(place.on_line[0].start_pos or line.start, line.end)
    call = span.text.strip()
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "an action in a test is run, or chosen by a player",
        span,
        hint=tr("write `run {call}`, or `PLAYER: {call}` where the player is asked", call=call),
    )
    return Told(diagnostic, place.stuck.line)
