"""Judgements on all fields of a board at once: bitboards, as chess programs have them.

`advance(c, north)` for every `c`: where a condition reads variables that have mirrors (`mirrors`), at fields that are
found from `c` in constant tables (`step`, `ray`, `around`), each part of it is a set of fields, a word of 64 bits
for each 64 of them. On a board the fields one step ahead are the same numbers farther on, so that
`step(c, north).man is none` is the set of empty fields, shifted.

A condition is read as the set of the fields for which it holds and that of those for which reading it would fail.
Where the second is not empty beforehand, or a part has no such form, it is asked of one field after the other instead.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, ListOf, SetOf, Type
from dsl.ir.walk import inside
from dsl.ir.weight import STEP
from dsl.passes.meter import counted
from dsl.wasm.bits import NO_BITS, NOTHING, Bits, Board, Entry, holds_in, mask_of, members_of
from dsl.wasm.fields import (
    Cases,
    Fields,
    NoBitboard,
    Read,
    Scope,
    Truth,
    every_field,
    fails_of,
    missing,
    unknown,
)
from dsl.wasm.function import LIGHT_ENOUGH
from dsl.wasm.rays import Rays
from dsl.wasm.text import Parts, both, i32

UNROLLED = 10
"""Elements that are gone through one by one."""
MOST_LINES = 2000
MOST_IN_VAIN = 200_000
"""What is done for judgements of one program that are no bitboards after all."""
GAIN = 16
"""What a condition weighs on all fields one by one, for each operation on all at once, that it is worth while."""
ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
NO_VALUE = ir.Const(Int(0, 0, optional=True), NONE)
FALSE = ir.Const(Int(0, 0), 0)


class Bitboards(Rays):
    """Adds conditions on all fields of a board as sets. `worked` is what has been done for those that became none."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.worked = 0

    def bitboard(
        self,
        conditions: Sequence[ir.Expr],
        index: int,
        domain: Parts,
        kind: Type,
        *,
        stops: bool,
        given: Mapping[int, tuple[int, Type]] | None = None,
    ) -> Parts | None:
        """The members of a held set for which conditions on local `index` hold, one after the other; none where that is
        not found so, or not sooner. `stops`: may who asks stop before the last? `given` are locals whose numbers are
        known.
        """
        judged = Judged(self)
        if not isinstance(kind, SetOf) or not judged.is_board(kind) or self.worked > MOST_IN_VAIN:
            return None
        lines, before = list(domain.pre), len(self.temps)
        board = Board(extent(self.program, kind), lines, self.temp)
        try:
            all_of = board.kept(domain.codes)
            reach, low = unknown if stops else lambda: all_of, low_of(self.program, kind)
            scope = every_field(board, index, kind.of, reach, low=low)
            for local, (value, of) in (given or {}).items():
                scope = scope.bound(local, scope.constant(value), of)
            found = judged.those(conditions, all_of, scope)
        except NoBitboard:
            found = None
        weight = sum(self.weights.expr(each) + judged.uncounted(each) for each in conditions)
        if found is None or GAIN * len(lines) > weight * board.size:
            self.worked += judged.work
            del self.temps[before:]
            return None
        return Parts(tuple(lines), board.codes(found))


