"""Drawings of maps: lines of signs with a space between, each a cell, and what the legend explains of them."""

from __future__ import annotations

import unicodedata

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbols import Domain
from dsl.source import Span
from dsl.syntax import ast

HOLE = "_"
MAX_CELLS = 2_500
_JOINER, _VARIANT = "\u200d", "\ufe0f"

Signs = list[list[str]]
"""For each line the sign of each cell; a hole has none."""


def plain(sign: str) -> str:
    """A sign in its one spelling, however its accents are typed."""
    return unicodedata.normalize("NFC", sign)


def characters(sign: str) -> int:
    """How many characters a reader sees."""
    count, joined = 0, False
    for each in plain(sign):
        beside = (
            each in {_JOINER, _VARIANT} or unicodedata.combining(each) or "\U0001f3fb" <= each <= "\U0001f3ff"
        )
        count += not (beside or joined)
        joined = each == _JOINER
    return count


def line_spans(drawing: ast.Text) -> list[tuple[Span, str]]:
    """The lines of a drawing that hold signs, each with its place."""
    found, at = [], drawing.span.start
    for line in drawing.text.splitlines(keepends=True):
        text = line.rstrip()
        if text.strip():
            begin = at + len(text) - len(text.lstrip())
            found.append((drawing.span.source.span(begin, at + len(text)), text))
        at += len(line)
    return found


def drawn_signs(reporter: Reporter, decl: ast.Map, numbers: list[int], *, pointy: bool) -> Signs:
    """The signs of a map's drawing, or of a map that is only so many columns and rows."""
    if decl.drawing is None:
        check_undrawn(reporter, decl)
        return _blank(reporter, decl, numbers)
    lines = line_spans(decl.drawing)
    known = {plain(line.sign.text) for line in decl.legend}
    rows = [[plain(sign) for sign in text.split()] for _, text in lines]
    if _check_signs(reporter, lines, known):
        _check_lengths(reporter, lines, rows)
    if pointy:
        check_shift(reporter, decl.drawing)
    if len(numbers) == 2 and rows and (max(map(len, rows)), len(rows)) != tuple(numbers):
        message = tr(
            "the drawing has {map} columns and {count} rows", map=max(map(len, rows)), count=len(rows)
        )
        hint = "draw as many, or leave the numbers out: `squares`"
        reporter.error(Code.RAGGED_MAP, decl.shape.span, message, hint=hint)
    width = max((len(row) for row in rows), default=0)
    return [[("" if sign == HOLE else sign) for sign in row] + [""] * (width - len(row)) for row in rows]


def check_undrawn(reporter: Reporter, decl: ast.Map) -> None:
    """A legend without a drawing says something of no cell."""
    if decl.legend:
        message = "this legend explains signs, and the map has no drawing"
        hint = 'draw the map below the legend, between `"""` and `"""`'
        reporter.error(Code.RAGGED_MAP, legend_span(decl), message, hint=hint)


def legend_span(decl: ast.Map) -> Span:
    """Where a map speaks of its legend first."""
    return decl.like[0].span if decl.like else decl.legend[0].span


def _blank(reporter: Reporter, decl: ast.Map, numbers: list[int]) -> Signs:
    width, height = [*numbers, 0, 0][:2]
    if width * height > MAX_CELLS:
        reporter.is_boardless = True
        message = tr(
            "a map of {width} cells, more than {max_cells}",
            width=f"{width * height:,}",
            max_cells=f"{MAX_CELLS:,}",
        )
        reporter.error(Code.LIMIT, decl.shape.span, message, hint="a smaller one has fewer columns or rows")
        return [["."]]
    if not (width and height):
        reporter.is_boardless = True
        if reporter.is_spoilt(decl.shape.span):
            return [["."]]
        message, hint = "a map without a drawing needs its width and height", "write `squares(8, 8)`"
        reporter.error(Code.RAGGED_MAP, decl.shape.span, message, hint=hint)
        return [["."]]
    return [["."] * width for _ in range(height)]


