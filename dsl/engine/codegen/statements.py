"""From statements to Python.

A `Guarded` block is a loop that runs once, so that `Leave` is a `break`; where loops lie between, a flag
says how far to go. Each round of a loop and each call counts one step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, assert_never

from dsl.engine.codegen.clause_visibility import Veils
from dsl.engine.codegen.expressions import literal
from dsl.engine.codegen.operators import LADDER
from dsl.engine.codegen.shares import Spot
from dsl.engine.layout import empty
from dsl.engine.picking import UNTYPED
from dsl.ir import nodes as ir
from dsl.ir.types import Id, ListOf
from dsl.ir.walk import within
from dsl.ir.weight import STEP
from dsl.passes.meter import counted

MOST_AROUND = 10
CODE = re.compile("E[0-9]{4}")


@dataclass(slots=True)
class Around:
    """A Python loop around the statement: of a `Guarded` with its number, or of another statement (-1)."""

    number: int
    left: set[int] = field(default_factory=set)


class Statements(Veils):
    """Adds statements."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.around: list[Around] = []
        self.running: Spot | None = None

    def body(self, statements: tuple[ir.Stmt, ...]) -> None:
        if self.variant.profiling:
            self._profiled(statements)
            return
        for st in statements:
            self.statement(st)

    def _profiled(self, statements: tuple[ir.Stmt, ...]) -> None:
        """The same for a profile: notes which line runs. Several statements in a row that were made from one line are
        one run of it.
        """
        last = self.running
        for st in statements:
            if isinstance(st, ir.Log | ir.Refused | ir.Mark):
                continue
            site = getattr(st, "site", -1)
            spot = self.shares.spot(site if site >= 0 else self.site, self.clause)
            if spot != last and site >= 0:
                self.line(f"P.at(k, {self.spot_number(spot)})")
            elif spot != self.running:
                self.line(f"P.back(k, {self.spot_number(spot)})")
            last = self.running = spot
            self.statement(st)
            if not isinstance(st, ir.SetLocal | ir.Store | ir.Change):
                self.running = None  # it may be left at another line
        self.running = None

    def statement(self, st: ir.Stmt) -> None:
        """Writes the lines of one statement."""
        site = getattr(st, "site", self.site)
        site = site if site >= 0 else self.site
        with self.at(site):
            self._statement(st)

    def _statement(self, st: ir.Stmt) -> None:
        self.reckon(*_asking(st))
        match st:
            case ir.SetLocal():
                self.assign_checked(st.index, st.value, self.locals)
            case ir.Store():
                self._covered(st)
            case ir.Change():
                self._covered(st)
            case ir.Roll() | ir.RollList() | ir.Pick() | ir.ShufflePile():
                self._chance(st)
            case ir.MoveCard():
                card, pile = self.args((st.card, st.pile))
                if self.batched:
                    self.line(f"w.move({st.pool}, {card}, {pile}, {st.top}, {st.site})")
                else:
                    self.line(f"move_card(s, k, {st.pool}, {card}, {pile}, top={st.top})")
            case ir.Call():
                self._call(st)
            case ir.If():
                self._if(st)
            case ir.ForEach() | ir.Loop() | ir.Guarded() | ir.Batch():
                self._structured(st)
            case ir.Leave():
                self._leave(st)
            case ir.TakeResult():
                self.assign(st.index, "s[10]", self.locals[st.index])
                self.line("s[10] = 0")
            case ir.Log() | ir.Refused() | ir.Mark():
                if self.variant.telling:
                    self.tell(st)
            case ir.TestEndings():
                if not self.batched:
                    self.line(f"test_endings(s, k, {st.at_once})")
            case ir.Remember():
                self.line("remember(s, k)")
            case ir.Fail():
                named = f", {st.clauses}" if st.clauses else ""
                self.line(f"fail({int(st.code[1:]) if CODE.fullmatch(st.code) else 0}{named})")
            case ir.Give():
                self.line("return None" if st.value is None else f"return {self.expr(st.value)}")
            case _:
                assert_never(st)

    def _covered(self, st: ir.Store | ir.Change) -> None:
        """Writes, and in covering code notes the variable's clause where that changes something."""
        clause = self.program.vars[st.var].clause
        watched = self.variant.covering and clause is not None and not self.batched
        if watched:
            before = self.keep(f"s[{self.program.vars[st.var].offset}:{self._end(st.var)}]")
        if isinstance(st, ir.Store):
            self.store(st)
        else:
            self.change(st)
        if watched:
            with self.indented(f"if {before} != s[{self.program.vars[st.var].offset}:{self._end(st.var)}]:"):
                self.line(f"k.hit({clause})")

    def _end(self, var: int) -> int:
        declared = self.program.vars[var]
        count = 1 if declared.of is None else len(self.program.domains[declared.of].members)
        return declared.offset + count * declared.width

    def _chance(self, st: ir.Roll | ir.RollList | ir.Pick | ir.ShufflePile) -> None:
        match st:
            case ir.Roll() | ir.RollList():
                self._roll(st)
            case ir.Pick():
                self._pick(st)
                if self.variant.telling:
                    self.tell_chance(st)
            case ir.ShufflePile():
                self.line(f"shuffle_pile(s, k, {st.pool}, {self.expr(st.pile)})")
            case _:
                assert_never(st)

    def _roll(self, st: ir.Roll | ir.RollList) -> None:
        count, target = self.keep(self.expr(st.count)), self.locals[st.index]
        if isinstance(st, ir.Roll):
            self._assign_drawn(st.index, self.keep(f"roll(s, k, {count}, {st.sides})"))
        else:
            limit = target.limit if isinstance(target, ListOf) else 0
            self.assign(st.index, self.keep(f"roll_list(s, k, {count}, {st.sides}, {limit})"))
        if self.variant.telling:
            self.tell_chance(st, count)

    def _pick(self, st: ir.Pick) -> None:
        items, picked = self.elements(st.domain), self.locals[st.index]
        domain = picked.domain if isinstance(picked, Id) else UNTYPED
        if st.weights is None:
            self.assign(st.index, self.keep(f"pick(s, k, {items}, {domain})"))
        else:
            items = self.keep(items)
            self.assign(
                st.index, self.keep(f"pick_weighed(s, k, {items}, {self.expr(st.weights)}, {domain})")
            )

    def _assign_drawn(self, index: int, code: str) -> None:
        target = self.locals[index]
        self.assign(index, self.checked(code, ir.Local(target, index), target, -1))

    def _call(self, st: ir.Call) -> None:
        args = ["s", "k", *(["w"] if self.batched else []), *self.args(st.args)]
        code = f"p{st.procedure}{'w' if self.batched else ''}({', '.join(args)})"
        if self.variant.telling:
            self.line("k.depth += 1")
        if st.result is None:
            self.line(code)
        else:
            self.assign(st.result, self.keep(code))
        if self.variant.telling:
            self.line("k.depth -= 1")

    def _if(self, st: ir.If) -> None:
        with self.veiled(st.condition, (*st.then, *st.other)):
            self._branches(st)

    def _branches(self, st: ir.If) -> None:
        cases, last = _cases(st)
        if len(cases) > LADDER and len(self.around) < MOST_AROUND:
            self._looped(lambda: self._ladder_of(cases, last), -1)
            return
        with self.indented(f"if {self.expr(st.condition)}:"):
            self.body(st.then)
        if st.other:
            with self.indented("else:"):
                self.body(st.other)

    def _ladder_of(self, cases: list[ir.If], last: tuple[ir.Stmt, ...]) -> None:
        """A long chain of `if`, as a loop that runs once."""
        with self.indented("while True:"):
            for case in cases:
                with self.indented(f"if {self.expr(case.condition)}:"):
                    self.body(case.then)
                    self.line("break")
            self.body(last)
            self.line("break")

    def step(self, weight: int, code: Iterable[Any]) -> None:
        """Counts one step, and those of code of a weight."""
        self.count(str(1 + weight // STEP), code, weight, fixed=1)

    def _structured(self, st: ir.ForEach | ir.Loop | ir.Guarded | ir.Batch) -> None:
        match st:
            case ir.ForEach():
                self._looped(lambda: self._for_each(st), -1)
            case ir.Loop():
                self._looped(lambda: self._repeat(st), -1)
            case ir.Guarded():
                self._looped(lambda: self._guarded(st), st.number)
            case ir.Batch():
                self._looped(lambda: self._batch(st), -1)
            case _:
                assert_never(st)

    def _looped(self, write: Callable[[], None], number: int) -> None:
        """Writes a Python loop, and after it the way out to the blocks that are left from within."""
        around = Around(number)
        self.around.append(around)
        write()
        self.around.pop()
        for left in sorted(around.left):
            with self.indented(f"if q{left}:"):
                self.line("break")

    def _for_each(self, st: ir.ForEach) -> None:
        before, element = self.env, self.fresh("x")
        with self.indented(f"for {element} in {self.elements(st.domain)}:"):
            self.step(counted(st), st.body)
            self.assign(st.index, element)
            if not any(isinstance(each, ir.SetLocal) and each.index == st.index for each in within(st.body)):
                self.env = {**before, st.index: element}
            self.body(st.body)
        self.env = before

    def _repeat(self, st: ir.Loop) -> None:
        with self.indented(f"for _ in range({self.expr(st.limit)}):"):
            with self.indented(f"if not {self.expr(st.condition)}:"):
                self.line("break")
            self.step(counted(st), (st.condition, *st.body))
            self.body(st.body)

    def _guarded(self, st: ir.Guarded) -> None:
        self.line(f"q{st.number} = False")
        with self.indented("while True:"):
            self.body(st.body)
            self.line("break")

    def _leave(self, st: ir.Leave) -> None:
        position = max((k for k, each in enumerate(self.around) if each.number == st.number), default=0)
        between = self.around[position + 1 :]
        for each in between:
            each.left.add(st.number)
        if between:
            self.line(f"q{st.number} = True")
        self.line("break")

    def _batch(self, st: ir.Batch) -> None:
        """Runs once around, so that `Leave` still commits; a batch inside a batch belongs to it."""
        outer = self.batched
        if not outer:
            self.line("w = Buffer(k)")
        self.batched = True
        with self.indented("while True:"):
            self.body(st.body)
            self.line("break")
        self.batched = outer
        if not outer:
            self.line("w.commit(s)")

    def start_locals(self, first: int) -> None:
        """Locals begin as what slots of 0 mean."""
        for index in range(first, len(self.locals)):
            self.line(f"l{index} = {literal(empty(self.program, self.locals[index]))}")


def _asking(st: ir.Stmt) -> tuple[ir.Expr | None, ...]:
    """The expressions of a statement whose numbers people would like to understand."""
    match st:
        case ir.SetLocal() | ir.Store() | ir.Give():
            return (st.value,)
        case ir.Change():
            return (st.amount,)
        case ir.If():
            return (st.condition,)
        case ir.Call():
            return st.args
        case _:
            return ()


def _cases(st: ir.If) -> tuple[list[ir.If], tuple[ir.Stmt, ...]]:
    """A chain of `If`, each alone in the other branch of the one before; and what follows if none holds."""
    cases = [st]
    while len(cases[-1].other) == 1 and isinstance(inner := cases[-1].other[0], ir.If):
        cases.append(inner)
    return cases, cases[-1].other
