"""Lessons about the line above: a head with the word of another declaration, and a head that is gone."""

import re
from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Label, Meant
from dsl.syntax.driver import Repair, drive
from dsl.syntax.grammar import WORD
from dsl.syntax.lalr import Tree
from dsl.syntax.lessons.told import Told, left_out, replaced
from dsl.syntax.place import Place
from dsl.syntax.words import HEADER_FIELDS, declarations, first_word

_BLOCKS = ("action", "piece", "state", "table", "value", "menu", "test", "round", "shape", "extend")
"""Declarations with a block that one may mean by another's word, the likeliest first."""
_ASIDE = {
    "phase": {"action", "menu"},
    "action": {"menu"},
    "round": {"menu"},
    "test": {"round"},
    "setup": {"round"},
}
"""What reads as the same, or lacks one line: another fault, which is told by its own name."""
_EXTENDS = re.compile(
    r"extend\s+(?P<kind>type|table|piece|pile|area|row|rows|state\s+of|mode|map|value|action)\s+(?P<name>[^\W\d]\w*)"
)
_MEMBERS = re.compile(
    r"\s*:[ \t]*(?P<all>(?P<first>[^\W\d])\w*(?:[ \t]*\|[ \t]*[^\W\d]\w*)*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:#[^\n]*)?$",
    re.MULTILINE,
)
_ROUNDED = re.compile(
    r"(?P<head>value\s[^=\n]*?)(?P<said>[ \t]*,?[ \t]*)(?P<how>rounded[ \t]+(?:up|down|to[ \t]+zero))[ \t]*="
    r"(?P<body>[^#\[\n]+)"
)
_WORDED = re.compile(
    r'(?P<head>value\s[^=\n"]*?)[ \t]*(?P<said>,[ \t]*called[ \t]+(?:(?:\w+[ \t]+)?"[^"\n]*"[ \t]*)+)='
    r"(?P<body>[^#\[\n]+)"
)
_LAST_OTHERWISE = re.compile(
    r"(?P<head>(?:victory|defeat|draw)\b[^\n]*?)[ \t]+when[ \t]+(?P<asked>[^#\[\n]+?)[ \t]+(?P<word>otherwise)\b"
)
_OPENS_MENU_LINE = re.compile(r"for\b|when\b|\"|(?:fr|en)\s+\"")


def other_head(place: Place) -> Told | None:
    """`mode play(c: Card):` over statements, `phase Unit of Model, up to 2 each:` over fields."""
    head = place.lines[0]
    text = place.source.text[head.start : head.end]
    word = first_word(text)
    if head.depth or word not in declarations() or place.stuck.start != "declaration":
        return None
    if len(place.lines) == 1 or not (place.stuck.line == 0 or _fails_again(place)):
        return None
    repairs = {each: Repair(head.start + len(word), each) for each in _meant(place, word)}
    meant = next((each for each in repairs if _reads(place, head.start, repairs[each])), None)
    if meant is None:
        return None
    span = place.source.span(head.start, head.start + len(word))
    at = place.source.span(place.stuck.at, place.stuck.end)
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("this is no `{word}`: what follows is that of {one}", word=word, one=_one(meant)),
        span,
        labels=(Label(at, tr("has no place in {one}", one=_one(word))),) if place.text else (),
        hint=Meant(word, meant, is_clear=False),
    ).with_fix()
    return Told(diagnostic, 0, head.start, repairs[meant])


_NAME = (
    "action area game map menu mod mode option phase piece pile ruling scenario shape table type value window"
)
_NAMED = dict.fromkeys(_NAME.split(), "NAME") | {"test": '"what is so"', "language": "de"}
"""What stands behind the first word of declarations that cannot do without it."""
_LINKS = frozenset({"of", "by", "on", "for"})


