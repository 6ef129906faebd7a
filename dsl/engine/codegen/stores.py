"""From writes to Python: the check that a value lies in its range, then the slots.

In batched code nothing is written: the buffer `w` keeps it until the batch is committed (`batch.Buffer`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl.engine.codegen.emitter import Origin
from dsl.engine.codegen.expressions import is_none, optional, slot, total
from dsl.engine.codegen.folds import Folds
from dsl.engine.layout import bounds, extent, slots
from dsl.ir import nodes as ir
from dsl.ir.program import FRAME_HEAD
from dsl.ir.types import NONE, WORD, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type


class Stores(Folds):
    """Adds writing variables and locals. `batched` tells whether the writes are kept back."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.batched = False

    def store(self, st: ir.Store) -> None:
        var = self.program.vars[st.var]
        name, at = self._begin(st.var, st.owner)
        if st.item is not None:
            name, at, kind = self.item_place(st.var, name, at, st.item)
            self.put(name, at, kind, self.checked(self.expr(st.value), st.value, kind, st.var))
            return
        code = self.checked(self.expr(st.value), st.value, var.type, st.var)
        self.put(name, at, var.type, code, st.var)

    def _begin(self, var: int, owner: ir.Expr | None) -> tuple[str, int]:
        name, at = self.place(var, owner)
        return (self.keep(name) if name else ""), at

    def item_place(self, var: int, name: str, at: int, item: ir.Expr) -> tuple[str, int, Scalar]:
        """Where one item of a bag, record or list variable stands, and its type."""
        kind = self.program.vars[var].type
        match kind:
            case Record():
                assert isinstance(item, ir.Const)
                assert isinstance(item.value, int)
                return name, at + item.value, kind.types[item.value]
            case BagOf():
                code = self.expr(item)
                return self.keep(f"{name} + {code}" if name else code), at, Int(0, kind.limit)
            case ListOf():
                assert not isinstance(kind.of, SetOf)
                code = self.list_index(self.expr(item), name, at)
                return self.keep(f"{name} + {code}" if name else code), at + 1, kind.of
            case _:
                raise ValueError("only bags, records and lists have items")

    def checked(self, code: str, e: ir.Expr, target: Type, about: int) -> str:
        """The value, after the line that refuses it where it does not fit (none where it cannot but fit)."""
        match target:
            case Int() | Id():
                return self._checked_scalar(code, e, target, about)
            case SetOf():
                return self._checked_set(code, e.type, target, about)
            case BagOf():
                if isinstance(e.type, BagOf) and e.type.limit > target.limit:
                    code = self.keep(code)
                    with self.indented(f"if max({code}, default=0) > {target.limit}:"):
                        self.line(f"left(max({code}), 0, {target.limit}, {about})")
                return code
            case ListOf():
                return self._checked_list(code, e.type, target, about)
            case Record():
                return self._checked_record(code, e.type, target, about)
            case _:
                assert_never(target)

    def _checked_scalar(self, code: str, e: ir.Expr, target: Scalar, about: int) -> str:
        low, high = bounds(self.program, target)
        if isinstance(e, ir.Const) and (low <= self._number(e) <= high or (target.optional and is_none(e))):
            return code
        test = self._outside(e.type, target)
        if test is None:
            return f"(+{code})" if may_be_bool(e) else code
        code = self.keep(f"+{code}" if may_be_bool(e) else code)
        with self.indented(f"if {test.format(code)}:"):
            self.line(f"left({code}, {low}, {high}, {about})", Origin(e, self.env))
        return code

    def _outside(self, kind: Type, target: Scalar) -> str | None:
        """What tells that a value of type `kind` is outside the target's range; none if it cannot be."""
        low, high = bounds(self.program, target)
        least, most = bounds(self.program, kind) if isinstance(kind, Int | Id) else (low, high)
        inside = low <= least and most <= high
        if optional(kind) and not target.optional:
            return f"not {low} <= {{0}} <= {high}"
        if inside:
            return None
        return f"not {low} <= {{0}} <= {high}" + (f" and {{0}} != {NONE}" if optional(kind) else "")

    def _number(self, e: ir.Const) -> int:
        assert isinstance(e.value, int)
        return e.value

    def _checked_set(self, code: str, kind: Type, target: SetOf, about: int) -> str:
        assert isinstance(kind, SetOf)
        low, high = bounds(self.program, target.of)
        least, most = bounds(self.program, kind.of)
        if low <= least and most <= high:
            return self.as_set(code, kind, target)
        code = self.keep(code)
        below = f"{code} & {(1 << max(low - least, 0)) - 1:#x}"
        above = f"{code} >> {max(high - least + 1, 0)}"
        for wrong, test in ((least, below), (most, above)):
            if not low <= wrong <= high:
                with self.indented(f"if {test}:"):
                    self.line(f"left({wrong}, {low}, {high}, {about})")
        return self.as_set(code, kind, target)

    def _checked_list(self, code: str, kind: Type, target: ListOf, about: int) -> str:
        assert isinstance(kind, ListOf)
        if kind.limit > target.limit:
            code = self.keep(code)
            with self.indented(f"if len({code}) > {target.limit}:"):
                self.line(f"too_long(len({code}), {target.limit}, {about})")
        if isinstance(target.of, SetOf):
            return code
        test = self._outside(kind.of, target.of)
        if test is not None:
            low, high = bounds(self.program, target.of)
            code, each = self.keep(code), self.fresh("x")
            with self.indented(f"for {each} in {code}:"), self.indented(f"if {test.format(each)}:"):
                self.line(f"left({each}, {low}, {high}, {about})")
        return code

    def _checked_record(self, code: str, kind: Type, target: Record, about: int) -> str:
        assert isinstance(kind, Record)
        for k, (given, wanted) in enumerate(zip(kind.types, target.types, strict=True)):
            test = self._outside(given, wanted)
            if test is not None:
                code, (low, high) = self.keep(code), bounds(self.program, wanted)
                with self.indented(f"if {test.format(f'{code}[{k}]')}:"):
                    self.line(f"left({code}[{k}], {low}, {high}, {about})")
        return code

    def put(self, name: str, at: int, kind: Type, code: str, var: int = -1) -> None:
        """Writes a value that fits, or has the buffer keep it."""
        if self.batched:
            self._keep_back(name, at, kind, code, var)
            return
        match kind:
            case Int() | Id():
                self.line(f"{slot(name, at)} = {code}")
            case SetOf():
                self._put_set(name, at, kind, code)
            case BagOf() | Record():
                self.line(f"s[{total(name, at)}:{total(name, at + slots(self.program, kind))}] = {code}")
            case ListOf():
                self._put_list(name, at, kind, code)
            case _:
                assert_never(kind)

    def _put_set(self, name: str, at: int, kind: SetOf, code: str) -> None:
        count = extent(self.program, kind)
        if count < WORD:
            if count:
                self.line(f"{slot(name, at)} = {code}")
        else:
            self.line(f"put_set(s, {total(name, at)}, {slots(self.program, kind)}, {code})")

    def _put_list(self, name: str, at: int, kind: ListOf, code: str) -> None:
        length = slots(self.program, kind)
        if isinstance(kind.of, SetOf):
            self.line(f"put_list(s, {total(name, at)}, {slots(self.program, kind.of)}, {kind.limit}, {code})")
            return
        code = self.keep(code)
        span = f"{total(name, at)}:{total(name, at + length)}"
        self.line(f"s[{span}] = (len({code}), *{code}, *Z[len({code}):{kind.limit}])")

    def _keep_back(self, name: str, at: int, kind: Type, code: str, var: int) -> None:
        if isinstance(kind, Int | Id):
            self.line(f"w.put({total(name, at)}, {code}, {self.site})")
        else:
            self.line(f"w.put_value({total(name, at)}, {var}, {code}, {self.site})")

    def change(self, st: ir.Change) -> None:
        """Adds to a scalar, to one item, a whole bag, or to a set."""
        var = self.program.vars[st.var]
        if isinstance(var.type, SetOf):
            self._join(st, var.type)
            return
        if isinstance(var.type, ListOf) and st.item is None:
            self._append(st, var.type)
            return
        name, at = self._begin(st.var, st.owner)
        kind = var.type
        if st.item is not None:
            name, at, kind = self.item_place(st.var, name, at, st.item)
        amount = self.expr(st.amount)
        match kind:
            case Int() | Id():
                self._add(st, name, at, kind, amount)
            case BagOf():
                amount = self.keep(amount)
                each, number = self.fresh("x"), self.fresh("n")
                start = total(name, at)
                with self.indented(f"for {number}, {each} in enumerate({amount}, {start}):"):
                    self._add(st, number, 0, Int(0, kind.limit), each)
            case _:
                raise ValueError("only numbers and bags change by an amount")

    def _join(self, st: ir.Change, kind: SetOf) -> None:
        """A set gains or loses others."""
        if self.batched:
            name, at = self._begin(st.var, st.owner)
            elements = self.expr(st.amount)
            self.line(f"w.join({total(name, at)}, {st.var}, {elements}, lost={st.negative}, site={st.site})")
            return
        old = ir.Load(kind, st.var, st.owner)
        joined = ir.Op(kind, "minus" if st.negative else "union", (old, st.amount))
        self.store(ir.Store(st.var, st.owner, None, joined, st.site))

    def _append(self, st: ir.Change, kind: ListOf) -> None:
        """A list gains an element at its end."""
        if not self.batched:
            longer = ir.Op(
                replace(kind, limit=kind.limit + 1), "append", (ir.Load(kind, st.var, st.owner), st.amount)
            )
            self.store(ir.Store(st.var, st.owner, None, longer, st.site))
            return
        assert not isinstance(kind.of, SetOf)
        name, at = self._begin(st.var, st.owner)
        element = self.checked(self.expr(st.amount), st.amount, kind.of, st.var)
        self.line(f"w.append(s, {total(name, at)}, {element}, {kind.limit}, site={st.site}, about={st.var})")

    def _add(self, st: ir.Change, name: str, at: int, kind: Scalar, amount: str) -> None:
        low, high = bounds(self.program, kind)
        sign = "-" if st.negative else "+"
        if self.batched:
            signed = f"-{amount}" if st.negative else amount
            more = f"saturates={st.saturates}, site={st.site}, about={st.var}"
            self.line(f"w.add({total(name, at)}, {signed}, {low}, {high}, {more})")
            return
        if kind.optional:
            with self.indented(f"if {slot(name, at)} == {NONE}:"):
                self.line("none_met()")
        new = self.keep(f"{slot(name, at)} {sign} {amount}")
        with self.indented(f"if not {low} <= {new} <= {high}:"):
            if st.saturates:
                self.line(f"{new} = {low} if {new} < {low} else {high}")
            else:
                self.line(f"left({new}, {low}, {high}, {st.var})", self._added_to(st, kind))
        self.line(f"{slot(name, at)} = {new}")

    def _added_to(self, st: ir.Change, kind: Scalar) -> Origin | None:
        """What makes the number that a change by an amount comes to; none for the parts of a bag."""
        if isinstance(st.amount.type, BagOf):
            return None
        old = ir.Load(kind, st.var, st.owner)
        before = old if st.item is None else ir.LoadItem(kind, st.var, st.owner, st.item)
        return Origin(ir.Op(kind, "sub" if st.negative else "add", (before, st.amount)), self.env)

    def assign(self, index: int, code: str, kind: Type | None = None) -> None:
        """Gives a local a value: a Python name in a procedure, slots in a routine's frame."""
        if index in self.env:
            self.line(f"{self.env[index]} = {code}")
        if self.frame is None:
            if index not in self.env:
                self.line(f"l{index} = {code}")
            return
        kept, self.batched = self.batched, False
        target = self.frame.locals[index]
        code = self.env.get(index, code)
        self.put("f", FRAME_HEAD + self.frame.offsets[index], target, code)
        self.batched = kept

    def assign_checked(self, index: int, e: ir.Expr, locals_: tuple[Type, ...]) -> None:
        """Gives a local the value of an expression, which must lie in the local's own range."""
        self.assign(index, self.checked(self.expr(e), e, locals_[index], -1))


def may_be_bool(e: ir.Expr) -> bool:
    """Can Python's own truth come out of an expression? It is not stored: slots are whole numbers."""
    if not isinstance(e.type, Int) or e.type.low > 1 or e.type.high < 0:
        return False
    match e:
        case ir.Const() | ir.Load() | ir.LoadItem() | ir.Lookup():
            return False
        case ir.Op():
            if e.op in {"if", "else_"}:
                return any(may_be_bool(each) for each in e.args[-2:])
            return e.op not in {"add", "sub", "mul", "neg", "abs", "size", "length", "field", "item"}
        case ir.LetIn():
            return may_be_bool(e.body)
        case ir.Fold():
            return e.kind not in {"count", "sum"}
        case _:
            return True
