"""Lessons about words: misspelt, out of place, or taken for names."""

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Label, Meant
from dsl.syntax import expected, words
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out
from dsl.syntax.place import Place


def else_if(place: Place) -> Told | None:
    """`else if` for `elif`."""
    if place.text != "if" or [token.type for token in place.on_line] != ["ELSE"]:
        return None
    start = place.on_line[0].start_pos or 0
    span = place.source.span(start, place.stuck.end)
    fix = Fix.write(span, "elif", is_safe=True)
    diagnostic = Diagnostic(Code.FOREIGN_SIGN, "`else if` is written `elif` here", span, fix=fix)
    return Told(diagnostic, place.stuck.line, start, Repair(place.stuck.end, "elif"), sure=True)


_STATEMENT = re.compile(
    r"(?:\.\w+|\([^()\n]*\))*\s*(?:=(?!=)|(?:gains|loses|may|chooses|repeatedly)\b|$)", re.MULTILINE
)
_TEST_WORDS = frozenset({"given", "run", "rolls", "picks", "shuffles", "expect"})
_HEADER = re.compile(r"^(?:game|scenario|mod)\b", re.MULTILINE)


def first_word(place: Place) -> Told | None:
    """A line that begins with a word which has no place there."""
    word = place.first_word
    types = [token.type for token in place.on_line]
    opens = types == ["NAME", "COLON"] and place.terminal == "_NL"
    if not word or not (opens or types in ([], ["NAME"])):
        return None
    span = place.first_span
    if opens:
        return _misspelt_first_word(place, word)
    if word in words.FOREIGN_WORDS:
        hint = words.FOREIGN_WORDS[word]
        diagnostic = Diagnostic(
            Code.FOREIGN_SIGN, tr("`{word}` is no word of this language", word=word), span, hint=hint
        )
    elif word in words.FOREIGN_DECLARATIONS and not place.stuck.before and word not in words.HEADER_FIELDS:
        hint = words.FOREIGN_DECLARATIONS[word]
        message = tr("no declaration begins with `{word}`", word=word)
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    elif word in words.FOLLOWERS:
        message = tr(
            "`{word}` goes on with {followers}, and none stands above it",
            word=word,
            followers=tr(words.FOLLOWERS[word]),
        )
        hint = "it stands in the same column as what it goes on with, with nothing of that column between"
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    elif word in words.declarations() and place.lines[place.stuck.line].depth:
        message = tr("`{word}` begins a declaration, which has no place in this block", word=word)
        hint = "declarations start at the top level, or inside a `mode`"
        if word == "remove" and "TAKE" in place.wanted_at_start:
            hint = tr("a piece is taken out of play with `take away {place}`", place=place.shown)
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    elif word in words.statements() and not place.lines[place.stuck.line].depth:
        message = tr("`{word}` begins a line of a block, and stands at the top level", word=word)
        hint = "indent it under the `action`, `round` or other declaration that it belongs to"
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    elif word in _TEST_WORDS and not place.lines[place.stuck.line].depth:
        message = tr("`{word}` begins a line of a test, and stands at the top level", word=word)
        hint = 'indent it like the other lines of the test, under a line such as `test "what is so":`'
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    elif word in words.HEADER_FIELDS and not place.lines[place.stuck.line].depth:
        message = tr("`{word}` is a line of a header, and stands at the top level", word=word)
        hint = "indent it by four spaces, under the line that begins with `game`, `scenario` or `mod`"
        if not _HEADER.search(place.source.text, 0, span.start):
            message = tr("`{word}` is a line of a header, and no header begins above it", word=word)
            hint = "write `game my_game:` above it, at the top level, with the lines of the header under it"
            diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
            return Told(diagnostic, place.stuck.line, lacks_block=True)
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    else:
        return _misspelt_first_word(place, word)
    return left_out(place, diagnostic)


def _misspelt_first_word(place: Place, word: str) -> Told | None:
    near = words.nearest_spelling(word, place.wanted_at_start)
    span = place.first_span
    if near:
        hint: str = Meant(word, near, is_clear=words.is_only_one(word, place.wanted_at_start))
        message = tr("no line begins with `{word}` here", word=word)
        diagnostic = Diagnostic(Code.UNKNOWN_WORD, message, span, hint=hint).with_fix()
        return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, near))
    if place.on_line or place.stuck.start != "declaration":
        return None
    if place.stuck.before:
        diagnostic = Diagnostic(
            Code.UNEXPECTED_TOKEN,
            tr("no line of this block begins with `{word}`", word=word),
            span,
            label=expected.label(place),
        )
    else:
        hint = "a line at the top level begins with a word such as `table`, `value`, `modify` or `action`"
        if _STATEMENT.match(place.source.text, span.end):
            hint = "a statement stands in a block: indent it like the lines that it belongs to"
        message = tr("no declaration begins with `{word}`", word=word)
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    return left_out(place, diagnostic)


