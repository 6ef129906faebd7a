"""What the signs of a map mean, read back from the state that they set; and a game in which the setup is done."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine import layout
from dsl.engine.decision import Decision
from dsl.engine.display import member_name, text_of, worded
from dsl.engine.failure import RuleFailure, StartError, Unplayable
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Board, Data, Program, Var
from dsl.ir.types import NONE, Id, Int, SetOf


def begun(machine: Machine) -> list[int]:
    """The state at the first decision of a game; before its setup where that fails."""
    return first(machine)[0]


def first(machine: Machine) -> tuple[list[int], Decision | None]:
    """The state at the first decision of a game, and this; before its setup where that fails."""
    try:
        game = Game.start(machine, seed=0)
        return list(game.state), game.decision
    except (RuleFailure, StartError, Unplayable):
        return fresh(machine), None


def fresh(machine: Machine) -> list[int]:
    """The state in which each variable has its initial value; 0 everywhere where one of these cannot be computed."""
    try:
        return list(Game.fresh(machine).state)
    except RuleFailure as failure:
        machine.unsaid[failure.code] += 1
        return [0] * machine.program.size


def legend(machine: Machine, board: Board, language: str) -> Iterator[tuple[str, str]]:
    """Each sign of a drawn map with what it sets and what areas it is of, as its first cell says."""
    first: dict[str, int] = {}
    for cell, sign in enumerate(board.signs):
        if sign.strip():
            first.setdefault(sign, cell)
    state = fresh(machine)
    for sign, cell in first.items():
        meaning = [*_fields(machine, board, state, cell, language), *_areas(machine, board, cell, language)]
        if meaning:
            yield sign, ", ".join(meaning)


def _fields(machine: Machine, board: Board, state: list[int], cell: int, language: str) -> Iterator[str]:
    """The fields of a cell that say something."""
    program = machine.program
    for var in program.vars:
        if var.of != board.domain or var.role != "field":
            continue
        value = layout.read(program, state, var.offset + cell * var.width, var.type)
        if value == NONE or not value:
            if isinstance(var.type, Id) and value == 0:
                yield worded(program, var.type, value, language)
            continue
        yield _told(machine, var, value, language)


def _told(machine: Machine, var: Var, value: layout.Plain, language: str) -> str:
    program = machine.program
    name = text_of(program, var.label, language) or var.name
    if isinstance(var.type, Id):
        return worded(program, var.type, value, language)
    return (
        name
        if isinstance(var.type, Int) and var.type.truth
        else f"{name} {worded(program, var.type, value, language)}"
    )


def _areas(machine: Machine, board: Board, cell: int, language: str) -> Iterator[str]:
    """The areas that a cell is of: constant sets of cells that the program has under their names."""
    program = machine.program
    areas = {clause.name for clause in program.clauses if clause.kind == "map"}
    for data in program.data:
        of = data.type.of if isinstance(data.type, SetOf) else None
        if not isinstance(of, Id) or of.domain != board.domain or not _is_area(data, areas, board):
            continue
        name = text_of(program, data.label, language) or data.name.replace("_", " ")
        owners = _owners(program, data, language)
        for index, value in enumerate(data.values):
            if isinstance(value, int) and value >> cell & 1:
                yield f"{name} ({owners[index]})" if owners else name


def _owners(program: Program, data: Data, language: str) -> tuple[str, ...]:
    """The players or sides that have one each of an area, as they are called."""
    found = [n for n, each in enumerate(program.domains) if each.kind in {"player", "side", "union"}]
    for domain in found:
        count = len(program.domains[domain].members)
        if count == len(data.values) > 1:
            return tuple(member_name(program, domain, member, language) for member in range(count))
    return ()


def _is_area(data: Data, areas: set[str], board: Board) -> bool:
    if len(data.dims) > 1:
        return False  # a table that the language makes, such as that of rays
    whole = data.dims == ((0, len(board.signs)),)
    return data.name in areas or (
        not whole and not {" ", "."} & set(data.name) and data.name not in {"around", "distance"}
    )