def nameless(place: Place) -> Told | None:
    """`type = A | B`, `value -> 0..9 = 3`, `piece of Kind:`, `test:`: the name is missing."""
    head = place.lines[0]
    word = str(place.on_line[0]) if place.on_line else ""
    behind = [str(each) for each in place.on_line[1:]]
    if word not in _NAMED or place.stuck.line or place.stuck.start != "declaration":
        return None
    if behind:  # the word behind it has been read as the name
        if len(behind) > 1 or behind[0] not in _LINKS or not place.is_word or behind[0] == place.text:
            return None
    elif place.terminal == "STRING" and WORD.fullmatch(place.text[1:-1]):
        meant = place.text[1:-1]
        return replaced(place, Code.UNEXPECTED_TOKEN, tr("a name stands without quotes"), meant)
    elif place.text not in {"=", ":", "(", "-"}:
        return None
    first = place.source.span(place.on_line[0].start_pos or 0, place.on_line[0].end_pos or 0)
    rest = place.source.text[first.end : head.end].strip()
    gap = "" if rest[:1] in {":", "("} else " "
    meant = f"{word} {_NAMED[word]}{gap}{rest}"
    if word == "language":
        said = tr("this `language` does not say which one")
        hint = tr("write the code of the language, as in `{meant}`", meant=meant)
    elif word == "test":
        said = tr("this test does not say what it is about")
        hint = tr("write `{meant}`", meant=meant)
    else:
        said = tr("this `{word}` has no name", word=word)
        hint = tr("write `{meant}`, with a name of your own", meant=meant)
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, said, first, hint=hint))


def members_with_commas(place: Place) -> Told | None:
    """`type Ground = plain, water`: a stroke stands between the members."""
    tokens = place.on_line
    if len(tokens) < 4 or tokens[0] != "type" or place.text != "," or "=" not in tokens:
        return None
    found = re.compile(r"[^\W\d]\w*(?:\s*[,|]\s*[^\W\d]\w*)+").match(
        place.source.text, tokens[3].start_pos or 0, place.lines[place.stuck.line].end
    )
    if found is None:
        return None
    span, meant = place.source.span(found.start(), found.end()), " | ".join(re.findall(r"\w+", found.group()))
    diagnostic = Diagnostic(
        Code.FOREIGN_SIGN,
        "a `|` stands between the members of a type",
        span,
        hint=tr("write `{meant}`", meant=meant),
        fix=Fix.write(span, meant, is_safe=True),
    )
    return Told(diagnostic, place.stuck.line, found.start(), Repair(found.end(), meant), sure=True)


def change_of_several(place: Place) -> Told | None:
    """`change rider, guard: cost = 3`."""
    tokens = [str(each) for each in place.on_line]
    if len(tokens) != 2 or tokens[0] != "change" or place.text != ",":
        return None
    rest = place.source.text[place.stuck.end : place.lines[place.stuck.line].end]
    found = re.match(r"((?:\s*\w+\s*,)*\s*\w+)\s*:\s*(.+)", rest)
    value = found[2].split("#")[0].strip() if found else "COLUMN = VALUE"
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "`change` names one row",
        place.source.span(place.on_line[0].start_pos or 0, place.stuck.end),
        hint=tr("write a line for each: `change {row}: {value}`", row=tokens[1], value=value),
    )
    return left_out(place, diagnostic)


_PART = re.compile(r"(?P<verb>remove|change)[ \t]+(?P<of>[^\W\d]\w*)\.(?P<part>[^\W\d]\w*)")


def part_of_a_declaration(place: Place) -> Told | None:
    """`remove Player.gold`, `change Figure.aim: 0..2`: a field, or a column, is no thing of its own."""
    head = place.lines[0]
    found = _PART.match(place.source.text, head.start, head.end)
    if found is None or place.stuck.line:
        return None
    behind = place.source.text[found.end() : place.stuck.at]
    if place.stuck.at > found.end() and (found["verb"] == "remove" or behind.strip() != ":"):
        return None
    of, part = found["of"], found["part"]
    if found["verb"] == "remove":
        message = "`remove` takes away whole declarations and rows"
        hint = tr(
            "a field or column stays: say the declaration of `{of}` again without it, behind `replace`", of=of
        )
    else:
        message = "`change` is about the cells of one row of a table"
        hint = tr(
            "write `change ROW: {part} = VALUE` for a column; what a field may be is said by its declaration, "
            "again, behind `replace`",
            part=part,
        )
    span = place.source.span(found.start("of"), found.end())
    return left_out(place, Diagnostic(Code.UNEXPECTED_TOKEN, message, span, hint=hint))


