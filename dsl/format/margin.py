"""What stands at the end of lines: citations in the margin of their file, comments in columns of their own.

A file has one margin, the first of three in which all its citations find room. Where one of some lines that
follow each other is too long for it, their citations stand together further to the right; a line that is longer
still has its citation right behind it, and moves no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dsl.format.line import Written
from dsl.source import display_width

MARGINS = (52, 68, 84)
WIDEST = 110
"""The width of a line beyond which it moves nothing beside it."""
APART = 2


def finished(lines: Sequence[Written]) -> list[str]:
    """The text of each line, with what stands at its end."""
    ends = _with_citations(lines)
    columns = _columns(lines, ends)
    return [_finished(line, text, column) for line, text, column in zip(lines, ends, columns, strict=True)]


def _with_citations(lines: Sequence[Written]) -> list[str]:
    """The lines without their comments."""
    columns: dict[int, int] = {}
    widths = [line.width for line in lines if line.citation and line.width < MARGINS[-1]]
    margin = next((each for each in MARGINS if max(widths, default=0) < each), MARGINS[-1])
    for run in _runs(lines, lambda line: "cited" if line.citation else ""):
        longest = max((lines[at].width for at in run if lines[at].width <= WIDEST), default=0)
        column = margin if longest < margin else longest + APART
        columns |= {at: max(column, lines[at].width + APART if lines[at].width > WIDEST else 0) for at in run}
    return [_cited(line, columns.get(at, 0)) for at, line in enumerate(lines)]


def _cited(line: Written, column: int) -> str:
    text = line.text if line.is_drawing and not line.text else f"{line.indentation}{line.text}"
    return f"{text}{' ' * (column - line.width)}{line.citation}" if line.citation else text


def _columns(lines: Sequence[Written], texts: Sequence[str]) -> list[int]:
    """The columns of the comments that stand behind something."""
    columns = [0] * len(lines)
    widths = [_width(line, text) for line, text in zip(lines, texts, strict=True)]
    for run in _runs(lines, _kind_of_comment):
        fitting = [widths[at] for at in run if widths[at] <= WIDEST]
        for at in run:
            columns[at] = max(max(fitting, default=0), widths[at]) + APART
    return columns


def _width(line: Written, text: str) -> int:
    return line.width if line.is_drawing else display_width(text)


def _kind_of_comment(line: Written) -> str:
    """Comments share a column with others of their kind only."""
    if not line.comment or line.is_comment:
        return ""
    return "behind a citation" if line.citation else "behind a line"


def _runs(lines: Sequence[Written], kind: Callable[[Written], str]) -> Iterator[list[int]]:
    """The numbers of the lines of some kind that follow each other without a blank line."""
    run: list[int] = []
    for at, line in enumerate(lines):
        if run and (line.gap or kind(line) != kind(lines[run[-1]])):
            yield run
            run = []
        if kind(line):
            run.append(at)
    if run:
        yield run


def _finished(line: Written, text: str, column: int) -> str:
    if line.is_comment:
        return f"{line.indentation}{line.comment}"
    if not line.comment:
        return text
    return f"{text}{' ' * (column - _width(line, text))}{line.comment}"
