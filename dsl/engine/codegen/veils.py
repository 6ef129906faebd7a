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
from dsl.ir.walk import inside, parts, within


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

    def uncounted(self, e: ir.Expr) -> Iterator[ir.Expr]:
        """The parts of a condition without those that only count the cards of a pile: how many lie there all see."""
        if (pile := self._counted(e)) is not None:
            yield pile
        elif self._counts(e):
            for each in parts(e):
                yield from self.uncounted(each)
        else:
            yield e

    def _counts(self, e: ir.Expr) -> bool:
        """Is the number of cards in a pile asked somewhere inside, and not within a loop?"""
        return isinstance(e, ir.Op) and any(
            self._counted(each) is not None or self._counts(each) for each in parts(e)
        )

    def _counted(self, e: ir.Expr) -> ir.Expr | None:
        """The pile whose cards are counted, or asked whether there is one."""
        match e:
            case ir.Op(op="size", args=(ir.Fold(kind="all") as fold,)):
                return self._pile(fold)
            case ir.Op(op="eq" | "ne", args=(ir.Fold(kind="all") as fold, ir.Const(value=0))):
                return self._pile(fold)
            case ir.Fold(kind="count") as fold:
                return self._pile(fold)
            case _:
                return None

    def _pile(self, fold: ir.Fold) -> ir.Expr | None:
        """The pile in which all the cards lie that a loop is over."""
        piles = {pool.pile for pool in self.program.pools if pool.pile is not None}
        within_pile = fold.where.args if isinstance(fold.where, ir.Op) and fold.where.op == "eq" else ()
        match within_pile:
            case (ir.Load(var=var, owner=ir.Local(index=card)), pile) if var in piles and card == fold.index:
                return pile if isinstance(fold.domain, ir.Const) else None
            case _:
                return None
