"""Lessons about signs: those of other languages, quotes, bars and brackets."""

import re
from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix
from dsl.syntax import faults, words
from dsl.syntax.driver import Repair
from dsl.syntax.lessons.told import Told, left_out, replaced
from dsl.syntax.place import Place

_OPERATIONS = {"+=": "+", "-=": "-", "=": "becomes"}
"""Signs of other languages behind `modify VALUE:`, and the operations that they mean."""


def foreign_sign(place: Place) -> Told | None:
    """A sign of another language, or `=` where things are compared."""
    tokens = [str(each) for each in place.on_line]
    if tokens[:1] == ["modify"] and tokens[-1:] == [":"] and place.text in _OPERATIONS:
        meant = _OPERATIONS[place.text]
        hint = "an operation is `+E`, `-E`, `times E`, `becomes E`, `at least E` or `at most E`"
    elif place.text == "=" and "COMPARE" in place.wanted:
        meant = "is"
        hint = "`=` gives a value to a name; `is` compares"
    elif place.text == "=>" and "COMPARE" in place.wanted:
        meant = ">="
        hint = ""
    elif place.text in words.FOREIGN_SIGNS and not place.terminal:
        meant = words.FOREIGN_SIGNS[place.text]
        hint = ""
    else:
        return None
    return replaced(place, Code.FOREIGN_SIGN, f"`{place.shown}` is written `{meant}` here", meant, hint)


_PARTED = {
    ("<", "="): "<=",
    (">", "="): ">=",
    ("=", "<"): "<=",
    ("=", ">"): ">=",
    ("<", ">"): "is not",
    ("!", "="): "is not",
    ("=", "="): "is",
}
"""Signs of two characters with a space between them, and what they mean."""
_TWO_SIGNS = re.compile(r"(?P<one>[<>!=])[ \t]+(?P<two>[<>=])(?![<>=])")


def parted_sign(place: Place) -> Told | None:
    """`gold > = 3`: two characters of one sign, with a space between them."""
    last = place.on_line[-1] if place.on_line else None
    is_second = last is not None and last.type == "COMPARE" and str(last) in {"<", ">"}
    if not is_second and "COMPARE" not in place.wanted:
        return None
    start = (last.start_pos or 0) if is_second and last is not None else place.stuck.at
    found = _TWO_SIGNS.match(place.source.text, start, place.lines[place.stuck.line].end)
    meant = _PARTED.get((found["one"], found["two"])) if found else None
    if found is None or meant is None:
        return None
    span = place.source.span(start, found.end())
    fix = Fix.write(span, meant, is_safe=True)
    message = tr("`{span}` is written `{meant}` here", span=span.text, meant=meant)
    diagnostic = Diagnostic(Code.FOREIGN_SIGN, message, span, fix=fix)
    return Told(diagnostic, place.stuck.line, start, Repair(found.end(), meant), sure=True)


_ORDERS = frozenset({"<", "<=", ">", ">="})
_OPENING = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}
_NOT_IN_A_SUM = frozenset({"AND", "OR", "NOT", "IF", "ELSE", "COLON", "SEMICOLON", "WHEN", "COMMA"})
_LONGEST = 60
"""Characters of what is compared twice, beyond which it is not written out."""
_OPERAND = re.compile(r"\w+(?:\.\w+)*[ \t]*$")
_SUM = re.compile(r"[ \t]*-?\w+(?:\.\w+)*")


def chained(place: Place) -> Told | None:
    """`1 < n < 3`: two comparisons in one."""
    if place.text not in _ORDERS or "AND" not in place.wanted:
        return None
    tokens = place.on_line
    open_brackets: list[str] = []
    at = len(tokens)
    while at and (tokens[at - 1].type != "COMPARE" or open_brackets):
        at -= 1
        kind = tokens[at].type
        if kind in _OPENING:
            open_brackets.append(_OPENING[kind])
        elif open_brackets and kind == open_brackets[-1]:
            open_brackets.pop()
        elif not open_brackets and (kind in _NOT_IN_A_SUM or kind in _OPENING.values()):
            return None
    if not at or at == len(tokens) or str(tokens[at - 1]) not in _ORDERS:
        return None
    middle = place.source.span(tokens[at].start_pos or 0, tokens[-1].end_pos or 0)
    if middle.end - middle.start > _LONGEST:
        return None
    behind = _SUM.match(place.source.text, place.stuck.end, place.lines[place.stuck.line].end)
    line = place.lines[place.stuck.line]
    sign = tokens[at - 1].start_pos or line.start
    before = _OPERAND.search(place.source.text, max(line.start, sign - _LONGEST), sign)
    meant = f"{middle.text} and {middle.text} {place.text}{behind.group() if behind else ' ...'}"
    meant = f"{before.group().strip() if before else '...'} {tokens[at - 1]} {meant}"
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("a comparison has two sides, and `{shown}` begins a second one", shown=place.shown),
        place.span,
        hint=tr("`and` joins two of them: write `{meant}`", meant=meant),
        fix=Fix(
            place.source.span(place.stuck.at, place.stuck.at),
            f"and {middle.text} ",
            tr("write `and {middle}` before it", middle=middle.text),
            is_safe=True,
        ),
    )
    repair = Repair(place.stuck.at, f"and {middle.text}")
    return Told(diagnostic, place.stuck.line, place.stuck.at, repair, sure=True)


