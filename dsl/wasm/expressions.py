"""From expressions to WebAssembly: constants, locals, loads, tables and calls.

`parts` gives a value as `text.Parts`; `expr` one that is a single WebAssembly value. Everything is pure, so what is
not needed is not evaluated; what can fail or counts steps stays in its order from left to right.

The types of the program are taken at their word: it has been verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from struct import pack
from typing import assert_never

from dsl.engine.failure import Unplayable
from dsl.engine.layout import slots, words
from dsl.ir import nodes as ir
from dsl.ir.distances import HEX, SQUARE, Distances, straight
from dsl.ir.operators import OPERATORS
from dsl.ir.program import FRAME_HEAD
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type
from dsl.ir.walk import inside, locals_in
from dsl.wasm.function import Function, as_rep, is_atom, scaled
from dsl.wasm.inlining import opened
from dsl.wasm.memos import HEAD, Memo
from dsl.wasm.pure_memos import Input, PureMemo, Shape
from dsl.wasm.reps import MOST, chunks, fits_in, is_pointer, optional, reps, scalar_rep, size_of
from dsl.wasm.text import Parts, after, get, i32, i64, outside, plus, put, test

MOST_TABLED = 256
"""Cells of a board whose distances stand in a table: a larger one would have too many entries."""


class Base(Function):
    """Adds constants, locals, loads, tables and calls."""

    _straight: str | None = None
    """How distances follow from places (`distances.straight`), empty where they do not; none before it was asked."""
    masks: dict[int, tuple[ir.Fold, Parts]]
    """Sets that are known, by the fold that asks for them (`vectors.py`)."""
    tabling = False
    """Is this the function that fills in a table? It asks no other."""

    def held(self, e: ir.Expr) -> Parts:
        return self.hold(self.parts(e), e.type)

    def apart(self, exprs: Sequence[ir.Expr]) -> tuple[tuple[str, ...], list[Parts]]:
        """Several values with what must run before all of them."""
        joined = self.sequence([(self.parts(each), each.type) for each in exprs])
        found, at = [], 0
        for each in exprs:
            count = len(reps(self.program, each.type))
            found.append(Parts((), joined.codes[at : at + count], joined.atomic))
            at += count
        return joined.pre, found

    # ------------------------------------------------------------ values

    def expr(self, e: ir.Expr) -> str:
        """The value of an expression that is one WebAssembly value."""
        value = self.parts(e)
        (rep,) = reps(self.program, e.type)
        return after(value.pre, rep, value.codes[0])

    def number(self, e: ir.Expr, rep: str) -> str:
        """A scalar as an i32 or i64."""
        return as_rep(self.expr(e), scalar_rep(e.type), rep)

    def parts(self, e: ir.Expr) -> Parts:
        """The value of an expression, in the form of its type."""
        if e.type not in self.known_types:
            reps(self.program, e.type)  # refuses what has no form here
            self.known_types.add(e.type)
        if (
            isinstance(e, ir.Op | ir.Fold | ir.Judge | ir.Reach | ir.Trial | ir.Occurrences)
            and (small := self._small_type(e)) is not None
        ):
            return self.widen(self.parts(replace(e, type=small)), small, e.type)
        if (known := self._in_table(e)) is not None:
            return known
        match e:
            case ir.Const():
                return self.const(e.type, e.value)
            case ir.Local():
                return self.local(e.index, e.type)
            case ir.Load():
                pre, address, at = self.place(e.var, e.owner, atomic=True)
                declared = self.program.vars[e.var].type
                found = self.read(address, at, declared)
                return self.widen(Parts((*pre, *found.pre), found.codes, found.atomic), declared, e.type)
            case ir.LoadItem():
                return self._item(e)
            case ir.Lookup():
                return self._lookup(e)
            case ir.Op():
                return self.op(e)
            case ir.LetIn():
                return self._let(e)
            case ir.Fold():
                return self.fold(e)
            case ir.Scan():
                return self.scan(e)
            case ir.Ask() | ir.Judge() if (plain := opened(self.program, e)) is not e:
                return self.widen(self.parts(plain), plain.type, e.type)
            case ir.Ask() if (known := self.written_out(e)) is not None:
                return known
            case ir.Ask() if e.value in self.memos.held:
                return self._remembered(e, self.memos.held[e.value])
            case ir.Ask():
                value = self.program.values[e.value]
                return self.widen(
                    self.call(f"$v{e.value}", e.args, value.params, value.result), value.result, e.type
                )
            case ir.Judge():
                return self.call(f"$j{e.action}", e.args, self.program.actions[e.action].params, Int(0, 1))
            case ir.Reach():
                return self._reach(e)
            case ir.Trial():
                return self.tried((e,))
            case ir.Occurrences():
                return Parts((), ("(call $occurrences)",))
            case _:
                assert_never(e)

    def _remembered(self, e: ir.Ask, memo: Memo) -> Parts:
        """The answer of a value that has a memo, where it stands in the entry."""
        value = self.program.values[e.value]
        given = self.arguments(e.args, value.params)
        call = f"(call $m{e.value} {' '.join(given.codes)})"
        rep = reps(self.program, value.result)
        if len(rep) == 1:
            found = Parts(given.pre, (f"({rep[0]}.load offset={HEAD} {call})",))
            return self.widen(found, value.result, e.type)
        place = self.temp("i32")
        codes = tuple(f"(i64.load offset={HEAD + 8 * k} {get(place)})" for k in range(len(rep)))
        found = Parts((*given.pre, put(place, call)), codes, True)
        if self.memos.searches:
            found = self.hold(replace(found, atomic=False), value.result)
        return self.widen(found, value.result, e.type)

    def _in_table(self, e: ir.Expr) -> Parts | None:
        """An expression that has a table, from its entry there; none for any other."""
        shaped = None if self.tabling else self.pure.shape(e, self._declared)
        if shaped is None or any(id(each) in self.masks for each in inside(e)):
            return None
        shape, inputs = shaped
        if shape not in self.pure.held:
            self.pure.held[shape] = self.tabled(shape)
        memo = self.pure.held[shape]
        if memo is None:
            return None
        pre: list[str] = []
        given = []
        for each, kind in zip(inputs, shape.inputs, strict=True):
            more, code = self.atom(self._input(each, kind))
            pre += more
            given.append(code)
        found, byte = self.temp("i32"), f"(i32.load8_u offset={memo.address} {self.entry_of(shape, given)})"
        call = put(found, f"(call {memo.function} {' '.join(given)})")
        return Parts(
            (*pre, put(found, byte), test(f"(i32.eqz {get(found)})", [call])), (self._out_of(found, e.type),)
        )

    def _declared(self, local: int) -> Type | None:
        """The type of a local that is bound here."""
        if local in self.env:
            return self.env[local][1]
        there = self.frame is not None and local < len(self.frame.locals)
        return self.frame.locals[local] if there and self.frame is not None else None

    def _input(self, each: Input, kind: Scalar) -> str:
        """The number that an input of a table is here."""
        local = None
        if each.local is not None:
            declared = self._declared(each.local)
            assert declared is not None
            local = ir.Local(declared, each.local)
        if each.var is None:
            assert local is not None
            return self.expr(local)
        return self.expr(ir.Load(kind, each.var, local))

    def entry_of(self, shape: Shape, given: Sequence[str]) -> str:
        """The number of an entry of a table."""
        found = ""
        for code, kind in zip(given, shape.inputs, strict=True):
            low, count = self.pure.range(kind)
            at = plus(code, -low)
            if kind.optional:
                at = f"(select {i32(count - 1)} {at} (i32.eq {code} {i32(NONE)}))"
            found = f"(i32.add {scaled(found, count)} {at})" if found else at
        return found

    def _out_of(self, byte: str, kind: Type) -> str:
        """The number of a type that a byte of a table, in a local, stands for."""
        low, high = self.range_of(kind)
        code = plus(get(byte), low - 1)
        if not optional(kind):
            return code
        return f"(select {i32(NONE)} {code} (i32.eq {get(byte)} {i32(high - low + 2)}))"

    def tabled(self, shape: Shape) -> PureMemo | None:
        """A table with the function that fills it in; none where an expression is done without a loop after all."""
        raise NotImplementedError

    def _small_type(
        self, e: ir.Op | ir.Fold | ir.Judge | ir.Reach | ir.Trial | ir.Occurrences
    ) -> Type | None:
        """The type of a result that always fits into 32 bits, where a wider one is declared."""
        if not isinstance(e.type, Int) or scalar_rep(e.type) == "i32":
            return None
        match e:
            case (
                ir.Fold(kind="any" | "every" | "count")
                | ir.Judge()
                | ir.Reach()
                | ir.Trial()
                | ir.Occurrences()
            ):
                return Int(0, MOST)
            case ir.Fold(kind="first", domain=domain) | ir.Op(op="next" | "only", args=(domain, *_)):
                of = domain.type.of if isinstance(domain.type, SetOf | ListOf) else None
                return replace(of, optional=True) if isinstance(of, Int | Id) else None
            case ir.Op(op=op) if OPERATORS[op].small:
                return Int(-2, MOST)
            case _:
                return None

    def op(self, e: ir.Op) -> Parts:
        raise NotImplementedError

    def fold(self, e: ir.Fold) -> Parts:
        raise NotImplementedError

    def scan(self, e: ir.Scan) -> Parts:
        raise NotImplementedError

    def written_out(self, e: ir.Ask) -> Parts | None:
        """A value that is not called, but evaluated in place."""
        raise NotImplementedError

    def reach_goal(self, e: ir.Reach, given: dict[int, tuple[Parts, Type]]) -> int:
        raise NotImplementedError

    def trial(self, trials: Sequence[ir.Trial], given: dict[int, tuple[Parts, Type]]) -> int:
        raise NotImplementedError

    def const(self, kind: Type, value: int | tuple[int, ...]) -> Parts:
        """A constant."""
        match kind:
            case Int() | Id():
                assert isinstance(value, int)
                return Parts((), (i64(value) if scalar_rep(kind) == "i64" else i32(value),), True)
            case SetOf():
                assert isinstance(value, int)
                count = chunks(self.program, kind)
                return Parts((), tuple(i64(value >> 64 * k & (1 << 64) - 1) for k in range(count)), True)
            case Record():
                assert isinstance(value, tuple)
                codes = (
                    i64(each) if scalar_rep(of) == "i64" else i32(each)
                    for each, of in zip(value, kind.types, strict=True)
                )
                return Parts((), tuple(codes), True)
            case BagOf() | ListOf():
                reps(self.program, kind)
                return Parts((), (i32(self.memory.words(words(self.program, kind, value))),), True)
            case _:
                assert_never(kind)

    def local(self, index: int, kind: Type) -> Parts:
        if index in self.env:
            value, of = self.env[index]
            return self.widen(value, of, kind)
        assert self.frame is not None
        at = 4 * (FRAME_HEAD + self.frame.offsets[index])
        of = self.frame.locals[index]
        return self.widen(self.read(get("$f"), at, of), of, kind)

    def widen(self, value: Parts, source: Type, target: Type) -> Parts:
        """The value in the form of a type that has room for all of its type."""
        if source == target or is_pointer(target):
            sets = isinstance(source, ListOf) and isinstance(target, ListOf) and isinstance(source.of, SetOf)
            if sets and source != target:
                raise Unplayable("a list of sets as one of another type")
            return value
        match source, target:
            case ((Int() | Id()), (Int() | Id())):
                code = as_rep(value.codes[0], scalar_rep(source), scalar_rep(target))
                return Parts(value.pre, (code,), value.atomic)
            case SetOf(), SetOf():
                missing = chunks(self.program, target) - chunks(self.program, source)
                return Parts(
                    value.pre,
                    (*value.codes, *(i64(0),) * missing)[: len(value.codes) + missing],
                    value.atomic,
                )
            case Record(), Record():
                codes = (
                    as_rep(code, scalar_rep(a), scalar_rep(b))
                    for code, a, b in zip(value.codes, source.types, target.types, strict=True)
                )
                return Parts(value.pre, tuple(codes), value.atomic)
            case _:
                return value

    def call(
        self, name: str, args: tuple[ir.Expr, ...], params: Sequence[Type], result: Type | None
    ) -> Parts:
        """What a function yields."""
        given = self.arguments(args, params)
        code = f"(call {name} {' '.join(given.codes)})"
        if result is None:
            return Parts((*given.pre, code), ())
        rep = reps(self.program, result)
        if is_pointer(result):
            return self.copied(Parts(given.pre, (code,)), result)
        if len(rep) == 1:
            return Parts(given.pre, (code,))
        names = [self.temp(each) for each in rep]
        taken = [f"(local.set {each})" for each in reversed(names)]
        return Parts((*given.pre, code, *taken), tuple(map(get, names)), True)

    def arguments(self, args: tuple[ir.Expr, ...], params: Sequence[Type]) -> Parts:
        """The arguments of a call, each in the form of its parameter."""
        return self.sequence(
            [
                (self.widen(self.parts(each), each.type, kind), kind)
                for each, kind in zip(args, params, strict=True)
            ]
        )

    def copied(self, value: Parts, kind: Type, to: str | None = None) -> Parts:
        """A value in memory, copied to a site of its own (or to an address)."""
        target = to if to is not None else i32(self.memory.site(size_of(self.program, kind)))
        return Parts((*value.pre, self.copy(target, value.codes[0], kind)), (target,), True)

    def copy(self, target: str, source: str, kind: Type) -> str:
        """A statement that copies the slots of a bag, or those of a list that hold something."""
        if isinstance(kind, ListOf):
            return f"(call $copy_list {target} {source} {i32(4 * slots(self.program, kind.of))})"
        return f"(memory.copy {target} {source} {i32(size_of(self.program, kind))})"

    # ------------------------------------------------------------ places

    def place(
        self, var: int, owner: ir.Expr | None, *, atomic: bool = False
    ) -> tuple[tuple[str, ...], str, int]:
        """Where a variable begins: statements, an address, and a number of bytes to add."""
        declared = self.program.vars[var]
        if owner is None:
            return (), i32(0), 4 * declared.offset
        if isinstance(owner, ir.Const) and isinstance(owner.value, int):
            return (), i32(0), 4 * (declared.offset + owner.value * declared.width)
        code = scaled(self.expr(owner), 4 * declared.width)
        if atomic and len(reps(self.program, declared.type)) > 1:
            pre, code = self.atom(code)
            return pre, code, 4 * declared.offset
        return (), code, 4 * declared.offset

    def read(self, address: str, at: int, kind: Type) -> Parts:
        """The value in memory that begins `at` bytes behind an address (an atom, where there are several parts)."""
        match kind:
            case Int() | Id():
                return Parts((), (f"({scalar_rep(kind)}.load offset={at} {address})",), is_atom(address))
            case SetOf():
                count = slots(self.program, kind)
                codes = []
                for k in range(chunks(self.program, kind)):
                    load = "i64.load" if 2 * k + 1 < count else "i64.load32_u"
                    codes.append(f"({load} offset={at + 8 * k} {address})" if count else i64(0))
                return Parts((), tuple(codes), is_atom(address))
            case Record():
                codes = [f"(i32.load offset={at + 4 * k} {address})" for k in range(len(kind.types))]
                if any(scalar_rep(each) == "i64" for each in kind.types):
                    raise Unplayable("a record of numbers beyond 32 bits in memory")
                return Parts((), tuple(codes), is_atom(address))
            case BagOf() | ListOf():
                reps(self.program, kind)
                return Parts((), (plus(address, at),), is_atom(address))
            case _:
                assert_never(kind)

    def item_type(self, kind: Type, item: ir.Expr) -> Scalar:
        """The type of one item of a bag, record or list."""
        match kind:
            case BagOf():
                return Int(0, kind.limit)
            case Record():
                assert isinstance(item, ir.Const)
                assert isinstance(item.value, int)
                return kind.types[item.value]
            case ListOf(of=Int() | Id() as of):
                return of
            case _:
                raise ValueError("only bags, records and lists have items")

    def item_place(
        self, var: int, owner: ir.Expr | None, item: ir.Expr
    ) -> tuple[tuple[str, ...], str, int, Scalar]:
        """Where one item of a variable stands: statements, an address (an atom), bytes to add, and its type."""
        kind = self.program.vars[var].type
        pre, address, at = self.place(var, owner)
        of = self.item_type(kind, item)
        if isinstance(item, ir.Const) and isinstance(item.value, int) and not isinstance(kind, ListOf):
            more, address = self.atom(address)
            return (*pre, *more), address, at + 4 * item.value, of
        if not isinstance(kind, ListOf):
            more, address = self.atom(f"(i32.add {address} {scaled(self.expr(item), 4)})")
            return (*pre, *more), address, at, of
        first, address = self.atom(address)
        code = self.expr(item)
        code = code if scalar_rep(item.type) == "i32" else f"(call $narrowed {code})"
        second, index = self.atom(code)
        check = test(
            f"(i32.ge_u {index} (i32.load offset={at} {address}))",
            ["(call $fail (i32.const 604)) (unreachable)"],
        )
        last, place = self.atom(f"(i32.add {address} {scaled(index, 4)})")
        return (*pre, *first, *second, check, *last), place, at + 4, of

    def _item(self, e: ir.LoadItem) -> Parts:
        pre, address, at, of = self.item_place(e.var, e.owner, e.item)
        found = self.read(address, at, of)
        return self.widen(Parts((*pre, *found.pre), found.codes, found.atomic), of, e.type)

    def _lookup(self, e: ir.Lookup) -> Parts:
        values = self.program.data[e.data].values
        if isinstance(values, Distances) and values.cells > MOST_TABLED:
            return self._distance(e, values)
        pre, position = self.position(e)
        found = self.entry(e, position)
        return Parts((*pre, *found.pre), found.codes, found.atomic)

    def entry(self, e: ir.Lookup, position: str) -> Parts:
        """The entry of a number; the only one without."""
        data, base = self.program.data[e.data], self.table(e.data)
        pre: tuple[str, ...] = ()
        address = i32(0)
        if position:
            pre, address = self.atom(scaled(position, size_of(self.program, data.type)))
        found = self.read(address, base, data.type)
        return self.widen(Parts((*pre, *found.pre), found.codes, found.atomic), data.type, e.type)

    def position(self, e: ir.Lookup) -> tuple[list[str], str]:
        """Checks the indices: statements, and the number of the entry, empty for a table of one."""
        pre, codes = self._indices(e)
        position = ""
        for code, (_, count) in zip(codes, self.program.data[e.data].dims, strict=True):
            position = f"(i32.add (i32.mul {position} {i32(count)}) {code})" if position else code
        return pre, position

    def _indices(self, e: ir.Lookup) -> tuple[list[str], list[str]]:
        """Statements that check the indices, and each of them, counted from 0."""
        data = self.program.data[e.data]
        first, given = self.apart(e.indices)
        pre = list(first)
        checked = [
            not fits_in(self.program, index.type, low, low + count - 1)
            for (low, count), index in zip(data.dims, e.indices, strict=True)
        ]
        codes = [each.codes[0] for each in given]
        if any(checked):  # all are computed before the first is checked
            for k, index in enumerate(e.indices):
                before, codes[k] = self.atom(codes[k], scalar_rep(index.type))
                pre += before
        for k, ((low, count), index) in enumerate(zip(data.dims, e.indices, strict=True)):
            rep, code = scalar_rep(index.type), codes[k]
            if checked[k]:
                wrong = outside(code, low, low + count - 1, rep) if count else i32(1)
                pre.append(test(wrong, ["(call $fail (i32.const 601)) (unreachable)"]))
            codes[k] = plus(as_rep(code, rep, "i32"), -low)
        return pre, codes

    def _distance(self, e: ir.Lookup, distances: Distances) -> Parts:
        """The distance of two cells of a large board: from their places, or where holes make ways longer from a table
        of small numbers.
        """
        pre, codes = self._indices(e)
        if self._straight is None:
            board = self.program.boards[0] if self.program.boards else None
            same = board is not None and board.neighbours == distances.rows.neighbours
            self._straight = (straight(board) if same and board is not None else None) or ""
        if not self._straight:
            rows = [distances.rows[cell] for cell in range(distances.cells)]
            small = all(isinstance(row, bytes) for row in rows)
            table = b"".join(
                row if small and isinstance(row, bytes) else pack(f"<{len(row)}H", *row) for row in rows
            )
            at = f"(i32.add (i32.mul {codes[0]} {i32(distances.cells)}) {codes[1]})"
            at = at if small else f"(i32.shl {at} (i32.const 1))"
            load = f"(i32.load{'8' if small else '16'}_u offset={self.memory.constant(table)} {at})"
            return self.widen(Parts(tuple(pre), (load,)), Int(0, distances.cells), e.type)
        board = self.program.boards[0]
        here, there = self.temp("i32"), self.temp("i32")
        pre += [put(here, codes[0]), put(there, codes[1])]
        sides = []
        for place in (board.x, board.y):
            table_ = self.memory.words(list(place))
            first, second = (
                f"(i32.load offset={table_} (i32.shl {get(each)} (i32.const 2)))" for each in (here, there)
            )
            name = self.temp("i32")
            pre.append(put(name, f"(i32.sub {first} {second})"))
            sides.append(name)
        both = self.temp("i32")
        lengths = []
        for name in sides:
            lengths.append(self.temp("i32"))
            pre.append(put(lengths[-1], _size(get(name))))
        across, along = map(get, lengths)
        if self._straight == SQUARE:
            found = f"(i32.add {across} {along})"
        else:
            pre.append(put(both, f"(select {across} {along} (i32.gt_u {across} {along}))"))
            found = get(both)
        if self._straight == HEX:
            pre.append(put(here, f"(i32.add {get(sides[0])} {get(sides[1])})"))
            pre.append(put(here, _size(get(here))))
            found = f"(select {found} {get(here)} (i32.gt_u {found} {get(here)}))"
        return self.widen(Parts(tuple(pre), (found,)), Int(0, distances.cells), e.type)

    def table(self, index: int) -> int:
        """The address of a table."""
        raise NotImplementedError

    def _let(self, e: ir.LetIn) -> Parts:
        constant = isinstance(e.value, ir.Lookup) and all(
            isinstance(each, ir.Const) for each in e.value.indices
        )
        if constant and e.index not in locals_in(e.body):
            return self.parts(e.body)
        value = self.held(e.value)
        body = self.bound(e.index, Parts((), value.codes, True), e.value.type, e.body)
        return Parts((*value.pre, *body.pre), body.codes, body.atomic)

    def bound(self, index: int, value: Parts, kind: Type, body: ir.Expr) -> Parts:
        """The value of `body`, in which a local is bound."""
        before = self.env
        self.env = {**before, index: (value, kind)}
        found = self.parts(body)
        self.env = before
        return found

    def _reach(self, e: ir.Reach) -> Parts:
        """A search: its goal is a function of its own."""
        pre, given = self._apart_from(e.goal)
        goal = self.reach_goal(e, given)
        routine = self.program.routines[e.routine]
        args = self.arguments(e.args, routine.locals[: routine.params])
        name = self.temp("i32")
        code = f"(call $reach_from {i32(e.routine)} {i32(goal)} {i32(e.limit)})"
        lines = (
            *pre,
            *args.pre,
            f"(call $q{e.routine} {' '.join(args.codes)})",
            put(name, code),
        )
        return Parts(lines, (get(name),), True)

    def tried(self, trials: Sequence[ir.Trial]) -> Parts:
        """Does one of some trials of the same procedure with the same arguments hold? What is done and then judged is a
        function of its own.
        """
        pre, given = self._apart_from(*trials)
        name = self.temp("i32")
        code = f"(call $tried {i32(self.trial(trials, given))})"
        return Parts((*pre, put(name, code)), (get(name),), True)

    def _apart_from(self, *exprs: ir.Expr) -> tuple[list[str], dict[int, tuple[Parts, Type]]]:
        """What expressions read of here is kept at sites, from which a function of its own takes it: the statements
        that do it, and what each local is there.
        """
        given: dict[int, tuple[Parts, Type]] = {}
        pre: list[str] = []
        for index in sorted({local for e in exprs for local in locals_in(e)}):
            if index not in self.env and (self.frame is None or index >= len(self.frame.locals)):
                continue
            kind = self.env[index][1] if index in self.env else self.frame.locals[index]  # type: ignore[union-attr]
            value = self.local(index, kind)
            at = self.memory.site(8 * len(value.codes))
            if is_pointer(kind):
                value = self.copied(value, kind)
            pre += value.pre
            loads = []
            for k, (rep, code) in enumerate(zip(reps(self.program, kind), value.codes, strict=True)):
                pre.append(f"({rep}.store offset={at + 8 * k} (i32.const 0) {code})")
                loads.append(f"({rep}.load offset={at + 8 * k} (i32.const 0))")
            given[index] = Parts((), tuple(loads), True), kind
        return pre, given


def _size(code: str) -> str:
    """A number without its sign; `code` is evaluated twice."""
    return f"(select {code} (i32.sub (i32.const 0) {code}) (i32.ge_s {code} (i32.const 0)))"
