"""Blank lines: one between declarations that have bodies and before chapters, elsewhere as the author has them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl.format.line import Written

_CHAPTER = re.compile(r"#\s*(-{3,}|={3,})")


def space_out(lines: Sequence[Written]) -> None:
    """Set which lines have a blank line before them; none has more than one."""
    before: Written | None = None
    for line in lines:
        if before is None or before.opens:
            line.gap = False
        elif line.is_comment and line.depth == 0 and _CHAPTER.match(line.comment):
            line.gap = True
        before = line
    _part_bodies(lines)


def _part_bodies(lines: Sequence[Written]) -> None:
    """A blank line between two neighbours that both take several lines, before the comments of the second."""
    last: dict[int, int] = {}
    for at, line in enumerate(lines):
        if not line.is_head:
            continue
        last = {depth: number for depth, number in last.items() if depth <= line.depth}
        previous = last.get(line.depth)
        last[line.depth] = at
        if previous is None or line.ends == at or lines[previous].ends == previous:
            continue
        between = lines[lines[previous].ends + 1 : at + 1]
        if not any(each.gap for each in between):
            next(each for each in between if each.depth <= line.depth).gap = True
