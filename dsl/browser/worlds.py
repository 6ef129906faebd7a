"""What the page draws the worlds of a search by: what hides what, as `dsl.engine.worlds` has it."""

from __future__ import annotations

from typing import Any, assert_never

from dsl.engine.layout import bounds, extent, frame_size, members, slots, words
from dsl.engine.machine import Machine
from dsl.engine.other_values import least
from dsl.engine.sealed import kept_back
from dsl.engine.worlds import Secrets
from dsl.ir.program import FRAME_HEAD, TOP, Program, Var
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf, Type

Json = dict[str, Any]


def worlds(machine: Machine) -> Json:
    """All that `worlds.js` knows, as JSON."""
    program, secrets = machine.program, Secrets(machine)
    return {
        "top": TOP,
        "frames": program.frames,
        "domains": [
            [domain, len(program.domains[domain].members), hidden, secrets.open[domain]]
            for domain, hidden in secrets.hidden.items()
        ],
        "alone": secrets.alone,
        "lying": sorted(secrets.lying),
        "kinds": sorted(secrets.kinds),
        "free": sorted(secrets.free),
        "vars": [_var(program, each) for each in program.vars],
        "pools": [
            {
                "domain": pool.domain,
                "kind": pool.kind,
                "inPlay": pool.in_play,
                "out": pool.out,
                "supplies": pool.supplies,
                "each": program.vars[pool.in_play].of is not None,
                "owners": [
                    index for index in secrets.open[pool.domain] if program.vars[index].name == "owner"
                ],
            }
            for pool in program.pools
            if pool.kind is not None
        ],
        "routines": [
            [frame_size(program, routine), _named(program, routine.locals, routine.offsets)]
            for routine in program.routines
        ],
        "kept": {
            f"{routine} {block}": [[each.block, each.offers] for each in kept]
            for (routine, block), kept in kept_back(program).items()
        },
    }


def _var(program: Program, var: Var) -> list[Any]:
    """Where a variable lies, whether it tells something of a player's own, the words that stand for all of its values,
    and what others there are of its type.
    """
    first = words(program, var.type, least(program, var.type))
    return [var.offset, var.width, var.role == "field", first, _values(program, var.type)]


def _values(program: Program, kind: Type) -> list[Any]:
    """What values a type has, as `other_values.js` makes others of them: of a scalar its bounds and whether there may
    be none, of a set how many members there can be, of a bag of how many and how many of each, of a list how many
    items of which scalar, of a record which scalars.
    """
    match kind:
        case Int() | Id():
            return ["number" if isinstance(kind, Int) else "name", *bounds(program, kind), kind.optional]
        case SetOf():
            return ["set", extent(program, kind)]
        case BagOf(domain=domain, limit=limit):
            return ["bag", members(program, domain), limit]
        case ListOf(limit=limit, of=SetOf()):
            return ["list", limit, None]
        case ListOf(limit=limit, of=of):
            return ["list", limit, _values(program, of)]
        case Record(types=types):
            return ["record", [_values(program, each) for each in types]]
        case _:
            assert_never(kind)


def _named(program: Program, kinds: tuple[Any, ...], offsets: tuple[int, ...]) -> list[list[Any]]:
    """The locals that name members, a record by its parts: where each lies in a frame, of which domain, whether it is
    one member ("id"), a set, a list or a bag, and how many slots it has.
    """
    found: list[list[Any]] = []
    for kind, offset in zip(kinds, offsets, strict=True):
        at, size = FRAME_HEAD + offset, slots(program, kind)
        match kind:
            case Id(domain=domain):
                found.append([at, domain, "id", size])
            case SetOf(of=Id(domain=domain)):
                found.append([at, domain, "set", size])
            case ListOf(of=Id(domain=domain)):
                found.append([at, domain, "list", size])
            case BagOf(domain=domain):
                found.append([at, domain, "bag", size])
            case Record(types=types):
                found += [[at + n, of.domain, "id", 1] for n, of in enumerate(types) if isinstance(of, Id)]
            case _:
                pass
    return found
