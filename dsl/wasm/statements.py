"""From statements to WebAssembly: blocks, loops and branches as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from dsl.ir import nodes as ir
from dsl.ir.program import RESULT, Procedure
from dsl.ir.types import NONE, Id, Int, ListOf, SetOf, Type
from dsl.ir.walk import inside, within
from dsl.ir.weight import STEP
from dsl.passes.meter import counted
from dsl.wasm.mirrors import moved_all
from dsl.wasm.reps import is_pointer, reps, scalar_rep, size_of
from dsl.wasm.stores import Stores
from dsl.wasm.text import Parts, get, i32, put, test

FEW_STATEMENTS, SHORT = 8, 60
"""How much stands where it is called: so many statements, each of such a weight."""


@dataclass(slots=True)
class Around:
    """A guarded block around the statement, or (number -1) the batch that is open, with the ways out of it."""

    number: int
    label: str
    left: dict[int, str]


class Statements(Stores):
    """Adds statements."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.around: list[Around] = []
        self.result: Type | None = None
        self.room = 0

    def body(self, statements: tuple[ir.Stmt, ...]) -> list[str]:
        lines: list[str] = []
        for group in self._grouped(statements):
            if len(group) > 1:
                lines += self._store_all([each for each in group if isinstance(each, ir.ForEach)])
            else:
                lines += self.statement(group[0])
        return lines

    def _grouped(self, statements: tuple[ir.Stmt, ...]) -> Iterator[list[ir.Stmt]]:
        """Each statement by itself, but for loops over the same members that do no more than give them values."""
        group: list[ir.Stmt] = []
        for st in statements:
            match st:
                case ir.Guarded(body=(ir.ForEach() as loop,)) | (ir.ForEach() as loop) if isinstance(
                    loop.domain, ir.Load
                ) and self._plain_stores(loop):
                    if group and not self._alike(group, loop):
                        yield group
                        group = []
                    group.append(loop)
                case ir.Mark() if group:
                    pass
                case _:
                    if group:
                        yield group
                    yield [st]
                    group = []
        if group:
            yield group

    def _alike(self, group: list[ir.Stmt], loop: ir.ForEach) -> bool:
        """Does a loop run over the same members as those before it, after all that they write?"""
        loops = [each for each in group if isinstance(each, ir.ForEach)]
        written = {store.var for each in loops for store in self._plain_stores(each)}
        return loops[0].domain == loop.domain and all(
            isinstance(part, ir.Local | ir.Const) or (isinstance(part, ir.Load) and part.var not in written)
            for part in inside(loop.domain)
        )

    def statement(self, st: ir.Stmt) -> list[str]:
        match st:
            case ir.SetLocal():
                return self.assign_checked(st.index, st.value)
            case ir.Store():
                return [*self.store(st), *self._forgotten(st.var)]
            case ir.Change():
                return [*self.change(st), *self._forgotten(st.var)]
            case ir.ShufflePile():
                return [*self._chance(st), *self._forgotten(*self._of_pool(st.pool))]
            case ir.Roll() | ir.RollList() | ir.Pick():
                return self._chance(st)
            case ir.MoveCard():
                pre, (card, pile) = self.apart((st.card, st.pile))
                name = "$keep_move" if self.batched else "$move_card"
                place = f"{self._pool(st.pool)} {card.codes[0]} {pile.codes[0]} {i32(st.top)}"
                return [*pre, f"(call {name} {place})", *self._forgotten(*self._of_pool(st.pool))]
            case ir.Call():
                return self._call(st)
            case ir.If():
                return [test(self.expr(st.condition), self.body(st.then), self.body(st.other))]
            case ir.ForEach():
                return self._for_each(st)
            case ir.Loop():
                return self._repeat(st)
            case ir.Guarded():
                return self._guarded(st)
            case ir.Leave():
                return self._leave(st)
            case ir.Batch():
                return self._batch(st)
            case ir.TakeResult():
                kind = self.frame.locals[st.index] if self.frame is not None else self.locals[st.index]
                slot = f"(i32.load offset={4 * RESULT} (i32.const 0))"
                lines = self.assign(st.index, self.scalar_value(slot, kind), kind)
                return [*lines, f"(i32.store offset={4 * RESULT} (i32.const 0) (i32.const 0))"]
            case ir.Log() | ir.Refused() | ir.Mark():
                return []
            case ir.TestEndings():
                return [] if self.batched else [f"(call $test_endings{'_at_once' if st.at_once else ''})"]
            case ir.Remember():
                return ["(call $remember_position)"]
            case ir.Fail():
                return [f"(call $fail {i32(int(st.code[1:]))})", "(unreachable)"]
            case ir.Give():
                return self._give(st)
            case _:
                assert_never(st)

    def _forgotten(self, *written: int) -> list[str]:
        """What is not known any more after a write: a batch forgets all when it is committed."""
        return [] if self.batched else self.memos.forgotten(written)

    def _of_pool(self, number: int) -> tuple[int, ...]:
        """The variables of a pool."""
        pool = self.program.pools[number]
        return tuple(each for each in (pool.in_play, pool.out, pool.pile, pool.order) if each is not None)

    def _pool(self, number: int) -> str:
        """Where a pool's piles and orders stand, in bytes, and how many cards it has."""
        pool = self.program.pools[number]
        assert pool.pile is not None
        assert pool.order is not None
        at, order = (4 * self.program.vars[var].offset for var in (pool.pile, pool.order))
        return f"{i32(at)} {i32(order)} {i32(len(self.program.domains[pool.domain].members))}"

    # ------------------------------------------------------------ chance

    def _chance(self, st: ir.Roll | ir.RollList | ir.Pick | ir.ShufflePile) -> list[str]:
        match st:
            case ir.Roll():
                code = f"(call $roll {self.number(st.count, 'i32')} {i32(st.sides)})"
                target = self._local_type(st.index)
                return self.assign(st.index, self.scalar_value(code, target), target)
            case ir.RollList():
                target = self._local_type(st.index)
                assert isinstance(target, ListOf)
                site = i32(self.memory.site(size_of(self.program, target)))
                count = self.number(st.count, "i32")
                call = f"(call $roll_list {site} {count} {i32(st.sides)} {i32(target.limit)})"
                return [call, *self.assign(st.index, Parts((), (site,), True), target)]
            case ir.Pick():
                return self._pick(st)
            case ir.ShufflePile():
                return [f"(call $shuffle_pile {self._pool(st.pool)} {self.number(st.pile, 'i32')})"]
            case _:
                assert_never(st)

    def _local_type(self, index: int) -> Type:
        return self.frame.locals[index] if self.frame is not None else self.locals[index]

    def _pick(self, st: ir.Pick) -> list[str]:
        domain = self.held(st.domain)
        kind = st.domain.type
        lines = list(domain.pre)
        weights = None
        if st.weights is not None:
            more, weights = self.atom(self.expr(st.weights))
            lines += more
        if isinstance(kind, ListOf):
            if weights is not None:
                code = f"(call $weighed_item {domain.codes[0]} {weights})"
                return [*lines, *self.assign(st.index, Parts((), (code,)), kind.of)]
            drawn, place = self.atom(
                f"(i32.mul (call $any_of (i32.load {domain.codes[0]})) {i32(self.stride(kind))})"
            )
            more, place = self.atom(f"(i32.add {domain.codes[0]} {place})")
            return [*lines, *drawn, *more, *self.assign(st.index, self.read(place, 4, kind.of), kind.of)]
        assert isinstance(kind, SetOf)
        site = self.memory.site(8 * len(domain.codes))
        for k, code in enumerate(domain.codes):
            lines.append(f"(i64.store offset={site + 8 * k} (i32.const 0) {code})")
        count = i32(len(domain.codes))
        if weights is not None:
            code = f"(call $weighed {i32(site)} {count} {weights})"
        else:
            low = self.lowest(kind)
            code = f"(call $nth {i32(site)} (call $any_of {self.size_code(domain, kind)}))"
            code = f"(i32.add {code} {i32(low)})" if low else code
        return [*lines, *self.assign(st.index, Parts((), (code,)), kind.of)]

    # ------------------------------------------------------------ control

    def _call(self, st: ir.Call) -> list[str]:
        called = self.program.procedures[st.procedure]
        if self._is_small(called):
            return self.in_place(st, called)
        name = f"$p{st.procedure}{'w' if self.batched else ''}"
        value = self.call(name, st.args, called.locals[: called.params], called.result)
        if st.result is not None and called.result is not None:
            return self.assign(st.result, value, called.result)
        if called.result is not None and not value.atomic:
            return [*value.pre, *(f"(drop {code})" for code in value.codes)]
        return list(value.pre)

    def _is_small(self, called: Procedure) -> bool:
        """Is a procedure so short that its statements stand where it is called?"""
        plain = all(isinstance(each, Int | Id) for each in called.locals) and called.result is None
        return plain and len(called.body) <= FEW_STATEMENTS and all(map(self._is_short, called.body))

    def _is_short(self, st: ir.Stmt) -> bool:
        match st:
            case ir.Store() | ir.Change() | ir.SetLocal():
                return self.weights.code((st,)) <= SHORT
            case ir.Log() | ir.Mark():
                return True
            case _:
                return False

    def in_place(self, st: ir.Call, called: Procedure) -> list[str]:
        """The statements of a procedure, with locals of their own."""
        given = self.arguments(st.args, called.locals[: called.params])
        kinds = [scalar_rep(each) for each in called.locals]
        names = [self.temp(kind) for kind in kinds]
        lines = [*given.pre, *given.codes]
        lines += [f"(local.set {name})" for name in reversed(names[: called.params])]
        for name, kind in zip(names[called.params :], kinds[called.params :], strict=True):
            lines.append(put(name, f"({kind}.const 0)"))
        kept = self.locals, self.frame, self.env, self.homes, self.around
        self.locals, self.frame, self.around = called.locals, None, []
        self.homes = {index: (name,) for index, name in enumerate(names)}
        self.env = {
            index: (Parts((), (get(name),), True), kind)
            for index, (name, kind) in enumerate(zip(names, called.locals, strict=True))
        }
        lines += [self.step(counted(called)), *self.body(called.body)]
        self.locals, self.frame, self.env, self.homes, self.around = kept
        return lines

    def _give(self, st: ir.Give) -> list[str]:
        if st.value is None or self.result is None:
            return ["(return)"]
        value = self.widen(self.parts(st.value), st.value.type, self.result)
        if is_pointer(self.result):
            self.room = self.room or self.memory.site(size_of(self.program, self.result))
            value = self.copied(value, self.result, i32(self.room))
        return [*value.pre, f"(return {' '.join(value.codes)})"]

    def step(self, weight: int) -> str:
        """Counts one step, and those of code of a weight."""
        return self.count(1 + weight // STEP)

    def _for_each(self, st: ir.ForEach) -> list[str]:
        kind = st.domain.type
        assert isinstance(kind, SetOf | ListOf)
        if (one := self.only_one(st.domain)) is not None:
            pre, x, there = one
            return [*pre, test(there, self._round(st, Parts((), (x,), True), kind.of))]
        if self._plain_stores(st):
            return self._store_all([st])
        value = self.parts(st.domain)
        lines = list(value.pre)
        constant = isinstance(st.domain, ir.Const)
        if isinstance(kind, ListOf) and not constant:
            kept = self.copied(Parts((), value.codes), kind)
            lines, value = [*lines, *kept.pre], Parts((), kept.codes, True)
        elif len(value.codes) > 1 and not constant:
            names = [self.temp(rep) for rep in reps(self.program, kind)]
            lines += [put(name, code) for name, code in zip(names, value.codes, strict=True)]
            value = Parts((), tuple(map(get, names)), True)
        done = self.label("d")
        rounds = self.run_over(st.domain, value, lambda element, _: self._round(st, element, kind.of), done)
        return [*lines, *rounds]

    def _plain_stores(self, st: ir.ForEach) -> list[ir.Store]:
        """The statements of a loop over members that gives variables of each member constant values, and does no more;
        empty for any other loop.
        """
        kind = st.domain.type
        if (
            self.batched
            or self.frame is not None
            or not isinstance(kind, SetOf)
            or not isinstance(kind.of, Id)
        ):
            return []
        found = []
        for each in st.body:
            match each:
                case ir.Mark():
                    pass
                case ir.Store(owner=ir.Local(index=st.index), item=None, value=ir.Const(value=int(value))):
                    if not self._fits(value, self.program.vars[each.var].type):
                        return []
                    found.append(each)
                case _:
                    return []
        return found

    def _fits(self, value: int, target: Type) -> bool:
        """Is a value sure to be one of a type of one slot?"""
        if not isinstance(target, Int | Id) or scalar_rep(target) != "i32":
            return False
        low, high = self.range_of(target)
        return low <= value <= high or (target.optional and value == NONE)

    def _store_all(self, loops: list[ir.ForEach]) -> list[str]:
        """Gives all members of a set the same values: the steps are counted once, slots of each member are written, and
        the sets of mirrors change as a whole.
        """
        kind = loops[0].domain.type
        assert isinstance(kind, SetOf)
        given = self.parts(loops[0].domain)
        names = [self.temp("i64") for _ in given.codes]
        lines = [*given.pre, *map(put, names, given.codes)]
        members = Parts((), tuple(map(get, names)), True)
        steps = i32(sum(1 + counted(each) // STEP for each in loops))
        lines.append(self.count_code(f"(i32.mul {self.size_code(members, kind)} {steps})"))
        stores = [store for each in loops for store in self._plain_stores(each)]
        values = [self.checked(each.value, self.program.vars[each.var].type).codes[0] for each in stores]
        place = self.temp("i32")

        def written(element: Parts, _: str) -> list[str]:
            written = [put(place, f"(i32.shl {element.codes[0]} (i32.const 2))")]
            for loop in loops:
                written += self.assign(loop.index, element, kind.of)
            for each, value in zip(stores, values, strict=True):
                at = 4 * self.program.vars[each.var].offset
                written.append(f"(i32.store offset={at} {get(place)} {value})")
            return written

        lines += self.run_over(loops[0].domain, members, written, self.label("d"))
        for each, value in zip(stores, values, strict=True):
            mirror = self.memory.mirrors.get(each.var)
            if mirror is not None:
                lines += moved_all(mirror, members.codes, value)
        return [*lines, *self._forgotten(*(each.var for each in stores))]

    def _round(self, st: ir.ForEach, element: Parts, kind: Type) -> list[str]:
        """What is done for one element."""
        taken = any(st.index in _assigned(each) for each in within(st.body))
        inner = [self.step(counted(st)), *self.assign(st.index, element, kind)]
        before = self.env
        if self.frame is not None and not taken:
            self.env = {**before, st.index: (element, kind)}
        inner += self.body(st.body)
        self.env = before
        return inner

    def _repeat(self, st: ir.Loop) -> list[str]:
        rep = "i64" if isinstance(st.limit.type, Int) and st.limit.type.low < -(2**31) else "i32"
        left, again, done = self.temp(rep), self.label("n"), self.label("d")
        inner = [
            f"(br_if {done} ({rep}.le_s {get(left)} ({rep}.const 0)))",
            put(left, f"({rep}.sub {get(left)} ({rep}.const 1))"),
            f"(br_if {done} (i32.eqz {self.expr(st.condition)}))",
            self.step(counted(st)),
            *self.body(st.body),
            f"(br {again})",
        ]
        return [put(left, self.number(st.limit, rep)), f"(block {done} (loop {again} {''.join(inner)}))"]

    def _guarded(self, st: ir.Guarded) -> list[str]:
        label = self.label("g")
        self.around.append(Around(st.number, label, {}))
        inner = self.body(st.body)
        self.around.pop()
        return [f"(block {label} {''.join(inner)})"]

    def _leave(self, st: ir.Leave) -> list[str]:
        """Goes to the end of a guarded block; a batch between here and there is committed on the way."""
        for around in reversed(self.around):
            if around.number == st.number:
                return [f"(br {around.label})"]
            if around.number == -1:
                flag = around.left.setdefault(st.number, self.temp("i32"))
                return [put(flag, i32(1)), f"(br {around.label})"]
        raise ValueError(f"no guarded block {st.number} is open")

    def _batch(self, st: ir.Batch) -> list[str]:
        if self.batched:
            return self.body(st.body)
        around = Around(-1, self.label("w"), {})
        self.around.append(around)
        self.batched = True
        inner = self.body(st.body)
        self.batched = False
        self.around.pop()
        lines = [put(flag, i32(0)) for flag in around.left.values()]
        lines += ["(call $begin_batch)", f"(block {around.label} {''.join(inner)})", "(call $commit)"]
        for number, flag in around.left.items():
            lines.append(test(get(flag), self._leave(ir.Leave(number))))
        return lines


def _assigned(st: ir.Stmt) -> tuple[int, ...]:
    """The locals to which a statement itself gives a value."""
    match st:
        case ir.SetLocal() | ir.Roll() | ir.RollList() | ir.Pick() | ir.TakeResult():
            return (st.index,)
        case ir.Call():
            return () if st.result is None else (st.result,)
        case _:
            return ()
