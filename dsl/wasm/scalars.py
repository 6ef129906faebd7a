"""Operators on numbers, truths and options, and the check that a value lies in a range."""

from __future__ import annotations

from collections.abc import Callable

from dsl.engine.failure import Unplayable
from dsl.ir import nodes as ir
from dsl.ir.effects import cannot_fail
from dsl.ir.operators import OPERATORS
from dsl.ir.operators.compounds import BAGS, LISTS, RECORDS
from dsl.ir.operators.conversions import GAME
from dsl.ir.operators.numbers import NUMBERS
from dsl.ir.operators.truths import CHOICES, TRUTHS
from dsl.ir.types import NONE, BagOf, ListOf, Record, SetOf, Type
from dsl.ir.walk import inside
from dsl.wasm.expressions import Base
from dsl.wasm.function import as_rep
from dsl.wasm.reps import LEAST, MOST, fits_in, is_pointer, optional, reps, scalar_rep
from dsl.wasm.text import Parts, after, both, choice, get, i32, i64, outside, put, test

SLOW = {
    *("min", "max", "abs", "single", "next", "only", "between"),
    *(each.name for each in (*BAGS, *LISTS, *RECORDS)),
}
"""Operators of which each costs more than to jump over it."""
LIGHT = 12
"""An expression that weighs no more is evaluated rather than jumped over."""


