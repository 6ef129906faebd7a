"""Which actions can reach a decision, and which meet themselves again: a walk over the calls in the trees.

An action is *red* if its body, a reaction to it, a menu it offers or a pile it draws from can stop at a decision, or
leads back to it: then its calls stand on the stack of the state. The
graph of calls must have no cycle, except through what is declared `once` or `nested at most n`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostics, Label
from dsl.resolve import symbols as w
from dsl.resolve.cells import LABEL_HEAD
from dsl.resolve.effect_columns import effect_at, explicit
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.parser import parse_effect
from dsl.syntax.trees import walk

STOPS = ast.Choose | ast.Split | ast.SecretChoose | ast.AskMenu | ast.OpenWindow


def stops(node: ast.Node) -> bool:
    """Does somebody decide there?"""
    return isinstance(node, STOPS) or (isinstance(node, ast.Place) and node.chooser is not None)


ANY_EFFECT = ".effect"
"""The effect of a row: of which table, its type tells only later."""


def lacks_effects(head: ast.Row) -> bool:
    """Is there no column left in a table of effects that could hold them?"""
    return effect_at(head) is None and (
        len(head.cells) < 2 or LABEL_HEAD.fullmatch(head.cells[-1].text) is not None
    )


def effect_cells(decl: ast.Table) -> list[tuple[ast.Row, ast.Cell]]:
    """The rows of a table of effects with their effect cells."""
    at = effect_at(decl.rows[0])
    at = len(decl.rows[0].cells) - 1 if at is None else at
    return [(row, row.cells[at]) for row in decl.rows[1:] if at < len(row.cells)]


def parsed_effect(cell: ast.Cell, diagnostics: Diagnostics) -> tuple[ast.Stmt, ...]:
    """The statements of an effect cell; `-` is nothing."""
    if cell.text in {"-", ""}:
        return ()
    span = cell.span
    return parse_effect(span.source, span.start, span.end, diagnostics) or ()


def called_names(node: Any) -> set[str]:
    """The heads that a piece of code may do, offer or open at once: what it puts off is done by its moment."""
    found: set[str] = set()
    later = {id(each.call) for each in walk(node) if isinstance(each, ast.Later)}
    for each in walk(node):
        if id(each) in later:
            continue
        match each:
            case ast.Call(call=call) | ast.OpenWindow(call=call):
                function = explicit(call.function, call.arguments) if isinstance(call, ast.Apply) else call
                if isinstance(function, ast.NameExpr):
                    found.add(function.name)
                elif isinstance(function, ast.Member) and function.name.text == "effect":
                    found.add(ANY_EFFECT)
            case ast.Draw(source=source):
                function = source.function if isinstance(source, ast.Apply) else source
                if isinstance(function, ast.NameExpr):
                    found.add(function.name)
            case _:
                pass
    return found


def trees_of(
    world: World, name: str, effects: dict[str, tuple[ast.Stmt, ...]], *, followed: bool = True
) -> list[Any]:
    """The code that belongs to a head; `followed`, of an action also its `after` clauses."""
    head = world.callables.get(name)
    hooked: list[ast.Block] = []
    if isinstance(head, w.Action):
        hooked = [reaction.body for reaction, _ in head.reactions if followed or reaction.hook != "after"]
    match head:
        case w.Action(decl=ast.Action(body=body)):
            others = [decl.body for _, decl, _ in head.variants[1:]]
            return [body, *others, *hooked]
        case w.Action():
            return [effects.get(name, ()), *hooked]
        case w.Menu():
            return [line for line, _ in head.lines]
        case w.Window():
            return [line for line, _ in head.lines]
        case w.Pile():
            return [head.decl.when_empty] if head.decl.when_empty else []
        case _:
            return []


def color(world: World, effects: dict[str, tuple[ast.Stmt, ...]], waiting: dict[str, set[str]]) -> None:
    """Marks the red actions, and reports calls that lead back to themselves.

    `waiting` are the actions that wait for the start or end of each head.
    """
    names = [
        name
        for name, head in world.callables.items()
        if isinstance(head, w.Action | w.Menu | w.Window | w.Pile)
    ]
    trees = {name: trees_of(world, name, effects) for name in names}
    calls = {
        name: _among(called_names(tuple(trees[name])) | waiting.get(name, set()), names) for name in names
    }
    asking = {
        name
        for name in names
        if isinstance(world.callables[name], w.Window)
        or any(stops(each) for tree in trees[name] for each in walk(tree))
        or _chooses_order(world.callables[name], bool(waiting.get(name)))
    }
    circular = {name for name in names if name in _reached(name, calls)}
    asks, red = _leading_to(asking, calls), _leading_to(asking | circular, calls)
    counted = _leading_to({name for name in names if _counts(world.callables[name])}, calls)
    for name, head in world.callables.items():
        if isinstance(head, w.Action):
            head.asks, head.red = name in asks, head.red or name in red
            head.counted = name in counted
    _within(world, effects, waiting, names)
    free = {name: _among(_unbounded(world, name, effects, waiting.get(name, set())), names) for name in names}
    _cycles(world, names, free, effects)


def _within(
    world: World, effects: dict[str, tuple[ast.Stmt, ...]], waiting: dict[str, set[str]], names: list[str]
) -> None:
    """What actions lead to before their `after` clauses: where they happen together, only that is done at once."""
    trees = {name: trees_of(world, name, effects, followed=False) for name in names}
    calls = {
        name: _among(called_names(tuple(trees[name])) | waiting.get(name, set()), names) for name in names
    }
    heads = {name: head for name, head in world.callables.items() if isinstance(head, w.Action)}
    asking = {
        name
        for name in names
        if isinstance(world.callables[name], w.Window)
        or any(stops(each) for tree in trees[name] for each in walk(tree))
        or _chooses_order(world.callables[name], bool(waiting.get(name)), ("before",))
    }
    asks = _leading_to(asking, calls)
    followed = {name for name, head in heads.items() if head.is_followed}
    for name, head in heads.items():
        head.asks_within = name in asks
        head.leads = frozenset(_reached(name, calls) & followed) if followed else frozenset()


def _counts(head: object) -> bool:
    """Does a head, or one of its clauses, say how often it may be met again?"""
    return isinstance(head, w.Action) and (
        head.depth is not None or any(reaction.tail.nested is not None for reaction, _ in head.reactions)
    )


def _leading_to(heads: set[str], calls: dict[str, set[str]]) -> set[str]:
    """Some heads, with all that can lead to one of them."""
    found, grown = set(heads), True
    while grown:
        more = {name for name, called in calls.items() if name not in found and called & found}
        found |= more
        grown = bool(more)
    return found


def _chooses_order(head: object, waited_for: bool, among: tuple[str, ...] = ("before", "after")) -> bool:
    """May somebody have to say which of several reactions comes first?"""
    if not isinstance(head, w.Action) or head.order is None:
        return False
    hooks = [reaction.hook for reaction, _ in head.reactions]
    return waited_for or max(hooks.count(each) for each in among) > 1


def _among(called: set[str], names: list[str]) -> set[str]:
    """The heads that calls can mean."""
    columns = {name for name in names if name.endswith(ANY_EFFECT)} if ANY_EFFECT in called else set()
    return called & set(names) | columns


def _reached(name: str, calls: dict[str, set[str]]) -> set[str]:
    """All that a head can lead to."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        more = calls[waiting.pop()] - found
        found |= more
        waiting.extend(more)
    return found


