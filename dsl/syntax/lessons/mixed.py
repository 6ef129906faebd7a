"""Lessons about words that are right elsewhere: `when` and `if`, `is` and `=`, and blocks in the line of another."""

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix
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
        fix=Fix.write(span, "if"),
    )
    return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, "if"), sure=True)


_CLAUSES = frozenset({"forbid", "allow", "modify", "before", "after", "instead"})


def if_behind_clause(place: Place) -> Told | None:
    """`modify cost: +1 if C`: read as a value that lacks its `else`."""
    tokens = place.on_line
    if not tokens or str(tokens[0]) not in _CLAUSES or place.terminal not in {"_NL", "CITE", "COMMA"}:
        return None
    asks = [token for token in tokens if token.type == "IF"]
    if len(asks) != 1 or "ELSE" not in place.wanted or any(token.type == "WHEN" for token in tokens):
        return None
    span = place.source.span(asks[0].start_pos or 0, asks[0].end_pos or 0)
    hint = "`when` says in which case a clause holds; `A if C else B` is one of two values"
    fix = Fix.write(span, "when", is_safe=True)
    diagnostic = Diagnostic(Code.FOREIGN_SIGN, "`if` is written `when` here", span, hint=hint, fix=fix)
    return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, "when"), sure=True)


def asking_for_setting(place: Place) -> Told | None:
    """`p.coins is 5` and `p.coins == 5` as statements."""
    if place.text not in {"is", "=="} or "GAIN" not in place.wanted:
        return None
    hint = "`=` gives a value to a field; `is` asks whether it has that value"
    message = tr("`{place}` is written `=` here", place=place.text)
    return replaced(place, Code.UNEXPECTED_TOKEN, message, "=", hint)


def option_without_line(place: Place) -> Told | None:
    """`p chooses earn`, and `p may: earn or give`."""
    types = [token.type for token in place.on_line]
    if types[-2:] == ["CHOOSES", "NAME"] and place.wanted == {"IN"} and place.terminal != "NAME":
        said = f"`chooses {place.previous}` does not say out of what"
        hint = tr(
            "write `chooses {previous} in Unit` for one thing of a set; actions to choose from stand under ",
            previous=place.previous,
        )
        hint += "`chooses:`, each on its own line"
    elif place.text == "or" and "ASKS" in types:
        said = "each option of a menu has a line of its own"
        hint = "write the options under the colon, one below the other, four spaces further in"
    else:
        return None
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, said, place.span, hint=hint))


_FEWEST = re.compile(
    r"chooses[ \t]+(?:between[ \t]+|at[ \t]+least[ \t]+|from[ \t]+)?1\b"
    r"(?:[ \t]*(?:\.\.|-|to|and|or)[ \t]*(?P<most>\d+|more))?[ \t]+(?:of[ \t]+)?(?P<name>\w+)[ \t]+in\b"
)


def at_least_one(place: Place) -> Told | None:
    """`p chooses 1 to 6 us in S`: one that has to be chosen, and others that may be."""
    if "CHOOSES" not in [token.type for token in place.on_line]:
        return None
    line = place.lines[place.stuck.line]
    found = _FEWEST.search(place.source.text, line.start, line.end)
    if found is None or not found.start() < place.stuck.at < found.end():
        return None
    most, name = found["most"], found["name"]
    limit = str(int(most) - 1) if most and most.isdecimal() and most != "0" else "N"
    message = "`chooses` has no least number: `up to N` may be none"
    hint = tr(
        "write `chooses one in S` for the one that has to be, and `chooses up to {limit} {name} in S where "
        "{name} is not one` for more",
        limit=limit,
        name=name,
    )
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, message, place.span, hint=hint))


_ASKS = re.compile(r"(?:repeatedly\s+)?(?:may(?!\s+choose\b)|chooses)(?=\s|$)")


def asking_without_colon(place: Place) -> Told | None:
    """`p may` over the lines of a menu, `p may earn` on one line."""
    line = place.lines[place.stuck.line]
    text = place.source.text
    asks = _ASKS.match(text, place.stuck.at, line.end) if "ASKS" in place.wanted else None
    if asks is None or ":" in text[asks.end() : line.end]:
        return None
    behind = re.sub(r"\[[^\]\n]*\]\s*$", "", text[asks.end() : line.end]).strip()
    at = place.source.span(asks.end(), asks.end())
    said = f"`{asks.group()}`" if behind else tr("this line")
    diagnostic = Diagnostic(
        Code.MISSING_COLON,
        tr("a colon is missing behind {said}", said=said)
        if behind
        else "a colon is missing at the end of this line",
        at,
        label="expected `:`",
        hint=tr(
            "`{group}:` opens a menu; its lines stand under it, or one of them behind the colon",
            group=asks.group(),
        ),
        fix=Fix(at, ":", "write the colon", is_safe=place.has_block(place.stuck.line) or bool(behind)),
    )
    if behind or place.has_block(place.stuck.line):
        repair = Repair(asks.end(), f"{asks.group()}:")
        return Told(diagnostic, place.stuck.line, place.stuck.at, repair)
    return Told(diagnostic, place.stuck.line, lacks_block=True)


def block_in_a_line(place: Place) -> Told | None:
    """`for p in order of play: p may: ...`: what has lines of its own, in the line of another."""
    if not any(token.type == "COLON" for token in place.on_line):
        return None
    is_menu = place.previous == "chooses" and (place.text == ":" or place.terminal == "STRING")
    asks = place.text in {"may", "repeatedly"} or is_menu
    is_name = place.previous in _WITH_BLOCKS and len(place.on_line) > 1 and place.on_line[-2].type == "COLON"
    if not asks and not is_name and not (place.text in _WITH_BLOCKS and place.previous == ":"):
        return None
    what = place.previous if place.text == ":" or is_name or is_menu else place.text
    word = place.on_line[-1]
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("`{what}` opens a block of its own, and cannot stand in the line of another", what=what),
        place.source.span(word.start_pos or 0, word.end_pos or 0) if is_name else place.span,
        hint="behind a colon, on its line, stand only short statements: write this one below, four spaces further in",
    )
    return left_out(place, diagnostic)
