"""What is said where the parser is stuck, and how to read on.

Each lesson knows one mistake that authors make; the first that recognises the place is told. A lesson may say
what to read in place of the fault, so that the rest of the line, and above all the block under it, is still
checked.
"""

import re
from dataclasses import dataclass

from dsl.diagnostics import Code, Diagnostic, Fix, Label
from dsl.syntax import expected, faults, words
from dsl.syntax.driver import Repair, wanted_after
from dsl.syntax.place import Place


@dataclass(frozen=True, slots=True)
class Told:
    """A fault as it is told, the line that it is about, and what to do about that line.

    With a `repair`, its text is read in place of what stands at `at`; with `unindent`, the line and those of
    its block move one block out; else it is left out. After a `sure` repair the line may hold other faults;
    where a block is lacking, the lines that follow may be what it should hold.
    """

    diagnostic: Diagnostic
    line: int
    at: int = 0
    repair: Repair | None = None
    sure: bool = False
    unindent: bool = False
    lacks_block: bool = False


def explain(place: Place) -> Told:
    """The fault at a place."""
    for lesson in _LESSONS:
        if told := lesson(place):
            return told
    return _anything_else(place)


def _missing_block(place: Place) -> Told | None:
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


def _missing_colon(place: Place) -> Told | None:
    number = place.stuck.line
    if place.terminal == "_INDENT" and number:
        number -= 1
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
        hint="a line that opens a block ends with `:`, and only a citation may stand behind it",
    )
    repair = Repair(has_colon.end() if has_colon else behind, f":{cited}")
    if place.has_block(number):
        return Told(diagnostic, number, at, repair, sure=True)
    return Told(diagnostic, number, lacks_block=True)


def _unexpected_indentation(place: Place) -> Told | None:
    if place.terminal != "_INDENT":
        return None
    line = place.lines[place.stuck.line]
    above = place.lines[place.stuck.line - 1]
    diagnostic = Diagnostic(
        Code.BAD_INDENTATION,
        "this line is indented, but the line above it opens no block",
        place.source.span(line.start, line.end),
        label="further to the right",
        labels=(Label(place.source.span(above.start, above.end), "opens no block"),),
        hint="bring both to the same column; only a line that ends with `:` has lines under it",
    )
    return Told(diagnostic, place.stuck.line, unindent=True)


def _foreign_sign(place: Place) -> Told | None:
    if place.text == "=" and "COMPARE" in place.wanted:
        meant = "is"
        hint = "`=` gives a value to a name; `is` compares"
    elif place.text in words.FOREIGN_SIGNS and not place.terminal:
        meant = words.FOREIGN_SIGNS[place.text]
        hint = ""
    else:
        return None
    return _replaced(place, Code.FOREIGN_SIGN, f"`{place.text}` is written `{meant}` here", meant, hint)


def _replaced(place: Place, code: Code, message: str, meant: str, hint: str = "") -> Told:
    """A fault that is put right by writing something else in its place."""
    fix = Fix(place.span, meant, f"write `{meant}`")
    diagnostic = Diagnostic(code, message, place.span, hint=hint, fix=fix)
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, meant), sure=True)


_QUOTED = re.compile(r"[“”„«‘’'](?P<words>[^\"\n“”„«»‘’']*)[“”»‘’']")
_SPACES = "\u00a0\u2007\u2009\u200b\u202f\u2060\ufeff"


def _character(place: Place) -> Told | None:
    text = place.text
    if place.terminal or len(text) != 1 or place.is_word or words.is_known_sign(text):
        return None
    line = place.lines[place.stuck.line]
    if text in _SPACES:
        diagnostic = Diagnostic(
            Code.UNEXPECTED_CHARACTER,
            "a space of an unusual kind stands here",
            place.span,
            label=f"U+{ord(text):04X}",
            fix=Fix(place.span, " ", "write a plain space"),
        )
        return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, " "), sure=True)
    if quoted := _QUOTED.match(place.source.text, place.stuck.at, line.end):
        plain = f'"{quoted["words"].strip()}"'
        span = place.source.span(place.stuck.at, quoted.end())
        diagnostic = Diagnostic(
            Code.UNEXPECTED_CHARACTER,
            'texts stand between plain quotes, `"`',
            span,
            label=f"`{text}` is another sign",
            fix=Fix(span, plain, f"write `{plain}`"),
        )
        return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(quoted.end(), plain), sure=True)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_CHARACTER,
        f"`{text}` means nothing in this language",
        place.span,
        label=f"U+{ord(text):04X}",
        hint="outside texts between quotes and comments stand only letters, digits, `_` and the signs of the "
        "language",
    )
    return _left_out(place, diagnostic)


