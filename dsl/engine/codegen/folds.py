"""From folds to Python loops."""

from __future__ import annotations

from collections.abc import Callable

from dsl.engine.codegen.expressions import literal
from dsl.engine.codegen.operators import LOOPS, Ops
from dsl.engine.layout import is_whole, low_of
from dsl.ir import nodes as ir
from dsl.ir.conditions import conjoined, conjuncts, holder
from dsl.ir.types import NONE, ListOf, SetOf, Type
from dsl.ir.weight import STEP
from dsl.passes.meter import counted

FEW = 3


class Folds(Ops):
    """Adds the one loop of expressions; where too many are inside each other, one gets a function of its
    own.
    """

    def fold(self, e: ir.Fold) -> str:
        if e.kind == "closure":
            return self._closure(e)
        before, domain = self.env, e.domain
        if weight := counted(e):
            domain = self.count_elements(domain, weight, e.where, e.body)
        code = self._folded(e, domain)
        self.env = before
        return code

    def scan(self, e: ir.Scan) -> str:
        before = self.env
        start, domain = self.keep(self.expr(e.start)), e.domain
        if weight := counted(e):
            domain = self.count_elements(domain, weight, e.step)
        iterable = self.elements(domain)
        if self.nested < LOOPS:
            found = self._scanned(e, start, iterable)
        else:
            name, outer, items = self.fresh("g"), self.nested, self.keep(iterable)
            self.nested = 0
            with self.indented(f"def {name}():"):
                self.line(f"return {self._scanned(e, start, items)}")
            self.nested, found = outer, f"{name}()"
        self.env = before
        return found

    def _scanned(self, e: ir.Scan, start: str, iterable: str) -> str:
        kept, element, outer = self.fresh(), self.fresh("x"), self.env
        self.line(f"{kept} = {start}")
        self.nested += 1
        with self.indented(f"for {element} in {iterable}:"):
            self.env = {**outer, e.index: element, e.kept: kept}
            self.line(f"{kept} = {self.expr(e.step)}")
        self.nested -= 1
        self.env = outer
        return kept

    def _closure(self, e: ir.Fold) -> str:
        """What a set leads to: each new element is asked once, the least first."""
        before, start = self.env, self.expr(e.domain)
        if self.nested < LOOPS:
            found = self._spread(e, start)
        else:
            name, outer, items = self.fresh("g"), self.nested, self.keep(start)
            self.nested = 0
            with self.indented(f"def {name}():"):
                self.line(f"return {self._spread(e, items)}")
            self.nested, found = outer, f"{name}()"
        self.env = before
        return found

    def _spread(self, e: ir.Fold, start: str) -> str:
        assert e.body is not None
        result, element = self.fresh(), self.fresh("x")
        waiting, new = f"w{result}", f"n{result}"
        self.line(f"{result} = {waiting} = {start}")
        self.nested += 1
        with self.indented(f"while {waiting}:"):
            self.line(f"{element} = ({waiting} & -{waiting}).bit_length() - 1")
            self.line(f"{waiting} &= {waiting} - 1")
            if e.where is not None:
                code = self.bound(e.index, element, e.where)
                with self.indented(f"if not {code}:"):
                    self.line("continue")
            self.line(f"{new} = {self.bound(e.index, element, e.body)} & ~{result}")
            self.line(f"{result} |= {new}")
            self.line(f"{waiting} |= {new}")
        self.nested -= 1
        if weight := counted(e):
            asked = [each for each in (e.where, e.body) if each is not None]
            self.count(f"({result}).bit_count() * {weight} // {STEP}", asked, weight)
        return result

    def _folded(self, e: ir.Fold, domain: ir.Expr) -> str:
        domain, where = self.narrowed(domain, e.where, e.index)
        iterable = self.elements(domain)
        if self.nested >= LOOPS:
            return self._apart_fold(e, iterable, where)
        return self._loop(e, iterable, where)

    def _apart_fold(self, e: ir.Fold, iterable: str, where: ir.Expr | None) -> str:
        """The fold in a function of its own, which reads the names around it."""
        name, outer = self.fresh("g"), self.nested
        items = self.keep(iterable)
        self.nested = 0
        with self.indented(f"def {name}():"):
            self.line(f"return {self._loop(e, items, where)}")
        self.nested = outer
        return f"{name}()"

    def _loop(self, e: ir.Fold, iterable: str, where: ir.Expr | None) -> str:
        result, element = self.fresh(), self.fresh("x")
        begin, step, end = self._kind(e, result, element)
        for text in begin:
            self.line(text)
        self.nested += 1
        with self.indented(f"for {element} in {iterable}:"):
            if where is not None:
                code = self.bound(e.index, element, where)
                with self.indented(f"if not {code}:"):
                    self.line("continue")
            step(self.bound(e.index, element, e.body) if e.body is not None else None)
        self.nested -= 1
        for text in end:
            self.line(text)
        return result

    def _kind(
        self, e: ir.Fold, result: str, element: str
    ) -> tuple[list[str], Callable[[str | None], None], list[str]]:
        """What stands before the loop, in it (given the body), and after it."""
        match e.kind:
            case "any" | "every":
                return [f"{result} = {e.kind == 'every'}"], lambda body: self._test(e, result, body), []
            case "count":
                return [f"{result} = 0"], lambda body: self._when(body, f"{result} += 1"), []
            case "sum":
                return [f"{result} = 0"], lambda body: self.line(f"{result} += {body or element}"), []
            case "all":
                add = f"{result} |= {self._bit(e.type, element)}"
                return [f"{result} = 0"], lambda body: self._when(body, add), []
            case "union":
                return [f"{result} = 0"], lambda body: self.line(f"{result} |= {body}"), []
            case "first":
                return (
                    [f"{result} = {NONE}"],
                    lambda body: self._when(body, f"{result} = {element}", "break"),
                    [],
                )
            case "least" | "most":
                return (
                    [f"{result} = 0", f"b{result} = None"],
                    lambda body: self._best(e, result, element, body),
                    [],
                )
            case "lowest" | "highest":
                return [f"{result} = {NONE}"], lambda body: self._extreme(e, result, body or element), []
            case "ordered":
                return (
                    [f"{result} = []"],
                    lambda body: self.line(f"{result}.append(({body}, {element}))"),
                    [
                        f"{result}.sort(key=lambda each: each[0])",
                        f"{result} = tuple([each[1] for each in {result}])",
                    ],
                )
            case _:
                raise ValueError(f"no such fold: {e.kind}")

    def _test(self, e: ir.Fold, result: str, body: str | None) -> None:
        if e.kind == "any":
            self._when(body, f"{result} = True", "break")
        elif body is not None:
            self._when(f"not {body}", f"{result} = False", "break")

    def _when(self, condition: str | None, *texts: str) -> None:
        if condition is None or condition in {"1", "True"}:
            for text in texts:
                self.line(text)
            return
        with self.indented(f"if {condition}:"):
            for text in texts:
                self.line(text)

    def _bit(self, kind: Type, element: str) -> str:
        assert isinstance(kind, SetOf)
        low = low_of(self.program, kind)
        return f"1 << {element} - {low}" if low else f"1 << {element}"

    def _best(self, e: ir.Fold, result: str, element: str, body: str | None) -> None:
        """All elements that share the least or greatest measure."""
        measure = self.keep(f"{body or element}")
        best, sign, bit = f"b{result}", "<" if e.kind == "least" else ">", self._bit(e.type, element)
        with self.indented(f"if {best} is None or {measure} {sign} {best}:"):
            self.line(f"{best} = {measure}")
            self.line(f"{result} = {bit}")
        with self.indented(f"elif {measure} == {best}:"):
            self.line(f"{result} |= {bit}")

    def _extreme(self, e: ir.Fold, result: str, body: str) -> None:
        measure = self.keep(body)
        sign = "<" if e.kind == "lowest" else ">"
        with self.indented(f"if {result} == {NONE} or {measure} {sign} {result}:"):
            self.line(f"{result} = {measure}")

    def elements(self, domain: ir.Expr) -> str:
        """What Python iterates over for a set (in ascending order) or a list."""
        kind = domain.type
        if isinstance(kind, ListOf):
            return self.expr(domain)
        assert isinstance(kind, SetOf)
        low = low_of(self.program, kind)
        if isinstance(domain, ir.Const) and isinstance(domain.value, int):
            found = [k + low for k in range(domain.value.bit_length()) if domain.value >> k & 1]
            if len(found) > FEW and found[-1] - found[0] == len(found) - 1:
                return f"range({found[0]}, {found[-1] + 1})"
            return literal(tuple(found))
        code = self.expr(domain)
        return f"bits({code}, {low})" if low else f"bits({code})"

    def narrowed(self, domain: ir.Expr, where: ir.Expr | None, index: int) -> tuple[ir.Expr, ir.Expr | None]:
        """Takes leading conditions `has(set, element)` into the domain, where the set cannot fail."""
        conditions = conjuncts(where)
        while conditions and (held := holder(self.program, conditions[0], domain.type, index)) is not None:
            domain = held if is_whole(self.program, domain) else ir.Op(domain.type, "meet", (domain, held))
            conditions = conditions[1:]
        return domain, conjoined(conditions)