def rounding_before_the_value(place: Place) -> Told | None:
    """`value half -> 0..9 rounded up = most`: how a value is rounded stands behind it."""
    head = place.lines[0]
    text = place.source.text
    found = _ROUNDED.match(text, head.start, head.end)
    if found is None or place.stuck.line:
        return None
    if not found.start("said") <= place.stuck.at <= text.index("=", found.end("how")):
        return None
    span = place.source.span(found.start("said"), found.end("how"))
    meant = f"{found['head']} = {found['body'].strip()}, {found['how']}"
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "how a value is rounded stands behind what it is",
        span,
        hint=tr("write `{meant}`", meant=meant),
    )
    return left_out(place, diagnostic)


def words_before_the_value(place: Place) -> Told | None:
    """`value power -> 0..9, called "Power" = most`: what players call a value stands behind it."""
    head = place.lines[0]
    found = _WORDED.match(place.source.text, head.start, head.end)
    if found is None or place.stuck.line or place.stuck.at != found.end("said"):
        return None
    said = found["said"].rstrip()
    span = place.source.span(found.start("said"), found.start("said") + len(said))
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "what players call a value stands behind what it is",
        span,
        hint=tr("write `{meant}`", meant=f"{found['head']} = {found['body'].strip()}{said}"),
    )
    return left_out(place, diagnostic)


def otherwise_last(place: Place) -> Told | None:
    """`victory p "alone" when p.n is 1 otherwise`."""
    head = place.lines[0]
    found = _LAST_OTHERWISE.match(place.source.text, head.start, head.end)
    if found is None or place.stuck.line or place.stuck.at != found.start("word"):
        return None
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "`otherwise` stands before the condition of an ending",
        place.span,
        hint=tr("write `{meant}`", meant=f"{found['head']} otherwise when {found['asked']}"),
    )
    return left_out(place, diagnostic)


def change_without_column(place: Place) -> Told | None:
    """`change gold = 3`, `change rider: 3`: the row, or what is changed of it, is not said."""
    tokens = [str(each) for each in place.on_line]
    is_value = tokens[2:] == [":"] and place.terminal in {"NUMBER", "STRING"}
    if tokens[:1] != ["change"] or not (is_value or (len(tokens) == 2 and place.text == "=")):
        return None
    value = place.source.text[place.stuck.at : place.lines[place.stuck.line].end].strip("= ")
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "`change` names a row of a table, and behind a colon what is printed otherwise in which column",
        place.source.span(place.on_line[0].start_pos or 0, place.stuck.end),
        hint=tr(
            "write `change ROW: COLUMN = {value}`; with what a field begins is said under `setup:`",
            value=value,
        ),
    )
    return left_out(place, diagnostic)


def extended_kind(place: Place) -> Told | None:
    """`extend type Cause:`, `extend state of Player:`: what is extended is named without its kind."""
    head = place.lines[0]
    found = _EXTENDS.match(place.source.text, head.start, head.end)
    if found is None or place.stuck.line:
        return None
    last = found.end("name") + 1 if found["kind"] == "type" else found.start("name")
    if not found.start("kind") < place.stuck.at <= last:
        return None
    kind, name = " ".join(found["kind"].split()), found["name"]
    span = place.source.span(found.start("kind"), found.end("name"))
    hint = tr("write `extend {name}:`", name=name)
    if kind == "type":
        hint = tr(
            "more members are added by `extend type {name} = ...`, fields for each of them by `extend {name}:`",
            name=name,
        )
    elif kind in {"area", "mode", "map", "value", "action"}:
        hint = "what can be extended is a table, a piece, a type, `state` or a menu"
        hint += f"; write `replace {kind} {name} ...`"
    if kind == "type" and (members := _MEMBERS.match(place.source.text, span.end, head.end)):
        colon = place.source.span(span.end, members.start("first"))
        diagnostic = Diagnostic(
            Code.UNEXPECTED_TOKEN,
            tr("members are added to a type behind `=`"),
            colon,
            hint=tr("write `extend type {name} = {members}`", name=name, members=members["all"].strip()),
            fix=Fix.write(colon, " = ", is_safe=True),
        )
        return left_out(place, diagnostic)
    is_plain = kind in {"type", "table", "piece", "row", "rows", "state of"}
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("`extend` is followed by the name alone, `{name}`, without `{kind}`", name=name, kind=kind),
        span,
        hint=hint,
        fix=Fix.write(span, name) if is_plain else None,
    )
    return left_out(place, diagnostic)


