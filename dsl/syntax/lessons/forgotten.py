"""Lessons about small words and signs that were left out, or written where none stands: `when`, `each`, `,`, `;`."""

import re

from dsl.catalogue import N_, tr
from dsl.diagnostics import Code, Diagnostic, Fix
from dsl.source import Span
from dsl.syntax import words
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out, replaced
from dsl.syntax.place import Place

_ENDINGS = frozenset({"victory", "defeat", "draw"})
_CLAUSES = frozenset({"forbid", "allow", "modify", "before", "after", "instead"})
_FOR_WHEN = frozenset({"if", "where", "provided", "while"})
_RANKS = frozenset({"over", "ahead", "once", "nested", "owned"})
_BEGINS_CONDITION = frozenset({"(", "{"})
_GOES_ON = re.compile(r"[<>.(\[+*/-]|(?:is|in|not|has|and|or|at)\b")
_WHEN_HINT = "the condition of a clause, an ending or a line of a menu is said with `when`"


def if_for_when(place: Place) -> Told | None:
    """`forbid enter if C`, `forbid enter where C`, `forbid enter unless C`."""
    if "when" not in words.spellings(place.wanted):
        return None
    message = tr("`{place}` is written `{{}}` here", place=place.text)
    if place.text in _FOR_WHEN:
        hint = (
            tr("`if` begins a statement; {when_hint}", when_hint=_WHEN_HINT)
            if place.text == "if"
            else _WHEN_HINT
        )
        return replaced(place, Code.FOREIGN_SIGN, message.format("when"), "when", hint)
    if place.text == "unless":
        return replaced(place, Code.FOREIGN_SIGN, message.format("when not"), "when not", _WHEN_HINT)
    return None


def when(place: Place) -> Told | None:
    """`forbid enter c is a2`, `victory red any u in ...`: a condition without its `when`."""
    head = str(place.on_line[0]) if place.on_line else ""
    if "when" not in words.spellings(place.wanted) or head not in _ENDINGS | _CLAUSES:
        return None
    if place.previous == "when":
        return _without_target(place, head)
    if place.text in words.FOREIGN_SIGNS:
        return None
    if head in _ENDINGS and place.terminal == "_NL":
        return _without_condition(place, head)
    at, end = place.stuck.at, place.stuck.end
    if head in _ENDINGS and place.text != ":" and _GOES_ON.match(place.source.text, at):
        if len(place.on_line) < 2:
            return None
        at = end = place.on_line[1].start_pos or 0
    elif place.text == ":" and head not in {"before", "after", "instead"} and not place.is_last:
        at = place.on_line[-1].end_pos or at
    elif not _begins_condition(place):
        return None
    else:
        end = at
    first = re.compile(r"\w+|.").match(place.source.text, max(at, end))
    marked = place.span if place.text == ":" or first is None else place.source.span(at, first.end())
    written = " when" if place.text == ":" else "when "
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "`when` is missing before the condition",
        marked,
        label="written `when` here" if place.text == ":" else "the condition begins here",
        hint=_WHEN_HINT,
        fix=Fix(place.source.span(at, end), written, "write `when` before it"),
    )
    return Told(diagnostic, place.stuck.line, at, Repair(end, "when"))


def _without_target(place: Place, head: str) -> Told:
    """`forbid when C`."""
    return _lacking(
        place,
        -1,
        f"`{head}` does not say what it is about",
        label="an action or value goes before this",
        hint=tr("write `{head} NAME when ...`, with the name of what it is about", head=head),
    )


def _without_condition(place: Place, head: str) -> Told:
    """`victory red`, `draw (round > 3)`."""
    who = f"{head} PLAYER" if head != "draw" else head
    return _lacking(
        place,
        0,
        f"this {head} does not say when",
        label="without `when` and a condition",
        hint=tr("write `{who} when CONDITION`, or `{who} otherwise` for the end of the last round", who=who),
    )


def _lacking(place: Place, begin: int, said: str, *, label: str, hint: str) -> Told:
    """A clause that lacks a part: its line is marked from its token `begin` to the last."""
    span = place.source.span(place.on_line[begin].start_pos or 0, place.on_line[-1].end_pos or 0)
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, said, span, label=label, hint=hint))


def _begins_condition(place: Place) -> bool:
    known = {*words.spellings(place.wanted), *_RANKS, "by"}
    is_word = (
        place.is_word and place.text not in known and not words.nearest_spelling(place.text, place.wanted)
    )
    return is_word or place.text in _BEGINS_CONDITION


