"""Writes: into the state, into locals, and into what a batch keeps back."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import assert_never

from dsl.engine.failure import Unplayable
from dsl.engine.layout import slots, words
from dsl.ir import nodes as ir
from dsl.ir.program import FRAME_HEAD
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type
from dsl.wasm.folds import Folds
from dsl.wasm.function import as_rep
from dsl.wasm.mirrors import Mirror, moved
from dsl.wasm.reps import LEAST, MOST, is_pointer, optional, reps, scalar_rep, size_of
from dsl.wasm.sets import FAR
from dsl.wasm.text import Parts, get, i32, i64, outside, plus, put, test

FEW_BYTES = 64
FAIL_601 = "(call $fail (i32.const 601)) (unreachable)"


class Stores(Folds):
    """Adds writing. `batched` tells whether writes are kept back; `homes` are the locals of a procedure: for a bag
    or list a pointer, with the address of its own room.
    """

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.batched = False
        self.locals: tuple[Type, ...] = ()
        self.homes: dict[int, tuple[str, ...]] = {}
        self.rooms: dict[int, int] = {}

    # ------------------------------------------------------------ memory

    def write(self, address: str, at: int, kind: Type, value: Parts) -> list[str]:
        """Statements that put a value into memory, behind an address (an atom)."""
        lines = list(value.pre)
        match kind:
            case Int() | Id():
                return [*lines, f"(i32.store offset={at} {address} {value.codes[0]})"]
            case SetOf():
                value = self._all_first(value, kind, lines)
                count = slots(self.program, kind)
                for k, code in enumerate(value.codes if count else ()):
                    store = "i64.store" if 2 * k + 1 < count else "i64.store32"
                    lines.append(f"({store} offset={at + 8 * k} {address} {code})")
                return lines
            case Record():
                value = self._all_first(value, kind, lines)
                for k, code in enumerate(value.codes):
                    lines.append(f"(i32.store offset={at + 4 * k} {address} {code})")
                return lines
            case BagOf():
                size = i32(size_of(self.program, kind))
                return [*lines, f"(memory.copy {plus(address, at)} {value.codes[0]} {size})"]
            case ListOf():
                size = i32(size_of(self.program, kind))
                call = f"(call $store_list {plus(address, at)} {value.codes[0]}"
                return [*lines, f"{call} {i32(self.stride(kind))} {size})"]
            case _:
                assert_never(kind)

    def _all_first(self, value: Parts, kind: Type, lines: list[str]) -> Parts:
        """All parts are computed before the first is written: they may read what is written."""
        if len(value.codes) < 2 or all(code.startswith("(i64.const") for code in value.codes):
            return value
        names = [self.temp(rep) for rep in reps(self.program, kind)]
        lines += [put(name, code) for name, code in zip(names, value.codes, strict=True)]
        return Parts((), tuple(map(get, names)), True)

    def store(self, st: ir.Store) -> list[str]:
        kind: Type
        if st.item is not None:
            pre, address, at, kind = self.item_place(st.var, st.owner, st.item)
        else:
            pre, code, at = self.place(st.var, st.owner)
            more, address = self.atom(code)
            pre, kind = (*pre, *more), self.program.vars[st.var].type
        mirror = self.memory.mirrors.get(st.var)
        value = self.checked(st.value, kind)
        if mirror is None:
            return [*pre, *self._put(address, at, kind, value)]
        more, new = self.atom(value.codes[0])
        return [*pre, *value.pre, *more, *self._put_mirrored(mirror, st.var, address, at, new)]

    def _put_mirrored(self, mirror: Mirror, var: int, address: str, at: int, new: str) -> list[str]:
        """Writes a scalar (an atom) and moves the member from one set of the mirror to another."""
        first = 4 * self.program.vars[var].offset
        owner, old = i32((at - first) // 4), self.temp("i32")
        pre: tuple[str, ...] = ()
        if address != i32(0):
            pre, owner = self.atom(f"(i32.shr_u {address} (i32.const 2))")
        read = [] if mirror.few else [put(old, f"(i32.load offset={at} {address})")]
        return [
            *pre,
            *read,
            f"(i32.store offset={at} {address} {new})",
            *moved(mirror, owner, get(old), new, self.temp("i64"), self.temp("i32")),
        ]

    def _put(self, address: str, at: int, kind: Type, value: Parts) -> list[str]:
        if not self.batched:
            return self.write(address, at, kind, value)
        slot = plus(address, at)
        if isinstance(kind, Int | Id):
            return [*value.pre, f"(call $keep {slot} {value.codes[0]})"]
        site = self.memory.site(size_of(self.program, kind) + 8)
        lines = self.write(i32(site), 0, kind, value)
        return [*lines, f"(call $keep_all {slot} {i32(site)} {i32(slots(self.program, kind))})"]

    def change(self, st: ir.Change) -> list[str]:
        """Adds to a scalar, to one item, a whole bag, or to a set."""
        var = self.program.vars[st.var]
        if isinstance(var.type, SetOf):
            return self._join(st, var.type)
        kind: Type = var.type
        if isinstance(kind, ListOf) and st.item is None:
            return self._gain_element(st, kind)
        if st.item is not None:
            pre, address, at, kind = self.item_place(st.var, st.owner, st.item)
        else:
            pre, code, at = self.place(st.var, st.owner)
            more, address = self.atom(code)
            pre = (*pre, *more)
        if isinstance(kind, BagOf):
            return [*pre, *self._change_bag(st, address, at, kind)]
        assert isinstance(kind, Int | Id)
        return [*pre, *self._add_to(st, address, at, kind)]

    def _join(self, st: ir.Change, kind: SetOf) -> list[str]:
        """A set gains or loses others."""
        if not self.batched:
            old = ir.Load(kind, st.var, st.owner)
            joined = ir.Op(kind, "minus" if st.negative else "union", (old, st.amount))
            return self.store(ir.Store(st.var, st.owner, None, joined, st.site))
        pre, code, at = self.place(st.var, st.owner)
        more, address = self.atom(code)
        site = self.memory.site(size_of(self.program, kind) + 8)
        lines = self.write(i32(site), 0, kind, self.parts(st.amount))
        count, lost = i32(slots(self.program, kind)), i32(st.negative)
        return [*pre, *more, *lines, f"(call $keep_bits {plus(address, at)} {i32(site)} {count} {lost})"]

    def _gain_element(self, st: ir.Change, kind: ListOf) -> list[str]:
        """A list gains an element at its end."""
        if not self.batched:
            longer = ir.Op(
                replace(kind, limit=kind.limit + 1), "append", (ir.Load(kind, st.var, st.owner), st.amount)
            )
            return self.store(ir.Store(st.var, st.owner, None, longer, st.site))
        assert not isinstance(kind.of, SetOf)
        pre, code, at = self.place(st.var, st.owner)
        more, address = self.atom(code)
        element = self.checked(st.amount, kind.of)
        call = f"(call $keep_next {plus(address, at)} {element.codes[0]} {i32(kind.limit)})"
        return [*pre, *more, *element.pre, call]

    def _change_bag(self, st: ir.Change, address: str, at: int, kind: BagOf) -> list[str]:
        pre, amount = self.atom(self.expr(st.amount))
        count = len(self.program.domains[kind.domain].members)
        name = "$keep_bag" if self.batched else "$change_bag"
        sizes = f"{i32(count)} {i32(kind.limit)} {i32(st.negative)} {i32(st.saturates)}"
        return [*pre, f"(call {name} {plus(address, at)} {amount} {sizes})"]

    def _add_to(self, st: ir.Change, address: str, at: int, kind: Scalar) -> list[str]:
        low, high = self.range_of(kind)
        least, most = self.range_of(st.amount.type)
        reach = max(abs(least), abs(most))
        if reach > FAR:
            raise Unplayable("an amount that can leave 64 bits where many are added up")
        if self.batched:
            amount = self.number(st.amount, "i64")
            signed = f"(i64.sub (i64.const 0) {amount})" if st.negative else amount
            return [
                f"(call $keep_sum {plus(address, at)} {signed} {i32(low)} {i32(high)} {i32(st.saturates)})"
            ]
        rep = "i32" if low - reach >= LEAST and high + reach <= MOST else "i64"
        more, amount = self.atom(self.number(st.amount, rep), rep)
        old = f"(i32.load offset={at} {address})"
        lines = list(more)
        if optional(kind):
            lines.append(
                test(f"(i32.eq {old} {self.none_of(kind)})", ["(call $fail (i32.const 604)) (unreachable)"])
            )
        name = self.temp(rep)
        sign = "sub" if st.negative else "add"
        lines.append(put(name, f"({rep}.{sign} {as_rep(old, 'i32', rep)} {amount})"))
        ends = [as_rep(i32(low), "i32", rep), as_rep(i32(high), "i32", rep)]
        fix = [FAIL_601]
        if st.saturates:
            fix = [put(name, f"(select {ends[0]} {ends[1]} ({rep}.lt_s {get(name)} {ends[0]}))")]
        lines.append(test(outside(get(name), low, high, rep), fix))
        new, mirror = as_rep(get(name), rep, "i32"), self.memory.mirrors.get(st.var)
        if mirror is not None:
            more, new = self.atom(new)
            return [*lines, *more, *self._put_mirrored(mirror, st.var, address, at, new)]
        return [*lines, f"(i32.store offset={at} {address} {new})"]

    # ------------------------------------------------------------ locals

    def begin_locals(self, locals_: tuple[Type, ...], params: int) -> tuple[list[str], list[str]]:
        """The locals of a function as WebAssembly locals: declarations of its parameters, and first statements."""
        self.locals, self.frame, self.env, self.homes, self.rooms = locals_, None, {}, {}, {}
        declared, first = [], []
        for index, kind in enumerate(locals_):
            rep = reps(self.program, kind)
            names = tuple(f"$l{index}_{k}" for k in range(len(rep)))
            self.homes[index] = names
            self.env[index] = Parts((), tuple(map(get, names)), True), kind
            pairs = zip(names, rep, strict=True)
            if index < params:
                declared += [f"(param {name} {each})" for name, each in pairs]
            else:
                self.temps += [f"(local {name} {each})" for name, each in pairs]
                if is_pointer(kind):
                    first.append(put(names[0], i32(self.memory.zero)))
        return declared, first

    def assign(self, index: int, value: Parts, kind: Type) -> list[str]:
        """Gives a local a value that fits: WebAssembly locals in a procedure, slots in a routine's frame."""
        if self.frame is not None:
            target = self.frame.locals[index]
            at = 4 * (FRAME_HEAD + self.frame.offsets[index])
            return self.write(get("$f"), at, target, self.widen(value, kind, target))
        target = self.locals[index]
        value = self.widen(value, kind, target)
        names = self.homes[index]
        if is_pointer(target):
            if index not in self.rooms:
                self.rooms[index] = self.memory.site(size_of(self.program, target))
            room = i32(self.rooms[index])
            return [*value.pre, self.copy(room, value.codes[0], target), put(names[0], room)]
        if len(names) == 1:
            return [*value.pre, put(names[0], value.codes[0])]
        return [*value.pre, *value.codes, *(f"(local.set {name})" for name in reversed(names))]

    def assign_checked(self, index: int, e: ir.Expr) -> list[str]:
        """Gives a local the value of an expression, which must lie in the local's own range."""
        target = self.frame.locals[index] if self.frame is not None else self.locals[index]
        if self.frame is not None and e.type == target and isinstance(target, ListOf):
            copied = self._copied_whole(e, target, 4 * (FRAME_HEAD + self.frame.offsets[index]))
            if copied is not None:
                return copied
        return self.assign(index, self.checked(e, target), target)

    def _copied_whole(self, e: ir.Expr, kind: ListOf, at: int) -> list[str] | None:
        """A small list into the frame, with the zeros behind its end: a constant, or one that lies in the vector."""
        size = size_of(self.program, kind)
        if size > FEW_BYTES:
            return None
        parts = [(k, "i64" if size - k >= 8 else "i32") for k in range(0, size, 8)]
        frame, first = get("$f"), 0
        pre: tuple[str, ...] = ()
        if isinstance(e, ir.Const):
            data = struct.pack(f"<{size // 4}i", *words(self.program, kind, e.value)) + bytes(4)
            codes = [
                i64(int.from_bytes(data[k : k + 8], "little"))
                if rep == "i64"
                else i32(int.from_bytes(data[k : k + 4], "little"))
                for k, rep in parts
            ]
        else:
            match e:
                case ir.Load(owner=None):
                    pre, address, first = self.place(e.var, None)
                case ir.Local() if e.index not in self.env and self.frame is not None:
                    address, first = frame, 4 * (FRAME_HEAD + self.frame.offsets[e.index])
                case _:
                    return None
            codes = [f"({rep}.load offset={first + k} {address})" for k, rep in parts]
        stores = zip(parts, codes, strict=True)
        return [*pre, *(f"({rep}.store offset={at + k} {frame} {code})" for (k, rep), code in stores)]

    def scalar_value(self, code: str, target: Type) -> Parts:
        """What chance gave, an i32, in the form of a local's type."""
        return Parts((), (as_rep(code, "i32", scalar_rep(target)),))
