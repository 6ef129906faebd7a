"""Lessons about blocks: their colons and their indentation."""

import re
from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Label, Meant
from dsl.near import is_clear
from dsl.syntax import words
from dsl.syntax.driver import Repair, Stuck, drive, wanted_after
from dsl.syntax.grammar import WORD
from dsl.syntax.lalr import Token
from dsl.syntax.layout import Line
from dsl.syntax.lessons.told import Told
from dsl.syntax.place import Place

_HEADS = {
    "row": "`table NAME:`, or `extend NAME:`, begins rows: write it above them, at the top level",
    "statement": "statements stand under an `action`, a `phase`, `round:` or `setup:`: is that line missing above?",
    "field": "fields stand under `state:`, `state of NAME:` or `piece NAME:`: is that line missing above?",
    "test": 'lines of a test stand under a line such as `test "what is so":`: is it missing above?',
    "given": "what stands where when the test begins is said under a line `given:`: is it missing above?",
}
_TEST_LINES = frozenset({"given", "run", "rolls", "picks", "shuffles", "expect"})
_ROW = re.compile(r"\|.*\|\s*(?:\[[^\]\n]*\])?")
_FIELD = re.compile(r"(\w+)[ \t]*:[ \t]*(?:-?\d+\.\.|bool\b|[^\W\d_a-z]\w*|(?:set|bag|list|interval)\s+of\b)")
_NO_FIELDS = re.compile(
    r"(?:game|scenario|shape|map|table|extend|action|phase|round|setup|value|menu|test)\b"
)
_OF_FIELDS = re.compile(r"(?:extend\s+)?(?:piece|state|table|map|game|scenario|mod)\b")


def missing_head(place: Place) -> Told | None:
    """Rows without a table, statements among fields, `given:` among statements: the line that begins them is gone."""
    first, head = place.first_word, place.head_span
    types = [token.type for token in place.on_line]
    begins = types in ([], ["NAME"])
    line = place.lines[place.stuck.line]
    text = place.source.text[line.start : line.end]
    if not place.on_line and (place.terminal == "ROW" or (place.text == "|" and _ROW.fullmatch(text))):
        if told := _indented_table(place):
            return told
        kind, what = "row", "this row belongs to no table"
    elif head is not None and _NO_FIELDS.match(head.text) and (field := _FIELD.match(text)):
        kind, what = "field", f"`{field[1]}` is a field, and this block holds none"
    elif _sets(place, types):
        kind, what = "given", "this line changes the game, and stands among the lines of a test"
    elif not begins or place.stuck.start != "declaration" or head is None:
        return None
    elif first in words.statements() - {"given", "open", "place"} and _OF_FIELDS.match(head.text):
        kind, what = "statement", f"`{first}` begins a statement, and this block holds none"
    elif first in words.statements() - {"given"} and "RUN" in place.wanted_at_start:
        kind, what = "given", f"`{first}` begins a statement, and stands among the lines of a test"
    elif first == "given" and place.text == ":" and "RUN" not in place.wanted_at_start:
        kind, what = "test", "`given` begins a line of a test, and this block is none"
    else:
        return None
    diagnostic = Diagnostic(Code.MISPLACED_LINE, what, place.first_span, hint=_HEADS[kind])
    return Told(diagnostic, place.stuck.line, lacks_block=True)


def _sets(place: Place, types: list[str]) -> bool:
    """Does a field get a value here, in a block of a test?"""
    sets = place.text in {"=", "gains", "loses"} and types[:1] == ["NAME"] and "EXPECT" not in types
    return sets and "RUN" in place.wanted_at_start


def _indented_table(place: Place) -> Told | None:
    """The head of the rows stands among the lines of another block."""
    above = place.lines[place.stuck.line - 1] if place.stuck.line else None
    text = place.source.text[above.start : above.end] if above else ""
    if above is None or words.first_word(text) not in {"table", "extend"}:
        return None
    word = words.first_word(text)
    message = tr("`{word}` begins a declaration, which has no place in this block", word=word)
    hint = "declarations start at the top level, or inside a `mode`"
    span = place.source.span(above.start, above.start + len(word))
    return Told(
        Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint), place.stuck.line - 1, lacks_block=True
    )


def missing_block(place: Place) -> Told | None:
    """A colon with nothing under it."""
    if place.wanted != {"_INDENT"}:
        return None
    number = next(n for n, line in enumerate(place.lines) if line.end == place.stuck.before[-1].start_pos)
    head = place.lines[number]
    diagnostic = Diagnostic(
        Code.MISSING_BLOCK,
        "nothing stands under this line, though its colon opens a block",
        place.source.span(head.start, head.end),
        label="opens a block",
        hint="indent what belongs to it by four more spaces; a block that does nothing says `nothing`",
    )
    return Told(diagnostic, number, lacks_block=True)


