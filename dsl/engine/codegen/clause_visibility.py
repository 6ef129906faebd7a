"""Who may know that a clause took effect: those who see all that the conditions around it read.

A veil lies over what takes effect inside a condition, and over what is called there. Where the code is left from
inside, it stays until the next decision: what follows may follow from it. Between the blocks of a routine, where
decisions are taken, there is none: whether somebody is asked follows from nothing hidden (E0421).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.engine.codegen.telling import Tellings
from dsl.ir import nodes as ir
from dsl.ir.walk import inside, within


class Veils(Tellings):
    """Adds veils to telling code."""

    @contextmanager
    def veiled(self, condition: ir.Expr, statements: tuple[ir.Stmt, ...]) -> Iterator[None]:
        """What is written inside takes effect on a condition."""
        marks = any(isinstance(each, ir.Mark | ir.Call) for each in within(statements))
        before = self.keep("k.veil") if marks and self._is_hidden(condition) else ""
        if before:
            self._veil(condition)
        yield
        if before:
            self.line(f"k.veil = {before}")

    def _veil(self, condition: ir.Expr) -> None:
        """From here on takes effect what follows from a condition."""
        with self._free(plain=False):
            with self.indented("try:"):
                codes = [code for each in self.uncounted(condition) for code in self.audiences(each)]
                self.line(f"k.veil &= {' & '.join(codes) or '0'}")
            with self.indented("except RuleFailure:"):
                self.line("k.veil = 0")

    def _is_hidden(self, e: ir.Expr) -> bool:
        return self.variant.telling and any(self._reads(each) for each in self.uncounted(e))

    def _reads(self, e: ir.Expr) -> bool:
        loads = (each for each in inside(e) if isinstance(each, ir.Load | ir.LoadItem))
        return any(self.program.vars[each.var].audience is not None for each in loads)
