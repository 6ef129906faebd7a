"""Effects that come later or last: `at start of PHASE: action(...)`, and `for the rest of PHASE: modify ...`.

Both are visible state. A delayed effect is a list of the arguments that it waits with, emptied when its phase comes and
each call is judged. A lasting modifier is a count of how often it was set, for each thing that it was set for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int, ListOf, SetOf
from dsl.semantics.bodies.scope import appended, conjunction, known, number
from dsl.semantics.clauses.lasting import MOST_COPIES, by_copies, forget_copies, keep
from dsl.semantics.clauses.ordering import calls_in_order
from dsl.semantics.code import mid
from dsl.semantics.code.flatten import plain
from dsl.semantics.gather.layers import Gathered
from dsl.semantics.things import entries as w
from dsl.semantics.things.entries import Param
from dsl.semantics.things.kinds import AnyType
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import walk

if TYPE_CHECKING:
    from dsl.semantics.bodies.statements import Statements

MOST_WAITING = 4096
MOST_CALLS = 256


@dataclass(slots=True)
class Delayed:
    """Calls of one action that wait for one moment; each tuple of arguments is a number."""

    action: w.Action
    moment: str
    scope: str
    var: int
    sizes: list[int]


@dataclass(slots=True)
class Lasting:
    """A modifier for the rest of something, and the local name that it was set for."""

    tree: ast.Rest
    var: int
    captured: str | None
    of: int | None
    copies: list[tuple[str, int]] | None = None
    """Names that are kept side by side for each copy, and their variables (`lasting`)."""


@dataclass(slots=True)
class Delays:
    """All that waits or lasts in a game, by the statement that sets it."""

    later: dict[int, Delayed] = field(default_factory=dict)
    rest: dict[int, Lasting] = field(default_factory=dict)
    forgetting: dict[str, int] = field(default_factory=dict)
    """For each scope the procedure that ends what lasted for the rest of it."""

    def at(self, scope: str, moment: str) -> list[Delayed]:
        """What waits for a moment, each action once."""
        found = [each for each in self.later.values() if (each.scope, each.moment) == (scope, moment)]
        return list({each.var: each for each in found}.values())

    def waiting(self) -> dict[str, set[str]]:
        """The actions that wait for the start or end of each scope."""
        found: dict[str, set[str]] = {}
        for each in self.later.values():
            found.setdefault(each.scope, set()).add(each.action.name)
        return found

    def ends(self, scope: str) -> list[Lasting]:
        return [each for each in self.rest.values() if each.tree.scope.text == scope]


def find_delays(world: World, gathered: Gathered) -> Delays:
    """Enters the variables of all delayed and lasting effects, before any body is read."""
    delays = Delays()
    by_key: dict[tuple[str, str, str], Delayed] = {}
    for node in _statements(gathered):
        match node:
            case ast.Later():
                _later(world, delays, by_key, node)
            case ast.Rest():
                _rest(world, delays, node)
            case _:
                pass
    return delays


def _statements(gathered: Gathered) -> Iterator[ast.Node]:
    for entry in gathered.entries:
        yield from walk(entry.declaration)


def _scope(world: World, name: str, span: ast.Node) -> bool:
    if name == "round" or isinstance(world.callables.get(name), w.Action):
        return True
    hint = world.nearest(name, ["round", *(action.name for action in world.actions)])
    world.error(Code.UNKNOWN_NAME, span.span, f"there is no phase or action `{name}`", hint=hint)
    return False


# ---------------------------------------------------------------- at start of


def _later(
    world: World, delays: Delays, by_key: dict[tuple[str, str, str], Delayed], tree: ast.Later
) -> None:
    scope = tree.phase.name if isinstance(tree.phase, ast.NameExpr) else ""
    call = tree.call.call
    function = call.function if isinstance(call, ast.Apply) else call
    name = function.name if isinstance(function, ast.NameExpr) else ""
    action = world.callables.get(name)
    if not isinstance(action, w.Action):
        world.error(
            Code.UNKNOWN_NAME,
            function.span,
            f"there is no action `{name}`",
            hint=world.nearest(name, [a.name for a in world.actions]),
        )
        return
    if not _scope(world, scope, tree.phase):
        return
    key = (name, tree.moment, scope)
    if key not in by_key:
        sizes = [
            world.size(param.type)
            for param in action.params
            if isinstance(param.type, Int | Id) and not param.type.optional
        ]
        product = 1
        for size in sizes:
            product *= max(1, size)
        if len(sizes) != len(action.params) or product > MOST_WAITING:
            world.error(
                Code.LIMIT,
                tree.span,
                f"`{name}` cannot wait: it has too many arguments to keep",
                hint=f"at most {MOST_WAITING} different calls can wait; give it fewer arguments, "
                "or keep a field and a phase that reads it",
            )
            return
        several = min(MOST_CALLS, max(MOST_COPIES, 2 * product))
        var = world.var(f"{name} waiting", None, ListOf(Int(0, max(0, product - 1)), several), "field")
        var.initial = ir.Const(var.type, ())
        by_key[key] = Delayed(action, tree.moment, scope, var.id, sizes)
    delays.later[id(tree)] = by_key[key]


def wait(s: Statements, delays: Delays, tree: ast.Later) -> None:
    """Keeps a call until its moment."""
    delayed = delays.later.get(id(tree))
    if delayed is None:
        return
    call = tree.call.call
    by = s.expr(tree.call.by, Id(0)) if tree.call.by else None
    args = s.action_arguments(delayed.action, call.arguments if isinstance(call, ast.Apply) else (), call, by)
    s.flush()
    if args is None:
        return
    code: ir.Expr = number(0)
    type_ = s.world.vars[delayed.var].type
    assert isinstance(type_, ListOf) and isinstance(type_.of, Int)
    for arg, param, size in zip(args, delayed.action.params, delayed.sizes, strict=True):
        place = _number_of(s, arg, param)
        code = s.compute("+", s.compute("*", code, number(size), tree.phase), place, tree.phase)
    same = s.coerce(code, type_.of, tree.span)
    if known(same):
        load = ir.Load(type_, delayed.var)
        more = appended(load, same)
        s.code.add(ir.Store(delayed.var, None, None, more, s.site(tree.span)))


def _number_of(s: Statements, arg: ir.Expr, param: Param) -> ir.Expr:
    """An argument as a number from 0."""
    if isinstance(arg.type, Id):
        return ir.Op(Int(0, len(s.world.domains[arg.type.domain].members) - 1), "id", (arg,))
    assert isinstance(arg.type, Int) and isinstance(param.type, Int)
    low = param.type.low
    return ir.Op(Int(arg.type.low - low, arg.type.high - low), "sub", (arg, number(low)))


def fire(s: Statements, delays: Delays, scope: str, moment: str) -> list[Fired]:
    """Does what waits for this moment, judged now: each action's calls in the order in which they were set, or
    all in the order that the head of the moment leaves to somebody.
    """
    head = s.world.callables.get(scope)
    order = head.order if isinstance(head, w.Action) else None
    waiting = [Waiting(s, delayed) for delayed in delays.at(scope, moment)]
    for each in waiting:
        each.take()
    if order is not None and waiting:
        calls_in_order(s, order, waiting)
        return []
    return [each.in_turn() for each in waiting]


@dataclass(frozen=True, slots=True)
class Fired:
    """An action that waited, and the code that does its calls when the moment has come."""

    delayed: Delayed
    span: Span
    code: tuple[mid.Mid, ...]


class Waiting:
    """The calls of one action that have waited, while code is written that does them."""

    def __init__(self, s: Statements, delayed: Delayed) -> None:
        type_ = s.world.vars[delayed.var].type
        assert isinstance(type_, ListOf) and isinstance(type_.of, Int)
        self.s, self.delayed, self.type, self.of = s, delayed, type_, type_.of
        self.span = delayed.action.decl.name.span
        self.calls = s.body.new(type_)
        self.code = s.body.new(type_.of)

    def take(self) -> None:
        """From here on nothing waits: what is put off again waits for the next time."""
        s, var = self.s, self.delayed.var
        s.code.add(ir.SetLocal(self.calls.index, ir.Load(self.type, var)))
        s.code.add(ir.Store(var, None, None, ir.Const(self.type, ()), s.site(self.span)))

    def args(self, code: ir.Expr) -> tuple[ir.Expr, ...]:
        """The arguments that a number stands for."""
        return _decoded(self.s, self.delayed, code)

    def present(self, args: tuple[ir.Expr, ...]) -> ir.Expr:
        return _present(self.s, args)

    def owner(self, code: ir.Expr) -> ir.Expr | None:
        """Whose a call is: the player who does the action."""
        by = self.delayed.action.by
        return self.args(code)[by] if by is not None else None

    def run(self) -> tuple[mid.Mid, ...]:
        """One call, if what it is about is still there."""
        s = self.s
        with s.collecting() as inner:
            args = s.kept(self.args(self.code))
            with s.collecting() as call:
                s.order(self.delayed.action, args, None, self.span)
            s.code.add(mid.MidIf(self.present(args), tuple(call.statements)))
        return tuple(inner.statements)

    def in_turn(self) -> Fired:
        """All calls, in the order in which they were set."""
        run = self.run()
        self.s.code.add(mid.MidForEach(self.code.index, self.calls, run, self.s.site(self.span)))
        return Fired(self.delayed, self.span, run)


def _present(s: Statements, args: tuple[ir.Expr, ...]) -> ir.Expr:
    """That the pieces among some arguments are in play: what was taken away is waited for no more."""
    tests: list[ir.Expr] = []
    for arg in args:
        assert isinstance(arg.type, Int | Id)
        domain = s.world.domains[arg.type.domain] if isinstance(arg.type, Id) else None
        if domain is not None and domain.pool is not None and domain.pool.pile is None:
            tests.append(ir.Op(TRUTH, "has", (s.members(domain.id), arg)))
    return conjunction(tests)


def _decoded(s: Statements, delayed: Delayed, code: ir.Expr) -> tuple[ir.Expr, ...]:
    """The arguments that a number stands for."""
    found: list[ir.Expr] = []
    rest = code
    for param, size in reversed(list(zip(delayed.action.params, delayed.sizes, strict=True))):
        assert isinstance(rest.type, Int)
        whole = Int(0, rest.type.high // size)
        above = ir.Op(whole, "div_down", (rest, number(size)))
        below = ir.Op(
            Int(0, size - 1),
            "narrow",
            (
                ir.Op(
                    Int(-whole.high * size, rest.type.high),
                    "sub",
                    (rest, ir.Op(Int(0, whole.high * size), "mul", (above, number(size)))),
                ),
            ),
        )
        found.append(_member(s, below, param.type))
        rest = above
    return tuple(reversed(found))


def _member(s: Statements, place: ir.Expr, type_: AnyType) -> ir.Expr:
    if isinstance(type_, Int):
        assert isinstance(place.type, Int)
        return ir.Op(Int(type_.low, type_.low + place.type.high), "add", (place, number(type_.low)))
    assert isinstance(type_, Id)
    size = len(s.world.domains[type_.domain].members)
    data = s.constant(
        f"members of {s.world.domains[type_.domain].name}", type_, ((0, size),), tuple(range(size))
    )
    return ir.Lookup(type_, data, (place,))


# ---------------------------------------------------------------- for the rest of


def _rest(world: World, delays: Delays, tree: ast.Rest) -> None:
    if not _scope(world, tree.scope.text, tree.scope):
        return
    target = tree.modify.target
    head = world.callables.get(target.name.text)
    if not isinstance(head, w.Value):
        names = [value.name for value in world.values]
        world.error(
            Code.NO_SUCH_HEAD,
            target.span,
            f"there is no value `{target.name.text}` to modify",
            hint=world.nearest(target.name.text, names),
        )
        return
    var = world.var(
        f"{target.name.text} for the rest of {tree.scope.text}", None, Int(0, MOST_COPIES), "field"
    )
    var.initial = ir.Const(var.type, 0)
    lasting = Lasting(tree, var.id, None, None)
    delays.rest[id(tree)] = lasting
    head.lasting.append((tree.modify, lasting))


def last(s: Statements, delays: Delays, tree: ast.Rest) -> None:
    """Sets a lasting modifier once more; the local names that it reads are kept with it."""
    lasting = delays.rest.get(id(tree))
    if lasting is None:
        return
    names = _locals_read(s, tree)
    found = [each for name in names if (each := s.body.find(name)) is not None]
    if by_copies(tree, names, found):
        keep(s, lasting, tree, names, found)
        return
    owner = None
    if found:
        (owner,) = found
        assert isinstance(owner.type, Id)
        lasting.captured, lasting.of = names[0], owner.type.domain
        s.world.vars[lasting.var].of = owner.type.domain
    s.code.add(ir.Change(lasting.var, owner, None, number(1), True, False, s.site(tree.span)))


def _locals_read(s: Statements, tree: ast.Rest) -> list[str]:
    own = {param.name.text for param in tree.modify.target.params or ()}
    head = s.world.callables.get(tree.modify.target.name.text)
    if isinstance(head, w.Value) and tree.modify.target.params is None:
        own = {param.name for param in head.params}
    bound = {
        node.selection.name.text
        for node in walk(tree.modify)
        if isinstance(node, ast.Quantified | ast.Every | ast.Total | ast.Extreme)
    }
    parts = (tree.modify.operand, tree.modify.tail.condition)
    names = [
        node.name
        for part in parts
        if part is not None
        for node in walk(part)
        if isinstance(node, ast.NameExpr)
    ]
    return list(
        dict.fromkeys(name for name in names if name not in own | bound and s.body.find(name) is not None)
    )


def forget(s: Statements, delays: Delays, scope: str, site: int) -> None:
    """What lasted for the rest of a scope ends with it: by a procedure that is written when all is known."""
    if not any(True for _ in delays.ends(scope)):
        return
    if scope not in delays.forgetting:
        s.world.procedures.append(None)
        delays.forgetting[scope] = len(s.world.procedures) - 1
    s.code.add(ir.Call(delays.forgetting[scope], (), None, site))


def ending(s: Statements, delays: Delays, scope: str) -> pr.Procedure:
    """Takes back all that lasted for the rest of a scope."""
    for lasting in delays.ends(scope):
        var = s.world.vars[lasting.var]
        site = s.site(lasting.tree.span)
        zero = ir.Const(var.type, 0)
        forget_copies(s, lasting)
        if var.of is None:
            s.code.add(ir.Store(var.id, None, None, zero, site))
            continue
        owner = s.body.new(Id(var.of))
        everybody = ir.Const(SetOf(Id(var.of)), (1 << len(s.world.domains[var.of].members)) - 1)
        s.code.add(mid.MidForEach(owner.index, everybody, (ir.Store(var.id, owner, None, zero, site),), site))
    return pr.Procedure(f"end of {scope}", 0, tuple(s.body.locals), None, plain(tuple(s.code.statements)))
