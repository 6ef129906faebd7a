"""Folds, and the one way to run over the elements of a set or list."""

from __future__ import annotations

from collections.abc import Callable

from dsl.engine.layout import low_of, slots
from dsl.ir import nodes as ir
from dsl.ir.types import Int, ListOf, SetOf, Type
from dsl.passes.meter import counted
from dsl.wasm.function import as_rep
from dsl.wasm.narrowing import STOPS_EARLY, Narrowing
from dsl.wasm.reps import CHUNK, chunks, reps, scalar_rep, size_of
from dsl.wasm.sets import address_of
from dsl.wasm.text import Parts, both, get, i32, i64, plus, put, test

Body = Callable[[Parts, str], list[str]]
"""What is done with an element; a branch to the label goes on with the next."""


class Folds(Narrowing):
    """Adds the one loop of expressions."""

    # ------------------------------------------------------------ running over elements

    def size_code(self, value: Parts, kind: Type) -> str:
        """How many elements a held domain has."""
        if isinstance(kind, ListOf):
            return f"(i32.load {value.codes[0]})"
        counts = [f"(i64.popcnt {code})" for code in value.codes]
        return f"(i32.wrap_i64 {both('i64.add', counts)})"

    def run_over(self, domain: ir.Expr, value: Parts, body: Body, done: str) -> list[str]:
        """Statements that run `body` for each element; a branch to `done` ends it."""
        kind = domain.type
        if isinstance(kind, ListOf):
            return self._over_list(kind, value, body, done)
        assert isinstance(kind, SetOf)
        if isinstance(domain, ir.Const) and isinstance(domain.value, int):
            bits = domain.value
            if bits == 0:
                return [f"(block {done})"]
            first = (bits & -bits).bit_length() - 1
            if bits >> first & (bits >> first) + 1 == 0:
                low = low_of(self.program, kind)
                return self._over_range(low + first, low + bits.bit_length() - 1, body, done)
        if len(value.codes) == 1:
            return self._over_bits(kind, value.codes[0], body, done)
        return self._over_chunks(kind, value, body, done)

    def _over_range(self, first: int, last: int, body: Body, done: str) -> list[str]:
        x, again, skip = self.temp("i32"), self.label("n"), self.label("s")
        inner = "".join(body(Parts((), (get(x),), True), skip))
        on = f"(br_if {again} (i32.le_s (local.tee {x} {plus(get(x), 1)}) {i32(last)}))"
        return [put(x, i32(first)), f"(block {done} (loop {again} (block {skip} {inner}) {on}))"]

    def _over_bits(self, kind: SetOf, code: str, body: Body, done: str) -> list[str]:
        rest, again = self.temp("i64"), self.label("n")
        inner = self._bits(rest, low_of(self.program, kind), "", again, body, done)
        return [put(rest, code), f"(block {done} (loop {again} {inner}))"]

    def _bits(self, rest: str, low: int, base: str, again: str, body: Body, dry: str) -> str:
        """One round: the least element left, out of the i64 `rest`."""
        x, skip = self.temp("i32"), self.label("s")
        element = f"(i32.wrap_i64 (i64.ctz {get(rest)}))"
        element = f"(i32.add {element} {base})" if base else plus(element, low)
        less = f"(i64.and {get(rest)} (i64.sub {get(rest)} (i64.const 1)))"
        inner = "".join(body(Parts((), (get(x),), True), skip))
        return (
            f"(br_if {dry} (i64.eqz {get(rest)})) {put(x, element)} {put(rest, less)}"
            f"(block {skip} {inner}) (br {again})"
        )

    def _over_chunks(self, kind: SetOf, value: Parts, body: Body, done: str) -> list[str]:
        """A set of several i64: from memory, where it is put if need be."""
        lines: list[str] = []
        count, low = len(value.codes), low_of(self.program, kind)
        place = address_of(value) if "32_u" not in value.codes[-1] else None
        if place is None:
            site = self.memory.site(8 * count)
            for k, code in enumerate(value.codes):
                lines.append(f"(i64.store offset={site + 8 * k} (i32.const 0) {code})")
            place = i32(0), site
        base, at = place
        rest, address, first = self.temp("i64"), self.temp("i32"), self.temp("i32")
        again, each, dry = self.label("n"), self.label("n"), self.label("d")
        inner = self._bits(rest, low, get(first), again, body, dry)
        lines += [put(address, base), put(first, i32(low))]
        lines.append(
            f"(block {done} (loop {each} {put(rest, f'(i64.load offset={at} {get(address)})')}"
            f"(block {dry} (loop {again} {inner})) {put(address, plus(get(address), 8))}"
            f"(br_if {each} (i32.lt_s (local.tee {first} {plus(get(first), CHUNK)}) {i32(low + count * CHUNK)}))))"
        )
        return lines

    def _over_list(self, kind: ListOf, value: Parts, body: Body, done: str) -> list[str]:
        at, end, again, skip = self.temp("i32"), self.temp("i32"), self.label("n"), self.label("s")
        stride = 4 * slots(self.program, kind.of)
        pre, base = self.atom(value.codes[0])
        found = self.read(get(at), 4, kind.of)
        lines = list(pre)
        if len(found.codes) == 1:
            name = self.temp("i64" if isinstance(kind.of, SetOf) else "i32")
            load, found = put(name, found.codes[0]), Parts((), (get(name),), True)
        else:
            load = ""
        inner = "".join(body(found, skip))
        lines.append(put(at, base))
        lines.append(put(end, f"(i32.add {base} (i32.mul (i32.load {base}) {i32(stride)}))"))
        lines.append(
            f"(block {done} (loop {again} (br_if {done} (i32.ge_u {get(at)} {get(end)})) {load}"
            f"(block {skip} {inner}) {put(at, plus(get(at), stride))} (br {again})))"
        )
        return lines

    # ------------------------------------------------------------ folds

    def fold(self, e: ir.Fold) -> Parts:
        inner, ray = self.asks_each(e), self.is_ray(e)
        numbered = ray or inner is not None
        domain, position = self._numbered(e.domain) if numbered else (self.held(e.domain), "")
        lines = list(domain.pre)
        if e.kind == "closure":
            return self._closure(e, domain, lines)
        steps: list[str] = []
        if weight := counted(e):
            steps.append(self.count_elements(self.size_code(domain, e.domain.type), weight))
        found = self.first_of_ray(e, position) if ray else self.at_once(e, Parts((), domain.codes, True))
        if found is not None:
            return Parts((*lines, *steps, *found.pre), found.codes)
        known = dict(self.masks)
        sets = self.prepared(e)
        found = self.covered(e, inner, position) if inner is not None else None
        if found is not None:
            self.masks = known
            return Parts((*lines, *sets, *found.pre), found.codes)
        lines += [*steps, *sets]
        run, value, where = self.narrowed(
            e.domain, Parts((), domain.codes, True), e.where, e.index, stops=e.kind in STOPS_EARLY
        )
        lines += value.pre
        done = self.label("d")
        begin, step, result = self._kind(e, done)
        element_type = e.domain.type.of if isinstance(e.domain.type, SetOf | ListOf) else e.type

        def body(element: Parts, skip: str) -> list[str]:
            before = self.env
            self.env = {**before, e.index: (element, element_type)}
            inner = []
            if where is not None:
                inner.append(f"(br_if {skip} (i32.eqz {self.expr(where)}))")
            inner += step(element)
            self.env = before
            return inner

        lines += begin
        lines += self.run_over(run, value, body, done)
        self.masks = known
        return Parts((*lines, *result.pre), result.codes, result.atomic)

    def scan(self, e: ir.Scan) -> Parts:
        start = self.widen(self.parts(e.start), e.start.type, e.type)
        names = [self.temp(rep) for rep in reps(self.program, e.type)]
        kept = Parts((), tuple(map(get, names)), True)
        lines = [*start.pre, *start.codes, *(f"(local.set {name})" for name in reversed(names))]
        domain = self.held(e.domain)
        lines += domain.pre
        if weight := counted(e):
            lines.append(self.count_elements(self.size_code(domain, e.domain.type), weight))
        assert isinstance(e.domain.type, SetOf | ListOf)
        element_type = e.domain.type.of

        def body(element: Parts, skip: str) -> list[str]:
            before = self.env
            self.env = {**before, e.index: (element, element_type), e.kept: (kept, e.type)}
            step = self.widen(self.parts(e.step), e.step.type, e.type)
            self.env = before
            return [*step.pre, *step.codes, *(f"(local.set {name})" for name in reversed(names))]

        known = dict(self.masks)
        lines += self.run_over(e.domain, Parts((), domain.codes, True), body, self.label("d"))
        self.masks = known
        return Parts(tuple(lines), kept.codes, True)

    def _numbered(self, domain: ir.Expr) -> tuple[Parts, str]:
        """A held domain and, where it is an entry of a table, the number of the entry."""
        if not isinstance(domain, ir.Lookup):
            return self.held(domain), ""
        pre, position = self.position(domain)
        more, position = self.atom(position or i32(0))
        found = self.hold(self.entry(domain, position), domain.type)
        return Parts((*pre, *more, *found.pre), found.codes, True), position

    def _kind(self, e: ir.Fold, done: str) -> tuple[list[str], Callable[[Parts], list[str]], Parts]:
        """What stands before the loop, in it (given the element), and the result."""
        if e.kind in {"all", "least", "most"}:
            return self._collecting(e)
        if e.kind == "union":
            return self._uniting(e)
        if e.kind == "ordered":
            return self._sorting(e)
        rep = scalar_rep(e.type)
        result = self.temp(rep)
        value = Parts((), (get(result),), True)
        one = "(i32.const 1)" if rep == "i32" else "(i64.const 1)"
        match e.kind:
            case "any":
                found = [put(result, one), f"(br {done})"]
                return [put(result, i32(0))], lambda _: self._when(e.body, found), value
            case "every":
                missed = [put(result, i32(0)), f"(br {done})"]
                return [put(result, one)], lambda _: self._if_not(e.body, missed), value
            case "count":
                more = [put(result, f"({rep}.add {get(result)} {one})")]
                return [put(result, f"({rep}.const 0)")], lambda _: self._when(e.body, more), value
            case "sum":
                return [put(result, f"({rep}.const 0)")], lambda x: self._add(e, result, x), value
            case "first":
                return (
                    [put(result, self.none_of(e.type))],
                    lambda x: self._when(e.body, [put(result, x.codes[0]), f"(br {done})"]),
                    value,
                )
            case _:
                return [put(result, self.none_of(e.type))], lambda x: self._extreme_of(e, result, x), value

    def _when(self, body: ir.Expr | None, lines: list[str]) -> list[str]:
        if body is None or (isinstance(body, ir.Const) and body.value == 1):
            return lines
        return [test(self.expr(body), lines)]

    def _if_not(self, body: ir.Expr | None, lines: list[str]) -> list[str]:
        return [] if body is None else [test(f"(i32.eqz {self.expr(body)})", lines)]

    def _measure(self, e: ir.Fold, element: Parts, rep: str) -> str:
        return self.number(e.body, rep) if e.body is not None else as_rep(element.codes[0], "i32", rep)

    def _add(self, e: ir.Fold, result: str, element: Parts) -> list[str]:
        rep = scalar_rep(e.type)
        return [put(result, f"({rep}.add {get(result)} {self._measure(e, element, rep)})")]

    def _extreme_of(self, e: ir.Fold, result: str, element: Parts) -> list[str]:
        rep = scalar_rep(e.type)
        pre, x = self.atom(self._measure(e, element, rep), rep)
        sign = "lt_s" if e.kind == "lowest" else "gt_s"
        better = f"({rep}.{sign} {x} {get(result)})"
        if e.kind == "lowest":
            better = f"(i32.or ({rep}.eq {get(result)} {self.none_of(e.type)}) {better})"
        return [*pre, test(better, [put(result, x)])]

    def _collecting(self, e: ir.Fold) -> tuple[list[str], Callable[[Parts], list[str]], Parts]:
        """Folds that yield a set."""
        assert isinstance(e.type, SetOf)
        clear, add, value = self._collector(e.type)
        if e.kind == "all":
            return [clear], lambda x: self._when(e.body, [add(x.codes[0])]), value
        body_type: Type = e.body.type if e.body is not None else Int(0, 0)
        rep = scalar_rep(body_type)
        best, seen = self.temp(rep), self.temp("i32")
        sign = "lt_s" if e.kind == "least" else "gt_s"

        def step(element: Parts) -> list[str]:
            pre, x = self.atom(self._measure(e, element, rep), rep)
            better = f"(i32.or (i32.eqz {get(seen)}) ({rep}.{sign} {x} {get(best)}))"
            anew = [put(seen, i32(1)), put(best, x), clear]
            return [
                *pre,
                test(better, anew),
                test(f"({rep}.eq {x} {get(best)})", [add(element.codes[0])]),
            ]

        return [clear, put(seen, i32(0))], step, value

    def _uniting(self, e: ir.Fold) -> tuple[list[str], Callable[[Parts], list[str]], Parts]:
        """All that is in any of many sets."""
        names = [self.temp("i64") for _ in reps(self.program, e.type)]

        def step(_: Parts) -> list[str]:
            assert e.body is not None
            more = self.held(e.body)
            joined = (f"(i64.or {get(name)} {code})" for name, code in zip(names, more.codes, strict=True))
            return [*more.pre, *map(put, names, joined)]

        return [put(name, i64(0)) for name in names], step, Parts((), tuple(map(get, names)), True)

    def _sorting(self, e: ir.Fold) -> tuple[list[str], Callable[[Parts], list[str]], Parts]:
        """The elements in a list, at a site with their measures behind it."""
        assert isinstance(e.type, ListOf)
        room = size_of(self.program, e.type)
        site = self.memory.site(room + 8 * e.type.limit)

        def step(element: Parts) -> list[str]:
            pre, x = self.atom(self._measure(e, element, "i64"), "i64")
            return [*pre, f"(call $put_in_order {i32(site)} {i32(site + room)} {element.codes[0]} {x})"]

        return [f"(i32.store {i32(site)} (i32.const 0))"], step, Parts((), (i32(site),), True)

    def _collector(self, kind: SetOf) -> tuple[str, Callable[[str], str], Parts]:
        """A set under construction: what clears it, what adds an element, and its value."""
        count, low = chunks(self.program, kind), low_of(self.program, kind)
        if count == 1:
            name = self.temp("i64")

            def add_bit(x: str) -> str:
                bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u {plus(x, -low)}))"
                return put(name, f"(i64.or {get(name)} {bit})")

            return put(name, i64(0)), add_bit, Parts((), (get(name),), True)
        site = self.memory.site(8 * count)
        clear = "".join(
            f"(i64.store offset={site + 8 * k} (i32.const 0) (i64.const 0))" for k in range(count)
        )

        def add_word(x: str) -> str:
            return f"(call $set_bit {i32(site)} {plus(x, -low)})"

        loads = tuple(f"(i64.load offset={site + 8 * k} (i32.const 0))" for k in range(count))
        return clear, add_word, Parts((), loads, True)

    def _closure(self, e: ir.Fold, start: Parts, lines: list[str]) -> Parts:
        """What a set leads to: each new element is asked once, the least first."""
        assert isinstance(e.type, SetOf)
        assert e.body is not None
        result = self._copied_set(start, lines)
        waiting = self._copied_set(start, lines)
        x, again, done, skip = self.temp("i32"), self.label("n"), self.label("d"), self.label("s")
        whole = [get(each) for each in waiting]
        inner = [f"(br_if {done} (i64.eqz {both('i64.or', whole)}))"]
        inner += self._take_least(waiting, x)
        before = self.env
        self.env = {**before, e.index: (Parts((), (get(x),), True), e.type.of)}
        step: list[str] = []
        if e.where is not None:
            step.append(f"(br_if {skip} (i32.eqz {self.expr(e.where)}))")
        new = self.held(e.body)
        step += new.pre
        for k, code in enumerate(new.codes):
            fresh = self.temp("i64")
            step.append(put(fresh, f"(i64.and {code} (i64.xor {get(result[k])} (i64.const -1)))"))
            step.append(put(result[k], f"(i64.or {get(result[k])} {get(fresh)})"))
            step.append(put(waiting[k], f"(i64.or {get(waiting[k])} {get(fresh)})"))
        self.env = before
        inner.append(f"(block {skip} {''.join(step)})")
        lines.append(f"(block {done} (loop {again} {''.join(inner)} (br {again})))")
        value = Parts((), tuple(map(get, result)), True)
        if weight := counted(e):
            lines.append(self.count_elements(self.size_code(value, e.type), weight))
        return Parts(tuple(lines), value.codes, True)

    def _copied_set(self, value: Parts, lines: list[str]) -> list[str]:
        names = [self.temp("i64") for _ in value.codes]
        lines += [put(name, code) for name, code in zip(names, value.codes, strict=True)]
        return names

    def _take_least(self, waiting: list[str], x: str) -> list[str]:
        """Moves the least element out of a set of several i64 that is not empty."""
        code: list[str] = []
        for k in range(len(waiting) - 1, -1, -1):
            name = waiting[k]
            take = [
                put(x, plus(f"(i32.wrap_i64 (i64.ctz {get(name)}))", k * CHUNK)),
                put(name, f"(i64.and {get(name)} (i64.sub {get(name)} (i64.const 1)))"),
            ]
            code = take if k == len(waiting) - 1 else [test(f"(i64.ne {get(name)} {i64(0)})", take, code)]
        return code
