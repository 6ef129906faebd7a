"""Actions that lead back to themselves where things happen together.

Elsewhere such an action is a routine: its calls stand on the stack of the state, and variables count how often it and
its clauses are open. At one instant nothing is written before all is done, so no variable can count there. Instead each
depth that can be reached has a procedure of its own, in which the tests of `once` and `nested at most n` see what is
open since the instant began; where that is as much as may be, nothing is left to call.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.scope import Opened, opened_once_more
from dsl.ir import program as pr
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import plain
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.source import Span

if TYPE_CHECKING:
    from dsl.elaborate.clauses.actions import Actions

MOST_COPIES = 500
"""Procedures of a program for the depths of what happens together."""


@record(slots=True)
class Copies:
    """The procedures of actions at a depth: numbered when they are first called, written when their callers are."""

    actions: Actions
    found: dict[tuple[int, Opened], int] = field(default_factory=dict)
    waiting: list[tuple[w.Action, Opened, int]] = field(default_factory=list)
    most: bool = False
    """Was it told that there are too many?"""

    def may_grow(self, action: w.Action, span: Span) -> bool:
        """May one more depth have code of its own?"""
        inner = sum(opened is not None for _, opened in self.actions.parts)
        if len(self.found) + inner < MOST_COPIES:
            return True
        if not self.most:
            self.most = True
            self.actions.world.error(
                Code.TOGETHER,
                span,
                tr(
                    "what happens together leads to `{action}` and back in more than {most_copies} ways",
                    action=action.name,
                    most_copies=MOST_COPIES,
                ),
                hint="write a smaller number behind `nested at most`, or let it lead back in an `after` clause",
                labels=(Label(action.decl.name.span, "met again and again"),),
            )
        return False

    def of(self, action: w.Action, opened: Opened, span: Span) -> int:
        """The procedure of an action that is called where something is open."""
        world = self.actions.world
        world.depends_on_bodies()
        opened = opened_once_more(opened, action.depth_var)
        key = (action.id, opened)
        if key in self.found:
            return self.found[key]
        if not self.may_grow(action, span):
            return next(iter(self.found.values()))
        world.procedures.append(None)
        self.found[key] = len(world.procedures) - 1
        self.waiting.append((action, opened, self.found[key]))
        return self.found[key]

    def write(self) -> None:
        """Writes what is called and not yet written, the shallow before the deep."""
        while self.waiting:
            action, opened, number = self.waiting.pop(0)
            s = self.actions.statements(action.params, action.by)
            s.opened = opened
            self.actions.course(s, action)
            code = tuple(s.code.statements)
            if mid.suspends(code):
                self.actions.cannot_be_together(action)
                continue
            self.actions.world.procedures[number] = pr.Procedure(
                action.name, len(action.params), tuple(s.body.locals), None, plain(code)
            )
