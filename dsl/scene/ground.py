"""What a map shows beside its pieces: the areas that its signs mark, what a game lays over its empty cells, and which
pieces it only outlines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.engine.display import Member, member_name, text_of
from dsl.engine.failure import RuleFailure
from dsl.engine.machine import Machine
from dsl.engine.runtime import Run
from dsl.ir import nodes as ir
from dsl.ir.drawn import OUTLINE, OVERLAY, tells_drawing
from dsl.ir.program import Board, Data, Pool, Program
from dsl.ir.types import NONE, Id, SetOf
from dsl.scene.eyes import Eyes


@dataclass(frozen=True, slots=True)
class Area:
    """A set of cells that the map marks: what it is called, whose it is, and a bit for each cell."""

    name: str
    owner: Member | None
    cells: int
    called: str
    """What it is called without whose it is."""
    declared: str
    """As the rules call it."""


def areas(program: Program, board: Board, language: str) -> Iterator[tuple[str, str]]:
    """For each sign of a map the areas in which all of its cells lie; whose they are, where they are somebody's."""
    marked = marked_areas(program, board, language)
    for sign in dict.fromkeys(board.signs):
        under = sum(1 << cell for cell, each in enumerate(board.signs) if each == sign)
        if found := [each.name for each in marked if under & ~each.cells == 0]:
            yield sign, ", ".join(found)


def marked_areas(program: Program, board: Board, language: str) -> list[Area]:
    """The areas of a map, with the owner behind the name where there are several of one name."""
    return [each for data in program.data for each in _areas(program, board, data, language)]


def _areas(program: Program, board: Board, data: Data, language: str) -> Iterator[Area]:
    """The area that a table of sets of cells is, or the areas of each player or side."""
    if data.type != SetOf(Id(board.domain)) or len(data.dims) != 1 or " " in data.name:
        return
    owners = [n for n, each in enumerate(program.domains) if each.kind in {"player", "side", "union"}]
    sides = next((n for n in owners if data.dims[0] == (0, len(program.domains[n].members))), None)
    if sides is None and len(data.values) > 1:
        return
    name = text_of(program, data.label, language) or data.name.replace("_", " ")
    for member, cells in enumerate(data.values):
        if isinstance(cells, int) and cells:
            owner = member_name(program, sides, member, language) if sides is not None else ""
            told = f"{name} ({owner})" if owner and len(data.values) > 1 else name
            whose = (sides, member) if sides is not None and owner else None
            yield Area(told, whose, cells, name, data.name)


def laid_over(machine: Machine, state: list[int], board: Board) -> Iterator[tuple[int, tuple[int, int]]]:
    """Cells, each with the member of a domain that the game's value `overlay` gives for it; of games that hide
    nothing, as it may read everything.
    """
    program = machine.program
    found = next((n for n, each in enumerate(program.values) if each.name == OVERLAY), None)
    if found is None or any(var.audience is not None for var in program.vars):
        return
    value = program.values[found]
    if not tells_drawing(value, [board.domain]):
        return
    assert isinstance(value.result, Id)
    compute, copy, run = machine.plain.names[f"v{found}"], list(state), Run.aside(machine)
    for cell in range(len(program.domains[board.domain].members)):
        try:
            told = compute(copy, run, cell)
        except RuleFailure as failure:
            machine.unsaid[failure.code] += 1
            continue
        if told != NONE:
            yield cell, (value.result.domain, told)


def outlined(eyes: Eyes, pool: Pool, piece: int) -> tuple[int, int] | None:
    """The member of a domain that the game's value `outline` gives for a piece, if the viewers may see all it reads."""
    machine, program = eyes.machine, eyes.program
    found = next((n for n, each in enumerate(program.values) if each.name == OUTLINE), None)
    if found is None:
        return None
    value = program.values[found]
    if not tells_drawing(value, [pool.domain]):
        return None
    assert isinstance(value.result, Id)
    if not eyes.follow(ir.Ask(value.result, found, (ir.Const(Id(pool.domain), piece),))):
        return None
    try:
        told = machine.plain.names[f"v{found}"](list(eyes.state), Run.aside(machine), piece)
    except RuleFailure as failure:
        machine.unsaid[failure.code] += 1
        return None
    return None if told == NONE else (value.result.domain, told)
