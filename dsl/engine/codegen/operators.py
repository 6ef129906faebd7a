"""From operators to Python: what is more than the template of its declaration (`dsl.ir.operators`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dsl.engine.codegen.emitter import Origin, can_fail
from dsl.engine.codegen.expressions import Base, is_none, literal, optional, scalar
from dsl.engine.layout import bounds, low_of, whole
from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS
from dsl.ir.operators.declaration import needed_by
from dsl.ir.types import NONE, BagOf, ListOf, SetOf, Type

LADDER = 8
"""From how many branches on a chain of `if` is no longer nested."""

LOOPS = 8
"""Loops inside each other within one expression: Python allows 20, statements around it take up to 11."""


class Ops(Base):
    """Adds the primitives. `nested` is how many loops are around, within the expression."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.nested = 0

    def op(self, e: ir.Op) -> str:
        """By a method of its own, or by the template of its declaration."""
        method = METHODS.get(e.op)
        if method is not None:
            return method(self, e)
        declared = OPERATORS[e.op]
        aligned = declared.aligned and isinstance(e.args[0].type, SetOf)
        target = e.type if declared.aligned == "result" else self._lowest(e.args) if aligned else None
        codes = self.args(e.args) if not aligned or target is None else self._as_sets(e.args, target)
        return declared.python.format(*codes, **self._named(e, codes))

    def _named(self, e: ir.Op, codes: list[str]) -> dict[str, object]:
        """What the names of a template stand for."""
        named: dict[str, object] = {
            "all": ", ".join(codes),
            "tuple": "".join(f"{code}, " for code in codes),
            "union": " | ".join(codes),
            "meet": " & ".join(codes),
        }
        if OPERATORS[e.op].needs:
            kinds = [each.type for each in e.args]
            named |= needed_by(OPERATORS[e.op], kinds, e.type, partial(bounds, self.program))
        return named

    def _inside(self, e: ir.Op) -> str:
        a, b = self.args(e.args)
        a = self.keep(a) if can_fail(a) else a
        b = self.keep(b)
        return f"({b}[0] <= {a} <= {b}[1])"

    def _compared(self, e: ir.Op) -> str:
        """Comparing none is false; none is less than every number, which the chain makes use of."""
        a, b = self.args(e.args)
        sign = OPERATORS[e.op].sign
        first, second = e.args
        if self._below_none(first, second) or self._below_none(second, first):
            a, b = self.keep(a), self.keep(b)
            return f"({a if optional(first.type) else b} != {NONE} and {a} {sign} {b})"
        match e.op:
            case "lt" | "le":
                guard = f"{NONE} < " if optional(first.type) or is_none(first) else ""
                if guard and can_fail(b):
                    a, b = self.keep(a), self.keep(b)
                return f"({guard}{a} {sign} {b})"
            case _:
                guard = f" > {NONE}" if optional(second.type) or is_none(second) else ""
                return f"({a} {sign} {b}{guard})"

    def _below_none(self, number: ir.Expr, other: ir.Expr) -> bool:
        """Can a number be less than what stands for none, and is it compared with what can be none?"""
        return optional(other.type) and bounds(self.program, scalar(number.type))[0] <= NONE

    def _divided(self, e: ir.Op) -> str:
        a, b = self.args(e.args)
        divisor = e.args[1]
        if isinstance(divisor, ir.Const) and divisor.value:
            return f"({a} // {b})"
        return OPERATORS[e.op].python.format(a, b)

    def _both(self, e: ir.Op) -> str:
        """`and`, `or`: the rest only where what came before does not settle it."""
        parts = [self.apart(each) for each in e.args]
        codes: list[str] = []
        name, deeper = "", 0
        for code, lines in parts:
            if lines and codes:
                name = name or self.fresh()
                self.line(f"{name} = {f' {e.op} '.join(codes)}")
                self.depth -= deeper
                self.line(f"if {name}:" if e.op == "and" else f"if not {name}:")
                deeper, codes = 1, []
                self.depth += 1
            self.extend(lines, deeper)
            codes.append(code)
        if not name:
            return f"({f' {e.op} '.join(codes)})"
        self.line(f"{name} = {f' {e.op} '.join(codes)}")
        self.depth -= deeper
        return name

    def _choice(self, e: ir.Op) -> str:
        condition, then, other = e.args
        cases, last = _cases(e)
        if len(cases) > LADDER and self.nested < LOOPS:
            return self._ladder(cases, last)
        test = self.expr(condition)
        yes, first = self.apart(then)
        no, second = self.apart(other)
        if not first and not second:
            return f"({yes} if {test} else {no})"
        name = self.fresh()
        for head, lines, code in ((f"if {test}:", first, yes), ("else:", second, no)):
            with self.indented(head):
                self.extend(lines, 1)
                self.line(f"{name} = {code}")
        return name

    def _ladder(self, cases: list[tuple[ir.Expr, ir.Expr]], last: ir.Expr) -> str:
        """A long chain of `if` without going deeper at each: a loop that runs once, left at the first that
        holds.
        """
        name = self.fresh()
        self.nested += 1
        with self.indented("while True:"):
            for condition, then in cases:
                with self.indented(f"if {self.expr(condition)}:"):
                    self.line(f"{name} = {self.expr(then)}")
                    self.line("break")
            self.line(f"{name} = {self.expr(last)}")
            self.line("break")
        self.nested -= 1
        return name

    def _otherwise(self, e: ir.Op) -> str:
        value, other = e.args
        name = self.keep(self.expr(value))
        code, lines = self.apart(other)
        if not lines:
            return f"({name} if {name} != {NONE} else {code})"
        result = self.fresh()
        self.line(f"{result} = {name}")
        with self.indented(f"if {result} == {NONE}:"):
            self.extend(lines, 1)
            self.line(f"{result} = {code}")
        return result

    def _some(self, e: ir.Op) -> str:
        code = self.expr(e.args[0])
        if not optional(e.args[0].type) and not is_none(e.args[0]):
            return code
        code = self.keep(code)
        with self.indented(f"if {code} == {NONE}:"):
            self.line("none_met()")
        return code

    def _narrow(self, e: ir.Op) -> str:
        if isinstance(e.type, BagOf):
            return f"narrow_bag({self.expr(e.args[0])}, {e.type.limit})"
        if isinstance(e.type, ListOf):
            return f"narrow_list({self.expr(e.args[0])}, {e.type.limit})"
        low, high = bounds(self.program, scalar(e.type))
        code = self.expr(e.args[0])
        if self.lies_within(e.args[0].type, low, high):
            return code
        code = self.keep(code)
        none = f" and {code} != {NONE}" if optional(e.args[0].type) else ""
        with self.indented(f"if not {low} <= {code} <= {high}{none}:"):
            self.line(f"left({code}, {low}, {high})", Origin(e.args[0], self.env))
        return code

    def _as_sets(self, args: tuple[ir.Expr, ...], target: Type) -> list[str]:
        codes = self.args(args)
        return [self.as_set(code, each.type, target) for code, each in zip(codes, args, strict=True)]

    def _lowest(self, args: tuple[ir.Expr, ...]) -> Type:
        """The type in whose form no set of these loses an element."""
        return min((each.type for each in args if isinstance(each.type, SetOf)), key=self._first)

    def _first(self, kind: SetOf) -> int:
        return low_of(self.program, kind)

    def _has(self, e: ir.Op) -> str:
        kind, element = e.args[0].type, e.args[1]
        assert isinstance(kind, SetOf)
        low = low_of(self.program, kind)
        if isinstance(element, ir.Const) and isinstance(element.value, int):
            if element.value < low:
                return "False"
            code = self.expr(e.args[0])
            return f"({code} >> {element.value - low} & 1)"
        mask, code = self.args(e.args)
        least = bounds(self.program, scalar(element.type))[0]
        shifted = f"{code} - {low}" if low else code
        if optional(element.type) or least < low:
            mask = self.keep(mask) if can_fail(mask) else mask
            code = self.keep(code)
            shifted = f"{code} - {low}" if low else code
            return f"({code} >= {low} and {mask} >> {shifted} & 1)"
        return f"({mask} >> {shifted} & 1)"

    def _single(self, e: ir.Op) -> str:
        kind, element = e.type, e.args[0]
        assert isinstance(kind, SetOf)
        low, high = bounds(self.program, kind.of)
        if is_none(element):
            return "0"
        if isinstance(element, ir.Const) and isinstance(element.value, int) and low <= element.value <= high:
            return literal(1 << element.value - low)
        code = self.expr(element)
        shift = f"{code} - {low}" if low else code
        if self.lies_within(element.type, low, high):
            return f"(1 << {shift})"
        code = self.keep(code)
        none = f" and {code} != {NONE}" if optional(element.type) else ""
        with self.indented(f"if not {low} <= {code} <= {high}{none}:"):
            self.line(f"left({code}, {low}, {high})")
        shift = f"{code} - {low}" if low else code
        return f"(1 << {shift} if {code} != {NONE} else 0)" if none else f"(1 << {shift})"

    def _cast(self, e: ir.Op) -> str:
        """An id is moved by the offset; elements of a set that have no place in the new one are dropped."""
        value, by = e.args
        assert isinstance(by, ir.Const)
        assert isinstance(by.value, int)
        if isinstance(e.type, SetOf):
            assert isinstance(value.type, SetOf)
            shift = low_of(self.program, value.type) + by.value - low_of(self.program, e.type)
            code = self.expr(value)
            full = whole(self.program, e.type)
            if shift > 0:  # what has no place is dropped before it takes room
                kept = full >> min(shift, full.bit_length())
                return f"(({code} & {literal(kept)}) << {shift})" if kept else f"({code} & 0)"
            moved = f"{code} >> {-shift}" if shift else code
            return f"({moved} & {literal(full)})"
        low, high = bounds(self.program, scalar(e.type))
        fits = self.lies_within(value.type, low - by.value, high - by.value)
        code = self.expr(value)
        if fits:
            return f"({code} + {by.value})" if by.value else code
        code = self.keep(code)
        moved = f"{code} + {by.value}"
        none = f" and {code} != {NONE}" if optional(value.type) else ""
        result = self.keep(f"{moved} if {code} != {NONE} else {NONE}" if none else moved)
        least, most = bounds(self.program, scalar(value.type))
        if least + by.value < low or most + by.value > high:
            with self.indented(f"if not {low} <= {result} <= {high}{none}:"):
                self.line(f"stray({result})")
        return result


METHODS: dict[str, Callable[[Ops, ir.Op], str]] = {
    "and": Ops._both,
    "or": Ops._both,
    "if": Ops._choice,
    "else_": Ops._otherwise,
    "some": Ops._some,
    **dict.fromkeys(("lt", "le", "gt", "ge"), Ops._compared),
    "div_down": Ops._divided,
    "has": Ops._has,
    "single": Ops._single,
    "inside": Ops._inside,
    "cast": Ops._cast,
    "narrow": Ops._narrow,
}
"""Operators that are more than a template."""


def _cases(e: ir.Op) -> tuple[list[tuple[ir.Expr, ir.Expr]], ir.Expr]:
    """A chain of `if` as its conditions with what follows from each, and what follows from none."""
    cases = []
    rest: ir.Expr = e
    while isinstance(rest, ir.Op) and rest.op == "if":
        cases.append((rest.args[0], rest.args[1]))
        rest = rest.args[2]
    return cases, rest