class Judged(Fields):
    """Adds conditions."""

    def those(self, conditions: Sequence[ir.Expr], domain: Bits, scope: Scope) -> Bits:
        """The fields of a set for which conditions hold."""
        found = self.in_turn([(each, scope) for each in conditions], scope, True, every=True)
        if found.fails.mask:
            raise NoBitboard
        return scope.board.meet(domain, found.holds)

    def truth(self, e: ir.Expr, scope: Scope, holds: bool) -> Truth:
        """The fields for which a condition holds, or does not."""
        board = scope.board
        self.spend(board.words)
        if len(board.lines) > MOST_LINES:
            raise NoBitboard
        match e:
            case ir.Const(value=value):
                return Truth(board.all if bool(value) == holds else NOTHING)
            case ir.Op(op="not", args=(inner,)):
                return self.truth(inner, scope, not holds)
            case ir.Op(op="and" | "or" as name, args=args):
                parts = [(each, scope) for each in args]
                return self.in_turn(parts, scope, holds, every=(name == "and") == holds)
            case _ if self.runs_once(e, scope):
                found = board.all_if(self.once(e, scope).codes[0])
                return Truth(found if holds else board.rest(found))
            case ir.Op(op=name, args=(first, second)) if name in {"eq", "ne"}:
                return self._equal(first, second, scope, (name == "eq") == holds)
            case ir.Op(op="is_none", args=(inner,)):
                return self._equal(inner, NO_VALUE, scope, holds)
            case ir.Op(op=name, args=(first, second)) if name in ORDER:
                return self._ordered(name, first, second, scope, holds)
            case ir.Op(op="has", args=(held, element)):
                return self._has(held, element, scope, holds)
            case ir.LetIn():
                bound = self.at_each(e.value, scope)
                judged = self.truth(e.body, scope.bound(e.index, bound, e.value.type), holds)
                return Truth(judged.holds, board.join(fails_of(bound), judged.fails))
            case ir.Fold(kind="any" | "every"):
                return self._over(e, scope, holds)
            case ir.Ask() | ir.Judge():
                return self._told(e, scope, holds)
            case _:
                return self._equal(e, FALSE, scope, not holds)

    def in_turn(
        self, parts: Iterable[tuple[ir.Expr, Scope]], scope: Scope, holds: bool, *, every: bool
    ) -> Truth:
        """`and`, which ends at what does not hold, or `or`, which ends at what does."""
        board = scope.board
        found = Truth(board.all if every else NOTHING)
        for e, inner in parts:

            def still(so_far: Bits = found.holds) -> Bits:
                return so_far if every else board.rest(so_far)

            def reach(still: Callable[[], Bits] = still) -> Bits:
                return board.meet(scope.reach(), still())

            each = self.truth(e, replace(inner, reach=reach), holds)
            fails = found.fails
            if each.fails.mask:
                fails = board.join(fails, board.meet(still(), each.fails))
            found = Truth((board.meet if every else board.join)(found.holds, each.holds), fails)
        return found

    def _told(self, e: ir.Ask | ir.Judge, scope: Scope, holds: bool) -> Truth:
        """What the rules say: a value that is a condition, or a judgement whose clauses do not overrule each other."""
        called, fails = self.entered(e, scope)
        if isinstance(e, ir.Ask):
            found = self.truth(self.base(e), called, holds)
        else:
            clauses = self.program.actions[e.action].prohibitions
            if any(each.overruled_by or each.kind == "allow" for each in clauses):
                raise NoBitboard
            parts = [(each.condition, called) for each in clauses]
            found = self.in_turn(parts, called, not holds, every=holds)
        return Truth(found.holds, scope.board.join(fails, found.fails))

    # ------------------------------------------------------------ comparisons

    def _equal(self, first: ir.Expr, second: ir.Expr, scope: Scope, holds: bool) -> Truth:
        one, other = self.at_each(first, scope), self.at_each(second, scope)
        if isinstance(one, Read):
            return self._reads(one, second, scope, holds)
        if isinstance(other, Read):
            return self._reads(other, first, scope, holds)
        columns = self.columns(one, scope), self.columns(other, scope)
        return self._compared(*columns, scope.board, lambda a, b: (a == b) == holds)

    def _ordered(self, name: str, first: ir.Expr, second: ir.Expr, scope: Scope, holds: bool) -> Truth:
        one, other = (self.columns(self.at_each(each, scope), scope) for each in (first, second))
        if missing(one, scope.board).mask or missing(other, scope.board).mask:
            raise NoBitboard
        return self._compared(one, other, scope.board, lambda a, b: ORDER[name](a, b) == holds)

    def _compared(
        self, one: Cases, other: Cases, board: Board, test: Callable[[Entry, Entry], bool]
    ) -> Truth:
        """What is known of each pair of columns: where it holds, or all but where it does not, if that is one set."""
        self.spend(len(one.cases) * len(other.cases) * board.words)
        held, missed = [], []
        for guard, first in one.cases:
            for more, second in other.cases:
                both = board.meet(guard, more)
                mask = mask_of(test(a, b) for a, b in zip(first, second, strict=True))
                held.append(board.meet(both, Bits(mask)))
                missed.append(board.meet(both, Bits(board.all.mask & ~mask)))
        held, missed = ([each for each in sets if each.mask] for sets in (held, missed))
        fails = board.join(one.fails, other.fails)
        if len(held) > 1 and len(missed) == 1:
            return Truth(board.rest(missed[0]), fails)
        return Truth(board.join_all(held), fails)

    def _has(self, held: ir.Expr, element: ir.Expr, scope: Scope, holds: bool) -> Truth:
        """Is a field, or what is found at it, in a set?"""
        kind, board = held.type, scope.board
        assert isinstance(kind, SetOf)
        sets, found = self.at_each(held, scope), self.at_each(element, scope)
        low = low_of(self.program, kind)
        if isinstance(sets, Read) or not isinstance(found, Cases) or missing(found, board).mask:
            raise NoBitboard
        if isinstance(sets, Cases):
            return self._compared(sets, found, board, lambda a, b: holds_in(a, b, low) == holds)
        if low or not isinstance(kind.of, Id):
            raise NoBitboard
        there = board.beside(extent(self.program, kind))
        target = there.kept(sets.value.codes)
        return self._at(found, target if holds else there.rest(target), board)

    def _reads(self, read: Read, second: ir.Expr, scope: Scope, holds: bool) -> Truth:
        """The fields whose variable has a value that is one for all: what its mirror says."""
        function, declared = self.function, self.program.vars[read.load.var]
        assert declared.of is not None
        kind = SetOf(Id(declared.of))
        if not self.is_board(kind) or not self.sure_once(second, scope):
            raise NoBitboard
        member, other = function.unused(), function.unused()
        value = second if isinstance(second, ir.Const) else ir.Local(second.type, other)
        words = ir.Load(read.load.type, read.load.var, ir.Local(kind.of, member))
        asked = ir.Op(TRUTH, "eq" if holds else "ne", (words, value))
        before = function.env
        function.env = {**before, other: (self.once(second, scope), second.type)}
        made = function.mask(asked, member, kind) if function.loads(asked, member, kind) else None
        function.env = before
        if made is None:
            raise NoBitboard
        there = scope.board.beside(extent(self.program, kind))
        there.lines += made.pre
        return self._at(read.fields, there.kept(made.codes), scope.board)

    def _at(self, fields: Cases, target: Bits, board: Board) -> Truth:
        """The fields at which a member of a set is found."""
        held = [
            board.meet(guard, self.from_there(target, enumerate(column), board))
            for guard, column in fields.cases
        ]
        return Truth(board.join_all(held), fields.fails)

    # ------------------------------------------------------------ any and every

    def _over(self, e: ir.Fold, scope: Scope, holds: bool) -> Truth:
        """Element by element over what is constant, else over all that a table leads to."""
        kind, some = e.domain.type, holds == (e.kind == "any")
        assert isinstance(kind, SetOf | ListOf)
        body = ir.Const(TRUTH, 1) if e.body is None else e.body
        asked = [body if e.kind == "any" else ir.Op(TRUTH, "not", (body,))]
        asked = asked if e.where is None else [e.where, *asked]
        if isinstance(e.domain, ir.Const):
            return self._unrolled(e, asked, scope, some)
        domain = self.at_each(e.domain, scope)
        if not isinstance(domain, Cases) or not isinstance(kind.of, Id):
            raise NoBitboard
        self.count_elements(domain, counted(e), scope)
        target, board = self.set_of(asked, e.index, kind.of, scope), scope.board
        held = board.join_all(
            board.meet(guard, self.from_there(target, _pairs(column), board))
            for guard, column in domain.cases
        )
        return Truth(held if some else board.rest(held), domain.fails)

    def _unrolled(self, e: ir.Fold, asked: list[ir.Expr], scope: Scope, some: bool) -> Truth:
        """Does one of the elements of a constant satisfy conditions, or none of them?"""
        kind = e.domain.type
        assert isinstance(kind, SetOf | ListOf)
        assert isinstance(e.domain, ir.Const)
        members = members_of(e.domain.value, low_of(self.program, kind) if isinstance(kind, SetOf) else 0)
        if len(members) > UNROLLED:
            raise NoBitboard
        if weight := counted(e):
            self._count(scope.board.all, len(members) * weight // STEP, scope)
        condition = asked[0] if len(asked) == 1 else ir.Op(TRUTH, "and", tuple(asked))
        parts = [(condition, scope.bound(e.index, scope.constant(each), kind.of)) for each in members]
        return self.in_turn(parts, scope, some, every=not some)

    def uncounted(self, e: ir.Expr) -> int:
        """What large folds in an expression weigh, which is not in its own weight."""
        weight = 0
        for each in inside(e):
            match each:
                case ir.Fold() if counted(each):
                    weight += self.weights.extent(each.domain.type) * counted(each)
                case ir.Ask():
                    weight += self.uncounted(self.program.values[each.value].base)
                case ir.Judge():
                    clauses = self.program.actions[each.action].prohibitions
                    weight += sum(self.uncounted(clause.condition) for clause in clauses)
                case _:
                    pass
        return weight

    def count_elements(self, domain: Cases, weight: int, scope: Scope) -> None:
        """Counts the steps of a fold over constant sets or lists, whose elements weigh so much each."""
        if not weight:
            return
        for guard, column in domain.cases:
            steps: dict[int, int] = {}
            for field, entry in enumerate(column):
                size = entry.bit_count() if isinstance(entry, int) else len(entry)
                each = size * weight // STEP
                steps[each] = steps.get(each, 0) | 1 << field
            for each, mask in steps.items():
                self._count(scope.board.meet(guard, Bits(mask)), each, scope)

    def _count(self, fields: Bits, steps: int, scope: Scope) -> None:
        """Counts some steps for each of some fields that is come to."""
        board = scope.board
        if steps * board.size >= LIGHT_ENOUGH:
            raise NoBitboard
        come_to = board.codes(board.meet(scope.reach(), fields)) if steps else ()
        counts = [f"(i64.popcnt {code})" for code in come_to if code != NO_BITS]
        if counts:
            number = f"(i32.wrap_i64 {both('i64.add', counts)})"
            board.lines.append(self.function.count_code(f"(i32.mul {number} {i32(steps)})"))


def _pairs(column: Iterable[Entry]) -> Iterable[tuple[int, Entry]]:
    return ((field, each) for field, entry in enumerate(column) for each in members_of(entry))