def _open_row(place: Place) -> Told | None:
    line = place.lines[place.stuck.line]
    starts_row = place.source.text.startswith("|", line.start)
    row_read = [token.type for token in place.on_line] == ["ROW"]
    if not starts_row or not (row_read or "ROW" in place.wanted):
        return None
    written = place.source.span(line.start, line.end).text
    cited = re.search(r"[ \t]\[[^\]]*\]$", written)
    row = written[: cited.start()] if cited else written
    diagnostic = Diagnostic(
        Code.OPEN_ROW,
        "this row does not end with a bar",
        place.source.span(line.start, line.start + len(row.rstrip())),
        label="expected `|` at the end",
        hint="each row begins and ends with `|`; only a citation and a comment may follow",
    )
    repair = Repair(line.start + len(row), f"{row.rstrip()} |")
    return Told(diagnostic, place.stuck.line, line.start, repair, sure=True)


_CITED = re.compile(r"\[\s*(?:house\b|[A-Z][A-Z0-9]*-[A-Z]?[0-9])[^\]\n]*\]")


def _citation(place: Place) -> Told | None:
    brackets = [token for token in place.on_line if token.type == "LSQB"]
    at = brackets[-1].start_pos if brackets else None
    start = at if at is not None else place.stuck.at
    found = _CITED.match(place.source.text, start, place.lines[place.stuck.line].end)
    if found and place.terminal != "CITE":
        bracket = place.source.span(start, found.end())
        repair = Repair(found.end(), f" {found.group()}")
        return Told(faults.touching_citation(bracket), place.stuck.line, start, repair, sure=True)
    if place.terminal != "CITE":
        return None
    if "LSQB" in place.wanted and not _CITED.fullmatch(place.text):
        message = f"`{place.text}` stands behind a space, which makes it a citation"
        return _replaced(
            place, Code.BAD_CITATION, message, place.text, "an index touches its name: `army[MI]`"
        )
    diagnostic = Diagnostic(
        Code.BAD_CITATION,
        "a citation stands at the end of its line",
        place.span,
        hint="put it behind all else on the line, or behind the colon of a block; a line has only one, which "
        "may list several rules",
    )
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, ""), sure=True)


def _else_if(place: Place) -> Told | None:
    if place.text != "if" or [token.type for token in place.on_line] != ["ELSE"]:
        return None
    start = place.on_line[0].start_pos or 0
    span = place.source.span(start, place.stuck.end)
    fix = Fix(span, "elif", "write `elif`")
    diagnostic = Diagnostic(Code.FOREIGN_SIGN, "`else if` is written `elif` here", span, fix=fix)
    return Told(diagnostic, place.stuck.line, start, Repair(place.stuck.end, "elif"), sure=True)


def _first_word(place: Place) -> Told | None:
    """A line that begins with a word which has no place there."""
    word = place.first_word
    if not word or len(place.on_line) > 1 or (place.on_line and place.on_line[0].type != "NAME"):
        return None
    span = place.first_span
    if word in words.FOREIGN_WORDS:
        hint = words.FOREIGN_WORDS[word]
        diagnostic = Diagnostic(Code.FOREIGN_SIGN, f"`{word}` is no word of this language", span, hint=hint)
    elif word in words.FOLLOWERS:
        message = f"`{word}` goes on with {words.FOLLOWERS[word]}, and none stands above it"
        hint = "it stands in the same column as what it goes on with, with nothing of that column between"
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    elif word in words.DECLARATIONS and place.lines[place.stuck.line].depth:
        message = f"`{word}` begins a declaration, which has no place in this block"
        hint = "declarations start at the margin, or inside `mode` and `text`"
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    elif word in words.STATEMENTS and not place.lines[place.stuck.line].depth:
        message = f"`{word}` begins a line of a block, and stands at the margin"
        hint = "indent it under the `action`, `round` or other declaration that it belongs to"
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    else:
        return _misspelt_first_word(place, word)
    return _left_out(place, diagnostic)


def _misspelt_first_word(place: Place, word: str) -> Told | None:
    near = words.nearest(word, place.wanted_at_start)
    span = place.first_span
    if near is not None:
        fix = Fix(span, near, f"write `{near}`")
        diagnostic = Diagnostic(
            Code.UNKNOWN_WORD,
            f"no line begins with `{word}` here",
            span,
            hint=f"did you mean `{near}`?",
            fix=fix,
        )
        return Told(diagnostic, place.stuck.line, span.start, Repair(span.end, near))
    if place.on_line or place.stuck.start != "declaration":
        return None
    if place.stuck.before:
        diagnostic = Diagnostic(
            Code.UNEXPECTED_TOKEN,
            f"no line of this block begins with `{word}`",
            span,
            label=expected.label(place),
        )
    else:
        hint = "a line at the margin begins with a word such as `table`, `value`, `modify` or `action`"
        message = f"no declaration begins with `{word}`"
        diagnostic = Diagnostic(Code.MISPLACED_LINE, message, span, hint=hint)
    return _left_out(place, diagnostic)


