"""Of what kind a piece is: as it is printed on it, or as the state has it, where not everybody sees its kind.

In words a piece of which somebody sees the kind is called by it; for everybody else it has the name of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dsl.engine.bits import bits
from dsl.engine.display import Called, Member
from dsl.engine.layout import Plain, low_of
from dsl.engine.log import Known
from dsl.engine.runtime import Run, sees
from dsl.ir import nodes as ir
from dsl.ir.program import Data, Pool, Program
from dsl.ir.types import NONE, Id, ListOf, Record, SetOf, Type

if TYPE_CHECKING:
    from dsl.engine.machine import Machine


def kind_of(program: Program, state: Sequence[int], pool: Pool, piece: int) -> Member | None:
    """The kind of a piece; none where its type has no kinds."""
    if pool.kinds is not None:
        data = program.data[pool.kinds]
        row = data.values[piece]
        return (data.type.domain, row) if isinstance(data.type, Id) and isinstance(row, int) else None
    if pool.kind is None:
        return None
    var = program.vars[pool.kind]
    return (var.type.domain, state[var.offset + piece * var.width]) if isinstance(var.type, Id) else None


def kinds_at_first(program: Program, pool: Pool) -> Data | None:
    """The kind of each piece of a type when the game begins; none where the type has no kinds."""
    begins = program.vars[pool.kind].initial if pool.kind is not None else None
    at = begins.data if isinstance(begins, ir.Lookup) else pool.kinds
    return None if at is None else program.data[at]


def kind_seen(
    machine: Machine, state: list[int], pool: Pool, piece: int, viewer: int | None
) -> Member | None:
    """The kind of a piece, where a player (none: who sees everything) may see it."""
    hidden = pool.kind if viewer is not None else None
    if (
        hidden is not None
        and viewer is not None
        and not sees(state, Run.aside(machine), hidden, piece, viewer)
    ):
        return None
    return kind_of(machine.program, state, pool, piece)


def hidden_kind(program: Program, domain: int, member: int) -> tuple[Pool, int] | None:
    """The piece that a member of a domain, or of a union of domains, is, if not everybody sees kinds like its own."""
    for part in program.domains[domain].parts or (domain,):
        size = len(program.domains[part].members)
        if program.domains[domain].parts and member >= size:
            member -= size
            continue
        if program.domains[part].parts:
            return hidden_kind(program, part, member)
        return next(
            ((each, member) for each in program.pools if each.domain == part and each.kind is not None), None
        )
    return None


def calling(machine: Machine, state: list[int], viewers: Iterable[int]) -> Called | None:
    """By what things are called where some players read it, all of them the same; none where no kind is hidden."""
    program = machine.program
    if not machine.hides_kinds:
        return None
    readers = tuple(viewers)

    def called(domain: int, member: int) -> Member:
        found = hidden_kind(program, domain, member)
        if found is None or not all(kind_seen(machine, state, *found, each) for each in readers):
            return domain, member
        return kind_of(program, state, *found) or (domain, member)

    return called


def known_kinds(
    machine: Machine, state: list[int], kinds: Sequence[Type], values: Sequence[Plain] | None
) -> tuple[Known, ...]:
    """The pieces among some values whose kind not everybody sees, each with its kind, and who sees that."""
    program, found = machine.program, list[Known]()
    if not machine.hides_kinds or values is None:
        return ()
    players = range(len(program.domains[program.players].members))
    for kind, value in zip(kinds, values, strict=True):
        for member in pieces_named(program, kind, value):
            piece = hidden_kind(program, *member)
            if piece is not None and (row := kind_of(program, state, *piece)) is not None:
                mask = sum(1 << each for each in players if kind_seen(machine, state, *piece, each))
                found.append((member, row, mask))
    return tuple(found)


def pieces_named(program: Program, kind: Type, value: Plain) -> list[Member]:
    """The members whose names a value has in words."""
    match kind, value:
        case Id(), int():
            return [] if value == NONE else [(kind.domain, value)]
        case SetOf(of=Id(domain=domain)), int():
            return [(domain, each) for each in bits(value, low_of(program, kind))]
        case ListOf(of=Id(domain=domain)), tuple():
            return [(domain, each) for each in value if each != NONE]
        case Record(), tuple():
            pairs = zip(kind.types, value, strict=True)
            return [each for part, one in pairs for each in pieces_named(program, part, one)]
        case _:
            return []