class Scalars(Base):
    """Adds operators with one number or truth as their result."""

    def op(self, e: ir.Op) -> Parts:
        """By a method of its own, or by the instruction of its declaration."""
        method = METHODS.get(e.op)
        if method is not None:
            found = method(self, e)
            return found if isinstance(found, Parts) else Parts((), (found,))
        if e.op in ON_NUMBERS:
            return Parts((), (self._computed(e),))
        return self.collections(e)

    def collections(self, e: ir.Op) -> Parts:
        raise NotImplementedError

    def sets_equal(self, e: ir.Op) -> str:
        raise NotImplementedError

    # ------------------------------------------------------------ truths

    def light(self, e: ir.Expr) -> bool:
        """Is an expression so cheap, and so sure, that it may be evaluated where it need not be?"""
        return (
            self.weights.expr(e) <= LIGHT
            and len(reps(self.program, e.type)) == 1
            and cannot_fail(self.program, e)
            and all(is_straight(each) for each in inside(e))
        )

    def _both(self, e: ir.Op) -> str:
        found = self.expr(e.args[-1])
        last = e.args[-1]
        light = self.light(last)
        for each in reversed(e.args[:-1]):
            code = self.expr(each)
            if light:
                found = f"(i32.{e.op} {code} {found})"
            elif e.op == "and":
                found = choice("i32", code, found, i32(0))
            else:
                found = choice("i32", code, i32(1), found)
            light = light and self.light(each)
        return found

    def _equal(self, e: ir.Op) -> str:
        first, second = e.args
        match first.type:
            case SetOf():
                code = self.sets_equal(e)
            case Record():
                code = self._records_equal(e)
            case BagOf() | ListOf():
                pre, (a, b) = self.apart(e.args)
                other = second.type
                if isinstance(first.type, BagOf):
                    count = len(self.program.domains[first.type.domain].members)
                    same = f"(call $same {a.codes[0]} {b.codes[0]} {i32(count)})"
                else:
                    assert isinstance(other, ListOf)
                    same = f"(call $same_list {a.codes[0]} {b.codes[0]} {i32(self.stride(first.type) // 4)})"
                    if self.stride(other) != self.stride(first.type):
                        raise Unplayable("lists of different sets are compared")
                code = after(pre, "i32", same)
            case _:
                return self._computed(e)
        return code if e.op == "eq" else f"(i32.eqz {code})"

    def stride(self, kind: ListOf) -> int:
        """Bytes from one element of a list to the next."""
        raise NotImplementedError

    def _records_equal(self, e: ir.Op) -> str:
        first, second = (each.type for each in e.args)
        assert isinstance(first, Record)
        assert isinstance(second, Record)
        pre, (a, b) = self.apart(e.args)
        tests = []
        for x, y, p, q in zip(a.codes, b.codes, first.types, second.types, strict=True):
            rep = "i64" if "i64" in (scalar_rep(p), scalar_rep(q)) else "i32"
            tests.append(f"({rep}.eq {as_rep(x, scalar_rep(p), rep)} {as_rep(y, scalar_rep(q), rep)})")
        return after(pre, "i32", both("i32.and", tests or [i32(1)]))

    def _common(self, args: tuple[ir.Expr, ...]) -> str:
        return "i64" if any(scalar_rep(each.type) == "i64" for each in args) else "i32"

    def _compared(self, e: ir.Op) -> str:
        """Comparing none is false; none is less than every number of 32 bits, which is made use of."""
        first, second = e.args
        rep = self._common(e.args)
        low = e.op in {"lt", "le"}
        guarded = first if low else second
        for number, other in ((first, second), (second, first)):
            if optional(other.type) and self.range_of(number.type)[0] <= NONE:
                guarded = other
        if not optional(guarded.type):
            return self._computed(e)
        (pre, x), (more, y) = (
            self.atom(self.number(first, rep), rep),
            self.atom(self.number(second, rep), rep),
        )
        there = f"({rep}.ne {x if guarded is first else y} {self._no_value(rep)})"
        return after((*pre, *more), "i32", f"(i32.and {there} {OPERATORS[e.op].wasm.format(x, y, rep=rep)})")

    # ------------------------------------------------------------ numbers

    def _computed(self, e: ir.Op) -> str:
        """One instruction, on operands in their common form; of many operands one for each after the first."""
        declared = OPERATORS[e.op]
        rep = "i64" if scalar_rep(e.type) == "i64" else self._common(e.args)
        codes = [self.number(each, rep) for each in e.args]
        if declared.many:
            code = self._joined_numbers(declared.wasm, codes, rep)
        else:
            pre: list[str] = []
            for n, code in enumerate(codes):
                if declared.wasm.count(f"{{{n}}}") > 1:
                    more, codes[n] = self.atom(code, rep)
                    pre += more
            code = after(
                pre,
                "i32" if declared.small else rep,
                declared.wasm.format(*codes, rep=rep, none=self._no_value(rep)),
            )
        return code if declared.small else as_rep(code, rep, scalar_rep(e.type))

    def _no_value(self, rep: str) -> str:
        return i64(NONE) if rep == "i64" else i32(NONE)

    def _joined_numbers(self, instruction: str, codes: list[str], rep: str) -> str:
        name = self.temp(rep)
        pre = [put(name, codes[0])]
        for code in codes[1:]:
            more, other = self.atom(code, rep)
            pre += more
            pre.append(put(name, instruction.format(get(name), other, rep=rep)))
        return after(pre, rep, get(name))

    def _divided(self, e: ir.Op) -> str:
        divisor = e.args[1]
        rep = "i64" if scalar_rep(e.type) == "i64" else self._common(e.args)
        fixed = divisor.value if isinstance(divisor, ir.Const) else None
        if e.op == "div_down" and isinstance(fixed, int) and fixed > 0 and fixed & fixed - 1 == 0:
            const = i32 if rep == "i32" else i64
            code = f"({rep}.shr_s {self.number(e.args[0], rep)} {const(fixed.bit_length() - 1)})"
        else:
            rep = "i64"
            codes = [self.number(each, rep) for each in e.args]
            code = OPERATORS[e.op].wasm.format(*codes)
        return as_rep(code, rep, scalar_rep(e.type))

    # ------------------------------------------------------------ choices

    def _choice(self, e: ir.Op) -> Parts:
        condition, then, other = e.args
        kinds = reps(self.program, e.type)
        test_code = self.expr(condition)
        yes = self.widen(self.parts(then), then.type, e.type)
        no = self.widen(self.parts(other), other.type, e.type)
        if len(kinds) == 1:
            (rep,) = kinds
            a, b = after(yes.pre, rep, yes.codes[0]), after(no.pre, rep, no.codes[0])
            if self.light(then) and self.light(other):
                return Parts((), (f"(select {a} {b} {test_code})",))
            return Parts((), (choice(rep, test_code, a, b),))
        names = [self.temp(rep) for rep in kinds]
        branches = [
            (*each.pre, *(put(name, code) for name, code in zip(names, each.codes, strict=True)))
            for each in (yes, no)
        ]
        return Parts((test(test_code, *branches),), tuple(map(get, names)), True)

    def _otherwise(self, e: ir.Op) -> Parts:
        value, other = e.args
        rep = scalar_rep(e.type)
        pre, x = self.atom(self.number(value, rep), rep)
        code = self.number(other, rep)
        there = f"({rep}.ne {x} {i64(NONE) if rep == 'i64' else i32(NONE)})"
        found = f"(select {x} {code} {there})" if self.light(other) else choice(rep, there, x, code)
        return Parts((), (after(pre, rep, found),))

    def _number_of(self, e: ir.Op) -> str:
        return self.number(e.args[0], scalar_rep(e.type))

    def _some(self, e: ir.Op) -> Parts:
        (value,) = e.args
        rep, target = scalar_rep(value.type), scalar_rep(e.type)
        if not optional(value.type):
            return Parts((), (self.number(value, target),))
        pre, x = self.atom(self.expr(value), rep)
        check = test(
            f"({rep}.eq {x} {self.none_of(value.type)})", ["(call $fail (i32.const 604)) (unreachable)"]
        )
        return Parts((), (after((*pre, check), target, as_rep(x, rep, target)),))

    def _narrow(self, e: ir.Op) -> Parts:
        (value,) = e.args
        if is_pointer(e.type):
            return self.narrow_pointer(e)
        low, high = self.range_of(e.type)
        rep, target = scalar_rep(value.type), scalar_rep(e.type)
        if fits_in(self.program, value.type, low, high):
            return Parts((), (self.number(value, target),))
        return Parts((), (self._within(self.expr(value), value.type, e.type, rep, 601),))

    def narrow_pointer(self, e: ir.Op) -> Parts:
        raise NotImplementedError

    def _within(self, code: str, source: Type, target: Type, rep: str, fault: int) -> str:
        """A number, checked to lie in the range of a type (none too, if it can be none)."""
        low, high = self.range_of(target)
        if rep == "i32" and scalar_rep(target) == "i64":
            code, rep = as_rep(code, "i32", "i64"), "i64"
        pre, x = self.atom(code, rep)
        wrong = outside(x, low, high, rep)
        if optional(target) and optional(source):
            wrong = f"(i32.and {wrong} ({rep}.ne {x} {i64(NONE) if rep == 'i64' else i32(NONE)}))"
        check = test(wrong, [f"(call $fail {i32(fault)}) (unreachable)"])
        return after((*pre, check), scalar_rep(target), as_rep(x, rep, scalar_rep(target)))

    def _cast(self, e: ir.Op) -> Parts:
        """A member is moved by the offset; elements of a set that have no place in the new one are dropped."""
        value, by = e.args
        assert isinstance(by, ir.Const)
        assert isinstance(by.value, int)
        if isinstance(e.type, SetOf):
            return self.cast_set(e, by.value)
        low, high = self.range_of(e.type)
        rep, target = scalar_rep(value.type), scalar_rep(e.type)
        least, most = self.range_of(value.type)
        beyond = least + by.value < LEAST or most + by.value > MOST
        wide = "i64" if beyond or "i64" in (rep, target) else "i32"
        const = i64 if wide == "i64" else i32
        code = as_rep(self.expr(value), rep, wide)
        if fits_in(self.program, value.type, low - by.value, high - by.value):
            moved = f"({wide}.add {code} {const(by.value)})" if by.value else code
            return Parts((), (as_rep(moved, wide, target),))
        pre, x = self.atom(code, wide)
        moved = f"({wide}.add {x} {const(by.value)})" if by.value else x
        if optional(value.type) and by.value:
            moved = f"(select {moved} {x} ({wide}.ne {x} {const(NONE)}))"
        if least + by.value >= low and most + by.value <= high:
            return Parts((), (after(pre, target, as_rep(moved, wide, target)),))
        name = self.temp(wide)
        wrong = outside(get(name), low, high, wide)
        if optional(value.type):
            wrong = f"(i32.and {wrong} ({wide}.ne {get(name)} {const(NONE)}))"
        check = test(wrong, ["(call $fail (i32.const 604)) (unreachable)"])
        lines = (*pre, put(name, moved), check)
        return Parts((), (after(lines, target, as_rep(get(name), wide, target)),))

    def cast_set(self, e: ir.Op, by: int) -> Parts:
        raise NotImplementedError

    # ------------------------------------------------------------ checks before writing

    def checked_scalar(self, e: ir.Expr, target: Type) -> str:
        """A number for a place of a type, refused where it does not fit."""
        low, high = self.range_of(target)
        fixed = e.value if isinstance(e, ir.Const) and isinstance(e.value, int) else None
        none = optional(target) and optional(e.type) and fixed == NONE
        if fixed is not None and (low <= fixed <= high or none):
            return self.const(target, fixed).codes[0]
        return self.refit(self.expr(e), e.type, target)

    def refit(self, code: str, source: Type, target: Type) -> str:
        """A number of one type as one of another, refused where it does not fit."""
        low, high = self.range_of(target)
        rep = scalar_rep(source)
        least, most = self.range_of(source)
        if low <= least and most <= high and (optional(target) or not optional(source)):
            return as_rep(code, rep, scalar_rep(target))
        return self._within(code, source, target, rep, 601)


def is_straight(e: ir.Expr) -> bool:
    """Is it a few instructions, without a table or a check, beside what is in it?"""
    match e:
        case ir.Op(op=op):
            return not OPERATORS[op].fails and op not in SLOW
        case _:
            return isinstance(e, ir.Const | ir.Local | ir.Load)


METHODS: dict[str, Callable[[Scalars, ir.Op], Parts | str]] = {
    "and": Scalars._both,
    "or": Scalars._both,
    "if": Scalars._choice,
    "else_": Scalars._otherwise,
    "eq": Scalars._equal,
    "ne": Scalars._equal,
    **dict.fromkeys(("lt", "le", "gt", "ge"), Scalars._compared),
    **dict.fromkeys(("div_down", "div_up", "div_zero"), Scalars._divided),
    "id": Scalars._number_of,
    "some": Scalars._some,
    "narrow": Scalars._narrow,
    "cast": Scalars._cast,
}
"""Operators that are more than one instruction."""
ON_NUMBERS = {each.name for each in (*NUMBERS, *TRUTHS, *CHOICES, *GAME) if each.wasm}
"""Operators that have an instruction on numbers."""
