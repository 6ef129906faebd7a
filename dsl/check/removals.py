"""Pieces that are used after something that may have taken them out of the game, outside an `until` (W0402).

While a body is written, a *watch* notes for each local that stands for a piece what may have removed it since it was
last tested. What a call really removes is known when all code is written: some of its arguments, or any pieces of
some types. Only then is it told. Two names are taken to mean two pieces, in one body and where one of them is handed
to another, except where a loop goes through all pieces of a type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import Id
from dsl.lower import structured_ir as mid
from dsl.lower.rewrite import walk_ir, without_expressions
from dsl.records import record
from dsl.resolve.removal_notes import Cause, Ordered, Use
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import walk

Pieces = dict[str, ir.Local]
"""The names in scope that stand for pieces."""
COMPOUND = (ast.If, ast.For, ast.ForOrder, ast.RepeatTimes, ast.RepeatUntil, ast.Until)
LIFE = {"gone", "none"}


@record(slots=True)
class Watch:
    """What may have left play, at one point of a body."""

    gone: dict[int, tuple[Cause, ...]] = field(default_factory=dict)
    """By the number of the local: what may have removed it."""
    events: list[tuple[int, str, Span | None]] = field(default_factory=list)
    """Each local that was used, where, or tested (nowhere), in order."""
    guards: list[tuple[set[int], dict[int, tuple[Cause, ...]]]] = field(default_factory=list)
    """For each open `until`: the locals that it tests, and what may have removed them within it."""
    rounds: set[int] = field(default_factory=set)
    """The locals of open loops over all pieces of a type."""

    def before(self, world: World, tree: ast.Stmt, pieces: Pieces) -> None:
        """What a statement tests and uses."""
        if not pieces:
            return
        tested, used = _parts(tree)
        asked = mentioned(tested) | _asked(used)
        for name in pieces:
            if name in asked:
                self.gone.pop(pieces[name].index, None)
                self.events.append((pieces[name].index, name, None))
        for name in sorted(mentioned(used) - asked):
            if name in pieces:
                self.use(world, pieces[name], name, tree.span)

    def use(self, world: World, local: ir.Local, name: str, span: Span) -> None:
        self.events.append((local.index, name, span))
        for cause in self.gone.pop(local.index, ()):
            world.depends_on_bodies()
            world.uses.append(Use(name, local, span, cause))

    def after(self, tree: ast.Stmt, code: list[mid.Mid], pieces: Pieces) -> None:
        """What a statement may have removed, by the code that it became."""
        if not isinstance(tree, COMPOUND):
            self.done(tree.span, code, pieces)

    def done(self, span: Span, code: list[mid.Mid], pieces: Pieces) -> None:
        calls = _ordered(tuple(code)) if pieces else ()
        if not calls:
            return
        cause = Cause(span, calls, frozenset(self.rounds))
        for local in pieces.values():
            self.lose(local.index, (cause,))

    def lose(self, local: int, causes: tuple[Cause, ...]) -> None:
        store = next((left for tested, left in reversed(self.guards) if local in tested), self.gone)
        known = store.get(local, ())
        store[local] = known + tuple(each for each in causes if each not in known)

    @contextmanager
    def branch(self) -> Iterator[None]:
        """Code after which all is as it was before it, or as it is behind it."""
        before = dict(self.gone)
        yield
        for local, causes in before.items():
            self.lose(local, causes)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Code that leads elsewhere: what it tests and uses is no matter behind it."""
        gone, events = dict(self.gone), len(self.events)
        yield
        self.gone = gone
        del self.events[events:]

    @contextmanager
    def until(self, condition: ast.Expr, pieces: Pieces) -> Iterator[None]:
        """An `until`: what it tests may be gone only behind it."""
        names = mentioned(condition)
        self.guards.append(({local.index for name, local in pieces.items() if name in names}, {}))
        yield
        for local, causes in self.guards.pop()[1].items():
            self.lose(local, causes)

    def again(self, world: World, begin: int, before: dict[int, tuple[Cause, ...]], pieces: Pieces) -> None:
        """Behind a loop: what a round removes is missing in the next one."""
        for local in {each.index: each for each in pieces.values()}.values():
            self.next_round(world, local, begin, before.get(local.index, ()))

    def next_round(
        self, world: World, local: ir.Local, begin: int, known: tuple[Cause, ...], *, other: bool = False
    ) -> None:
        first = next((each for each in self.events[begin:] if each[0] == local.index), None)
        if first is None or first[2] is None:
            return
        for cause in self.gone.get(local.index, ()):
            if cause not in known:
                world.depends_on_bodies()
                world.uses.append(Use(first[1], local, first[2], cause, other))


