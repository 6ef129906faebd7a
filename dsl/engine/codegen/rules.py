"""From values and judgements to Python functions, in their plain form: they stop as soon as the answer is
known.

A clause stands if its condition holds and no standing clause of `overruled_by` (positions in the same list)
does; clauses that are over others are looked at right before the first that needs them, otherwise in their
order.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from dsl.engine.codegen.statements import Statements
from dsl.engine.layout import bounds
from dsl.ir import program as p
from dsl.ir.nodes import Expr
from dsl.ir.types import NONE, Id, Int, Type

Clauses = tuple[p.ValueClause, ...] | tuple[p.Prohibition, ...]
STAGES = ("becomes", "times", "plus", "bounds")


def stages_of(value: p.Value) -> tuple[str, ...]:
    """The order of the stages, those that the value does not name at the end."""
    named = tuple("bounds" if each in {"at_least", "at_most"} else each for each in value.stages)
    return tuple(dict.fromkeys((*named, *STAGES)))


class Rules(Statements):
    """Adds values and judgements. `standing` names what is known of the clauses of the head at hand."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.standing: dict[int, str] = {}

    def value(self, index: int, value: p.Value) -> None:
        """The function `v<index>`."""
        self._begin_function(value.locals)
        self.entry(f"v{index}", ("value", index))
        params = ", ".join(["s", "k", *(f"l{n}" for n in range(len(value.params)))])
        with self.citing(value.clause), self.indented(f"def v{index}({params}):"):
            code = self.expr(value.base)
            if not value.clauses:
                code = self.checked(code, value.base, value.result, -1)
                if self.variant.covering and value.clause is not None:
                    code = self.keep(code)
                    self.line(f"answered(k, {value.clause}, {code})")
                self.line(f"return {code}")
                return
            if not isinstance(value.result, Int | Id):
                code = self.checked(code, value.base, value.result, -1)
            self.line(f"r = {code}")
            if self._base_counts(value):
                self.line("b = r")
            for stage in stages_of(value):
                self._stage(index, value, stage)
            self._result(index, value)

    def _begin_function(self, locals_: tuple[Type, ...]) -> None:
        self.locals, self.frame, self.env, self.standing = locals_, None, {}, {}
        self.batched, self.around, self.nested, self.running = False, [], 0, None

    def _stage(self, index: int, value: p.Value, stage: str) -> None:
        wanted = {"at_least", "at_most"} if stage == "bounds" else {stage}
        chosen = [n for n, clause in enumerate(value.clauses) if clause.stage in wanted]
        if not chosen:
            return
        match stage:
            case "becomes":
                self._becomes(value, chosen)
            case "times":
                self._times(value, chosen)
            case "plus":
                for n in chosen:
                    with self._when_stands(value.clauses, n), self._where_number(value):
                        self._changed(value, n, f"r + {self.expr(value.clauses[n].operand)}")
            case _:
                self._bounds(value, chosen)

    def _where_number(self, value: p.Value) -> AbstractContextManager[None]:
        """What is none stays none, whatever is added to it."""
        if isinstance(value.result, Int | Id) and value.result.optional:
            return self.indented(f"if r != {NONE}:")
        return nullcontext()

    def _changed(self, value: p.Value, n: int, code: str) -> None:
        """`r` takes a new value from a clause."""
        code = self.keep(code) if self.variant.covering else code
        self._took_effect(value, n, code)
        self.line(f"r = {code}")

    def _took_effect(self, value: p.Value, n: int, code: str) -> None:
        if self.variant.covering:
            with self.indented(f"if r != {code}:"):
                self.line(f"k.hit({value.clauses[n].clause})")

    def _becomes(self, value: p.Value, chosen: list[int]) -> None:
        single = len(chosen) == 1
        if not single:
            self.line("c = -1")
        for n in chosen:
            with self._when_stands(value.clauses, n):
                operand = value.clauses[n].operand
                code = self.expr(operand)
                if not isinstance(value.result, Int | Id):
                    code = self.checked(code, operand, value.result, -1)
                code = self.keep(code) if self.variant.covering else code
                if not single:
                    code = self.keep(code)
                    clause = value.clauses[n].clause
                    with self.indented(f"if c >= 0 and r != {code}:"):
                        self.line(f"clash(-1, c, {clause})")
                    self.line(f"c = {clause}")
                self._took_effect(value, n, code)
                self.line(f"r = {code}")
                if self._base_counts(value):
                    self.line("b = 0")

    def _times(self, value: p.Value, chosen: list[int]) -> None:
        self.line("m = d = 1")
        for n in chosen:
            clause = value.clauses[n]
            with self._when_stands(value.clauses, n):
                code = self.keep(self.expr(clause.operand))
                self.line(f"m *= {code}")
                divisor = "1" if clause.divisor is None else self.keep(self.expr(clause.divisor))
                if clause.divisor is not None:
                    self.line(f"d *= {divisor}")
                if self.variant.covering:
                    with self.indented(f"if {code} != {divisor}:"):
                        self.line(f"k.hit({clause.clause})")
        with self.indented("if m != 1 or d != 1:"), self._where_number(value):
            rounding = value.rounding if value.rounding in {"down", "up", "zero"} else None
            self.line(f"r = scaled(r, m, d, {rounding!r})")

    def _bounds(self, value: p.Value, chosen: list[int]) -> None:
        self.line("a = z = None")
        self.line("i = j = -1")
        for n in chosen:
            clause = value.clauses[n]
            low = clause.stage == "at_least"
            bound, holder, sign = ("a", "i", ">") if low else ("z", "j", "<")
            with self._when_stands(value.clauses, n):
                code = self.keep(self.expr(clause.operand))
                with self.indented(f"if {bound} is None or {code} {sign} {bound}:"):
                    self.line(f"{bound} = {code}")
                    self.line(f"{holder} = {clause.clause}")
        with self.indented("if a is not None and z is not None and a > z:"):
            self.line("clash(-1, i, j)")
        for bound, holder, sign in (("a", "i", "<"), ("z", "j", ">")):
            with self.indented(f"if {bound} is not None and r {sign} {bound}:"), self._where_number(value):
                self.line(f"r = {bound}")
                if self.variant.covering:
                    self.line(f"k.hit({holder})")

    def _result(self, index: int, value: p.Value) -> None:
        kind = value.result
        if isinstance(kind, Int | Id):
            low, high = bounds(self.program, kind)
            none = f" and r != {NONE}" if kind.optional else ""
            with self.indented(f"if not {low} <= r <= {high}{none}:"):
                args = "".join(f"l{n}, " for n in range(len(value.params)))
                self.line(f"wrong_result(s, k, {index}, ({args}), r)")
        if self._base_counts(value):
            self.line(f"answered(k, {value.clause}, b)")
        self.line("return r")

    def _base_counts(self, value: p.Value) -> bool:
        """Does covering code note that the value answers by its own words?"""
        return self.variant.covering and value.clause is not None

    @contextmanager
    def _when_stands(self, clauses: Clauses, n: int) -> Iterator[None]:
        """The lines inside run where clause `n` stands; in a profile they are its own."""
        own = clauses[n].clause if self.variant.profiling else None
        with self.indented(f"if {self.stands(clauses, n)}:"), self.citing(own):
            yield

    def stands(self, clauses: Clauses, n: int) -> str:
        """Source for whether a clause stands; what others need to know of it is kept in a name."""
        if n in self.standing:
            return self.standing[n]
        clause = clauses[n]
        over = [self.stands(clauses, other) for other in clause.overruled_by]
        with self.citing(clause.clause):
            if self.variant.profiling:
                self.line(f"P.at(k, {self.spot_number(self.spot())})")
            code = self._unless(over, clause.condition)
            if any(n in other.overruled_by for other in clauses):
                code = self.keep(code)
        self.standing[n] = code
        return code

    def _unless(self, over: list[str], condition: Expr) -> str:
        code, lines = self.apart(condition)
        if not over:
            self.extend(lines)
            return code
        free = " and ".join(f"not {each}" for each in over)
        if not lines:
            return f"({free} and {code})"
        name = self.fresh()
        self.line(f"{name} = {free}")
        with self.indented(f"if {name}:"):
            self.extend(lines, 1)
            self.line(f"{name} = {code}")
        return name

    def judge(self, index: int, action: p.Action) -> None:
        """The function `j<index>`: true where no prohibition stands."""
        self._begin_function(action.locals)
        self.entry(f"j{index}", ("prohibitions", index))
        params = ", ".join(["s", "k", *(f"l{n}" for n in range(len(action.params)))])
        with self.citing(action.clause), self.indented(f"def j{index}({params}):"):
            for n, clause in enumerate(action.prohibitions):
                if clause.kind == "allow":
                    continue
                if self.variant.covering and clause.overruled_by:
                    self._lifted(action.prohibitions, n)
                code = self.stands(action.prohibitions, n)
                with self.citing(clause.clause), self.indented(f"if {code}:"):
                    if self.variant.covering:
                        self.line(f"k.hit({clause.clause})")
                    self.line("return False")
            self.line("return True")

    def _lifted(self, clauses: tuple[p.Prohibition, ...], n: int) -> None:
        """What lifts a prohibition took effect where this would have refused otherwise."""
        over = [(self.stands(clauses, other), clauses[other].clause) for other in clauses[n].overruled_by]
        for code, clause in over:
            with self.indented(f"if {code} and {clause} not in k.hits:"):
                steps = self.keep("k.steps + 0")
                condition = self.expr(clauses[n].condition)
                with self.indented(f"if {condition}:"):
                    self.line(f"k.hit({clause})")
                self.line(f"k.steps = {steps}")

    def ending(self, index: int, ending: p.Ending) -> None:
        """The function `e<index>`: does the ending hold (for the player `l0`)?"""
        self._begin_function(ending.locals)
        self.entry(f"e{index}", ("ending", index))
        with self.citing(ending.clause), self.indented(f"def e{index}(s, k, l0):"):
            self.line(f"return {self.expr(ending.condition)}")

    def audience(self, index: int, var: p.Var) -> None:
        """The function `u<index>`: may player `l1` see the variable of member `l0`?"""
        if var.audience is None:
            return
        self._begin_function(())
        self.entry(f"u{index}", ("audience", index))
        with self.citing(var.clause), self.indented(f"def u{index}(s, k, l0, l1):"):
            self.line(f"return {self.expr(var.audience)}")