def misspelt(place: Place) -> Told | None:
    """A word that is nearly one that could stand here."""
    near = words.nearest_spelling(place.text, place.wanted) if place.is_word else ""
    if not near:
        return None
    hint = Meant(place.text, near, is_clear=words.is_only_one(place.text, place.wanted))
    message = tr("`{shown}` means nothing here", shown=place.shown)
    diagnostic = Diagnostic(Code.UNKNOWN_WORD, message, place.span, hint=hint).with_fix()
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, near))


_PHRASES = {
    "QUANTIFIER": "x in S where C",
    "EXTREME": "x in S by M",
    "SUM": "M for x in S",
    "EVERY": "x in S satisfies C",
}


_BEHIND_PHRASE = frozenset(
    {"COMPARE", "SIGN", "FACTOR", "AND", "OR", "IF", "ELSE", "ROUNDED", "RANGE", "BY", "AFTER"}
)


def open_phrase(place: Place) -> Told | None:
    """Something behind a phrase that takes in all that follows it."""
    phrase = place.open_phrase
    follows = words.terminals_of(place.text) & _BEHIND_PHRASE
    if phrase is None or not follows or place.on_line[-1] is phrase:
        return None
    start = phrase.start_pos or 0
    last = place.on_line[-1].end_pos or 0
    whole = place.source.span(start, last)
    diagnostic = Diagnostic(
        Code.PHRASE_NEEDS_PARENTHESES,
        tr("`{shown}` cannot follow a phrase that begins with `{phrase}`", shown=place.shown, phrase=phrase),
        place.span,
        labels=(Label(whole, "takes in all that follows it"),),
        hint="put the phrase between parentheses",
        fix=Fix.write(whole, f"({whole.text})"),
    )
    return left_out(place, diagnostic)


def phrase_word(place: Place) -> Told | None:
    """A word that begins a phrase, used as a name."""
    if not place.on_line or place.on_line[-1].type not in _PHRASES or place.is_word:
        return None
    word = place.on_line[-1]
    diagnostic = Diagnostic(
        Code.RESERVED_WORD,
        tr("`{word}` begins a phrase such as `{word} {phrases}`", word=word, phrases=_PHRASES[word.type]),
        place.source.span(word.start_pos or 0, word.end_pos or 0),
        label="a word of the language",
        hint="something of your game that has this name needs another one",
    )
    return left_out(place, diagnostic)


def statement_word(place: Place) -> Told | None:
    """A word that begins a statement, used as a name."""
    if not place.on_line:
        return None
    word = place.on_line[0]
    behind = place.source.text[word.end_pos or 0 :][:1]
    is_used = behind in {"(", "."} or (len(place.on_line) == 1 and place.text in {"=", "gains", "loses"})
    if not is_used or str(word) not in words.statements() | words.declarations():
        return None
    diagnostic = Diagnostic(
        Code.RESERVED_WORD,
        tr("`{word}` is a word of the language and cannot be a name here", word=word),
        place.source.span(word.start_pos or 0, word.end_pos or 0),
        label="a word of the language",
        hint="something of your game that has this name needs another one",
    )
    return left_out(place, diagnostic)


def name_before_for(place: Place) -> Told | None:
    """`d for in Direction:`."""
    if [token.type for token in place.on_line] != ["NAME"] or place.text != "for":
        return None
    line = place.lines[place.stuck.line]
    if not re.match(r"\s+in\b", place.source.text[place.stuck.end : line.end]):
        return None
    span = place.source.span(place.first_span.start, place.stuck.end)
    meant = f"for {place.previous}"
    fix = Fix.write(span, meant, is_safe=True)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("`{span} in` is written `{meant} in` here", span=span.text, meant=meant),
        span,
        fix=fix,
    )
    return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, meant), sure=True)