_COMPARING = {
    r"isn['’]?t": "is not",
    r"hasn['’]?t": "has no",
    r"(?:equals?|eq)(?:\s+to)?": "is",
    r"(?:contains?|includes?)": "has",
    r"(?:is\s+)?(?:greater|more|larger|bigger)\s+than": ">",
    r"(?:is\s+)?(?:less|fewer|smaller)\s+than": "<",
    r"at\s+least": ">=",
    r"at\s+most": "<=",
}


def comparing_word(place: Place) -> Told | None:
    """`a isnt b`, `a equals b`, `a at least 3`."""
    if "COMPARE" not in place.wanted:
        return None
    line = place.lines[place.stuck.line]
    is_bound = [str(token) for token in place.on_line[-2:]] in (["at", "least"], ["at", "most"])
    start = (place.on_line[-2].start_pos or 0) if is_bound else place.stuck.at
    for pattern, meant in _COMPARING.items():
        if found := re.compile(rf"{pattern}\b(?=\s)").match(place.source.text, start, line.end):
            span = place.source.span(found.start(), found.end())
            fix = Fix.write(span, meant, is_safe=True)
            message = tr("`{span}` is written `{meant}` here", span=span.text, meant=meant)
            diagnostic = Diagnostic(Code.FOREIGN_SIGN, message, span, fix=fix)
            return Told(diagnostic, place.stuck.line, found.start(), Repair(found.end(), meant), sure=True)
    return None


_SIZE = re.compile(r"(\d+)\s*[xX×]\s*(\d+)")


def size(place: Place) -> Told | None:
    """`squares(3x3)`, `squares(3 x 3)`."""
    if not place.on_line or place.on_line[0] != "map":
        return None
    number = place.on_line[-1] if place.on_line and place.on_line[-1].type == "NUMBER" else None
    start = (number.start_pos or 0) if number else place.stuck.at
    found = _SIZE.match(place.source.text, start, place.lines[place.stuck.line].end)
    if not found or found.end() < place.stuck.end:
        return None
    span = place.source.span(start, found.end())
    meant = f"{found[1]}, {found[2]}"
    fix = Fix.write(span, meant, is_safe=True)
    message = "a size is two numbers with a comma between"
    hint = tr("first the columns, then the rows: `{meant}`", meant=meant)
    diagnostic = Diagnostic(Code.UNEXPECTED_TOKEN, message, span, hint=hint, fix=fix)
    return Told(diagnostic, place.stuck.line, start, Repair(found.end(), meant), sure=True)


def decimal(place: Place) -> Told | None:
    """`2.5`."""
    types = [token.type for token in place.on_line[-2:]]
    if types != ["NUMBER", "DOT"] or not place.text.isdigit():
        return None
    start = place.on_line[-2].start_pos or 0
    span = place.source.span(start, place.stuck.end)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "numbers are whole",
        span,
        hint="count smaller parts, such as 25 tenths, or say how it is rounded: `5 / 2 rounded down`",
    )
    return Told(
        diagnostic, place.stuck.line, start, Repair(place.stuck.end, str(place.on_line[-2])), sure=True
    )


def counting_up(place: Place) -> Told | None:
    """`gold++`."""
    if place.text not in {"+", "-"} or "GAIN" not in place.wanted or len(place.on_line) > 5:
        return None
    if place.source.text[place.stuck.at : place.stuck.at + 2] != place.text * 2:
        return None
    span = place.source.span(place.stuck.at, place.stuck.at + 2)
    meant = f" {'gains' if place.text == '+' else 'loses'} 1"
    fix = Fix.write(span, meant, is_safe=True)
    message = tr("`{span}` is written `{meant}` here", span=span.text, meant=meant.strip())
    diagnostic = Diagnostic(Code.FOREIGN_SIGN, message, span, fix=fix)
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(span.end, meant), sure=True)


_QUOTED = re.compile(r"[“”„«‘’'](?P<words>[^\"\n“”„«»‘’']*)[“”»‘’']")


_LANGUAGE = re.compile(r"(?:fr|en)[ \t]*")


def quoted_label(place: Place) -> Told | None:
    """A label of some language between quotes of another kind."""
    line = place.lines[place.stuck.line]
    language = _LANGUAGE.match(place.source.text, place.stuck.at, line.end)
    quoted = _QUOTED.match(place.source.text, language.end(), line.end) if language else None
    if language is None or quoted is None or "LANGUAGE" not in place.wanted:
        return None
    return _other_quotes(place, quoted, language.group())


