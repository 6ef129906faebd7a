"""`together`: actions that happen at one instant.

All are judged on the entry state; then each `before` clause runs over all of them; then the bodies, or what stands
instead, which read the entry state and whose writes are committed at once; then each `after` clause, in its rank,
over the actions in order: all deaths, then all eliminations, then all returns.

Each part of an action becomes a piece of code of its own, with the action's parameters; the batch calls the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any

from dsl.diagnostics import Code
from dsl.elaborate.bodies.scope import Opened, appended, known, modified_argument, opened_once_more
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int, ListOf, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import plain
from dsl.lower.ir_builder import FALSE, TRUE, number
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements
    from dsl.elaborate.clauses.actions import Actions


@record(slots=True)
class Part:
    """A piece of an action that a batch runs by itself: the number of its procedure, or of its routine if it is red.

    It has none before it is written. A batch in a clause of the same action may run it by then: a clause becomes a
    routine, as all that leads back to itself, a body (`kept`: what it writes is kept back) stays a procedure.
    """

    run: int | None = None
    red: bool = False
    kept: bool = False


@record(slots=True)
class Parts:
    """The parts of an action: its `before` clauses in order, its body, its `after` clauses in rank."""

    before: list[Part]
    body: Part
    after: list[Part]


@record(slots=True)
class Item:
    """One call of a batch: alone, or for each element of a set that is fixed at entry."""

    action: w.Action
    args: tuple[ir.Expr, ...]
    span: Span
    allowed: ir.Local
    """The truth that it may happen, or the set of the elements for which it may."""
    index: ir.Local | None = None
    lists: dict[int, ir.Local] = field(default_factory=dict)
    """Arguments that read the state, kept for each element in order."""
    counter: ir.Local | None = None
    never: bool = False
    """Is it refused whatever the state is, since it is open as often as it may be?"""


def batch(
    s: Statements, actions: Actions, calls: list[tuple[list[ast.Selection], ast.Call]], tree: ast.Together
) -> None:
    """Writes the code of a `together` block."""
    s.world.depends_on_bodies()
    items = [item for selections, call in calls if (item := _item(s, actions, selections, call)) is not None]
    if len(items) != len(calls):
        return
    items = [item for item in items if not item.never]
    s.flush()
    _instant(s, tree.span, begins=True)
    heads = list({item.action.id: item.action for item in items}.values())
    parts = {action.id: parts_of(actions, action, tree.span, s.opened) for action in heads}
    for action in heads:
        for part in parts[action.id].before:
            _over(s, items, action, part)
    with s.collecting() as code:
        for item in items:
            _each(s, item, partial(_run, s, parts[item.action.id].body, s.site(item.span)))
    site = s.site(tree.span)
    s.code.add(mid.MidBatch(tuple(code.statements), site))
    actions.batches.append((tree.span, tuple(parts[action.id].body.run or 0 for action in heads)))
    if s.opened is not None:  # their `after` clauses wait for the end of what this is within
        for item in items:
            if item.action.is_followed:
                _each(s, item, partial(actions.happened.keep, s, item.action))
        _instant(s, tree.span, begins=False)
        return
    kept = _kept_calls(s, actions, heads, tree.span)
    others = [action for action, _ in kept.values() if action.id not in parts]
    for action in (*heads, *others):
        for part in parts[action.id].after if action.id in parts else _afters(actions, action):
            _over(s, items, action, part)
            if action.id in kept:
                _over_kept(s, actions, *kept[action.id], part, tree.span)
    _instant(s, tree.span, begins=False)


def _kept_calls(
    s: Statements, actions: Actions, heads: list[w.Action], span: Span
) -> dict[int, tuple[w.Action, ir.Local]]:
    """What was done within what happened together, with `after` clauses that are still to be done."""
    reached = frozenset[str]().union(*(action.leads for action in heads))
    found = {}
    for action in actions.world.actions:
        calls = actions.happened.taken(s, action, span) if action.name in reached else None
        if calls is not None:
            found[action.id] = action, calls
    return found


def _over_kept(
    s: Statements, actions: Actions, action: w.Action, calls: ir.Local, part: Part, span: Span
) -> None:
    """Runs a part for each of some calls, in the order in which they were done."""
    assert isinstance(calls.type, ListOf)
    code, site = s.body.new(calls.type.of), s.site(span)
    run = _run(s, part, site, actions.happened.arguments(s, action, code))
    s.code.add(mid.MidForEach(code.index, calls, run, site))


def _afters(actions: Actions, action: w.Action) -> list[Part]:
    """The `after` clauses of an action as parts, written once."""
    if action.id not in actions.afters:
        actions.afters[action.id] = []
        _clause_parts(actions, action, "after", None, actions.afters[action.id])
    return actions.afters[action.id]


def _instant(s: Statements, span: Span, *, begins: bool) -> None:
    """No ending is tested before all that follows has followed: the count is part of each ending's condition."""
    if s.world.instant is not None:
        s.code.add(ir.Change(s.world.instant, None, None, number(1), False, not begins, s.site(span)))


# ---------------------------------------------------------------- the entry state