def missing_colon(place: Place) -> Told | None:
    """A block without its colon, or with a citation before it."""
    number = place.stuck.line
    if place.terminal == "_INDENT" and number:
        number -= 1
        if not _opens_with_colon(place):
            return None
        wanted = wanted_after(place.stuck.start, place.stuck.before[:-1])
    elif place.terminal in {"_NL", "CITE"} and "_NL" not in place.wanted and place.is_last:
        wanted = place.wanted
    else:
        return None
    if "COLON" not in wanted:
        return None
    line = place.lines[number]
    at = place.stuck.at if place.terminal == "CITE" else line.end
    behind = place.stuck.end if place.terminal == "CITE" else at
    cited = f" {place.source.text[at:behind]}" if behind > at else ""
    has_colon = re.compile(r"[ \t]*:[ \t]*$").match(place.source.text, behind, line.end)
    diagnostic = Diagnostic(
        Code.MISSING_COLON,
        "the citation stands behind the colon" if has_colon else "a colon is missing at the end of this line",
        place.source.span(at, behind),
        label="the colon goes before this" if cited else "expected `:`",
        labels=_under(place) if place.terminal == "_INDENT" else (),
        hint="a line that opens a block ends with `:`, and only a citation may stand behind it",
    )
    repair = Repair(has_colon.end() if has_colon else behind, f":{cited}")
    if place.terminal == "_INDENT" and not _belongs_under(place, at, repair):
        return None
    start = line.start + len(place.source.text[line.start : at].rstrip())
    written = f":{place.source.text[start:at]}{cited.strip()}"
    edit = Fix(
        place.source.span(start, repair.end), written, "write the colon", is_safe=place.has_block(number)
    )
    diagnostic = replace(diagnostic, fix=edit)
    if place.has_block(number):
        return Told(diagnostic, number, at, repair, sure=True)
    return Told(diagnostic, number, lacks_block=True)


def _belongs_under(place: Place, at: int, repair: Repair) -> bool:
    """Could the first line of the block begin as it does, if the line above ended with a colon?"""
    number = place.stuck.line
    outcome = drive(place.source, place.lines[: number + 1], place.stuck.start, {at: repair})
    if not isinstance(outcome, Stuck) or outcome.line != number:
        return True
    return len(Place(place.source, place.lines, outcome).on_line) > 1


def _under(place: Place) -> tuple[Label, ...]:
    """The first line of a block that no colon opens."""
    line = place.lines[place.stuck.line]
    return (Label(place.source.span(line.start, line.end), "stands under it"),)


def _opens_with_colon(place: Place) -> bool:
    """Would a colon at the end of the line above let it have a block?"""
    before = place.stuck.before[:-1]
    if "COLON" not in wanted_after(place.stuck.start, before):
        return False
    with_colon = (*before, Token("COLON", ":"))
    if "_NL" not in wanted_after(place.stuck.start, with_colon):
        return False
    return "_INDENT" in wanted_after(place.stuck.start, (*with_colon, Token("_NL", "")))


def unexpected_indentation(place: Place) -> Told | None:
    """A block that no colon opens."""
    if place.terminal != "_INDENT":
        return None
    line = place.lines[place.stuck.line]
    above = place.lines[place.stuck.line - 1]
    if told := _misspelt_head(place, above):
        return told
    diagnostic = Diagnostic(
        Code.BAD_INDENTATION,
        "this line is indented, but the line above it opens no block",
        place.source.span(line.start, line.end),
        label="further to the right",
        labels=(Label(place.source.span(above.start, above.end), "opens no block"),),
        hint="bring both to the same column; only a line that ends with `:` has lines under it: is one missing above?",
    )
    return Told(diagnostic, place.stuck.line, unindent=True)


def _misspelt_head(place: Place, above: Line) -> Told | None:
    """The line above ends with a colon, and begins with nearly a word that opens a block."""
    span = place.source.span(above.start, above.end)
    word = WORD.match(span.text)
    near = words.nearest_word(word.group(), words.declarations() | words.statements()) if word else ""
    if word is None or not near or not re.search(r":\s*(?:\[[^\]\n]*\])?$", span.text):
        return None
    first = place.source.span(above.start, above.start + word.end())
    hint = Meant(first.text, near, is_clear=is_clear(first.text, words.declarations() | words.statements()))
    message = tr("no line begins with `{word}` here", word=first.text)
    diagnostic = Diagnostic(Code.UNKNOWN_WORD, message, first, hint=hint).with_fix()
    return Told(diagnostic, place.stuck.line - 1, above.start, Repair(first.end, near))


def unbounded_loop(place: Place) -> Told | None:
    """`repeat until` without its bound."""
    heads = [token.type for token in place.on_line[:2]] == ["REPEAT", "UNTIL"]
    if not heads or place.text != ":" or "COMMA" not in place.wanted:
        return None
    diagnostic = Diagnostic(
        Code.UNBOUNDED_LOOP,
        "this loop does not say how often it may run",
        place.source.span(place.on_line[0].start_pos or 0, place.stuck.at),
        label="ends only when the condition holds",
        hint="write `, at most 10 times` before the colon, with a number from the book or of your own",
    )
    repair = Repair(place.stuck.end, ", at most 1 times:")
    return Told(diagnostic, place.stuck.line, place.stuck.at, repair, sure=True)
