"""Blocks of statements: their scope, their citations, and the `until` blocks around them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from dsl.check.removals import Watch
from dsl.elaborate.bodies.expressions import Expressions, Resolver
from dsl.elaborate.bodies.scope import Body
from dsl.elaborate.bodies.writes import Writes, outdated, writes
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import FALSE
from dsl.records import record
from dsl.resolve.delayed_effects import Delays
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.clauses.actions import Actions


@record(slots=True)
class Until:
    """An `until` block that is open: left at once when its condition holds."""

    condition: ast.Expr
    number: int
    finally_: ast.Block | None
    facts: frozenset[str] = frozenset()
    """What is known each time that its condition is tested."""


@record(slots=True)
class Flow:
    """Where `stop` and `return` lead, and which `until` blocks they cross."""

    labels: int = 0
    loops: list[tuple[int, int]] = field(default_factory=list)
    """Label of the loop's end, and how many `until` blocks were open there."""
    untils: list[Until] = field(default_factory=list)
    end: int | None = None
    depth: int = 0
    """How many loops are open."""

    def label(self) -> int:
        self.labels += 1
        return self.labels


class Blocks(Expressions):
    """Gathers the statements of a block."""

    def __init__(self, world: World, body: Body | None = None, resolve_value: Resolver | None = None) -> None:
        super().__init__(world, body, resolve_value)
        self.flow = Flow()
        self.code = mid.Code()
        self.setup_side: ir.Expr | None = None
        self.watch = Watch()
        self.actions: Actions | None = None
        """The elaborator of actions that this code belongs to; tests and conditions have none."""

    @property
    def delays(self) -> Delays:
        return self.actions.delays if self.actions else Delays()

    @contextmanager
    def collecting(self) -> Iterator[mid.Code]:
        """Gathers statements apart, in a scope of their own."""
        outer, self.code = self.code, mid.Code(site=self.code.site)
        with self.body.block():
            yield self.code
        self.code = outer

    def block(self, block: ast.Block) -> tuple[mid.Mid, ...]:
        with self.collecting() as code:
            self.run_block(block)
        return tuple(code.statements)

    def written(self, trees: object, own: str | None = None) -> Writes:
        """What some statements may write, as they stand here."""
        names = {name for scope in self.body.names for name in scope}
        bound = {name: self.body.find(name) for name in names}
        there = {
            name
            for name, expr in bound.items()
            if expr is not None and isinstance(expr.type, Int | Id) and not expr.type.optional
        }
        return writes(self.world, trees, own, there)

    def outdate(self, done: Writes) -> None:
        """Forgets what need not hold any more after some writes; open `until` blocks are tested behind each."""
        fixed = {name for scope in self.body.names for name in scope}
        self.body.facts -= outdated(self.world, self.body.facts, done, fixed)
        for until in self.flow.untils:
            self.learn(until.condition, holds=False)

    def run_block(self, block: ast.Block) -> None:
        if block.citation:
            self.mark(block.citation, block.span)
        for statement in block.statements:
            self.statement(statement)

    def mark(self, citation: ast.Citation | None, span: Span) -> None:
        """A cited statement is a clause of its own."""
        if citation is None:
            return
        self.code.add(ir.Mark(self.cited(citation, span)))

    def cited(self, citation: ast.Citation, span: Span) -> int:
        known_clause = self.world.clause_of_citation.get(id(citation))
        if known_clause is None:
            known_clause = self.world.clause("statement", "", citation, span)
            self.world.clause_of_citation[id(citation)] = known_clause
        return known_clause

    def flush(self) -> None:
        """Dice that an expression rolls are rolled before the statement that reads them."""
        self.code.add(*self.body.hoisted)
        self.body.hoisted.clear()

    def site(self, span: Span) -> int:
        return self.world.site(span)

    def leave_untils(self, tree: ast.Stmt) -> None:
        """Behind each statement written inside an `until`, its condition is tested."""
        if isinstance(tree, ast.Let | ast.Need | ast.Nothing | ast.Stop | ast.Return):
            return
        self.test_untils()

    def test_untils(self) -> None:
        for depth, until in enumerate(self.flow.untils):
            test = self.tested(until.condition, until.facts)
            if test == FALSE:
                continue
            self.code.add(mid.MidIf(test, tuple(self.leaving(until.number, depth + 1))))

    def tested(self, condition: ast.Expr, facts: frozenset[str]) -> ir.Expr:
        """A condition that is tested again and again, where only some facts hold each time."""
        with self.body.inner():
            self.body.facts.clear()
            self.body.facts |= facts
            return self.truth(condition)

    def lasting(self, block: ast.Block) -> frozenset[str]:
        """What is known here and stays so, whatever a block does."""
        with self.body.inner():
            self.outdate(self.written(block))
            return frozenset(self.body.facts)

    def leaving(self, label: int, depth: int) -> list[mid.Mid]:
        """A jump to a label's end; `finally` of the `until` blocks it crosses runs first."""
        with self.watch.aside(), self.collecting() as code:
            self.body.facts.clear()
            crossed = self.flow.untils[depth:]
            del self.flow.untils[depth:]
            for until in reversed(crossed):
                if until.finally_:
                    self.run_block(until.finally_)
            self.flow.untils.extend(crossed)
        return [*code.statements, ir.Leave(label)]

    def statement(self, tree: ast.Stmt) -> None:
        raise NotImplementedError