def range_without_for(place: Place) -> Told | None:
    """`in x in S:`, `each x in S:`: what goes over things begins with another word than `for`."""
    line = place.lines[place.stuck.line]
    rest = place.source.text[place.stuck.end : line.end]
    if [token.type for token in place.on_line] != ["NAME"] or not place.is_word:
        return None
    if not re.match(r"\s+in\b.*:", rest) or "FOR" not in place.wanted_at_start:
        return None
    span = place.first_span
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("no line begins with `{span}` here", span=span.text),
        span,
        hint=tr(
            "to go over things write `for {place} in ...:`; to ask `if {place} in ...:`", place=place.text
        ),
    )
    return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, "for"))


def is_in(place: Place) -> Told | None:
    """`c is in corner`, `c is not in corner`: whether something is in something is asked without `is`."""
    said = [" ".join(str(token).split()) for token in place.on_line]
    if said[-2:] not in (["is", "in"], ["is not", "in"]):
        return None
    first, last = place.on_line[-2:]
    span = place.source.span(first.start_pos or 0, last.end_pos or 0)
    meant = "in" if said[-2] == "is" else "not in"
    fix = Fix.write(span, meant, is_safe=True)
    message = tr("`{span}` is written `{meant}` here", span=span.text, meant=meant)
    diagnostic = Diagnostic(Code.UNEXPECTED_TOKEN, message, span, fix=fix)
    return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, meant), sure=True)


_CHAIN = frozenset({"NAME", "DOT"})


def is_question(place: Place) -> Told | None:
    """`m.at is adjacent c`: what is asked of two things has both in brackets."""
    types = [token.type for token in place.on_line]
    if (
        [str(each) for each in place.on_line[-2:-1]] != ["is"]
        or str(place.on_line[-1]) not in words.OF_TWO
        or not place.is_word
    ):
        return None
    begin = len(types) - 2
    while begin and types[begin - 1] in _CHAIN:
        begin -= 1
    if begin == len(types) - 2 or words.terminals_of(place.text):
        return None
    start = place.on_line[begin].start_pos or 0
    subject = place.source.text[start : place.on_line[-3].end_pos or 0]
    other = re.compile(r"\w+(?:\.\w+)*").match(place.source.text, place.stuck.at)
    end = other.end() if other else place.stuck.end
    meant = f"{place.on_line[-1]}({subject}, {place.source.text[place.stuck.at : end]})"
    span = place.source.span(start, end)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("what `{last}` is asked of stands in brackets", last=place.on_line[-1]),
        span,
        hint=tr("write `{meant}`", meant=meant),
        fix=Fix.write(span, meant),
    )
    return Told(diagnostic, place.stuck.line, start, Repair(end, meant), sure=True)


def bare_question(place: Place) -> Told | None:
    """`repeated 3`, `size hand`: what is asked of something has it in brackets."""
    last = place.on_line[-1] if place.on_line else None
    if last is None or str(last) not in words.FUNCTIONS or last.type != "NAME" or "LPAR" not in place.wanted:
        return None
    if not (place.terminal == "NUMBER" or (place.is_word and not words.terminals_of(place.text))):
        return None
    span = place.source.span(last.start_pos or 0, place.stuck.end)
    meant = f"{last}({place.text})"
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("what `{last}` is asked of stands in brackets", last=last),
        span,
        hint=tr("write `{meant}`", meant=meant),
        fix=Fix.write(span, meant),
    )
    return Told(
        diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, f"({place.text})"), sure=True
    )


_ASKING = frozenset({"may", "chooses", "repeatedly", "secretly"})


def bare_argument(place: Place) -> Told | None:
    """A call with its arguments behind a space."""
    if [token.type for token in place.on_line] != ["NAME"] or "LPAR" not in place.wanted:
        return None
    if not (place.is_word or place.terminal in {"NUMBER", "STRING"}) or place.text in _ASKING:
        return None
    line = place.lines[place.stuck.line]
    if "RUN" in place.wanted_at_start or re.search(r":\s*$", place.source.text[place.stuck.end : line.end]):
        return None
    if place.text in words.statements() | words.declarations():
        return None
    call = f"{place.previous}({place.shown})"
    whole = place.source.span(place.on_line[0].start_pos or 0, place.stuck.end)
    is_value = place.text in {"true", "false"}
    sets = (
        tr(
            "; a field gets a value with `=`: `{previous} = {shown}`",
            previous=place.previous,
            shown=place.shown,
        )
        if is_value
        else ""
    )
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("what `{previous}` is done to stands between parentheses", previous=place.previous),
        place.span,
        label="stands behind a space",
        hint=tr("an action is called with all it needs: `{call}`{sets}", call=call, sets=sets),
        fix=Fix.write(whole, call, is_safe=True) if place.is_last and place.is_word else None,
    )
    return left_out(place, diagnostic)