def comma_before_rank(place: Place) -> Told | None:
    """`allow enter when C over [X]`."""
    if place.text not in _RANKS or "COMMA" not in place.wanted or not place.on_line:
        return None
    at = place.on_line[-1].end_pos or place.stuck.at
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("a comma stands before `{place}`", place=place.text),
        place.span,
        hint="`over`, `ahead of`, `once` and their like stand behind all else, each behind a comma",
        fix=Fix(place.source.span(at, at), ",", "write the comma", is_safe=True),
    )
    return Told(diagnostic, place.stuck.line, at, Repair(place.stuck.at, ","), sure=True)


_EACH = frozenset({"each", "all", "every", "any"})


def each(place: Place) -> Told | None:
    """`for each p in Player`, `for p:`."""
    types = [token.type for token in place.on_line]
    if types[:1] != ["FOR"] or place.wanted != {"IN"}:
        return None
    rest = place.source.text[place.stuck.end : place.lines[place.stuck.line].end]
    if place.previous in _EACH and place.is_word and re.match(r"\s+in\b", rest):
        start = place.on_line[-1].start_pos or 0
        span = place.source.span(start, place.on_line[-1].end_pos or 0)
        diagnostic = Diagnostic(
            Code.FOREIGN_SIGN,
            tr("`for` alone means each: `{previous}` is too much here", previous=place.previous),
            span,
            hint=tr("write `for {place} in ...`", place=place.text),
            fix=Fix(place.source.span(start, place.stuck.at), "", "take it away", is_safe=True),
        )
        return Told(diagnostic, place.stuck.line, start, Repair(place.stuck.at, ""), sure=True)
    if place.is_word and len(types) > 1 and place.previous not in _EACH:
        at = place.source.span(place.on_line[-1].end_pos or place.stuck.at, place.stuck.at)
        diagnostic = Diagnostic(
            Code.UNEXPECTED_TOKEN,
            tr(
                "`in` is missing between `{previous}` and `{place}`",
                previous=place.previous,
                place=place.text,
            ),
            place.span,
            hint=tr("write `for {previous} in {place}`", previous=place.previous, place=place.text),
            fix=Fix.write(at, " in ", is_safe=True),
        )
        return Told(diagnostic, place.stuck.line, at.start, Repair(place.stuck.at, "in"))
    name = place.text if place.is_word else place.previous
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("`for {name}` does not say what it ranges over", name=name),
        place.span if place.is_word else place.source.span(place.stuck.at, place.stuck.at),
        label="expected `in` and a set",
        hint=tr(
            "write `for {name} in order of play:` for the players in turn, `for {name} in Unit:` "
            "for all of a type, `for {name} in Unit where ...:` for some of them",
            name=name,
        ),
    )
    return left_out(place, diagnostic)


def closing_semicolon(place: Place) -> Told | None:
    """`gold gains 1;`: a `;` with nothing behind it, or where nothing can follow."""
    is_behind = place.terminal == "_NL" and place.previous == ";"
    if not is_behind and not (place.text == ";" and place.is_last):
        return None
    start = (place.on_line[-1].start_pos or 0) if is_behind else place.stuck.at
    span = place.source.span(start, start + 1)
    diagnostic = Diagnostic(
        Code.FOREIGN_SIGN,
        "a line ends without a `;`",
        span,
        hint="`;` stands between two statements on one line",
        fix=Fix(span, "", "take it away", is_safe=True),
    )
    return Told(diagnostic, place.stuck.line, start, Repair(start + 1, ""), sure=True)


_OF_NAME = {"owner": "Player", "at": "Cell", "place": "Cell", "cell": "Cell"}
_FIELDS = re.compile(r"(?:extend\s+)?(?:piece|state)\b")


def type_of_field(place: Place) -> Told | None:
    """`owner` alone in the block of a piece."""
    head = place.head_span
    lone = [token.type for token in place.on_line] == ["NAME"] and place.terminal == "_NL"
    if not lone or head is None or not _FIELDS.match(head.text) or place.wanted != {"COLON"}:
        return None
    name = place.previous
    meant = _OF_NAME.get(name, "")
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("the field `{name}` does not say what it holds", name=name),
        place.first_span,
        label="expected `:` and a type",
        hint=tr("write `{name}: {meant}`", name=name, meant=meant)
        if meant
        else tr(
            "write `{name}: 0..9` for a number, `{name}: bool` for yes or no, `{name}: Player` for a player",
            name=name,
        ),
        fix=Fix.write(place.first_span, f"{name}: {meant}") if meant else None,
    )
    return left_out(place, diagnostic)