def _misspelt(place: Place) -> Told | None:
    near = words.nearest(place.text, place.wanted) if place.is_word else None
    if near is None:
        return None
    fix = Fix(place.span, near, f"write `{near}`")
    message = f"`{place.text}` means nothing here"
    hint = f"did you mean `{near}`?"
    diagnostic = Diagnostic(Code.UNKNOWN_WORD, message, place.span, hint=hint, fix=fix)
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, near))


_PHRASES = {
    "QUANTIFIER": "x in S where C",
    "EXTREME": "x in S by M",
    "SUM": "M for x in S",
    "EVERY": "x in S satisfies C",
}
_BEHIND_PHRASE = frozenset({"COMPARE", "SIGN", "FACTOR", "AND", "OR", "IF", "ELSE", "ROUNDED", "RANGE", "BY"})


def _open_phrase(place: Place) -> Told | None:
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
        f"`{place.text}` cannot follow a phrase that begins with `{phrase}`",
        place.span,
        labels=(Label(whole, "takes in all that follows it"),),
        hint="put the phrase between parentheses",
        fix=Fix(whole, f"({whole.text})", f"write `({whole.text})`"),
    )
    return _left_out(place, diagnostic)


def _phrase_word(place: Place) -> Told | None:
    """A word that begins a phrase, used as a name."""
    if not place.on_line or place.on_line[-1].type not in _PHRASES or place.is_word:
        return None
    word = place.on_line[-1]
    diagnostic = Diagnostic(
        Code.RESERVED_WORD,
        f"`{word}` begins a phrase such as `{word} {_PHRASES[word.type]}`",
        place.source.span(word.start_pos or 0, word.end_pos or 0),
        label="a word of the language",
        hint="something of your game that has this name needs another one",
    )
    return _left_out(place, diagnostic)


def _statement_word(place: Place) -> Told | None:
    """A word that begins a statement, used as a name."""
    if not place.on_line:
        return None
    word = place.on_line[0]
    behind = place.source.text[word.end_pos or 0 :][:1]
    is_used = behind in {"(", "."} or (len(place.on_line) == 1 and place.text in {"=", "gains", "loses"})
    if not is_used or str(word) not in words.STATEMENTS | words.DECLARATIONS:
        return None
    diagnostic = Diagnostic(
        Code.RESERVED_WORD,
        f"`{word}` is a word of the language and cannot be a name here",
        place.source.span(word.start_pos or 0, word.end_pos or 0),
        label="a word of the language",
        hint="something of your game that has this name needs another one",
    )
    return _left_out(place, diagnostic)


def _bare_argument(place: Place) -> Told | None:
    """A call with its arguments behind a space."""
    if [token.type for token in place.on_line] != ["NAME"] or "LPAR" not in place.wanted:
        return None
    if not (place.is_word or place.terminal in {"NUMBER", "STRING"}):
        return None
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        f"`{place.text}` cannot stand after `{place.on_line[-1]}`",
        place.span,
        label=expected.label(place),
        hint=f"what an action is done to stands between parentheses: `{place.on_line[-1]}({place.text})`",
    )
    return _left_out(place, diagnostic)


def _anything_else(place: Place) -> Told:
    before = f" after `{place.on_line[-1]}`" if place.on_line else ""
    match place.terminal:
        case "_NL" | "$END":
            message = f"something is missing{before}"
        case "_DEDENT":
            message = "this block is not complete"
        case _ if not place.on_line:
            message = f"no line begins with `{place.text}` here"
        case _:
            message = f"`{place.text}` cannot stand{before}"
    diagnostic = Diagnostic(Code.UNEXPECTED_TOKEN, message, place.span, label=expected.label(place))
    return _left_out(place, diagnostic)


def _left_out(place: Place, diagnostic: Diagnostic) -> Told:
    """The rest of the line is left out, up to the colon of its block; without one, all of it."""
    line = place.lines[place.stuck.line]
    text = place.source.text
    colon = re.compile(r"[^\n]*(:)(?:[ \t]+\[[^\]\n]*\])?").fullmatch(text, place.stuck.at, line.end)
    if colon and place.on_line and colon.start(1) > place.stuck.at and place.has_block(place.stuck.line):
        return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(colon.start(1), ""))
    return Told(diagnostic, place.stuck.line)


_LESSONS = (
    _missing_block,
    _missing_colon,
    _unexpected_indentation,
    _foreign_sign,
    _character,
    _open_row,
    _citation,
    _else_if,
    _first_word,
    _misspelt,
    _open_phrase,
    _phrase_word,
    _statement_word,
    _bare_argument,
)
