"""Diagnostics as plain JSON values beside the sources that they are about, and back again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl.diagnostics.codes import Code
from dsl.diagnostics.model import Citation, Diagnostic, Diagnostics, Fix, Label
from dsl.source import Source, Span


def stored(diagnostics: Diagnostics, sources: Sequence[Source]) -> list[Any] | None:
    """The diagnostics, with places as numbers; none where one is about something else than these sources."""
    numbers = {source.name: number for number, source in enumerate(sources)}

    def place(span: Span | None) -> list[int] | None:
        return None if span is None else [numbers[span.source.name], span.start, span.end]

    try:
        return [
            {
                "code": each.code.id,
                "message": each.message,
                "place": place(each.span),
                "label": each.label,
                "labels": [[place(label.span), label.text] for label in each.labels],
                "hint": each.hint,
                "notes": list(each.notes),
                "fix": _fix(each.fix, place),
                "citations": [[cited.rule, cited.title] for cited in each.citations],
            }
            for each in diagnostics
        ]
    except KeyError:
        return None


def _fix(fix: Fix | None, place: Callable[[Span], object]) -> list[Any] | None:
    return None if fix is None else [place(fix.span), fix.replacement, fix.text, fix.is_safe]


def _fix_again(value: Sequence[Any] | None, span: Callable[[Sequence[int]], Span]) -> Fix | None:
    if value is None:
        return None
    place, replacement, text, is_safe = value
    return Fix(span(place), str(replacement), str(text), is_safe is True)


def read_back(values: Sequence[Any], sources: Sequence[Source]) -> Diagnostics:
    """The same diagnostics; raises ValueError, KeyError, TypeError or IndexError where there are none."""

    def span(place: Sequence[int]) -> Span:
        number, start, end = place
        return sources[number].span(start, end)

    def maybe(place: Sequence[int] | None) -> Span | None:
        return None if place is None else span(place)

    return Diagnostics(
        Diagnostic(
            Code(each["code"]),
            str(each["message"]),
            maybe(each["place"]),
            label=str(each["label"]),
            labels=tuple(Label(span(place), str(text)) for place, text in each["labels"]),
            hint=str(each["hint"]),
            notes=tuple(map(str, each["notes"])),
            fix=_fix_again(each["fix"], span),
            citations=tuple(Citation(rule, title) for rule, title in each["citations"]),
        )
        for each in values
    )
