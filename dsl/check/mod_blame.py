"""Which clause of a mod or scenario makes lines of the game a fault that were none before.

A value that something asks, or an action that it does, may mean more once a later layer adds a clause to it. The
author of that clause can change it, and nothing about the line of the game: so the clause is where the fault is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.lower.rewrite import walk_ir
from dsl.resolve.symbol_table import World
from dsl.source import Span


def added_clause(
    world: World,
    actions: Sequence[pr.Action | None],
    code: object,
    layer: int,
    is_at_fault: Callable[[object], bool],
) -> Span | None:
    """The nearest clause or line of a layer later than `layer` that code comes to and that is at fault by itself."""
    return next((span for span, own in added(world, actions, code, layer) if is_at_fault(own)), None)


def added(
    world: World, actions: Sequence[pr.Action | None], code: object, layer: int
) -> Iterator[tuple[Span, object]]:
    """What layers later than `layer` add to what code asks and does, the nearest first: each with its own code."""
    waiting: list[object] = [code]
    parts: list[tuple[int | None, object]]
    known: set[tuple[str, int]] = set()
    for here in waiting:  # grows as it is gone through
        for node in walk_ir(here):
            yield from _said_here(world, node, layer)
            match node:
                case ir.Ask(value=number) if ("value", number) not in known:
                    known.add(("value", number))
                    parts = _of_value(world.values[number].lowered)
                case ir.Judge(action=number) if ("action", number) not in known:
                    known.add(("action", number))
                    judged = actions[number]
                    found = judged.prohibitions if judged is not None else ()
                    parts = [(each.clause, each.condition) for each in found]
                case ir.Call(procedure=number) | ir.Trial(procedure=number) if ("run", number) not in known:
                    known.add(("run", number))
                    procedure = world.procedures[number]
                    waiting.append(() if procedure is None else procedure.body)
                    continue
                case _:
                    continue
            for clause, own in parts:
                span = None if clause is None else world.clause_spans[clause]
                if span is not None and world.layer(span) > layer:
                    yield span, own
                else:
                    waiting.append(own)


def _of_value(value: pr.Value | None) -> list[tuple[int | None, object]]:
    """What a value is made of, each part with its clause."""
    if value is None:
        return []
    clauses = [(each.clause, (each.condition, each.operand, each.divisor)) for each in value.clauses]
    return [(value.clause, value.base), *clauses]


def _said_here(world: World, node: object, layer: int) -> Iterator[tuple[Span, object]]:
    """A statement, or the condition of one, that stands in a later layer."""
    if isinstance(node, ir.If):
        opens = node.then[0] if node.then else None
        opens = opens.body[0] if isinstance(opens, ir.Guarded) and opens.body else opens
        if isinstance(opens, ir.Mark) and world.layer(span := world.clause_spans[opens.clause]) > layer:
            yield span, node
            return
        spans = world.conditions.get(node.condition, ())
        found = [span for span in spans if world.layer(span) > layer]
        if found and len(found) == len(spans):
            yield found[0], node.condition
        return
    site = getattr(node, "site", -1)
    if isinstance(site, int) and site >= 0 and world.layer(world.site_spans[site]) > layer:
        yield world.site_spans[site], node
