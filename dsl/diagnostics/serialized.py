"""Diagnostics as plain JSON values beside the sources that they are about, and back again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl.catalogue import Message
from dsl.diagnostics.codes import Code
from dsl.diagnostics.model import Citation, Diagnostic, Diagnostics, Fix, Label, Subject
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
                "message": _text(each.message),
                "place": place(each.span),
                "label": _text(each.label),
                "labels": [[place(label.span), _text(label.text)] for label in each.labels],
                "hint": _text(each.hint),
                "notes": [_text(note) for note in each.notes],
                "fix": _fix(each.fix, place),
                "subject": [each.subject.kind, each.subject.name, each.subject.of] if each.subject else None,
                "cause": place(each.cause),
                "citations": [[cited.rule, cited.title] for cited in each.citations],
            }
            for each in diagnostics
        ]
    except KeyError:
        return None


def _text(text: str) -> Any:
    """A text as it is; a message as its template and what fills it."""
    if not isinstance(text, Message):
        return text
    return [
        text.template,
        {name: _text(each) if isinstance(each, str) else each for name, each in text.values.items()},
    ]


def _text_again(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    template, values = value
    filled = {name: each if isinstance(each, int) else _text_again(each) for name, each in values.items()}
    return Message(str(template), filled)


def _fix(fix: Fix | None, place: Callable[[Span], object]) -> list[Any] | None:
    return None if fix is None else [place(fix.span), fix.replacement, _text(fix.text), fix.is_safe]


def _fix_again(value: Sequence[Any] | None, span: Callable[[Sequence[int]], Span]) -> Fix | None:
    if value is None:
        return None
    place, replacement, text, is_safe = value
    return Fix(span(place), str(replacement), _text_again(text), is_safe is True)


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
            _text_again(each["message"]),
            maybe(each["place"]),
            label=_text_again(each["label"]),
            labels=tuple(Label(span(place), _text_again(text)) for place, text in each["labels"]),
            hint=_text_again(each["hint"]),
            notes=tuple(map(_text_again, each["notes"])),
            fix=_fix_again(each["fix"], span),
            subject=Subject(*each["subject"]) if each["subject"] else None,
            cause=maybe(each["cause"]),
            citations=tuple(Citation(rule, title) for rule, title in each["citations"]),
        )
        for each in values
    )
