"""What games may change of how things move: `step(piece, cell, direction)`, a value that clauses bear on.

It is there when a game speaks of it, and so is the type of what `side_of` answers: a game that needs neither has
neither in its program.
"""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.types import Id, Type
from dsl.semantics import world as w
from dsl.semantics.geometry import ASPECTS
from dsl.semantics.headers import declare_union
from dsl.semantics.layers import Gathered
from dsl.semantics.reach import walk
from dsl.semantics.world import Domain, Param, World
from dsl.syntax import ast


def spoken_of(gathered: Gathered, name: str) -> list[ast.Node]:
    """Where a game's files use a name: names in expressions, types, and what clauses are about."""
    entries = [entry for entry in gathered.entries if name in entry.declaration.span.text]
    found: list[ast.Node] = []
    for node in (each for entry in entries for each in walk(entry.declaration)):
        match node:
            case ast.NameExpr(name=text) | ast.NamedType(name=text) if text == name:
                found.append(node)
            case ast.Apply(function=ast.NameExpr(name=text)) if text == name:
                found.append(node)
            case ast.Modify(target=ast.Target(name=ast.Name(text=text))) if text == name:
                found.append(node)
            case _:
                pass
    return found


def declare_aspects(world: World, gathered: Gathered) -> None:
    """Enters `Aspect`, what a direction is for something that faces another, where the game asks for it."""
    if "Direction" not in world.types or "Aspect" in world.types:
        return
    if spoken_of(gathered, "side_of") or spoken_of(gathered, "Aspect"):
        domain = world.domain("Aspect", "enum")
        for name in ASPECTS:
            domain.add(name, world.text(name))
        world.types["Aspect"] = Id(domain.id)


def declare_step(world: World, gathered: Gathered) -> None:
    """Enters the value `step`, where the game speaks of a step of a piece and has no such value of its own."""
    way = world.types.get("Direction")
    board = world.board
    if board is None or not isinstance(way, Id) or "step" in world.callables:
        return
    if not any(_of_a_piece(node) for node in spoken_of(gathered, "step")):
        return
    movers = [domain for domain in world.domains if domain.pool and _on_cells(world, domain, board.domain)]
    if not movers:
        return
    piece = Id(movers[0].id) if len(movers) == 1 else declare_union(world, "Piece", movers)
    cell, result = Id(board.domain), Id(board.domain, optional=True)
    params = [Param("piece", piece), Param("cell", cell), Param("direction", way)]
    value = w.Value(len(world.values), "step", params, result, None)
    steps = next(index for index, data in enumerate(world.data) if data.name == "step")
    types: tuple[Type, ...] = (piece, cell, way)
    start, direction = ir.Local(types[1], 1), ir.Local(types[2], 2)
    value.base = ir.Lookup(result, steps, (start, direction))
    world.values.append(value)
    world.callables["step"] = value


def _of_a_piece(node: ast.Node) -> bool:
    match node:
        case ast.Apply(arguments=arguments):
            return len(arguments) == 3
        case ast.Modify():
            return True
        case _:
            return False


def _on_cells(world: World, domain: Domain, cells: int) -> bool:
    at = world.vars[domain.fields["at"]].type if "at" in domain.fields else None
    return isinstance(at, Id) and at.domain == cells
