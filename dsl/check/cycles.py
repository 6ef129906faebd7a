"""Values that are computed from themselves: through other values, modifiers, or what an action needs."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.lower.rewrite import walk_ir
from dsl.resolve.symbol_table import World
from dsl.source import Span

Part = tuple[str, int]
"""A value, or the judgement of an action, by its number."""


def check_values(world: World, lowered: Sequence[pr.Action | None]) -> None:
    """Reports each circle of values once, with the way around."""
    asked: dict[Part, list[Part]] = {}
    for value in world.values:
        asked["value", value.id] = (
            _asked(world, (value.lowered.base, value.lowered.clauses)) if value.lowered else []
        )
    for action in world.actions:
        found = lowered[action.id]
        asked["action", action.id] = _asked(world, found.prohibitions) if found else []
    done: set[Part] = set()
    for start in asked:
        path: list[Part] = []
        _visit(world, start, asked, path, done, lowered)


def _asked(world: World, code: object) -> list[Part]:
    """The values that code asks, and the actions that it asks about, also within what it tries or searches."""
    found: dict[Part, None] = {}
    waiting, run, searched = [code], set[int](), set[int]()
    while waiting:
        for node in walk_ir(waiting.pop()):
            match node:
                case ir.Ask():
                    found["value", node.value] = None
                case ir.Judge():
                    found["action", node.action] = None
                case ir.Reach() if node.routine not in searched:
                    searched.add(node.routine)
                    routine = world.routines[node.routine]
                    waiting += [] if routine is None else routine.blocks
                case ir.Offer() if node.action is not None:
                    found["action", node.action] = None
                case ir.Trial() | ir.Call() if node.procedure not in run:
                    run.add(node.procedure)
                    procedure = world.procedures[node.procedure]
                    waiting += [] if procedure is None else [procedure.body]
                case _:
                    pass
    return list(found)


def _visit(
    world: World,
    here: Part,
    asked: dict[Part, list[Part]],
    path: list[Part],
    done: set[Part],
    lowered: Sequence[pr.Action | None],
) -> None:
    """Follows what is asked, the nearest first, without recursion: chains may be long."""
    waiting = [(here, iter(asked[here]))]
    if here in done:
        return
    path.append(here)
    while waiting:
        part, rest = waiting[-1]
        following = next(rest, None)
        if following is None:
            waiting.pop()
            path.pop()
            done.add(part)
        elif following in path:
            _report(world, path[path.index(following) :], lowered)
        elif following not in done:
            path.append(following)
            waiting.append((following, iter(asked[following])))


def _report(world: World, circle: list[Part], lowered: Sequence[pr.Action | None]) -> None:
    first_value = next((place for place, (kind, _) in enumerate(circle) if kind == "value"), 0)
    circle = [*circle[first_value:], *circle[:first_value]]
    names = [_name(world, part) for part in (*circle, circle[0])]
    spans = [span for part in circle if (span := _span(world, part)) is not None]
    if not spans:
        return
    closing = _closed_by(world, circle, lowered)
    if closing is not None:
        spans = [closing, *spans]
    first = names[0]
    hint = "let one of them compute from fields alone; what changes step by step is kept in a field"
    searching = [
        world.clause_spans[clause]
        for part in circle
        for clause, code in _clauses(world, part, lowered)
        if any(isinstance(node, ir.Reach) for node in walk_ir(code))
    ]
    if searching:
        hint = "let the menu that `reachable` tries offer another action, of which this is not asked"
        spans += searching
    about = f": {' → '.join(names)}" if len(circle) > 1 else ""
    world.error(
        Code.CALL_CYCLE,
        spans[0],
        tr("`{first}` is computed from itself{about}", first=first, about=about),
        labels=tuple(Label(span, "by way of this") for span in spans[1:] if span != spans[0]),
        hint=hint,
    )


def _closed_by(world: World, circle: list[Part], lowered: Sequence[pr.Action | None]) -> Span | None:
    """The clause of the latest layer without which the way around would not be closed, if it is later than the rest."""
    found: list[Span] = []
    for part, following in zip(circle, (*circle[1:], circle[0]), strict=True):
        own = [
            world.clause_spans[clause]
            for clause, code in _clauses(world, part, lowered)
            if following in _asked(world, code)
        ]
        if own and following not in _asked(world, _base(world, part)):
            found.append(min(own, key=world.layer))
    heads = [place for part in circle if (place := _span(world, part)) is not None]
    last = max(found, key=world.layer, default=None)
    return last if last is not None and world.layer(last) > min(map(world.layer, heads), default=0) else None


def _base(world: World, part: Part) -> object:
    kind, number = part
    value = world.values[number].lowered if kind == "value" else None
    return () if value is None else value.base


def _clauses(world: World, part: Part, lowered: Sequence[pr.Action | None]) -> list[tuple[int, object]]:
    """The clauses that bear on a part, each with its code."""
    kind, number = part
    if kind == "action":
        action = lowered[number]
        return [(each.clause, each.condition) for each in action.prohibitions] if action else []
    value = world.values[number].lowered
    clauses = value.clauses if value is not None else ()
    return [(each.clause, (each.condition, each.operand, each.divisor)) for each in clauses]


def _name(world: World, part: Part) -> str:
    kind, number = part
    return world.values[number].name if kind == "value" else f"legal {world.actions[number].name}"


def _span(world: World, part: Part) -> Span | None:
    kind, number = part
    if kind == "action":
        return world.actions[number].decl.name.span
    value = world.values[number]
    if value.decl is not None:
        return value.decl.name.span
    return value.modifies[0][0].target.span if value.modifies else None
