"""What is said about a text that does not follow the grammar."""

from dsl.diagnostics import Code, Diagnostic
from dsl.source import Span


def open_string(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "open_string", span)


def open_drawing(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "open_drawing", span)


def too_many_brackets(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "too_many_brackets", span)


def nothing_to_close(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "nothing_to_close", span)


def wrong_bracket(span: Span, opening: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "wrong_bracket", span)


def open_bracket(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "open_bracket", span)


def tab(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "tab", span)


def too_many_blocks(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "too_many_blocks", span)


def indented_start(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "indented_start", span)


def between_blocks(span: Span, outer: int, inner: int) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "between_blocks", span)


def reserved_name(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "reserved_name", span)


def huge_number(span: Span, digits: int) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "huge_number", span)


def pins_are_ids(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "pins_are_ids", span)


def bad_citation(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "bad_citation", span)


def rank_on_head(span: Span) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "rank_on_head", span)


def ragged_row(span: Span, cells: int, first: Span, wanted: int) -> Diagnostic:
    return Diagnostic(Code.UNEXPECTED_TOKEN, "ragged_row", span)