def missing_type(place: Place) -> Told | None:
    """`action dig(p: ): ...`, `gold: = 3`, `gold:`."""
    last = [token.type for token in place.on_line[-2:]]
    ends = place.text in {")", ",", "="} or place.terminal == "_NL"
    if last != ["NAME", "COLON"] or not ends or "LIST" not in place.wanted:
        return None
    name = place.on_line[-2]
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("it is not said what `{name}` may be", name=name),
        place.source.span(name.start_pos or 0, place.on_line[-1].end_pos or 0),
        label="expected a type behind `:`",
        hint=tr(
            "write `{name}: Player`, or in its place `Cell`, a table, piece or type of the game, or a range such as "
            "`0..9`",
            name=name,
        ),
    )
    return left_out(place, diagnostic)


_IN_LISTS = {
    "set": (
        N_("a list holds single values, and no sets"),
        N_("keep a set for each of some things, such as a field `cards: set of Card` in `state of Player:`"),
    ),
    "bag": (
        N_("a list holds single values, and no bags"),
        N_("keep a bag for each of some things, such as a field `cards: bag of Card` in `state of Player:`"),
    ),
    "list": (
        N_("a list holds single values, and no lists"),
        N_(
            "keep a list for each of some things, such as a field `cards: list of Card up to 9` in `state of Player:`"
        ),
    ),
    "interval": (
        N_("a list holds single values, and no intervals"),
        N_("keep two lists, one of the numbers from which they go and one of those to which they go"),
    ),
    "(": (
        N_("a list holds single values, and no records"),
        N_(
            "keep a list for each part, such as `ages: list of 0..9 up to 4` and `names: list of Name up to 4`"
        ),
    ),
}
"""What an author wants in a list, with what is said of it."""


def bound_of_list(place: Place) -> Told | None:
    """`cards: list of Card` without how many it can hold, or of what a list does not hold."""
    types = [token.type for token in place.on_line]
    if types[-2:] == ["LIST", "OF"] and place.source.text[place.stuck.at] == "(":
        return _not_in_list(place, "(", place.source.span(place.on_line[-2].start_pos or 0, place.stuck.end))
    if place.wanted != {"UP"} or "LIST" not in types:
        return None
    start = next(token for token in reversed(place.on_line) if token.type == "LIST").start_pos or 0
    span = place.source.span(start, place.on_line[-1].end_pos or start)
    if (last := str(place.on_line[-1])) in _IN_LISTS:
        return _not_in_list(place, last, span)
    if place.source.text[place.stuck.at] == "?":
        return _none_in_list(place, start, span)
    if re.match(r",[ \t]*up\b", place.source.text[place.stuck.at :]):
        fix = Fix(place.span, "", "take the comma away", is_safe=True)
        message = "no comma stands before how many a list can hold"
        diagnostic = Diagnostic(
            Code.UNEXPECTED_TOKEN,
            message,
            place.span,
            hint=tr("write `{span} up to`", span=span.text),
            fix=fix,
        )
        return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, ""), sure=True)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "this list does not say how many it can hold",
        span,
        label="without its bound",
        hint=tr("write `{span} up to 10`, with a number that is enough", span=span.text),
    )
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.at, "up to 10"), sure=True)


def _not_in_list(place: Place, what: str, span: Span) -> Told:
    message, hint = _IN_LISTS[what]
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, message, span, hint=hint))


def _none_in_list(place: Place, start: int, span: Span) -> Told:
    """`list of Colour? up to 5`."""
    behind = re.match(r"\?[ \t]*(up[ \t]+to[ \t]+\w+)", place.source.text[place.stuck.at :])
    most = behind[1] if behind else "up to 10"
    element = place.on_line[-1]
    if element.type == "NAME" and element != "bool":
        hint = tr(
            "a type of its own has a word for it: `type Slot = {element} | free`, and then `list of Slot {most}`",
            element=str(element),
            most=most,
        )
    else:
        hint = tr(
            "let a value that it never has otherwise stand for none, as 0 in `list of 0..6 {most}`", most=most
        )
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "an element of a list is never none",
        place.source.span(start, place.stuck.end),
        label="an element that may be none",
        hint=hint,
    )
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, ""), sure=True)
