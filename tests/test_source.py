import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.source import Source, Span, join

THREE_LINES = Source("val.scn", "un\ndeux\n\ntrois")


@pytest.mark.parametrize(
    ("offset", "line", "column"),
    [(0, 1, 1), (2, 1, 3), (3, 2, 1), (7, 2, 5), (8, 3, 1), (9, 4, 1), (14, 4, 6)],
)
def test_places_count_from_one(offset: int, line: int, column: int) -> None:
    span = Span(THREE_LINES, offset, offset)
    assert (span.line, span.column) == (line, column)


def test_a_span_knows_its_text_and_its_end() -> None:
    span = Span(THREE_LINES, 3, 14)
    assert span.text == "deux\n\ntrois"
    assert (span.end_line, span.end_column) == (4, 6)
    assert str(span) == "val.scn:2:1"


def test_columns_count_code_points() -> None:
    assert Span(Source("é.scn", "été 🎲 x"), 6, 7).column == 7


def test_spans_are_equal_by_place_and_text() -> None:
    same = Source("val.scn", THREE_LINES.text)
    assert Span(same, 0, 2) == Span(THREE_LINES, 0, 2)
    assert Span(Source("other.scn", same.text), 0, 2) != Span(same, 0, 2)


def test_join_takes_either_order() -> None:
    first, last = Span(THREE_LINES, 0, 2), Span(THREE_LINES, 9, 14)
    assert join(first, last) == join(last, first) == Span(THREE_LINES, 0, 14)


def test_join_needs_one_source() -> None:
    with pytest.raises(ValueError, match="cannot join"):
        join(Span(THREE_LINES, 0, 2), Span(Source("other.scn", "un"), 0, 2))


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (2, 1), (0, 15)])
def test_a_span_lies_within_its_source(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="no such span"):
        Span(THREE_LINES, start, end)


@given(st.text(alphabet="ab\né"))
def test_lines_are_those_of_the_text(text: str) -> None:
    source = Source("any.scn", text)
    lines = [source.line_text(number) for number in range(1, len(source.line_starts) + 1)]
    assert lines == text.split("\n")
    assert source.end.line == len(lines)
    assert source.end.column == len(lines[-1]) + 1