_ADDS_COLUMN = re.compile(r"extend\s+(?P<table>\w+)\s+(?:with\s+)?(?:column\s+)?(?P<name>[^\W\d]\w*)\s*:")


def added_column(place: Place) -> Told | None:
    """`extend Troop with armour: 0..9`, `extend Troop column armour: 0..9`: a word is missing."""
    head = place.lines[0]
    found = _ADDS_COLUMN.match(place.source.text, head.start, head.end)
    if found is None or place.stuck.line or not found.end("table") < place.stuck.at <= found.start("name"):
        return None
    span = place.source.span(found.start("table"), found.end("name"))
    meant = f"{found['table']} with column {found['name']}"
    diagnostic = Diagnostic(
        Code.UNEXPECTED_TOKEN,
        "a column is added with the words `with column`",
        span,
        hint=tr(
            "write `extend {meant}: 0..9 = 0`, with its type and what the rows print that there are",
            meant=meant,
        ),
        fix=Fix.write(span, meant),
    )
    return left_out(place, diagnostic)


def _one(word: str) -> str:
    return f"{'an' if word[0] in 'aeio' else 'a'} `{word}`"


def _meant(place: Place, word: str) -> list[str]:
    """The words to try in place of another; that of the game only over lines of a header."""
    below = place.lines[1]
    is_header = first_word(place.source.text[below.start : below.end]) in HEADER_FIELDS
    likely = ("game", *_BLOCKS) if is_header else _BLOCKS
    return [each for each in likely if each != word and each not in _ASIDE.get(word, ())]


def _fails_again(place: Place) -> bool:
    """Is the fault one of several, or one of a block that is no other's, so that not one line alone is wrong?"""
    number = place.stuck.line
    end = number + 1
    if first_word(place.source.text[place.lines[0].start : place.lines[0].end]) == "mode":
        return True  # nearly any words can be a line of a header
    while end < len(place.lines) and place.lines[end].depth > place.lines[number].depth:
        end += 1
    rest = [*place.lines[:number], *place.lines[end:]]
    if len(rest) == 1:
        return end > number + 1
    return not isinstance(drive(place.source, rest, "declaration", {}), Tree)


def _reads(place: Place, at: int, repair: Repair) -> bool:
    return isinstance(drive(place.source, place.lines, "declaration", {at: repair}), Tree)


def lost_menu(place: Place) -> Told | None:
    """`play(c) for c in hand(p)`, `stop "done"` among statements: nobody is asked above them."""
    types = [token.type for token in place.on_line]
    is_call = types[:1] == ["NAME"] and (len(types) == 1 or types[-1] == "RPAR")
    opens = _OPENS_MENU_LINE.match(place.source.text, place.stuck.at)
    if opens is None or not (is_call or types in (["STOP"], ["PASS"])) or place.has_block(place.stuck.line):
        return None
    if "LET" not in place.wanted_at_start or (len(types) == 1 and is_call and opens.group() == "for"):
        return None
    line = place.lines[place.stuck.line]
    diagnostic = Diagnostic(
        Code.MISPLACED_LINE,
        "this is a line of a menu, and no menu begins above it",
        place.source.span(line.start, line.end),
        hint="write who is asked above it, such as `p may:` or `p chooses:`, or the head of the menu, `menu NAME:`, "
        "with the lines of the menu under it; a statement goes over things with `for x in ...:` before it",
    )
    return replace(left_out(place, diagnostic), lacks_block=True)
