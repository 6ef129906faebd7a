"""Operators on numbers, truths and options, and the check that a value lies in a range."""

from __future__ import annotations

from dsl.engine.failure import Unplayable
from dsl.ir import nodes as ir
from dsl.ir.program import OUT, REASON, STATUS, WINNERS
from dsl.ir.types import NONE, BagOf, ListOf, Record, SetOf, Type
from dsl.wasm.expressions import Base
from dsl.wasm.function import as_rep
from dsl.wasm.reps import LEAST, MOST, fits_in, is_pointer, optional, reps, scalar_rep
from dsl.wasm.text import Parts, after, both, choice, get, i32, i64, outside, put, test

SIGNS = {"add": "add", "sub": "sub", "mul": "mul"}
ORDER = {"lt": "lt_s", "le": "le_s", "gt": "gt_s", "ge": "ge_s"}
LIGHT = 12
"""An expression that weighs no more is evaluated rather than jumped over."""


class Scalars(Base):
    """Adds operators with one number or truth as their result."""

    def op(self, e: ir.Op) -> Parts:
        match e.op:
            case "and" | "or":
                return Parts((), (self._both(e),))
            case "if":
                return self._choice(e)
            case "else_":
                return self._otherwise(e)
            case "eq" | "ne":
                return Parts((), (self._equal(e),))
            case "lt" | "le" | "gt" | "ge":
                return Parts((), (self._compared(e),))
            case "add" | "sub" | "mul" | "neg" | "min" | "max" | "abs":
                return Parts((), (self._computed(e),))
            case "div_down" | "div_up" | "div_zero":
                return Parts((), (self._divided(e),))
            case "not":
                return Parts((), (f"(i32.eqz {self.expr(e.args[0])})",))
            case "out" | "won":
                slot = OUT if e.op == "out" else WINNERS
                code = f"(i32.shr_u (i32.load offset={4 * slot} (i32.const 0)) {self.expr(e.args[0])})"
                return Parts((), (f"(i32.and {code} (i32.const 1))",))
            case "over" | "reason":
                slot = STATUS if e.op == "over" else REASON
                return Parts(
                    (), (as_rep(f"(i32.load offset={4 * slot} (i32.const 0))", "i32", scalar_rep(e.type)),)
                )
            case "is_none":
                rep = scalar_rep(e.args[0].type)
                return Parts((), (f"({rep}.eq {self.expr(e.args[0])} {self.none_of(e.args[0].type)})",))
            case "id":
                return Parts((), (self.number(e.args[0], scalar_rep(e.type)),))
            case "some":
                return self._some(e)
            case "narrow":
                return self._narrow(e)
            case "cast":
                return self._cast(e)
            case _:
                return self.collections(e)

    def collections(self, e: ir.Op) -> Parts:
        raise NotImplementedError

    def sets_equal(self, e: ir.Op) -> str:
        raise NotImplementedError

    # ------------------------------------------------------------ truths

    def light(self, e: ir.Expr) -> bool:
        """Is an expression so cheap, and so sure, that it may be evaluated where it need not be?"""
        return self.weights.expr(e) <= LIGHT and not may_fail(e) and len(reps(self.program, e.type)) == 1

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
                rep = self._common(e.args)
                sign = "eq" if e.op == "eq" else "ne"
                return f"({rep}.{sign} {self.number(first, rep)} {self.number(second, rep)})"
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
        """Comparing none is false; none is less than every number, which is made use of."""
        first, second = e.args
        rep = self._common(e.args)
        a, b = self.number(first, rep), self.number(second, rep)
        low = e.op in {"lt", "le"}
        guarded = first if low else second
        for number, other, swapped in ((first, second, False), (second, first, True)):
            if optional(other.type) and self.range_of(number.type)[0] <= NONE:
                (pre, x), (more, y) = self.atom(a, rep), self.atom(b, rep)
                there = f"({rep}.ne {x if swapped else y} {i64(NONE) if rep == 'i64' else i32(NONE)})"
                return after((*pre, *more), "i32", f"(i32.and {there} ({rep}.{ORDER[e.op]} {x} {y}))")
        if not optional(guarded.type):
            return f"({rep}.{ORDER[e.op]} {a} {b})"
        none = i64(NONE) if rep == "i64" else i32(NONE)
        (pre, x), (more, y) = self.atom(a, rep), self.atom(b, rep)
        there = f"({rep}.ne {x if low else y} {none})"
        return after((*pre, *more), "i32", f"(i32.and {there} ({rep}.{ORDER[e.op]} {x} {y}))")

    # ------------------------------------------------------------ numbers

    def _computed(self, e: ir.Op) -> str:
        rep = "i64" if scalar_rep(e.type) == "i64" else self._common(e.args)
        codes = [self.number(each, rep) for each in e.args]
        match e.op:
            case "add" | "sub" | "mul":
                code = f"({rep}.{e.op} {codes[0]} {codes[1]})"
            case "neg":
                code = f"({rep}.sub ({rep}.const 0) {codes[0]})"
            case "abs":
                pre, x = self.atom(codes[0], rep)
                negative = f"({rep}.lt_s {x} ({rep}.const 0))"
                code = after(pre, rep, f"(select ({rep}.sub ({rep}.const 0) {x}) {x} {negative})")
            case _:
                code = self._extreme(e.op, codes, rep)
        return as_rep(code, rep, scalar_rep(e.type))

    def _extreme(self, op: str, codes: list[str], rep: str) -> str:
        sign = "lt_s" if op == "min" else "gt_s"
        name = self.temp(rep)
        pre = [put(name, codes[0])]
        for code in codes[1:]:
            more, other = self.atom(code, rep)
            pre += more
            pre.append(put(name, f"(select {get(name)} {other} ({rep}.{sign} {get(name)} {other}))"))
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
            code = f"(call ${e.op} {self.number(e.args[0], rep)} {self.number(divisor, rep)})"
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


def may_fail(e: ir.Expr) -> bool:
    """Can the evaluation fail, count steps, or loop?"""
    match e:
        case ir.Const() | ir.Local():
            return False
        case ir.Load():
            return e.owner is not None and may_fail(e.owner)
        case ir.Op(op=op):
            if op not in SAFE:
                return True
            return any(map(may_fail, e.args))
        case _:
            return True


SAFE = {
    *("add", "sub", "mul", "neg", "and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "if", "else_"),
    *("is_none", "union", "meet", "minus", "has", "size", "subset", "out", "won", "over", "reason", "id"),
}
