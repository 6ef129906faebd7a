"""What follows from an action that is done within what happens together: its `after` clauses.

At one instant nothing is written before all is done, so that they cannot be done there. The call is kept, as calls are
that wait for a phase, and its clauses are done with those of the others when the instant is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.delays import encoded
from dsl.elaborate.clauses.delays import MOST_CALLS, decoded
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int, ListOf
from dsl.lower import structured_ir as mid
from dsl.resolve import symbols as w
from dsl.resolve.delayed_effects import Delayed
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements
    from dsl.elaborate.clauses.actions import Actions

MOST_CODES = 2**30
"""Combinations of arguments of an action that can be kept."""


class Happened:
    """Where the calls of each action are kept until the instant is over."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions
        self.found: dict[int, Delayed | None] = {}

    def of(self, action: w.Action, span: Span) -> Delayed | None:
        """Where calls of an action are kept; none, after a fault, where their arguments cannot be."""
        if action.id not in self.found:
            self.found[action.id] = self._declared(action, span)
        return self.found[action.id]

    def _declared(self, action: w.Action, span: Span) -> Delayed | None:
        world = self.actions.world
        sizes, product = [], 1
        for param in action.params:
            if isinstance(param.type, Int | Id) and not param.type.optional:
                sizes.append(max(1, world.size(param.type)))
                product *= sizes[-1]
        if len(sizes) != len(action.params) or product > MOST_CODES:
            world.error(
                Code.TOGETHER,
                span,
                tr(
                    "`{action}` has `after` clauses, and is done with what cannot be kept until all has happened",
                    action=action.name,
                ),
                hint="give it single numbers and things that are there, or do it in an `after` clause",
                labels=(Label(action.decl.name.span, "done within what happens together"),),
            )
            return None
        type_ = ListOf(Int(0, product - 1), MOST_CALLS)
        var = world.var(f"{action.name} done together", None, type_, "armed")
        var.initial = ir.Const(type_, ())
        return Delayed(action, "end", "", var.id, sizes)

    def keep(self, s: Statements, action: w.Action, args: tuple[ir.Expr, ...]) -> tuple[mid.Mid, ...]:
        """Keeps a call until the instant is over."""
        kept = self.of(action, action.decl.name.span)
        named = ast.NameExpr(action.name, span=action.decl.name.span)
        code = encoded(s, kept, args, named) if kept is not None else None
        if kept is None or code is None:
            return ()
        return (ir.Change(kept.var, None, None, code, False, False, s.site(named.span)),)

    def taken(self, s: Statements, action: w.Action, span: Span) -> ir.Local | None:
        """The calls that were kept, as numbers; from here on none is."""
        kept = self.of(action, span)
        if kept is None:
            return None
        type_ = self.actions.world.vars[kept.var].type
        calls = s.body.new(type_)
        s.code.add(ir.SetLocal(calls.index, ir.Load(type_, kept.var)))
        s.code.add(ir.Store(kept.var, None, None, ir.Const(type_, ()), s.site(span)))
        return calls

    def arguments(self, s: Statements, action: w.Action, code: ir.Expr) -> tuple[ir.Expr, ...]:
        """What a number says that an action was done with."""
        kept = self.found[action.id]
        assert kept is not None
        return decoded(s, kept, code)
