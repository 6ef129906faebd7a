"""Lessons about what stands in a value: phrases without brackets, values over several lines, texts without quotes."""

import re
from functools import cache

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Label
from dsl.syntax import words
from dsl.syntax.driver import Repair
from dsl.syntax.expected import OF_EVERY_VALUE
from dsl.syntax.grammar import WORD
from dsl.syntax.lessons.told import Told, left_out
from dsl.syntax.place import Place


@cache
def _phrases() -> frozenset[str]:
    """The words that begin a phrase."""
    return frozenset(words.spellings(("QUANTIFIER", "EXTREME", "SUM", "EVERY")))


def phrase_inside(place: Place) -> Told | None:
    """`3 + count u in Unit`, `b if C else first x in S`: a phrase stands inside a value in brackets."""
    word = place.on_line[-1] if place.on_line else None
    if word is None or word.type != "NAME" or str(word) not in _phrases() or not place.is_word:
        return None
    if len(place.on_line) > 1 and place.on_line[-2].type == "FOR":
        return None
    line = place.lines[place.stuck.line]
    text = place.source.text
    if word != "sum" and not re.compile(r"\s+in\b").match(text, place.stuck.end, line.end):
        return None
    start = word.start_pos or 0
    whole = place.source.span(start, _end_of_phrase(text, start, line.end))
    diagnostic = Diagnostic(
        Code.PHRASE_NEEDS_PARENTHESES,
        tr("a phrase that begins with `{word}` stands in brackets inside a value", word=word),
        whole,
        hint=tr("write `({whole})`", whole=whole.text),
        fix=Fix(whole, f"({whole.text})", "put it between brackets"),
    )
    return left_out(place, diagnostic)


def _end_of_phrase(text: str, start: int, end: int) -> int:
    """Where a phrase ends at the latest: before `else`, the bracket that is open around it, or what ends its line."""
    depth = 0
    for found in re.compile(r"[(\[{]|[)\]}]|\belse\b|[;#]|:(?=\s|$)|\s\[").finditer(text, start, end):
        sign = found.group().strip()
        if sign in {"else", ";", "#", ":"} and not depth:
            return start + len(text[start : found.start()].rstrip())
        if sign == "[" and found.group() != sign and not depth:
            return found.start()
        depth += sign in {"(", "[", "{"}
        depth -= sign in {")", "]", "}"}
        if depth < 0:
            return found.start()
    return start + len(text[start:end].rstrip())


_CONNECTS = frozenset({"and", "or", "if", "is", "in", "has", "else", "not in", "is not"})


def trial_inside(place: Place) -> Told | None:
    """`x and A after put(c)`, `A after put(c) and x`, `not legal put(c) by p`: a trial stands last or in brackets."""
    before = {token.type for token in place.on_line}
    if place.text == "after" and before - {"HOOK"} and "NAME" not in place.wanted:
        said = "`after` asks about a single comparison that stands by itself"
        hint = "put the trial into brackets, `x and (A after put(c))`, or what it is to judge, `(x and A) after put(c)`"
    elif place.text == "by" and "LEGAL" in before:
        said = "`legal ... by` stands by itself"
        hint = "put it into brackets: `not (legal put(c) by p)`"
    elif place.text in _CONNECTS and ("AFTER" in before or {"LEGAL", "BY"} <= before):
        said = f"`{place.text}` cannot go on behind " + ("a trial" if "AFTER" in before else "`legal ... by`")
        hint = (
            "put what stands before it into brackets: `(A after put(c)) and x`, `(legal put(c) by p) and x`"
        )
    else:
        return None
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, said, place.span, hint=hint))


_GOES_ON = re.compile(r"(?:and|or|else|if|is|in|has|where|by)\b|[-+*/<>=.,)]|\.\.")


def value_below(place: Place) -> Told | None:
    """A value that goes on over several lines, without the brackets for that."""
    number = place.stuck.line
    if place.terminal == "_NL" and place.has_block(number) and place.wanted >= OF_EVERY_VALUE:
        below = place.lines[number + 1]
    elif place.terminal == "_INDENT" and number and _goes_on(place):
        number, below = number - 1, place.lines[number]
    else:
        return None
    above = place.lines[number]
    if place.source.text[above.start : above.end].endswith(":"):
        return None
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "a value ends with its line, unless it stands in brackets",
        place.source.span(below.start, below.end),
        label="goes on here",
        labels=(Label(place.source.span(above.start, above.end), "ends here"),),
        hint="write the whole value between `(` and `)`, or on one line",
    )
    return Told(diagnostic, number, lacks_block=True)


def _goes_on(place: Place) -> bool:
    line = place.lines[place.stuck.line]
    return _GOES_ON.match(place.source.text, line.start, line.end) is not None


_UNQUOTED = re.compile(r"\w[^\"\n#,;\[\]:{}|]*")


def text_without_quotes(place: Place) -> Told | None:
    """`name en = Great Troll`, `by p en Great stroke:`."""
    found = _UNQUOTED.match(place.source.text, place.stuck.at, place.lines[place.stuck.line].end)
    if place.wanted != {"STRING"} or found is None:
        return None
    written = found.group().split("=")[0].rstrip()
    span = place.source.span(place.stuck.at, place.stuck.at + len(written))
    quoted = f'"{written}"'
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "words for players stand in quotes",
        span,
        hint=tr("write `{quoted}`", quoted=quoted),
        fix=Fix.write(span, quoted),
    )
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(span.end, quoted), sure=True)


def dash_for_nothing(place: Place) -> Told | None:
    """`held = -`: a cell of a table holds `-`, a value is `none`."""
    types = [str(token) for token in place.on_line[-2:]]
    if (
        place.terminal not in {"_NL", "$END"}
        or types[-1:] != ["-"]
        or types[:1] not in (["="], [":"], ["is"])
    ):
        return None
    last = place.on_line[-1]
    span = place.source.span(last.start_pos or 0, last.end_pos or 0)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "`-` says that there is nothing only in a cell of a table",
        span,
        hint="write `none`, where the type ends with `?`; or `0`, or `{}` for a set",
        fix=Fix.write(span, "none"),
    )
    return left_out(place, diagnostic)


_BRACED = re.compile(r"\{([^{}\n]*)\}")


def words_in_braces(place: Place) -> Told | None:
    """`size: {small, large}`: words make a type that has a name."""
    found = _BRACED.match(place.source.text, place.stuck.at, place.lines[place.stuck.line].end)
    if found is None or place.previous not in {":", "->"} or "SET" not in place.wanted:
        return None
    members = [each.strip() for each in found[1].split(",")]
    if not all(WORD.fullmatch(each) for each in members):
        return None
    field = str(place.on_line[-2]) if len(place.on_line) > 1 else "kind"
    name = field.title().replace("_", "")
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "words make a type that has a name",
        place.source.span(found.start(), found.end()),
        hint=tr(
            "write `type {name} = {members}` at the top level, and here `{name}`",
            name=name,
            members=" | ".join(members),
        ),
    )
    return left_out(place, diagnostic)
