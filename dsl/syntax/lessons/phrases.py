"""Lessons about phrases, `any x in S where C`: without one of their words, or with those of other languages."""

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out
from dsl.syntax.place import Place

_BEHIND = frozenset({"where", "satisfies"})
_OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
_RANGES = re.compile(r"[^\W\d]\w*\s+in\b")
"""What a phrase goes over; its first word is read as such only before that."""


def without_first_word(place: Place) -> Told | None:
    """`need c in Cell where c.free`: whether there is to be one, or none, is not said."""
    if place.text not in _BEHIND or place.open_phrase is not None:
        return None
    start = _begins(place)
    if start is None:
        return None
    name = place.on_line[start]
    at = name.start_pos or 0
    of = place.source.text[at : place.stuck.at].strip()
    meant = "every"
    hint = tr("write `every {of} satisfies ...`", of=of)
    if place.text == "where":
        is_named = start > 0 and place.on_line[start - 1] == "=" and place.first_word == "let"
        meant = "first" if is_named else "any"
        hint = tr(
            "write `any {of} where ...` to ask whether there is one, `no {of} ...` whether there is none; `count` is "
            "how many, `all` the set of them, `first` one of them",
            of=of,
        )
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("the word is missing that says what is asked of each `{name}`", name=name),
        place.source.span(at, place.stuck.end),
        label="a phrase without its first word",
        hint=hint,
        fix=Fix.write(place.source.span(at, at), f"{meant} "),
    )
    return _read_as(place, diagnostic, at, at, f"{meant} ")


def _begins(place: Place) -> int | None:
    """The number of the token that stands before the `in` which goes with a `where`, in the same brackets."""
    depth = 0
    for number in range(len(place.on_line) - 1, 0, -1):
        token = place.on_line[number]
        depth += (token.type in _CLOSING) - (token.type in _OPENING)
        if depth < 0:
            return None
        if depth == 0 and str(token) == "in":
            return number - 1 if place.on_line[number - 1].type == "NAME" else None
    return None


def _read_as(place: Place, diagnostic: Diagnostic, at: int, end: int, meant: str) -> Told:
    """What is meant is read in place of the text up to `end`, with the words behind it that a phrase is known by."""
    ranges = _RANGES.match(place.source.text, end)
    behind = ranges.group() if ranges else ""
    return Told(
        diagnostic, place.stuck.line, at, Repair(end + len(behind), f"{meant}{behind} "), sure=bool(behind)
    )


_BEFORE = rf"\s+(?={_RANGES.pattern})"
_OF = r"\s+(?P<by>[\w.]+)\s+for\s+(?P<of>[^()\n]*)"
_SAID = (
    (re.compile(rf"(?:there\s+(?:is|are|exists?)(?:\s+an?)?|exists?|some){_BEFORE}"), "any "),
    (re.compile(rf"(?:there\s+(?:is|are)\s+no|none|nothing){_BEFORE}"), "no "),
    (re.compile(rf"(?:the\s+)?(?:number\s+of|how\s+many){_BEFORE}"), "count "),
    (re.compile(r"sum\s+of\s+(?=[^\n]*?\sfor\s)"), "sum "),
    (
        re.compile(rf"(?:for\s*)?(?:all|each|every)\s+(?P<of>{_RANGES.pattern}[^:\n]*?)\s*:\s*"),
        "every {of} satisfies ",
    ),
    (re.compile(rf"(?:max|maximum|largest|greatest|highest|most){_OF}"), "highest {of} by {by}"),
    (re.compile(rf"(?:min|minimum|smallest|lowest|least){_OF}"), "lowest {of} by {by}"),
)
"""What is said in other words, and how a phrase says it."""
_WORDS_BACK = 3


def other_first_word(place: Place) -> Told | None:
    """`exists u in Unit where C`, `number of u in Unit`, `for all u in Unit: C`, `max u.hp for u in Unit`."""
    line = place.lines[place.stuck.line]
    if place.first_word == "for":
        return None  # a loop, not a phrase
    for token in place.on_line[: -_WORDS_BACK - 1 : -1]:
        start = token.start_pos or 0
        for pattern, written in _SAID if start > line.start else ():
            found = pattern.match(place.source.text, start, line.end)
            if found is None:
                continue
            ranges = _RANGES.match(place.source.text, found.end())
            if (ranges.end() if ranges else found.end()) >= place.stuck.at:
                return _said(place, found, written.format_map(found.groupdict()))
    return None


def _said(place: Place, found: re.Match[str], meant: str) -> Told:
    span = place.source.span(found.start(), found.start() + len(found.group().rstrip()))
    diagnostic = Diagnostic(
        Code.FOREIGN_SIGN,
        tr("`{span}` is written `{meant}` here", span=span.text, meant=meant.strip()),
        span,
        hint="a phrase is `any x in S where C`, with `no`, `count`, `all` or `first` as well; `every x in S satisfies "
        "C`, `sum E for x in S`, `highest x in S by E`",
        fix=Fix.write(span, meant.strip()),
    )
    return _read_as(place, diagnostic, found.start(), found.end(), meant)


_OF_PHRASES = {
    "QUANTIFIER": "`{word} {name} in {of} where ...`",
    "EXTREME": "`{word} {name} in {of} by ...`",
    "EVERY": "`{word} {name} in {of} satisfies ...`",
}


def without_name(place: Place) -> Told | None:
    """`any Unit where ...`, `count Unit`: each one has no name by which it can be asked."""
    words = place.on_line[-2:]
    if (
        place.wanted != {"IN"}
        or len(words) < 2
        or words[0].type not in _OF_PHRASES
        or words[1].type != "NAME"
    ):
        return None
    word, of = str(words[0]), str(words[1])
    meant = _OF_PHRASES[words[0].type].format(word=word, name=of[:1].lower(), of=of)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("`{word}` names each of those that it goes over, and `in` says which they are", word=word),
        place.source.span(words[0].start_pos or 0, words[1].end_pos or 0),
        hint=tr("write {meant}", meant=meant),
    )
    return left_out(place, diagnostic)


def without_last_part(place: Place) -> Told | None:
    """`every u in Unit where C`, `sum u.hp in Unit`: what is asked of each, or what is gone over, is not said."""
    phrase = place.open_phrase
    if phrase is None or place.on_line[-1] is phrase:
        return None
    start = phrase.start_pos or 0
    whole = place.source.span(start, place.on_line[-1].end_pos or start)
    if phrase.type == "EVERY" and place.terminal in {"_NL", "_INDENT"} and "SATISFIES" in place.wanted:
        where = re.compile(r"\s+where\s+").search(whole.text)
        meant = (
            f"{whole.text[: where.start()]} satisfies {whole.text[where.end() :]}" if where else whole.text
        )
        said = tr("`every` does not say what holds of each of them")
        hint = tr("write `{meant}`; `where` chooses those that are asked", meant=meant)
        if where is None:
            hint = tr("write `{whole} satisfies ...`", whole=whole.text)
    elif phrase.type == "SUM" and place.text == "in" and "FOR" in place.wanted:
        said = tr("`sum` does not say for what it adds up")
        named = re.compile(r"sum\s+([^\W\d]\w*)\.").match(whole.text)
        hint = tr(
            "write `{whole} for {name} in ...`", whole=whole.text, name=named.group(1) if named else "x"
        )
    else:
        return None
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, said, whole, hint=hint))