def _parts(tree: ast.Stmt) -> tuple[object, object]:
    """What a statement tests, and what it uses itself, without the statements in it."""
    match tree:
        case ast.If(branches=branches):
            return tuple(condition for condition, _ in branches), ()
        case ast.Until(condition=condition):
            return condition, ()
        case ast.RepeatUntil(condition=condition, limit=limit):
            return condition, limit
        case ast.For(selection=selection):
            return (selection.condition or (), selection.domain)
        case ast.ForOrder(condition=condition):
            return (condition or (), ())
        case ast.RepeatTimes(count=count):
            return (), count
        case ast.AskMenu(chooser=chooser, lines=lines):
            wheres = tuple(each.condition for line in lines for each in line.selections)
            domains = tuple(each.domain for line in lines for each in line.selections)
            tested = tuple(each for each in (*wheres, *(line.condition for line in lines)) if each)
            return tested, (chooser, domains, tuple(line.call for line in lines if line.call))
        case ast.Call(call=call, by=by):
            return (), (call, *((by,) if by else ()))
        case _:
            return (), tree


def mentioned(tree: object) -> set[str]:
    """The names in a tree."""
    return {node.name for node in walk(tree) if isinstance(node, ast.NameExpr)}


def _asked(tree: object) -> set[str]:
    """The names of which an expression asks itself whether they are still there."""
    found: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Binary(op="is" | "is-not", left=left, right=ast.NoneExpr() | ast.NameExpr(name="gone")):
                found |= mentioned(left)
            case ast.Apply(function=ast.NameExpr(name="in_play"), arguments=arguments):
                found |= mentioned(arguments)
            case ast.Conditional(condition=condition):
                found |= mentioned(condition)
            case _:
                pass
    return found


# ---------------------------------------------------------------- what code removes


def _ordered(code: object) -> tuple[Ordered, ...]:
    """The calls in some code, with what their arguments stand for."""
    nodes = list(walk_ir(code, without_expressions))
    same = _copies(nodes)
    found: list[Ordered] = []
    for node in nodes:
        match node:
            case ir.Call(procedure=number, args=args):
                found.append(Ordered("procedure", number, tuple(_plain(each, same) for each in args)))
            case mid.MidEnter(routine=number, args=args) | ir.Enter(routine=number, args=args):
                found.append(Ordered("routine", number, tuple(_plain(each, same) for each in args)))
            case _:
                pass
    return tuple(found)


def _copies(nodes: list[object]) -> dict[int, ir.Expr]:
    """The locals that are only another name for something."""
    found: dict[int, list[ir.Expr]] = {}
    for node in nodes:
        if isinstance(node, ir.SetLocal):
            found.setdefault(node.index, []).append(node.value)
    return {index: values[0] for index, values in found.items() if len(values) == 1}


def _plain(expr: ir.Expr, same: dict[int, ir.Expr]) -> ir.Expr:
    """The local behind conversions and copies, where it is one, and else the last one on the way there: its type tells
    more than that of the expression.
    """
    seen: set[int] = set()
    here = last = expr
    while True:
        last = here if isinstance(here, ir.Local) else last
        if isinstance(here, ir.Op) and here.op in {"cast", "some"}:
            here = here.args[0]
        elif isinstance(here, ir.Local) and here.index in same and here.index not in seen:
            seen.add(here.index)
            here = same[here.index]
        else:
            return last


