"""Operators on bags, lists and records. Bags and lists lie in memory, at a site of each operator that makes one."""

from __future__ import annotations

from dsl.engine.failure import Unplayable
from dsl.engine.layout import low_of, slots
from dsl.ir import nodes as ir
from dsl.ir.types import BagOf, ListOf, Record, SetOf, Type
from dsl.wasm.function import scaled
from dsl.wasm.reps import CHUNK, chunks, scalar_rep, size_of
from dsl.wasm.sets import Sets
from dsl.wasm.text import Parts, after, get, i32, i64, plus, put, test

FAIL_601 = "(call $fail (i32.const 601)) (unreachable)"


class Compounds(Sets):
    """Adds operators on bags, lists and records."""

    def compounds(self, e: ir.Op) -> Parts:
        match e.op:
            case "bag_get" | "bag_size":
                return self._bag_number(e)
            case "bag_put" | "bag_add" | "bag_sub":
                return self._bag(e)
            case "bag_set":
                return self._bag_set(e)
            case "length":
                return Parts((), (f"(i32.load {self.expr(e.args[0])})",))
            case "item":
                return self._element(e)
            case "append":
                return self._append(e)
            case "list_set":
                return self._list_set(e)
            case "field":
                return self._field(e)
            case "record":
                assert isinstance(e.type, Record)
                return self.arguments(e.args, e.type.types)
            case "inside":
                return self._inside(e)
            case _:
                raise ValueError(f"no such primitive: {e.op}")

    def stride(self, kind: ListOf) -> int:
        return 4 * slots(self.program, kind.of)

    # ------------------------------------------------------------ bags

    def _members(self, kind: Type) -> int:
        assert isinstance(kind, BagOf)
        return len(self.program.domains[kind.domain].members)

    def _bag_number(self, e: ir.Op) -> Parts:
        bag = e.args[0]
        if e.op == "bag_size":
            code = f"(call $bag_size {self.expr(bag)} {i32(self._members(bag.type))})"
            return Parts((), (code if scalar_rep(e.type) == "i64" else f"(i32.wrap_i64 {code})",))
        pre, (a, b) = self.apart(e.args)
        code = f"(i32.load (i32.add {a.codes[0]} {scaled(b.codes[0], 4)}))"
        return Parts((), (after(pre, "i32", code),))

    def _bag(self, e: ir.Op) -> Parts:
        """A new bag at a site of its own."""
        count = self._members(e.type)
        pre, given = self.apart(e.args)
        site = i32(self.memory.site(size_of(self.program, e.type)))
        first = given[0].codes[0]
        if e.op == "bag_put":
            begun, first = self.atom(first)
            more, member = self.atom(given[1].codes[0])
            last, number = self.atom(given[2].codes[0] if scalar_rep(e.args[2].type) == "i32" else i32(0))
            lines = (
                *pre,
                *begun,
                *more,
                *last,
                f"(memory.copy {site} {first} {i32(4 * count)})",
                f"(i32.store (i32.add {site} {scaled(member, 4)}) {number})",
            )
            return Parts(lines, (site,), True)
        call = f"(call ${e.op} {site} {first} {given[1].codes[0]} {i32(count)})"
        return Parts((*pre, call), (site,), True)

    def _bag_set(self, e: ir.Op) -> Parts:
        assert isinstance(e.type, SetOf)
        count = self._members(e.args[0].type)
        pre, bag = self.atom(self.expr(e.args[0]))
        codes = []
        for k in range(chunks(self.program, e.type)):
            here = min(CHUNK, max(0, count - k * CHUNK))
            codes.append(f"(call $bag_set {plus(bag, 4 * k * CHUNK)} {i32(here)})")
        return Parts(pre, tuple(codes))

    # ------------------------------------------------------------ lists

    def _element(self, e: ir.Op) -> Parts:
        kind = e.args[0].type
        assert isinstance(kind, ListOf)
        pre, (items, number) = self.apart(e.args)
        first, a = self.atom(items.codes[0])
        rep = scalar_rep(e.args[1].type)
        index = number.codes[0] if rep == "i32" else f"(call $narrowed {number.codes[0]})"
        second, x = self.atom(index)
        check = test(f"(i32.ge_u {x} (i32.load {a}))", ["(call $fail (i32.const 604)) (unreachable)"])
        third, place = self.atom(f"(i32.add {a} {scaled(x, self.stride(kind))})")
        found = self.read(place, 4, kind.of)
        lines = (*pre, *first, *second, check, *third)
        return self.widen(Parts((*lines, *found.pre), found.codes, found.atomic), kind.of, e.type)

    def _append(self, e: ir.Op) -> Parts:
        assert isinstance(e.type, ListOf)
        source = e.args[0].type
        assert isinstance(source, ListOf)
        pre, (items, element) = self.apart(e.args)
        site = i32(self.memory.site(size_of(self.program, e.type)))
        stride = self.stride(e.type)
        first, held = self.atom(items.codes[0])
        more, x = self.atom(element.codes[0])
        length = f"(i32.load {site})"
        lines = (
            *pre,
            *first,
            *more,
            self.copy(site, held, source),
            f"(i32.store offset=4 (i32.add {site} {scaled(length, stride)}) {x})",
            f"(i32.store {site} (i32.add {length} (i32.const 1)))",
        )
        return Parts(lines, (site,), True)

    def _list_set(self, e: ir.Op) -> Parts:
        assert isinstance(e.type, SetOf)
        pre, items = self.atom(self.expr(e.args[0]))
        low = low_of(self.program, e.type)
        codes = tuple(
            f"(call $list_bits {items} {i32(low + k * CHUNK)})" for k in range(chunks(self.program, e.type))
        )
        return Parts(pre, codes)

    def narrow_pointer(self, e: ir.Op) -> Parts:
        source, target = e.args[0].type, e.type
        pre, x = self.atom(self.expr(e.args[0]))
        check = self.too_large(x, source, target)
        return Parts((*pre, *check), (x,), True)

    def too_large(self, address: str, source: Type, target: Type) -> tuple[str, ...]:
        """Refuses counts or a length for which there is no room."""
        match source, target:
            case BagOf(), BagOf() if source.limit > target.limit:
                call = f"(call $bag_most {address} {i32(self._members(source))})"
                return (test(f"(i32.gt_s {call} {i32(target.limit)})", [FAIL_601]),)
            case ListOf(), ListOf() if source.limit > target.limit:
                return (test(f"(i32.gt_s (i32.load {address}) {i32(target.limit)})", [FAIL_601]),)
            case _:
                return ()

    # ------------------------------------------------------------ records

    def _field(self, e: ir.Op) -> Parts:
        value = self.parts(e.args[0])
        index = e.args[1]
        kind = e.args[0].type
        assert isinstance(kind, Record)
        assert isinstance(index, ir.Const)
        assert isinstance(index.value, int)
        of = kind.types[index.value]
        return self.widen(Parts(value.pre, (value.codes[index.value],), value.atomic), of, e.type)

    def _inside(self, e: ir.Op) -> Parts:
        number, record = e.args
        assert isinstance(record.type, Record)
        pre, (x, ends) = self.apart(e.args)
        rep = scalar_rep(number.type)
        wide = rep if all(scalar_rep(each) == rep for each in record.type.types) else "i64"
        name = self.temp(wide)
        codes = [
            f"(i64.extend_i32_s {code})" if wide == "i64" and scalar_rep(kind) == "i32" else code
            for code, kind in zip((x.codes[0], *ends.codes), (number.type, *record.type.types), strict=True)
        ]
        low = f"({wide}.ge_s {get(name)} {codes[1]})"
        high = f"({wide}.le_s {get(name)} {codes[2]})"
        return Parts((), (after((*pre, put(name, codes[0])), "i32", f"(i32.and {low} {high})"),))

    # ------------------------------------------------------------ checks before writing

    def checked(self, e: ir.Expr, target: Type) -> Parts:
        """A value for a place of a type, refused where it does not fit."""
        match target:
            case SetOf():
                return self._checked_set(self.parts(e), e.type, target)
            case BagOf() | ListOf():
                return self._checked_pointer(e, target)
            case Record():
                assert isinstance(e.type, Record)
                value = self.held(e)
                codes = tuple(
                    self.refit(code, given, wanted)
                    for code, given, wanted in zip(value.codes, e.type.types, target.types, strict=True)
                )
                return Parts(value.pre, codes)
            case _:
                return Parts((), (self.checked_scalar(e, target),))

    def _checked_set(self, value: Parts, kind: Type, target: SetOf) -> Parts:
        assert isinstance(kind, SetOf)
        low, high = self.range_of(target.of)
        least, most = self.range_of(kind.of)
        if low <= least and most <= high:
            return self.as_set(value, kind, target)
        held = self.hold(value, kind)
        allowed = 0
        for bit in range(max(low - least, 0), min(high - least, most - least) + 1):
            allowed |= 1 << bit
        wrong = []
        for k, code in enumerate(held.codes):
            mask = ~(allowed >> CHUNK * k) & (1 << CHUNK) - 1
            wrong.append(f"(i64.ne (i64.and {code} {i64(mask)}) {i64(0)})")
        lines = (*held.pre, *(test(each, [FAIL_601]) for each in wrong))
        moved = self.as_set(Parts((), held.codes, True), kind, target)
        return Parts((*lines, *moved.pre), moved.codes, moved.atomic)

    def _same_sets(self, source: Type, target: Type) -> None:
        """Refuses to take a list of sets for one whose sets take more room."""
        match source, target:
            case ListOf(SetOf()), ListOf() if self.stride(source) != self.stride(target):
                raise Unplayable("a list of sets as one of another type")
            case _:
                pass

    def _checked_pointer(self, e: ir.Expr, target: Type) -> Parts:
        self._same_sets(e.type, target)
        pre, x = self.atom(self.expr(e))
        lines = [*pre, *self.too_large(x, e.type, target)]
        if isinstance(target, ListOf) and isinstance(e.type, ListOf) and not isinstance(target.of, SetOf):
            low, high = self.range_of(target.of)
            least, most = self.range_of(e.type.of)
            if not (low <= least and most <= high):
                call = f"(call $list_within {x} {i32(max(low, -(2**31)))} {i32(min(high, 2**31 - 1))})"
                lines.append(test(f"(i32.eqz {call})", [FAIL_601]))
        return Parts(tuple(lines), (x,), True)