def _item(s: Statements, actions: Actions, selections: list[ast.Selection], call: ast.Call) -> Item | None:
    tree = call.call
    function = tree.function if isinstance(tree, ast.Apply) else tree
    name = function.name if isinstance(function, ast.NameExpr) else ""
    action = s.world.callables.get(name)
    if not isinstance(action, w.Action):
        hint = s.world.nearest(name, [each.name for each in s.world.actions])
        s.unknown("action", function.span, name=name, hint=hint)
        return None
    if len(selections) > 1:
        s.fault(
            Code.TOGETHER,
            call.span,
            "in `together` a call stands in one `for` at most",
            hint="range over one set that holds what is meant",
        )
        return None
    return (
        _single(s, action, tree, call) if not selections else _for_each(s, action, tree, call, selections[0])
    )


def _arguments(s: Statements, action: w.Action, tree: ast.Expr, call: ast.Call) -> tuple[ir.Expr, ...] | None:
    by = s.expr(call.by, action.params[-1].type if action.by is not None else None) if call.by else None
    return s.action_arguments(action, tree.arguments if isinstance(tree, ast.Apply) else (), tree, by)


def _single(s: Statements, action: w.Action, tree: ast.Expr, call: ast.Call) -> Item | None:
    ordered = _arguments(s, action, tree, call)
    if ordered is None:
        return None
    kept = s.kept(ordered)
    allowed = s.body.new(TRUTH)
    judges = action.permits or action.depth is not None
    judged: ir.Expr = s.judged(action, kept) if judges else TRUE
    s.code.add(ir.SetLocal(allowed.index, judged))
    refused = ir.Refused(action.id, kept, s.site(call.span))
    done = {at: s.body.new(action.params[at].type) for at in sorted(action.modified)}
    made = [ir.SetLocal(local.index, modified_argument(action, at, kept)) for at, local in done.items()]
    s.code.add(mid.MidIf(allowed, tuple(made), (refused,)))
    args = tuple(done.get(at, arg) for at, arg in enumerate(kept))
    return Item(action, args, call.span, allowed, never=judged == FALSE)


def _for_each(
    s: Statements, action: w.Action, tree: ast.Expr, call: ast.Call, selection: ast.Selection
) -> Item | None:
    domain = s.domain(selection.domain)
    if not known(domain) or not isinstance(domain.type, SetOf):
        if known(domain):
            s.fault(Code.TOGETHER, selection.span, "`together` ranges over sets")
        return None
    domain = s.filtered(domain, selection)
    assert isinstance(domain.type, SetOf)
    index = s.body.new(domain.type.of)
    with s.collecting() as code:
        s.body.bind(selection.name.text, index)
        if selection.condition:
            s.learn(selection.condition, holds=True)
        args = _arguments(s, action, tree, call)
    if args is None:
        return None
    s.code.add(*code.statements)
    kept = s.body.new(domain.type)
    allowed = s.body.new(domain.type)
    judged = s.judged(action, args) if action.permits or action.depth is not None else None
    done = tuple(modified_argument(action, at, args) for at in range(len(args)))
    item = Item(action, done, call.span, allowed, index, never=judged == FALSE)
    s.code.add(ir.SetLocal(kept.index, domain))
    s.code.add(ir.SetLocal(allowed.index, ir.Fold(domain.type, "all", index.index, kept, judged, None)))
    refused = ir.Refused(action.id, args, s.site(call.span))
    rest = ir.Op(domain.type, "minus", (kept, allowed))
    if judged is not None:
        s.code.add(mid.MidForEach(index.index, rest, (refused,), s.site(call.span)))
    _keep_lists(s, item, domain.type)
    return item


def _keep_lists(s: Statements, item: Item, type_: SetOf) -> None:
    """What an argument reads from the entry state is kept, element by element."""
    assert item.index is not None
    size = s.world.size(type_.of)
    appends: list[mid.Mid] = []
    for at, arg in enumerate(item.args):
        if isinstance(arg, ir.Local | ir.Const):
            continue
        if not isinstance(arg.type, Int | Id):
            s.fault(Code.TOGETHER, item.span, "in a `for` of `together` arguments are single values")
            continue
        kept = s.body.new(ListOf(arg.type, size))
        s.code.add(ir.SetLocal(kept.index, ir.Const(kept.type, ())))
        appends.append(ir.SetLocal(kept.index, appended(kept, arg)))
        item.lists[at] = kept
    if appends:
        item.counter = s.body.new(Int(0, size))
        s.code.add(mid.MidForEach(item.index.index, item.allowed, tuple(appends), s.site(item.span)))


# ---------------------------------------------------------------- running the parts


def _over(s: Statements, items: list[Item], action: w.Action, part: Part) -> None:
    for item in items:
        if item.action is action:
            _each(s, item, partial(_run, s, part, s.site(item.span)))