def _check_signs(reporter: Reporter, lines: list[tuple[Span, str]], known: set[str]) -> bool:
    """Signs that stick together are told once, where the first of them stand."""
    for span, text in lines:
        for word in text.split():
            if characters(word) > 1 and plain(word) not in known:
                reporter.is_boardless = True
                at = span.start + text.strip().index(word)
                spaced = " ".join(word[:12])
                reporter.error(
                    Code.UNKNOWN_SIGN,
                    span.source.span(at, at + len(word)),
                    tr("`{word}` is no sign: a sign is one character", word=word),
                    hint=tr("put a space between the cells: `{spaced}`", spaced=spaced),
                )
                return False
    return True


def _check_lengths(reporter: Reporter, lines: list[tuple[Span, str]], rows: Signs) -> None:
    wrong = next((index for index, row in enumerate(rows) if len(row) != len(rows[0])), None)
    if wrong is not None:
        reporter.is_boardless = True
        message = tr(
            "line {wrong} of the map has {count} signs, the first has {count2}",
            wrong=wrong + 1,
            count=len(rows[wrong]),
            count2=len(rows[0]),
        )
        hint = "each sign is one cell, with a space between; `_` leaves a hole"
        labels = (Label(lines[0][0], tr("{count} signs", count=len(rows[0]))),)
        reporter.error(Code.RAGGED_MAP, lines[wrong][0], message, hint=hint, labels=labels)


def check_shift(reporter: Reporter, drawing: ast.Text) -> bool:
    """On hexes with a corner on top every second line is drawn half a cell to the right."""
    lines = line_spans(drawing)
    indents = [len(text.expandtabs()) - len(text.expandtabs().lstrip()) for _, text in lines]
    for index in range(1, len(lines)):
        odd, even = (index, index - 1) if index % 2 else (index - 1, index)
        if indents[odd] <= indents[even]:
            message = tr("line {odd} of the map does not stand half a cell to the right", odd=odd + 1)
            hint = "indent the second, fourth and so on by one space more than the others"
            reporter.error(Code.RAGGED_MAP, lines[odd][0], message, hint=hint)
            return False
    return True


def check_legend(reporter: Reporter, decl: ast.Map, domain: Domain) -> None:
    """A legend explains each sign of the drawing, and each of them once."""
    known: dict[str, Span] = {}
    for line in decl.legend:
        sign = plain(line.sign.text)
        if characters(sign) != 1 or sign in {" ", HOLE}:
            free = (
                tr("a space and `_` mean something else")
                if characters(sign) == 1
                else tr("such as `~`, `T` or `水`")
            )
            reporter.error(Code.UNKNOWN_SIGN, line.sign.span, "a map sign is one character", hint=free)
        elif sign in known:
            labels = (Label(known[sign], "explained here before"),)
            hint = "put what it says into one line, with commas between: `forest, crystals = 3`"
            message = tr('"{sign}" is explained twice', sign=sign)
            reporter.error(Code.DUPLICATE_NAME, line.sign.span, message, labels=labels, hint=hint)
        known.setdefault(sign, line.sign.span)
    missing = sorted({sign for sign in domain.looks if sign not in known and characters(sign) == 1} - {"."})
    if missing and decl.drawing is not None and not any(each.text in reporter.lost for each in decl.like):
        shown = ", ".join(f'"{sign}"' for sign in missing)
        hint = tr('add a line such as `"{missing}" = ...` to the legend', missing=missing[0])
        if decl.like:
            hint = tr(
                'add a line such as `"{missing}" = ...` to the legend `{shared}`, or here under '
                "`legend like {shared}:`",
                missing=missing[0],
                shared=decl.like[-1].text,
            )
        span = _first(decl.drawing, missing[0])
        reporter.error(
            Code.UNKNOWN_SIGN, span, tr("the legend does not explain {shown}", shown=shown), hint=hint
        )


def _first(drawing: ast.Text, sign: str) -> Span:
    """Where a sign stands first."""
    for span, text in line_spans(drawing):
        at = 0
        for word in text.strip().split():
            at = text.strip().index(word, at)
            if plain(word) == sign:
                return span.source.span(span.start + at, span.start + at + len(word))
            at += len(word)
    return drawing.span
