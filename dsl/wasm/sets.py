"""Operators on sets: an i64 for each 64 elements, handled side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS
from dsl.ir.types import NONE, Id, Int, SetOf, Type
from dsl.wasm.function import as_rep, is_atom
from dsl.wasm.reps import CHUNK, chunks, fits_in, optional, scalar_rep
from dsl.wasm.scalars import Scalars
from dsl.wasm.text import Parts, after, both, get, i32, i64, outside, plus, put, test

FULL = (1 << CHUNK) - 1
FAR = 1 << 40
SET_OPERATORS = (
    *("union", "meet", "minus", "subset", "size", "has"),
    *("single", "next", "only", "between"),
)


class Sets(Scalars):
    """Adds operators on sets."""

    def collections(self, e: ir.Op) -> Parts:
        match e.op:
            case "union" | "meet" | "minus":
                return self._joined(e)
            case "subset":
                return Parts((), (self._subset(e),))
            case "size":
                value = self.parts(e.args[0])
                counts = [f"(i64.popcnt {code})" for code in value.codes]
                return Parts((), (after(value.pre, "i32", f"(i32.wrap_i64 {both('i64.add', counts)})"),))
            case "has":
                return Parts((), (self._has(e),))
            case "single":
                return self._single(e)
            case "next" | "only":
                return Parts((), (self._next(e),))
            case "between":
                return self._between(e)
            case _:
                return self.compounds(e)

    def compounds(self, e: ir.Op) -> Parts:
        raise NotImplementedError

    # ------------------------------------------------------------ forms

    def lowest(self, kind: Type) -> int:
        assert isinstance(kind, SetOf)
        return low_of(self.program, kind)

    def as_set(self, value: Parts, kind: Type, target: SetOf) -> Parts:
        """A set of one type as one of another, whose bit 0 may stand for another value."""
        assert isinstance(kind, SetOf)
        shift = low_of(self.program, kind) - low_of(self.program, target)
        count = chunks(self.program, target)
        if shift == 0:
            codes = (*value.codes, *(i64(0),) * count)[:count]
            return Parts(value.pre, codes, value.atomic)
        kept = self.hold(value, kind)
        return Parts(kept.pre, tuple(_moved(kept.codes, shift, k) for k in range(count)))

    def lengthened(self, value: Parts, kind: Type, target: SetOf) -> Parts:
        """The same, with room at the end for elements that the other type does not have."""
        assert isinstance(kind, SetOf)
        shift = low_of(self.program, kind) - low_of(self.program, target)
        needed = -(-(extent(self.program, kind) + max(shift, 0)) // CHUNK)
        count = max(needed, chunks(self.program, target))
        if shift == 0:
            return Parts(value.pre, (*value.codes, *(i64(0),) * (count - len(value.codes))), value.atomic)
        kept = self.hold(value, kind)
        return Parts(kept.pre, tuple(_moved(kept.codes, shift, k) for k in range(count)))

    def _in_order(self, args: Sequence[ir.Expr], target: SetOf) -> tuple[tuple[str, ...], list[Parts]]:
        """Several sets: those before one that is moved, which is held for that, are held before it."""
        pre, values = self.apart(args)
        lines, low = list(pre), low_of(self.program, target)
        moves = [isinstance(each.type, SetOf) and low_of(self.program, each.type) != low for each in args]
        for k, each in enumerate(args):
            if any(moves[k + 1 :]):
                kept = self.hold(values[k], each.type)
                lines += kept.pre
                values[k] = Parts((), kept.codes, True)
        return tuple(lines), values

    def _aligned(self, args: Sequence[ir.Expr]) -> tuple[tuple[str, ...], list[Parts]]:
        """Two sets, from the same value on, as many i64 each."""
        kinds = [each.type for each in args if isinstance(each.type, SetOf)]
        first = min(kinds, key=lambda kind: low_of(self.program, kind))
        pre, values = self._in_order(args, first)
        moved = [self.lengthened(value, each.type, first) for value, each in zip(values, args, strict=True)]
        count = max(len(each.codes) for each in moved)
        lines = (*pre, *(line for each in moved for line in each.pre))
        return lines, [Parts((), (*each.codes, *(i64(0),) * (count - len(each.codes)))) for each in moved]

    def cast_set(self, e: ir.Op, by: int) -> Parts:
        value = e.args[0]
        assert isinstance(e.type, SetOf)
        assert isinstance(value.type, SetOf)
        shift = low_of(self.program, value.type) + by - low_of(self.program, e.type)
        held = self.held(value)
        count = extent(self.program, e.type)
        inside = shift >= 0 and extent(self.program, value.type) + shift <= count
        if shift == 0 and inside and len(held.codes) == chunks(self.program, e.type):
            return held
        codes = []
        for k in range(chunks(self.program, e.type)):
            code = _moved(held.codes, shift, k)
            mask = (1 << min(max(count - k * CHUNK, 0), CHUNK)) - 1
            codes.append(code if inside or mask == FULL else f"(i64.and {code} {i64(mask)})")
        return Parts(held.pre, tuple(codes))

    # ------------------------------------------------------------ operators

    def _joined(self, e: ir.Op) -> Parts:
        """In the form of the result each set has all elements that can be in it."""
        assert isinstance(e.type, SetOf)
        pre, values = self._in_order(e.args, e.type)
        moved = [self.as_set(value, each.type, e.type) for value, each in zip(values, e.args, strict=True)]
        lines = (*pre, *(line for each in moved for line in each.pre))
        codes = []
        for k in range(chunks(self.program, e.type)):
            found = [each.codes[k] for each in moved]
            code = found[0]
            for other in found[1:]:
                code = OPERATORS[e.op].wasm.format(code, other)
            codes.append(code)
        return Parts(lines, tuple(codes))

    def _subset(self, e: ir.Op) -> str:
        pre, (a, b) = self._aligned(e.args)
        rest = [f"(i64.and {x} (i64.xor {y} (i64.const -1)))" for x, y in zip(a.codes, b.codes, strict=True)]
        return after(pre, "i32", f"(i64.eqz {both('i64.or', rest)})")

    def sets_equal(self, e: ir.Op) -> str:
        pre, (a, b) = self._aligned(e.args)
        if len(a.codes) == 1:
            return after(pre, "i32", f"(i64.eq {a.codes[0]} {b.codes[0]})")
        rest = [f"(i64.xor {x} {y})" for x, y in zip(a.codes, b.codes, strict=True)]
        return after(pre, "i32", f"(i64.eqz {both('i64.or', rest)})")

    def _has(self, e: ir.Op) -> str:
        held, element = e.args
        kind = held.type
        assert isinstance(kind, SetOf)
        low, count = low_of(self.program, kind), extent(self.program, kind)
        if isinstance(element, ir.Const) and isinstance(element.value, int):
            bit = element.value - low
            if not 0 <= bit < count:
                return i32(0)
            value = self.parts(held)
            code = f"(i64.shr_u {value.codes[bit // CHUNK]} {i64(bit % CHUNK)})"
            return after(value.pre, "i32", f"(i32.and (i32.wrap_i64 {code}) (i32.const 1))")
        certain = fits_in(self.program, element.type, low, low + count - 1)
        value = self.parts(held)
        pre, x = self.atom(plus(self._index(element), -low))
        lines = (*value.pre, *pre)
        place = self._constant_at(held) or address_of(value)
        if place is not None:
            base, at = place
            word = f"(i32.shl (i32.shr_u {x} (i32.const 5)) (i32.const 2))"
            if not certain:
                word = f"(select {word} (i32.const 0) (i32.lt_u {x} {i32(count)}))"
            code = f"(i32.shr_u (i32.load offset={at} (i32.add {base} {word})) {x})"
        else:
            chunk = self.pick_chunk(value.codes, f"(i32.shr_u {x} (i32.const 6))")
            code = f"(i32.wrap_i64 (i64.shr_u {chunk} (i64.extend_i32_u {x})))"
        code = f"(i32.and {code} (i32.const 1))"
        if not certain:
            code = f"(i32.and {code} (i32.lt_u {x} {i32(count)}))"
        return after(lines, "i32", code)

    def _constant_at(self, e: ir.Expr) -> tuple[str, int] | None:
        """Where a constant set of several i64 stands in memory; none of any other."""
        match e:
            case ir.Op(op="cast", args=(ir.Const() as held, ir.Const(value=0))) if held.type == e.type:
                return self._constant_at(held)
            case _:
                pass
        if not isinstance(e, ir.Const) or not isinstance(e.value, int) or not isinstance(e.type, SetOf):
            return None
        count = chunks(self.program, e.type)
        return None if count == 1 else (i32(0), self.memory.constant(e.value.to_bytes(8 * count, "little")))

    def _index(self, element: ir.Expr) -> str:
        """An element as an i32; what lies beyond becomes none."""
        if scalar_rep(element.type) == "i32":
            return self.expr(element)
        pre, x = self.atom(self.expr(element), "i64")
        inside = f"(i64.eq {x} (i64.extend_i32_s (i32.wrap_i64 {x})))"
        return after(pre, "i32", f"(select (i32.wrap_i64 {x}) {i32(NONE)} {inside})")

    def pick_chunk(self, codes: tuple[str, ...], index: str) -> str:
        """One of several i64, by a number."""
        if len(codes) == 1:
            return codes[0]
        pre, x = self.atom(index)
        found = codes[-1]
        for k in range(len(codes) - 2, -1, -1):
            found = f"(select {codes[k]} {found} (i32.eq {x} {i32(k)}))"
        return after(pre, "i64", found)

    def _single(self, e: ir.Op) -> Parts:
        kind, element = e.type, e.args[0]
        assert isinstance(kind, SetOf)
        low = low_of(self.program, kind)
        if isinstance(element, ir.Const) and isinstance(element.value, int):
            if optional(element.type) and element.value == NONE:
                return self.const(kind, 0)
            if 0 <= element.value - low < extent(self.program, kind):
                return self.const(kind, 1 << element.value - low)
        rep = scalar_rep(element.type)
        lines, x = self._alone_in(element, kind)
        more, at = self.atom(plus(as_rep(x, rep, "i32"), -low))
        lines += more
        bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u {at}))"
        size = chunks(self.program, kind)
        there = None if not optional(element.type) else f"({rep}.ne {x} {self.none_of(element.type)})"
        if size == 1:
            code = bit if there is None else f"(select {bit} (i64.const 0) {there})"
            return Parts(tuple(lines), (code,))
        codes = tuple(
            f"(select {bit} (i64.const 0) (i32.eq (i32.shr_s {at} (i32.const 6)) {i32(k)}))"
            for k in range(size)
        )
        return Parts(tuple(lines), codes, is_atom(at))

    def _alone_in(self, element: ir.Expr, kind: SetOf) -> tuple[list[str], str]:
        """The one element of a set, an atom, after a check that it is none or can be in the set."""
        low, count = low_of(self.program, kind), extent(self.program, kind)
        rep = scalar_rep(element.type)
        pre, x = self.atom(self.expr(element), rep)
        assert isinstance(element.type, Int | Id)
        if fits_in(self.program, replace(element.type, optional=False), low, low + count - 1):
            return list(pre), x
        wrong = outside(x, low, low + count - 1, rep) if count else i32(1)
        if optional(element.type):
            wrong = f"(i32.and {wrong} ({rep}.ne {x} {self.none_of(element.type)}))"
        return [*pre, test(wrong, ["(call $fail (i32.const 601)) (unreachable)"])], x

    def only_one(self, e: ir.Expr) -> tuple[list[str], str, str] | None:
        """A set of one element at most: statements, the element as an i32 (an atom), and whether it is there."""
        match e:
            case ir.Op(op="single", args=(element,), type=SetOf() as kind) if not isinstance(
                element, ir.Const
            ):
                lines, x = self._alone_in(element, kind)
                rep = scalar_rep(element.type)
                there = f"({rep}.ne {x} {self.none_of(element.type)})" if optional(element.type) else i32(1)
                more, x = self.atom(as_rep(x, rep, "i32"))
                return [*lines, *more], x, there
            case _:
                return None

    def _next(self, e: ir.Op) -> str:
        kind = e.args[0].type
        assert isinstance(kind, SetOf)
        low, count, target = low_of(self.program, kind), extent(self.program, kind), scalar_rep(e.type)
        pre, values = self.apart(e.args)
        value = self.hold(values[0], kind)
        lines = [*pre, *value.pre]
        codes = value.codes
        if e.op == "next":
            index = self._beyond(values[1].codes[0], e.args[1].type, low, count, lines)
            masked = []
            for k, code in enumerate(codes):
                above = f"(call $from {plus(index, -k * CHUNK)})"
                masked.append(f"(i64.and {code} {above})")
            kept = self.hold(Parts((), tuple(masked)), kind)
            lines += kept.pre
            codes = kept.codes
        found = i32(NONE)
        for k in range(len(codes) - 1, -1, -1):
            first = f"(i32.add (i32.wrap_i64 (i64.ctz {codes[k]})) {i32(low + k * CHUNK)})"
            found = f"(select {found} {first} (i64.eqz {codes[k]}))"
        return after(lines, target, as_rep(found, "i32", target))

    def _beyond(self, code: str, kind: Type, low: int, count: int, lines: list[str]) -> str:
        """The bit behind an element's, 0 for none and for what is less than all."""
        rep, name = scalar_rep(kind), self.temp("i32")
        pre, x = self.atom(code, rep)
        lines += pre
        const = i64 if rep == "i64" else i32
        bit = as_rep(f"({rep}.sub {x} {const(low - 1)})", rep, "i32")
        lines.append(put(name, f"(select {bit} (i32.const 0) ({rep}.ge_s {x} {const(low)}))"))
        high = low + count - 1
        lines.append(test(f"({rep}.gt_s {x} {const(high)})", [put(name, i32(count))]))
        return get(name)

    def _between(self, e: ir.Op) -> Parts:
        """The numbers from low to high: in each i64 those bits that lie between."""
        kind = e.type
        assert isinstance(kind, SetOf)
        assert isinstance(kind.of, Int)
        first = low_of(self.program, kind)
        pre, values = self.apart(e.args)
        lines = list(pre)
        ends = []
        for value, each in zip(values, e.args, strict=True):
            code = self._near(as_rep(value.codes[0], scalar_rep(each.type), "i64"), each.type, lines)
            code = f"(i64.sub {code} {i64(first)})"
            name = self.temp("i64")
            lines.append(put(name, code))
            ends.append(get(name))
        codes = [
            f"(call $span (i64.sub {ends[0]} {i64(k * CHUNK)}) (i64.sub {ends[1]} {i64(k * CHUNK)}))"
            for k in range(chunks(self.program, kind))
        ]
        return Parts(tuple(lines), tuple(codes))

    def _near(self, code: str, kind: Type, lines: list[str]) -> str:
        """A number, or one that is beyond all sets just as well, so that nothing computed from it leaves 64 bits."""
        low, high = self.range_of(kind)
        if low >= -FAR and high <= FAR:
            return code
        name = self.temp("i64")
        lines.append(put(name, code))
        least = f"(select {get(name)} {i64(-FAR)} (i64.gt_s {get(name)} {i64(-FAR)}))"
        lines.append(put(name, least))
        return f"(select {get(name)} {i64(FAR)} (i64.lt_s {get(name)} {i64(FAR)}))"


def _moved(codes: tuple[str, ...], shift: int, k: int) -> str:
    """The k-th i64 of a set whose bits are shifted up."""
    whole, rest = divmod(shift, CHUNK)

    def at(index: int) -> str:
        return codes[index] if 0 <= index < len(codes) else ""

    high, low = at(k - whole), at(k - whole - 1)
    found = []
    if high:
        found.append(f"(i64.shl {high} {i64(rest)})" if rest else high)
    if rest and low:
        found.append(f"(i64.shr_u {low} {i64(CHUNK - rest)})")
    return both("i64.or", found) if found else i64(0)


def address_of(value: Parts) -> tuple[str, int] | None:
    """Where a set of several i64 stands in memory as it is: an address and bytes to add; none where it does not."""
    if not value.atomic or len(value.codes) < 2:
        return None
    found = [_LOAD.fullmatch(code) for code in value.codes]
    first = found[0]
    if first is None:
        return None
    base, at = first[2], int(first[1])
    for k, each in enumerate(found):
        if each is None or each[2] != base or int(each[1]) != at + 8 * k:
            return None
    return base, at


_LOAD = re.compile(r"\(i64\.load(?:32_u)? offset=(\d+) (.+)\)")
