"""Tic-tac-toe and connect four: two players take turns to fill a grid, and a row of theirs ends the game."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine.machine import Machine
from dsl.ir.program import STATUS
from dsl.ir.types import NONE
from tests.figures.stops import Reader, Stop

FREE = NONE


class Grid:
    """The marks on a grid of squares, and whose turn it was."""

    def __init__(self, machine: Machine) -> None:
        self.reader = Reader(machine.program)
        board = machine.program.boards[0]
        self.falls = machine.program.name == "connect_four"
        self.long = 4 if self.falls else 3
        self.places = {place: cell for cell, place in enumerate(zip(board.x, board.y, strict=True))}
        self.before: tuple[int, ...] = ()

    def at(self, stop: Stop) -> Iterator[str]:
        marks = self.reader.numbers(stop.state, self.field())
        first, second = marks.count(0), marks.count(1)
        if first - second not in {0, 1}:
            yield f"{first} marks of one player, {second} of the other"
        changed = [cell for cell, mark in enumerate(self.before) if mark not in {FREE, marks[cell]}]
        if changed:
            yield f"the cells {changed} changed their owner"
        if self.falls and not self.stands(marks):
            yield "a piece hangs in the air"
        self.before = marks
        ended = bool(stop.state[STATUS])
        rows = [player for player in (0, 1) if self.has_row(marks, player)]
        if ended != (bool(rows) or FREE not in marks):
            yield f"rows of {rows}, {marks.count(FREE)} free cells, and ended is {ended}"
        outcome = stop.game.outcome
        if outcome is not None and outcome.players != tuple(rows):
            yield f"rows of {rows}, and the winners are {outcome.winners}"

    def field(self) -> str:
        """The variable that says whose each cell is."""
        return next(var.name for var in self.reader.program.vars if var.of is not None)

    def stands(self, marks: tuple[int, ...]) -> bool:
        """Is there a piece, or the floor, under each piece? Lines are counted from the floor."""
        under = ((cell, self.places.get((x, y - 1))) for (x, y), cell in self.places.items())
        return all(marks[cell] == FREE or below is None or marks[below] != FREE for cell, below in under)

    def has_row(self, marks: tuple[int, ...], player: int) -> bool:
        return any(
            all(self.mark(marks, x + dx * k, y + dy * k) == player for k in range(self.long))
            for x, y in self.places
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def mark(self, marks: tuple[int, ...], x: int, y: int) -> int:
        cell = self.places.get((x, y))
        return FREE if cell is None else marks[cell]