def _each(s: Statements, item: Item, run: Callable[[tuple[ir.Expr, ...]], tuple[mid.Mid, ...]]) -> None:
    """Does something for each call of an item that is allowed, with its arguments."""
    site = s.site(item.span)
    if item.index is None:
        s.code.add(mid.MidIf(item.allowed, run(item.args)))
        return
    args = list(item.args)
    before: list[mid.Mid] = []
    after: list[mid.Mid] = []
    if item.counter is not None:
        assert isinstance(item.counter.type, Int)
        s.code.add(ir.SetLocal(item.counter.index, ir.Const(item.counter.type, 0)))
        for at, kept in item.lists.items():
            assert isinstance(kept.type, ListOf) and isinstance(kept.type.of, Int | Id)
            args[at] = ir.Op(kept.type.of, "item", (kept, item.counter))
        high = item.counter.type.high
        more = ir.Op(Int(1, high + 1), "add", (item.counter, number(1)))
        after.append(ir.SetLocal(item.counter.index, ir.Op(item.counter.type, "narrow", (more,))))
    body = (*before, *run(tuple(args)), *after)
    s.code.add(mid.MidForEach(item.index.index, item.allowed, body, site))


def _run(s: Statements, part: Part, site: int, args: tuple[ir.Expr, ...]) -> tuple[mid.Mid, ...]:
    if part.run is None:
        table: list[Any] = s.world.procedures if part.kept else s.world.routines
        table.append(None)
        part.run, part.red = len(table) - 1, not part.kept
    return (mid.MidEnter(part.run, args, None, site) if part.red else ir.Call(part.run, args, None, site),)


# ---------------------------------------------------------------- the parts of an action


def parts_of(actions: Actions, action: w.Action, span: Span, opened: Opened | None) -> Parts:
    """The parts of an action, written once; once for each depth where they stand in what happens together itself."""
    key = (action.id, opened)
    if key in actions.parts:
        return actions.parts[key]
    if opened is not None and not actions.copies.may_grow(action, span):
        return Parts([], Part(0), [])
    inner = opened_once_more(opened, action.depth_var) if opened is not None else None
    parts = Parts([], Part(kept=True), [])
    actions.parts[key] = parts
    _clause_parts(actions, action, "before", inner, parts.before)
    _body_part(actions, action, opened_once_more(opened or (), action.depth_var), parts.body)
    if opened is None:
        _clause_parts(actions, action, "after", inner, parts.after)
    return parts


def _clause_parts(
    actions: Actions, action: w.Action, hook: str, opened: Opened | None, found: list[Part]
) -> None:
    """The clauses of a hook, each a part; all of them in one where somebody chooses what comes first. All parts are
    there before the first is written, which may run them.
    """
    ranks = _ranks(actions, action, hook)
    if action.order is None or len(ranks) < 2:
        found += [Part() for _ in ranks]
        for part, index in zip(found, ranks, strict=True):
            _clause_part(actions, action, index, hook, opened, part)
        return
    s = actions.statements(action.params, action.by)
    s.opened = opened
    found.append(Part())
    with _running(s, action):
        actions.reactions(s, action, hook)
    _entered(actions, s, f"{hook} {action.name}", len(action.params), found[0])


@contextmanager
def _running(s: Statements, action: w.Action) -> Iterator[None]:
    """Code within which an action that counts how often it is met again is under way."""
    counts = s.opened is None and action.depth_var is not None
    site = s.site(action.decl.name.span)
    if counts and action.depth_var is not None:
        s.code.add(ir.Change(action.depth_var, None, None, number(1), False, False, site))
    yield
    if counts and action.depth_var is not None:
        s.code.add(ir.Change(action.depth_var, None, None, number(1), False, True, site))


def _ranks(actions: Actions, action: w.Action, hook: str) -> list[int]:
    found = [reaction for reaction, _ in action.reactions if reaction.hook == hook]
    return actions.ranked(action, found) if found else []


def _clause_part(
    actions: Actions, action: w.Action, index: int, hook: str, opened: Opened | None, part: Part
) -> None:
    found = [(reaction, guard) for reaction, guard in action.reactions if reaction.hook == hook]
    s = actions.statements(action.params, action.by)
    s.opened = opened
    due = actions.clauses(s, action, found)[index]
    with _running(s, action):
        s.code.add(mid.MidIf(due.test, due.body))
    _entered(actions, s, f"{hook} {action.name}", len(action.params), part)


def _body_part(actions: Actions, action: w.Action, opened: Opened, part: Part) -> None:
    s = actions.statements(action.params, action.by)
    s.opened = opened
    actions.announce(s, action)
    actions.middle(s, action)
    _entered(actions, s, f"body of {action.name}", len(action.params), part)
    if part.red:
        actions.cannot_be_together(action)


def _entered(actions: Actions, s: Statements, name: str, params: int, part: Part) -> None:
    """Writes a part; as a routine where it was run before it was written."""
    from dsl.elaborate.bodies.routines import routine

    code = tuple(s.code.statements)
    world = actions.world
    red = part.red or mid.suspends(code)
    table: list[Any] = world.routines if red else world.procedures
    if part.run is None or red != part.red:
        table.append(None)
        part.run = len(table) - 1
    part.red = red
    written = routine(name, params, s.body, code) if red else None
    table[part.run] = written or pr.Procedure(name, params, tuple(s.body.locals), None, plain(code))
