"""What games may change of how things move: `step(piece, cell, direction)`, a value that clauses bear on.

It is there when a game speaks of it, and so is the type of what `side_of` answers: a game that needs neither has
neither in its program.
"""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.types import Id, Type
from dsl.linker.layers import Gathered
from dsl.linker.name_uses import spoken_of
from dsl.resolve import symbols as w
from dsl.resolve.headers import declare_union
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain, Param
from dsl.syntax import ast


def declare_step(world: World, gathered: Gathered) -> None:
    """Enters the value `step`, where the game speaks of a step of a piece and has no such value of its own."""
    way = world.types.get("Direction")
    board = world.board
    if board is None or not isinstance(way, Id) or "step" in world.callables:
        return
    if not any(_of_a_piece(node) for node in spoken_of(gathered, "step")):
        return
    piece = _standing(world, {board.domain})
    if piece is None:
        return
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
        case ast.Target():
            return True
        case _:
            return False


def placing(world: World, gathered: Gathered) -> ast.Action | None:
    """The head of what clauses say of `place`: pieces and the cells on which they may come to stand."""
    spoken = [node for node in spoken_of(gathered, "place") if not isinstance(node, ast.NamedType)]
    if not spoken or world.board is None or "place" in world.callables:
        return None
    piece = _standing(world, {world.board.domain, *world.shapes})
    if piece is None:
        return None
    span = spoken[0].span
    kind = ast.NamedType(world.domains[piece.domain].name, span=span)
    params = (
        ast.Param(ast.Name("piece", span=span), kind, span=span),
        ast.Param(ast.Name("cell", span=span), ast.NamedType("Cell", span=span), span=span),
    )
    body = ast.Block((ast.Nothing(span=span),), span=span)
    return ast.Action("action", ast.Name("place", span=span), params, None, None, None, body, span=span)


def _standing(world: World, places: set[int]) -> Id | None:
    """The type of all pieces that stand on such places: one type of pieces, or a union that is declared for it."""
    found = [domain for domain in world.domains if domain.pool and _place(world, domain) in places]
    if len(found) < 2:
        return Id(found[0].id) if found else None
    parts = tuple(domain.id for domain in found)
    for domain in world.domains:
        if domain.parts == parts:
            return Id(domain.id)
    union = declare_union(world, "Piece", found)
    world.types.setdefault("Piece", union)
    return union


def _place(world: World, domain: Domain) -> int | None:
    at = world.vars[domain.fields["at"]].type if "at" in domain.fields else None
    return at.domain if isinstance(at, Id) else None