def _unbounded(
    world: World, name: str, effects: dict[str, tuple[ast.Stmt, ...]], waiting: set[str]
) -> set[str]:
    """What a head may do without meeting a bound: nothing itself, or a clause, that says how often."""
    if _bounded(world, name):
        return set()
    head = world.callables[name]
    bounded = (
        [r.body for r, _ in head.reactions if r.tail.nested is not None] if isinstance(head, w.Action) else []
    )
    return waiting | called_names(
        tuple(each for each in trees_of(world, name, effects) if each not in bounded)
    )


def _cycles(
    world: World, names: list[str], calls: dict[str, set[str]], effects: dict[str, tuple[ast.Stmt, ...]]
) -> None:
    """Reports each path on which a head would meet itself, none of them declared `once` or `nested`."""
    state: dict[str, int] = {}
    path: list[str] = []

    def visit(name: str) -> None:
        state[name] = 1
        path.append(name)
        for following in sorted(calls[name]):
            if state.get(following) == 1:
                _report(world, [*path[path.index(following) :], following], effects)
            elif following not in state:
                visit(following)
        path.pop()
        state[name] = 2

    for name in names:
        if name not in state:
            visit(name)


def _bounded(world: World, name: str) -> bool:
    head = world.callables[name]
    if isinstance(head, w.Action):
        return head.depth is not None
    return isinstance(head, w.Window) and head.decl.nested is not None


def _closed_by(
    world: World, circle: list[str], effects: dict[str, tuple[ast.Stmt, ...]], layer: int
) -> Span | None:
    """The call of a later layer without which nothing would lead back to where it began."""
    found: list[Span] = []
    for name, following in pairwise(circle):
        calls = [
            each.span
            for each in walk(tuple(trees_of(world, name, effects)))
            if isinstance(each, ast.Call | ast.OpenWindow | ast.Draw)
            if following in _among(called_names(each), [following])
        ]
        if calls:
            found.append(min(calls, key=world.layer))
    last = max(found, key=world.layer, default=None)
    return last if last is not None and world.layer(last) > layer else None


def asked_by_later(world: World, name: str, effects: dict[str, tuple[ast.Stmt, ...]]) -> Span | None:
    """Where a layer later than that of an action, before its `after` clauses, makes it ask, or lead to what asks."""
    head = world.callables[name]
    assert isinstance(head, w.Action)
    layer, waiting = world.layer(head.decl.name.span), [name]
    for here in waiting:  # grows as it is gone through
        for each in walk(tuple(trees_of(world, here, effects, followed=here != name))):
            called = called_names(each) if isinstance(each, ast.Call | ast.OpenWindow | ast.Draw) else set()
            heads = [world.callables.get(each) for each in called]
            asks = stops(each) or any(isinstance(each, w.Action) and each.asks for each in heads)
            if asks and world.layer(each.span) > layer:
                return each.span
            waiting += sorted(each for each in called if each not in waiting and each in world.callables)
    return None


def _report(world: World, circle: list[str], effects: dict[str, tuple[ast.Stmt, ...]]) -> None:
    head = world.callables[circle[0]]
    span = head.decl.name.span if isinstance(head, w.Action | w.Menu | w.Window | w.Pile) else None
    assert span is not None
    closing = _closed_by(world, circle, effects, world.layer(span))
    world.error(
        Code.CALL_CYCLE,
        closing or span,
        "this leads back to itself: " + " → ".join(circle),
        labels=(Label(span, tr("it leads back to this")),) if closing else (),
        hint="write `, once` behind its head (it is off while it runs), or `, nested at most 3`",
    )
