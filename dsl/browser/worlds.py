"""What the page draws the worlds of a search by: what hides what, as `dsl.engine.worlds` has it."""

from __future__ import annotations

from typing import Any

from dsl.engine.layout import bounds, frame_size, slots, words
from dsl.engine.machine import Machine
from dsl.engine.sealed import kept_back
from dsl.engine.worlds import Secrets, least
from dsl.ir.program import FRAME_HEAD, TOP, Program, Var
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf

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
    between which bounds one is drawn, with none where there may be none (null where none is drawn), and whether it is
    a number.
    """
    kind = var.type
    drawn = [*bounds(program, kind), kind.optional] if isinstance(kind, Int | Id) else None
    first = words(program, kind, least(program, kind))
    return [var.offset, var.width, var.role == "field", first, drawn, isinstance(kind, Int)]


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
