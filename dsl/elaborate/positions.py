"""Positions that stand again: what makes a position, and where it is noted (`repeated(n)`).

A position is noted whenever somebody has chosen, before the choice is carried out, together with who had chosen before
him. So at any time those are noted that stood at the choices before, and perhaps the one that stands now.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.limits import MAX_POSITIONS, MAX_STORED
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.verify.graph import everything
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.syntax import ast

COUNTED = frozenset({"field", "in_play", "out_of_play", "pile", "order", "armed"})
"""The roles of variables that are part of a position."""


def occurrences(world: World) -> ir.Expr:
    """How often the position has stood; from here on the game remembers its positions."""
    if world.history is None:
        noted = world.var("positions", None, ListOf(Int(0, MAX_STORED), 2 * MAX_POSITIONS), "history")
        noted.initial = ir.Const(noted.type, ())
        last = world.var("last to choose", None, Id(0, optional=True), "history")
        last.initial = ir.Const(last.type, NONE)
        world.history = noted.id, last.id
    return ir.Occurrences(Int(1, MAX_POSITIONS + 1))


def note_choices(world: World) -> None:
    """Notes the position at every choice of the game; what `reachable` searches notes none of its own."""
    if world.history is None:
        return
    searched = set(world.searches.values())
    for index, routine in enumerate(world.routines):
        if routine is not None and index not in searched:
            world.routines[index] = replace(routine, blocks=_noting(routine.blocks, world.history[1]))


def _noting(blocks: tuple[ir.Block, ...], last: int) -> tuple[ir.Block, ...]:
    found, behind = list(blocks), list[ir.Block]()
    for index, block in enumerate(blocks):
        end = block.end
        if not isinstance(end, ir.Decide):
            continue
        chosen = ir.Store(last, None, None, end.player, end.site)
        offers = []
        for offer in end.offers:
            behind.append(ir.Block((ir.Remember(), chosen), ir.Jump(offer.block)))
            offers.append(replace(offer, block=len(blocks) + len(behind) - 1))
        found[index] = replace(block, end=replace(end, offers=tuple(offers)))
    return (*found, *behind)


def variables(world: World) -> frozenset[int]:
    """The variables that asking about positions reads."""
    if world.history is None:
        return frozenset()
    return frozenset({*world.history, *(var.id for var in world.vars if _counts(var))})


# ---------------------------------------------------------------- what makes a position


def described(world: World, program: pr.Program) -> pr.History | None:
    """What a position of the program is made of; none where no rule asks."""
    if world.history is None:
        return None
    noted, last = world.history
    counted = [var for var in world.vars if _counts(var)]
    pools = [d.pool for d in world.domains if d.pool is not None]
    apart = _Identities(world, program)
    alike, taken = [], set[int]()
    for pool in pools:
        own = tuple(var.id for var in counted if var.of == pool.domain)
        if pool.in_play < 0 or apart.named(pool.domain, pool.in_play, pool.out, counted):
            continue
        taken |= {pool.in_play, pool.out, *own}
        alike.append(pr.Alike(pool.domain, pool.in_play, pool.out, own, apart.classes(pool)))
    rest = tuple(var.id for var in counted if var.id not in taken)
    return pr.History(noted, last, rest, tuple(alike), "sums")


def _counts(var: w.Var) -> bool:
    clauses = var.field.clauses if var.field else ()
    return var.role in COUNTED and not any(isinstance(each, ast.Uncounted) for each in clauses)


@record(slots=True)
class _Identities:
    """By what the pieces of a program are told apart."""

    world: World
    program: pr.Program

    def named(self, domain: int, in_play: int, out: int, counted: list[w.Var]) -> bool:
        """Does a field hold pieces of a domain, so that it matters which of them it is?"""
        kinds = {domain, *(each.id for each in self.world.domains if self._is_part(domain, each))}
        return any(not kinds.isdisjoint(_held(var.type)) for var in counted if var.id not in (in_play, out))

    def _is_part(self, domain: int, union: w.Domain) -> bool:
        return any(each.id == domain for each in self.world.parts(union))

    def classes(self, pool: w.Pool) -> tuple[int, ...]:
        """The class of each piece: of those of one row for which all that is printed, and each rule, is the same."""
        size = len(self.world.domains[pool.domain].members)
        keys: list[list[object]] = [[] for _ in range(size)]
        tables: set[tuple[int, int]] = set()
        if pool.kind_data is not None and pool.kind_var is None:
            tables.add((pool.kind_data, 0))
        for node in everything(self.program):
            match node:
                case ir.Lookup():
                    indices = enumerate(node.indices)
                    begins = pool.kind_var is not None and node.data == pool.kind_data
                    tables |= {
                        (node.data, n) for n, e in indices if not begins and _held(e.type) == {pool.domain}
                    }
                case ir.Const(type=Id(domain=domain), value=int(member)) if domain == pool.domain:
                    if 0 <= member < size:
                        keys[member].append(("named", member))
                case ir.Const(type=SetOf(of=Id(domain=domain)), value=int(bits)) if domain == pool.domain:
                    for member in range(size):
                        keys[member].append(bits >> member & 1)
                case _:
                    pass
        for data, axis in sorted(tables):
            for member in range(size):
                keys[member].append(_slice(self.program.data[data], axis, member))
        first: dict[tuple[object, ...], int] = {}
        return tuple(first.setdefault(tuple(key), member) for member, key in enumerate(keys))


def _slice(data: pr.Data, axis: int, member: int) -> tuple[object, ...]:
    """What a table holds for one member."""
    inner = 1
    for _, size in data.dims[axis + 1 :]:
        inner *= size
    low, size = data.dims[axis]
    start = (member - low) * inner
    outer = range(0, len(data.values), size * inner)
    return tuple(data.values[at + start : at + start + inner] for at in outer)


def _held(kind: Type) -> frozenset[int]:
    """The domains whose members a value of a type names."""
    match kind:
        case Id(domain=domain) | BagOf(domain=domain):
            return frozenset({domain})
        case SetOf(of=of) | ListOf(of=of):
            return _held(of)
        case Record(types=types):
            return frozenset().union(*(_held(each) for each in types))
        case _:
            return frozenset()


__all__ = ["described", "note_choices", "occurrences"]