def _other_quotes(place: Place, quoted: re.Match[str], before: str = "") -> Told:
    """What stands between quotes of another kind, and before them on the line, as it should be read."""
    plain = f'"{quoted["words"].strip()}"'
    span = place.source.span(quoted.start(), quoted.end())
    diagnostic = Diagnostic(
        Code.UNEXPECTED_CHARACTER,
        'texts stand between plain quotes, `"`',
        span,
        label=tr("`{span}` is another sign", span=span.text[0]),
        fix=Fix.write(span, plain, is_safe=True),
    )
    repair = Repair(quoted.end(), f"{before}{plain}")
    return Told(diagnostic, place.stuck.line, place.stuck.at, repair, sure=True)


_SPACES = "\u00a0\u2007\u2009\u200b\u202f\u2060\ufeff"


_INSTEAD = {
    "%": "what is left of a division is `remainder(n, k)`",
    "^": "multiply: `n * n`",
}
"""What is written for signs that are something in other languages."""


def character(place: Place) -> Told | None:
    """A character that means nothing, or a quote or a space of another kind."""
    text = place.text
    if place.terminal or len(text) != 1 or place.is_word or words.is_known_sign(text):
        return None
    line = place.lines[place.stuck.line]
    if text in _SPACES:
        diagnostic = Diagnostic(
            Code.UNEXPECTED_CHARACTER,
            "a space of an unusual kind stands here",
            place.span,
            label=tr("U+{ord}", ord=f"{ord(text):04X}"),
            fix=Fix(place.span, " ", "write a plain space", is_safe=True),
        )
        return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, " "), sure=True)
    if quoted := _QUOTED.match(place.source.text, place.stuck.at, line.end):
        return _other_quotes(place, quoted)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_CHARACTER,
        tr("`{text}` means nothing in this language", text=text),
        place.span,
        label=tr("U+{ord}", ord=f"{ord(text):04X}"),
        hint=_INSTEAD.get(text)
        or "outside texts between quotes and comments stand only letters, digits, `_` and the signs of the language",
    )
    return left_out(place, diagnostic)


def open_row(place: Place) -> Told | None:
    """A row without its last bar."""
    line = place.lines[place.stuck.line]
    starts_row = place.source.text.startswith("|", line.start)
    row_read = [token.type for token in place.on_line] == ["ROW"]
    if not starts_row or not (row_read or "ROW" in place.wanted):
        return None
    written = place.source.span(line.start, line.end).text
    if told := _open_citation(place, written):
        return told
    cited = re.search(r"[ \t]\[[^\]]*\]$", written)
    row = written[: cited.start()] if cited else written
    end = place.source.span(line.start, line.start + len(row.rstrip()))
    bar = Fix(place.source.span(end.end, end.end), " |", "write ` |` at the end", is_safe=True)
    diagnostic = Diagnostic(
        Code.OPEN_ROW,
        "this row does not end with a bar",
        end,
        label="expected `|` at the end",
        hint="each row begins and ends with `|`; only a citation and a comment may follow",
        fix=bar,
    )
    repair = Repair(line.start + len(row), f"{row.rstrip()} |")
    return Told(diagnostic, place.stuck.line, line.start, repair, sure=True)


_OPEN_CITATION = re.compile(r"\|[ \t]*(\[[^\[\]|]*|[^\[\]|]*\])$")


def _open_citation(place: Place, written: str) -> Told | None:
    """`| x | 1 |  [SK-001`: what stands behind the last bar is a citation with one bracket."""
    found = _OPEN_CITATION.search(written)
    if found is None or len(found[1]) < 2:
        return None
    line = place.lines[place.stuck.line]
    span = place.source.span(line.start + found.start(1), line.start + found.end(1))
    is_open = found[1].startswith("[")
    meant = f"{found[1].rstrip()}]" if is_open else f"[{found[1]}"
    diagnostic = Diagnostic(
        Code.BAD_CITATION,
        tr("the citation behind this row lacks its `{bracket}`", bracket="]" if is_open else "["),
        span,
        hint=tr("write `{meant}`", meant=meant),
        fix=Fix.write(span, meant, is_safe=True),
    )
    row = written[: found.start() + 1]
    return Told(diagnostic, place.stuck.line, line.start, Repair(line.end, row), sure=True)


_CITED = re.compile(r"\[\s*(?:house\b|[A-Z][A-Z0-9]*-[A-Z]?[0-9])[^\]\n]*\]")


def citation(place: Place) -> Told | None:
    """A citation in the wrong place, or a bracket taken for one."""
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
        message = tr("`{shown}` stands behind a space, which makes it a citation", shown=place.shown)
        told = replaced(
            place, Code.BAD_CITATION, message, place.text, "an index touches its name: `army[MI]`"
        )
        space = place.source.span(place.on_line[-1].end_pos or 0, place.stuck.at)
        fix = Fix(space, "", "take the space before the bracket away", is_safe=True)
        return replace(told, diagnostic=replace(told.diagnostic, fix=fix))
    diagnostic = Diagnostic(
        Code.BAD_CITATION,
        "a citation stands at the end of its line",
        place.span,
        hint="put it behind all else on the line, or behind the colon of a block; a line has only one, which "
        "may list several rules",
    )
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, ""), sure=True)