@record(slots=True)
class Removes:
    """What a procedure or routine may take away: some of its arguments, and any pieces of some types."""

    params: set[int] = field(default_factory=set)
    domains: set[int] = field(default_factory=set)

    def size(self) -> int:
        return len(self.params) + len(self.domains)


class Summaries:
    """What the code that some calls come to removes, found from what takes pieces away upwards."""

    def __init__(self, world: World, calls: Iterable[Ordered]) -> None:
        self.world = world
        self.found: dict[tuple[str, int], Removes] = {}
        for (domain, _, _), number in world.retirements.items():
            self.found["procedure", number] = Removes({0}, set())
            assert world.domains[domain].pool is not None
        reached: dict[tuple[str, int], tuple[int, tuple[Ordered, ...]]] = {}
        waiting = list(calls)
        while waiting:
            call = waiting.pop()
            key = call.kind, call.number
            code = (world.procedures if call.kind == "procedure" else world.routines)[call.number]
            if code is not None and key not in reached:
                body = code.body if isinstance(code, pr.Procedure) else code.blocks
                reached[key] = code.params, _ordered(body)
                waiting += reached[key][1]
        grown = True
        while grown:
            grown = False
            for key, (params, ordered) in reached.items():
                own = self.found.setdefault(key, Removes())
                size = own.size()
                for each in ordered:
                    self.through(own, params, each)
                grown |= own.size() > size

    def of(self, call: Ordered) -> Removes:
        return self.found.get((call.kind, call.number), Removes())

    def through(self, own: Removes, params: int, call: Ordered) -> None:
        """What a body removes by one of its calls."""
        removes = self.of(call)
        own.domains |= removes.domains
        for at in removes.params:
            arg = call.args[at]
            if isinstance(arg, ir.Local) and arg.index < params:
                own.params.add(arg.index)
            else:
                own.domains |= self.pools(arg)

    def pools(self, expr: ir.Expr) -> set[int]:
        """The types of pieces that a value may be of."""
        if not isinstance(expr.type, Id):
            return set()
        domain = self.world.domains[expr.type.domain]
        return {part for part in (domain.id, *domain.parts) if self.world.domains[part].pool}

    def removed(self, use: Use) -> bool:
        """May its cause have removed what is used?"""
        return any(self.by_call(use, call) for call in use.cause.calls)

    def by_call(self, use: Use, call: Ordered) -> bool:
        removes, own, at = self.of(call), self.pools(use.local), use.local.index
        handed = {arg.index for arg in call.args if isinstance(arg, ir.Local)}
        taken = [call.args[param] for param in removes.params]
        locals_ = {arg.index: arg for arg in taken if isinstance(arg, ir.Local)}
        if at in locals_ and not use.other:
            return True
        if own & removes.domains and (at not in handed or use.other):
            return True
        return any(own & self.pools(locals_[each]) for each in use.cause.rounds & set(locals_) - {at})


def warn_of_removed(world: World) -> None:
    """Tells of each use of what a cause may really have removed; of several in one place once."""
    if not world.uses:
        return
    summaries = Summaries(world, (call for use in world.uses for call in use.cause.calls))
    told: set[tuple[str, str, int]] = set()
    for use in world.uses:
        key = (use.name, use.span.source.name, use.span.start)
        if key in told or not summaries.removed(use):
            continue
        told.add(key)
        world.error(
            Code.MAY_BE_REMOVED,
            use.span,
            tr("`{use}` may have left play by now", use=use.name),
            hint=tr(
                "test it first (`if not {use} is gone:`), or put both into `until {use} is gone:`",
                use=use.name,
            ),
            labels=(Label(use.cause.span, "this may take it away"),),
        )
