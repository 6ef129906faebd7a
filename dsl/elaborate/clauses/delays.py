"""Effects that come later or last: `at start of PHASE: action(...)`, and `for the rest of PHASE: modify ...`.

Both are visible state. A delayed effect is a list of the arguments that it waits with, emptied when its phase comes and
each call is judged. A lasting modifier is a count of how often it was set, for each thing that it was set for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.check.effects import Fired
from dsl.diagnostics import Code
from dsl.elaborate.clauses.heads import modified
from dsl.elaborate.clauses.lasting_modifiers import forget_copies
from dsl.elaborate.clauses.ordering import calls_in_order
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int, ListOf, SetOf
from dsl.linker.layers import Gathered
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import plain
from dsl.lower.ir_builder import conjunction, number
from dsl.resolve import symbols as w
from dsl.resolve.delayed_effects import MOST_COPIES, Delayed, Delays, Lasting
from dsl.resolve.kinds import AnyType
from dsl.resolve.symbol_table import World
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements

MOST_WAITING = 4096
MOST_CALLS = 256


def find_delays(world: World, gathered: Gathered) -> Delays:
    """Enters the variables of all delayed and lasting effects, before any body is read."""
    delays = Delays()
    by_key: dict[tuple[str, str, str], Delayed] = {}
    for entry in gathered.entries:
        for node in nodes_of(entry.declaration, ast.Later, ast.Rest):
            if isinstance(node, ast.Later):
                _later(world, delays, by_key, node)
            else:
                _rest(world, delays, node, entry.declaration)
    return delays


def _scope(world: World, name: str, span: ast.Node) -> bool:
    found = world.callables.get(name)
    if name == "round" or (isinstance(found, w.Action) and found is not world.placing):
        return True
    hint = world.nearest(name, ["round", *(action.name for action in world.actions if action is not found)])
    head = span.function if isinstance(span, ast.Apply) else None
    if isinstance(head, ast.NameExpr) and isinstance(world.callables.get(head.name), w.Action):
        message = tr(
            "`at start of` and `at end of` wait for `{name}` of anybody, not for one", name=head.name
        )
        hint = tr(
            "write `{name}` alone, or let a field say whose it is, and do it in `before {name}(p) when p.FIELD: ...`",
            name=head.name,
        )
        world.error(Code.WRONG_ARGUMENTS, span.span, message, hint=hint)
        return False
    world.unknown("phase", span.span, name=name, hint=hint)
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
        world.unknown(
            "action", function.span, name=name, hint=world.nearest(name, [a.name for a in world.actions])
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
                tr("`{name}` cannot wait: it has too many arguments to keep", name=name),
                hint=tr(
                    "at most {most_waiting} different calls can wait; give it fewer arguments, or keep a "
                    "field and a phase that reads it",
                    most_waiting=MOST_WAITING,
                ),
            )
            return
        several = min(MOST_CALLS, max(MOST_COPIES, 2 * product))
        var = world.var(f"{name} waiting", None, ListOf(Int(0, max(0, product - 1)), several), "field")
        var.initial, var.put_off = ir.Const(var.type, ()), "waits"
        by_key[key] = Delayed(action, tree.moment, scope, var.id, sizes)
    delays.later[id(tree)] = by_key[key]


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
        return decoded(self.s, self.delayed, code)

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


def decoded(s: Statements, delayed: Delayed, code: ir.Expr) -> tuple[ir.Expr, ...]:
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


def _rest(world: World, delays: Delays, tree: ast.Rest, within: ast.Node) -> None:
    if not _scope(world, tree.scope.text, tree.scope):
        return
    head = modified(world, tree.modify.target)
    if head is None:
        return
    var = world.var(f"{head.name} for the rest of {tree.scope.text}", None, Int(0, MOST_COPIES), "field")
    var.initial, var.put_off = ir.Const(var.type, 0), "lasts"
    lasting = Lasting(tree, within, var.id, None, None)
    delays.rest[id(tree)] = lasting
    head.lasting.append((tree.modify, lasting))


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
