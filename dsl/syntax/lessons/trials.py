"""Where no lesson knows the mistake: the line is read again with one small change after another, and one that makes
it readable is told.

This is the local repair of Burke and Fisher: a word that is nearly a word of the language, a sign that was left out,
two neighbours that changed places, a value that is missing, a word too much, another word. What it costs is counted
against what one compilation may spend on looking for what was meant (`dsl.near`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from dsl import near
from dsl.catalogue import tr
from dsl.diagnostics import Fix
from dsl.records import record
from dsl.syntax import expected, words
from dsl.syntax.driver import read_on, wanted_after
from dsl.syntax.grammar import grammar
from dsl.syntax.lalr import END, Parser, Refused, Token
from dsl.syntax.lessons.forms import form
from dsl.syntax.place import Place

LONGEST_LINE = 300
MOST_BEFORE = 4000
"""Tokens of a declaration before its line, beyond which nothing is tried."""
COST = 150
"""What a token that is read costs, in pairs of characters compared: they take about as long."""
_MOST_TOLD = 3
_SHOWN = 60
_ANY = "NAME"
_NEXT = re.compile(r"[ \t]*(\w+|\"[^\"\n]*\"|\.\.|[<>]=|[^\w\s])")
_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]+")


@record(frozen=True, slots=True)
class _Change:
    """Another text in place of the source from `start` to `end`, behind the first `kept` tokens of the line."""

    kept: int
    start: int
    end: int
    text: str


class _Trials:
    """The line of a place, read with changes; what stands above it is read once."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.tokens = place.on_line
        self.line = place.lines[place.stuck.line]
        self._above = place.stuck.before[: len(place.stuck.before) - len(self.tokens)]
        self._start = grammar().begin(place.stuck.start)
        for token in self._above:
            self._start.feed(token)

    def wanted(self, kept: int) -> frozenset[str]:
        """What could follow the first tokens of the line."""
        return wanted_after(self.place.stuck.start, (*self._above, *self.tokens[:kept]))

    def token(self, number: int) -> tuple[str, int, int]:
        """The text and place of a token of the line; that of the one which cannot stand behind the last."""
        if number < len(self.tokens):
            token = self.tokens[number]
            return str(token), token.start_pos or 0, token.end_pos or 0
        return self.place.text, self.place.stuck.at, self.place.stuck.end

    def reads(self, change: _Change) -> bool:
        """Can the line be read to its end with a change, and the line below it then begin?"""
        cost = COST * (change.kept + 4)
        if not near.spend(cost):
            return False
        state = self._start.copy()
        try:
            for token in self.tokens[: change.kept]:
                state.feed(token)
            for token in read_on(self.place.source, self.line, state, change.text, change.end):
                state.feed(token)
                if not near.spend(COST):
                    return False
            return self._ends(state)
        except Refused:
            return False

    def _ends(self, state: Parser) -> bool:
        if self.place.stuck.start != "declaration":
            state.feed(Token(END, ""))
            return True
        state.feed(Token("_NL", ""))
        if self.place.has_block(self.place.stuck.line):
            state.feed(Token("_INDENT", ""))
            return True
        return state.accepted() != {"_INDENT"}

    def written(self, change: _Change) -> str:
        """What stands around a change once it is made; the whole line where that is short."""
        text, line = self.place.source.text, self.line
        before, behind = text[line.start : change.start], text[change.end : line.end]
        whole = f"{before}{change.text}{behind}"
        if len(whole) > _SHOWN:
            before = before[before.rfind(" ", 0, max(0, len(before) - _SHOWN // 3)) + 1 :]
            cut = behind.find(" ", _SHOWN // 3)
            behind = behind if cut < 0 else behind[:cut]
            whole = f"{before}{change.text}{behind}"
        return " ".join(whole.split())


def hint(place: Place) -> tuple[str, Fix | None]:
    """What to write instead, with an edit where there is one way; where no change helps, how such a line is written."""
    line = place.lines[place.stuck.line]
    if line.end - line.start > LONGEST_LINE or len(place.stuck.before) > MOST_BEFORE:
        return form(place), None
    trials = _Trials(place)
    attempts = [_misspelt, _left_out, _swapped, _value, _too_much, _another]
    if words.terminals_of(place.text):
        attempts = [_misspelt, _swapped, _left_out, _value, _too_much, _another]
    if place.on_line and place.on_line[-1].type == "NAME" and words.terminals_of(str(place.on_line[-1])):
        attempts.remove(_value)
        attempts.insert(1, _value)
    for attempt in attempts:
        if found := attempt(trials):
            return found
    return form(place), None


_Found = tuple[str, Fix | None]


def _told(trials: _Trials, changes: Sequence[_Change]) -> _Found | None:
    """The lines as they would be, where they can be read."""
    good = [each for each in changes if trials.reads(each)]
    shown = list(dict.fromkeys(trials.written(each) for each in good))[:_MOST_TOLD]
    if not shown:
        return None
    first = good[0]
    span = trials.place.source.span(first.start, first.end)
    fix = Fix(span, first.text, tr("write `{shown}`", shown=shown[0])) if len(shown) == 1 else None
    return tr("did you mean {either}?", either=_either(f"`{each}`" for each in shown)), fix


def _either(items: Iterator[str]) -> str:
    *most, last = items
    return f"{', '.join(most)} or {last}" if most else last


def _misspelt(trials: _Trials) -> _Found | None:
    """`firrst c in Cell`, `for p in order of plaay`: a name that is nearly a word which could stand there."""
    changes = []
    for number in _last(trials, 4):
        text, start, end = trials.token(number)
        if not text.isalpha():
            continue
        candidates = [each for each in words.spellings(trials.wanted(number)) if each[:1].isalpha()]
        plain = [each for each in candidates if each.isalpha()]
        changes += [_Change(number, start, end, meant) for meant in _nearest(text, plain)]
        for phrase in sorted({each for each in candidates if " " in each}):
            length = phrase.count(" ")
            written = re.compile(rf"\w+(?: +\w+){{{length}}}").match(trials.place.source.text, start)
            if written and written.end() <= trials.line.end and _nearest(written.group(), [phrase]):
                changes.append(_Change(number, start, written.end(), phrase))
    return _told(trials, changes)


def _nearest(text: str, candidates: Sequence[str]) -> list[str]:
    """The words that another may have been meant to be, the nearest first."""
    if len(text) < 2:
        return []
    slips = [each for each in sorted(candidates) if each != text and near.is_one_slip(text, each)]
    nearest = words.nearest_word(text, candidates)
    return [nearest, *(each for each in slips if each != nearest)] if nearest else slips


def _last(trials: _Trials, count: int) -> range:
    """The numbers of the last tokens, with the one that cannot stand behind them."""
    return range(len(trials.tokens), max(-1, len(trials.tokens) - count), -1)


def _left_out(trials: _Trials) -> _Found | None:
    """`for m in ms marks gains m`, `near(c p)`, `gold 1`: a word or sign is missing before what cannot stand."""
    if not trials.tokens or trials.place.terminal in {"_INDENT", "_DEDENT"}:
        return None
    count, at = len(trials.tokens), trials.place.stuck.at
    good = [
        each for each in _insertable(trials.place.wanted) if trials.reads(_Change(count, at, at, f"{each} "))
    ]
    last, start, end = trials.token(count - 1)
    if not good and not trials.place.text and trials.reads(_Change(count - 1, start, end, f"{last}:")):
        good = [":"]  # behind `p chooses` the colon shows which of two words it is
    if not good or (len(good) > _MOST_TOLD and not trials.place.text):
        return None
    behind = trials.place.shown
    where = (
        tr("between `{last}` and `{behind}`", last=last, behind=behind)
        if behind
        else tr("behind `{last}`", last=last)
    )
    here = trials.place.source.span(at, at)
    fix = Fix.write(here, f"{good[0]} ") if len(good) == 1 else None
    return tr(
        "write {either} {where}", either=_either(f"`{each}`" for each in good[:_MOST_TOLD]), where=where
    ), fix


_LIKELY = (":", "of", "by", "when", ",", "is", "in", "and", "or", "has", "=", "gains", "loses")
_NEVER = frozenset({'"-"', "2d6", "d6", "order of play", ".", "(", "[", "{", "at"})
"""What is not tried: brackets, which need another one, what is read nearly everywhere, and examples."""


@cache
def _insertable(wanted: frozenset[str]) -> tuple[str, ...]:
    """The words and signs to try, the likeliest first; none of those that only begin a value."""
    if wanted >= expected.OF_EVERY_VALUE:
        wanted = wanted - expected.beginnings_of_a_value()
    found = {each for each in words.spellings(wanted) if _WORD_OR_SIGN.match(each)} - _NEVER
    ranks = {each: rank for rank, each in enumerate(_LIKELY)}
    return tuple(sorted(found, key=lambda word: (ranks.get(word, len(ranks)), len(word), word)))


def _swapped(trials: _Trials) -> _Found | None:
    """`p.gains skipped 1`, `at: :`: two neighbours changed places."""
    text = trials.place.source.text
    changes = []
    for number in _last(trials, 3):
        if number and trials.token(number)[0]:
            one, start, one_end = trials.token(number - 1)
            two, two_start, end = trials.token(number)
            between = text[one_end:two_start]
            gap = between or (" " if one[-1:].isalnum() and two[:1].isalnum() else "")
            if one[-1:].isalnum() and text[end : end + 1].isalnum():
                continue  # it would become one word with the next
            changes.append(_Change(number - 1, start, end, f"{two}{gap}{one}"))
    behind = _NEXT.match(text, trials.place.stuck.end, trials.line.end)
    if behind and trials.place.text:
        swapped = f"{behind[1]} {trials.place.text}"
        changes.append(_Change(len(trials.tokens), trials.place.stuck.at, behind.end(), swapped))
    return _told(trials, changes)


def _value(trials: _Trials) -> _Found | None:
    """`every q in where C`, `b is`, `by "Play"`: a name or a value is missing."""
    for number in _last(trials, 2):
        if number == 0 or "NAME" not in trials.wanted(number):
            continue
        text, start, _ = trials.token(number)
        if trials.reads(_Change(number, start, start, f"{_ANY} ")):
            before = trials.token(number - 1)[0]
            what = tr("a value") if trials.wanted(number) >= {"NAME", "NUMBER"} else tr("a name")
            place = (
                tr("between `{before}` and `{text}`", before=before, text=text)
                if text
                else tr("behind `{before}`", before=before)
            )
            return tr("write {what} {place}", what=what, place=place), None
    return None


def _too_much(trials: _Trials) -> _Found | None:
    """`halve(bob) bob`: one thing too much."""
    changes = []
    for number in _last(trials, 2):
        text, start, end = trials.token(number)
        if text and (number or len(trials.tokens) > 1):
            source = trials.place.source.text
            blank = re.compile(r"[ \t]*").match(source, end)
            behind = blank.end() if blank else end
            parts = (
                source[start - 1 : start] not in {" ", "\t", "("}
                and re.match(r"[\w\"]", source[behind : behind + 1]) is not None
            )
            changes.append(_Change(number, start, end if parts else behind, ""))
    return _told(trials, changes)


def _another(trials: _Trials) -> _Found | None:
    """`c nothing reached(x)`, `pile hand of Deal objective each Player`: another word is meant."""
    for number in _last(trials, 2):
        text, start, end = trials.token(number)
        if not text or not _WORD_OR_SIGN.fullmatch(text):
            continue
        wanted = trials.wanted(number)
        good = [
            each
            for each in _insertable(wanted)
            if each != text and trials.reads(_Change(number, start, end, each))
        ]
        good.sort(key=lambda each: each == ",")
        if good:
            span = trials.place.source.span(start, end)
            fix = Fix.write(span, good[0]) if len(good) == 1 else None
            return tr(
                "write {either} in place of `{text}`",
                either=_either(f"`{each}`" for each in good[:_MOST_TOLD]),
                text=text,
            ), fix
        if "NAME" in wanted and trials.reads(_Change(number, start, end, _ANY)):
            return tr("write a name or a value in place of `{text}`", text=text), None
    return None
