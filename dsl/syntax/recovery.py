"""Reading on after a fault, so that one run tells an author of all faults, and of none that another caused.

A declaration is driven through the parser again and again, each time with one more fault repaired or one more
line left out. A line that is left out takes with it the lines under it, an `else` that belonged to it, and
the lines above it that it leaves with an empty block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.diagnostics import Diagnostics
from dsl.source import Source
from dsl.syntax import faults
from dsl.syntax.driver import Repair, Start, Stuck, drive
from dsl.syntax.lalr import Tree
from dsl.syntax.layout import Line
from dsl.syntax.words import FOLLOWERS, declarations, first_word

if TYPE_CHECKING:
    from dsl.syntax.lessons import Told

MAX_FAULTS = 20
MAX_FAULTS_IN_FILE = 100
MAX_DEPTH = 100


def read_declarations(source: Source, lines: Sequence[Line], diagnostics: Diagnostics) -> Iterator[Tree]:
    """The parse trees of the declarations that can be read; after very many faults the rest is not read."""
    lacks_block = False
    enough = len(diagnostics) + MAX_FAULTS_IN_FILE
    for group in groups(lines):
        if len(diagnostics) > enough:
            return
        if lacks_block and _first_word(source, group[0]) not in declarations():
            continue
        reading = _Reading(source, group, "declaration", diagnostics)
        tree = reading.tree()
        lacks_block = reading.lacks_block
        if tree is not None:
            yield tree


def read_cell(source: Source, line: Line, start: Start, diagnostics: Diagnostics) -> Tree | None:
    """The parse tree of a cell, if it can be read."""
    return _Reading(source, (line,), start, diagnostics).tree()


class _Reading:
    """One declaration or cell while it is read: the lines left, and what is read in place of faults."""

    def __init__(self, source: Source, lines: Sequence[Line], start: Start, diagnostics: Diagnostics) -> None:
        self._source = source
        self._start: Start = start
        self._diagnostics = diagnostics
        self._lines = list(lines)
        self._repairs: dict[int, Repair] = {}
        self._quiet = {line.start for line in lines if line.is_told}
        self.lacks_block = False

    def tree(self) -> Tree | None:
        while (broken := self._first_broken()) is not None:
            self._leave_out(broken)
        for _ in range(MAX_FAULTS):
            if not self._lines:
                return None
            outcome = drive(self._source, self._lines, self._start, self._repairs)
            if isinstance(outcome, Tree):
                return self._bounded(outcome)
            self._go_round(outcome)
        return None

    def _first_broken(self) -> int | None:
        return next((number for number, line in enumerate(self._lines) if line.is_broken), None)

    def _go_round(self, stuck: Stuck) -> None:
        """Tell a fault, unless its line has had one already, and see that the next drive does not meet it."""
        if self._lines[stuck.line].start in self._quiet:
            self._leave_out(stuck.line)
            return
        from dsl.syntax.lessons import explain  # a source without faults needs none of them
        from dsl.syntax.place import Place

        told = explain(Place(self._source, self._lines, stuck))
        self._diagnostics.add(told.diagnostic)
        line = self._lines[told.line]
        if not told.sure:
            self._quiet.add(line.start)
        if told.lacks_block:
            self._silence_siblings(told)
        if told.repair is not None and told.at not in self._repairs:
            self._repairs[told.at] = told.repair
        elif told.unindent:
            self._silence_block(told.line)
            self._move_out(told.line)
        else:
            self._leave_out(told.line)

    def _move_out(self, number: int) -> None:
        """Bring a block that nothing opens back to the column of the lines before it."""
        depth = self._lines[number].depth
        while number < len(self._lines) and self._lines[number].depth >= depth:
            line = self._lines[number]
            self._lines[number] = replace(line, depth=line.depth - 1)
            number += 1

    def _silence_block(self, number: int) -> None:
        """Lines that no line opens are read where they do not belong: what seems wrong with them need not be."""
        depth = self._lines[number].depth
        for line in self._lines[number:]:
            if line.depth < depth:
                break
            self._quiet.add(line.start)

    def _silence_siblings(self, told: Told) -> None:
        """What follows a head without a block may be the block itself, whose faults would be false ones."""
        self.lacks_block |= told.line == 0
        depth = self._lines[told.line].depth
        for line in self._lines[told.line + 1 :]:
            if line.depth < depth:
                break
            self._quiet.add(line.start)

    def _end_of_block(self, number: int) -> int:
        """Where the lines end that stand under a line, or with it."""
        depth = self._lines[number].depth
        end = number + 1
        while end < len(self._lines) and self._lines[end].depth > depth:
            end += 1
        return end

    def _leave_out(self, number: int) -> None:
        depth = self._lines[number].depth
        end = self._end_of_block(number)
        while end < len(self._lines) and self._follows(self._lines[end], depth):
            end = self._end_of_block(end)
        del self._lines[number:end]
        is_hollow = number == len(self._lines) or self._lines[number].depth < depth
        if number and is_hollow and self._lines[number - 1].depth < depth:
            self._leave_out(number - 1)

    def _follows(self, line: Line, depth: int) -> bool:
        return line.depth == depth and _first_word(self._source, line) in FOLLOWERS

    def _bounded(self, tree: Tree) -> Tree | None:
        """The tree, unless a value in it is nested beyond what later passes follow."""
        todo: list[tuple[Tree, int]] = [(tree, 0)]
        while todo:
            branch, depth = todo.pop()
            if depth > MAX_DEPTH:
                start, end = branch.start_pos, branch.end_pos
                self._diagnostics.add(faults.too_deep(self._source.span(start, end), MAX_DEPTH))
                return None
            inner = 0 if branch.data == "suite" else depth + 1
            todo += [(child, inner) for child in branch.children if isinstance(child, Tree)]
        return tree


def groups(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """The lines of each declaration: one at the top level with those under it."""
    start = 0
    for number, line in enumerate(lines):
        if line.depth == 0 and number > start:
            yield lines[start:number]
            start = number
    if lines:
        yield lines[start:]


def _first_word(source: Source, line: Line) -> str:
    return first_word(source.text[line.start : line.end])
